import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";

/** The source text of a JavaScript function of one object, such as `({ event, order }) => event.data.id === order.id`. */
export type FunctionText = string;

/** Evaluates a function. */
export type Evaluate = (text: FunctionText, argument: JsonObject) => unknown;

/** Creates an evaluator that compiles each function once. They come from compositions, like those of states. */
export function createEvaluate(): Evaluate {
  const functions = new Map<FunctionText, (argument: JsonObject) => unknown>();
  return (text, argument) => {
    let compiled = functions.get(text);
    if (!compiled) {
      compiled = new Function(`"use strict";\nreturn (${text}\n);`)() as (argument: JsonObject) => unknown;
      functions.set(text, compiled);
    }
    return compiled(argument);
  };
}

/** The error of a function as an error of the composition's expressions. */
export function errorOf(thrown: unknown): JsonObject {
  const { value, message = String(thrown) } = (isObject(thrown) ? thrown : {}) as { value?: Json; message?: Json };
  const name = isObject(value) ? own(value, "name") : undefined;
  return {
    $waybill: "expression",
    name: typeof name === "string" ? name : "ExpressionError",
    message: String(message),
  };
}
