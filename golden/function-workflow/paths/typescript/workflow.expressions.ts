// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, memberOf, sliced } from "./runtime.js";

export function restOutput(data: Json): Json {
  const values: Json[] = [];
  const value = memberOf(data, "prices");
  if (value !== undefined) {
    for (const item of sliced(value, 1, null, 1)) {
      values.push(item);
    }
  }
  return values;
}
