// foreach-elements 1.0, from sm4c. Change the definition, not this file.
import { type Json, elementsOf, length, listIn, memberOf, valueOf } from "./runtime.js";

export function shipValue(data: Json): Json {
  const results = elementsOf(memberOf(data, "lines") ?? null);
  return listIn(length(results) === 1 ? valueOf(results, 0) : results, {
    name: "SM4C.NotAnArray",
    message: "The input of a foreach action has to give an array.",
  });
}
