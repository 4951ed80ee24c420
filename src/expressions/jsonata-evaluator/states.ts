import type { EvaluatorProgram, jsonata } from "../../generated/jsonata-evaluator.js";
import { type Json, type JsonObject, setOwn } from "../../json.ts";
import { describeFailure } from "../jsonata-functions/failures.ts";
import { failQuery } from "../jsonata-functions/query.ts";
import { defaultJsonataLimits, functionResult, runJsonata } from "./run.ts";
import { addStatesFunctions } from "./states-functions.ts";

/**
 * Evaluates a JSONata expression of a state. `place`: the field and the state. `inputs`: the values of its variables by
 * name; under `name[]` an array that is empty if the variable has no value; under `now()` the time in seconds since
 * 1970; and under `random()` and `uuid()` arrays of what these functions give. Fails with
 * `States.QueryEvaluationError`.
 */
export function evaluateInState(load: typeof jsonata, text: string, place: Json, inputs: JsonObject): Json {
  const { variables, now, recorded } = readInputs(inputs);
  const limits = defaultJsonataLimits;
  const extend = (program: EvaluatorProgram): void => addStatesFunctions(program, recorded);
  let reason: string;
  try {
    const random = (): number => recorded.random.next().value as number;
    const value = runJsonata(load, text, undefined, { variables, now, random, limits, extend, refusesInfinity: true });
    if (value !== undefined) return value;
    reason = "returned nothing (undefined).";
  } catch (thrown) {
    const { code, message } = describeFailure(thrown);
    reason =
      message === functionResult
        ? "returned an unsupported result type."
        : `threw an error during evaluation. ${code === undefined ? "" : `${code}: `}${message}`;
  }
  return failQuery(text, Array.isArray(place) ? place : [], reason);
}

function readInputs(inputs: JsonObject) {
  const variables: { [name: string]: Json } = {};
  let now = 0;
  const recorded = { random: values([]), uuid: values([]) };
  for (const [name, value] of Object.entries(inputs)) {
    if (name === "now()") now = Math.round(Number(value) * 1000);
    else if (name === "random()" || name === "uuid()") recorded[name === "uuid()" ? "uuid" : "random"] = values(value);
    else if (!name.endsWith("[]")) setOwn(variables, name, value);
    else if (Array.isArray(value) && value.length > 0) setOwn(variables, name.slice(0, -2), value[0]!);
  }
  return { variables, now, recorded };
}

const values = (list: Json): Iterator<unknown> => (Array.isArray(list) ? list.values() : [].values());
