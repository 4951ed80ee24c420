import { jsonata } from "../../generated/jsonata-evaluator.js";
import { isObject, type Json } from "../../json.ts";
import { evaluateInState } from "./states.ts";

/** Evaluates a JSONata expression of a state in compiled programs, as `evaluateInState` documents. */
export const evaluateJsonata = (text: Json, place: Json, inputs: Json): Json =>
  evaluateInState(jsonata, String(text), place, isObject(inputs) ? inputs : {});
