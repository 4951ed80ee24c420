// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, sliced } from "./runtime.js";

export function beginParcelsNone(data: Json): Json {
  const values: Json[] = [];
  const value = memberOf(elementOf(data, 0), "lines");
  if (value !== undefined) {
    for (const item of sliced(value, 0, 0, 1)) {
      values.push(item);
    }
  }
  return values;
}

export function shipLeftLeft(data: Json): Json {
  const values: Json[] = [];
  const value = elementOf(data, 1);
  if (value !== undefined) {
    for (const item of sliced(value, 1, null, 1)) {
      values.push(item);
    }
  }
  return values;
}
