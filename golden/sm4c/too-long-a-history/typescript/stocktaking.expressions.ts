// stocktaking 1.0, from sm4c. Change the definition, not this file.
import type { Json } from "./runtime.js";

export function countValue(): Json {
  const values: Json[] = [];
  for (let i = 0; i < 3600; i += 1) {
    values.push(i);
  }
  return values;
}
