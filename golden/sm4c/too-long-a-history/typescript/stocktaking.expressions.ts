// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import type { Json } from "./runtime.js";

function countValue_(input) {
  const r1 = [];
  const n2 = 0;
  const n3 = 3600;
  const n4 = 1;
  for (let i5 = n2; i5 < n3; i5 += n4) {
    r1.push(i5);
  }
  return r1;
}

export const countValue = (): Json => countValue_(null);
