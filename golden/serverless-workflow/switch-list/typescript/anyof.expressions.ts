// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, everything, itemsOf as iteratedIf, memberOf as named, switchCondition } from "./runtime/index.ts";

function stock_(input, $data_1) {
  const r2 = [];
  const v3 = named($data_1, "items");
  if (v3 !== undefined) {
    for (const v4 of iteratedIf(v3)) {
      const v5 = named(v4, "left");
      if (v5 !== undefined) r2.push(v5);
    }
  }
  return switchCondition(r2, "notequals", "0");
}

export const stock = (v1: Json): Json => stock_(null, v1);

function stockValue_(input, $data_1) {
  const r2 = [];
  for (const v3 of everything($data_1)) {
    const v4 = named(v3, "left");
    if (v4 !== undefined) r2.push(v4);
  }
  return switchCondition(r2, "greaterthan", "0");
}

export const stockValue = (v1: Json): Json => stockValue_(null, v1);
