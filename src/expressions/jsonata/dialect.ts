import { loadJsonataEvaluator } from "#lazy";
import { any, anyArray, anyObject, boolean, nullType, number, string, type Type } from "../../types/index.ts";
import type { Dialect, DialectProgram, Expression } from "../core/ast.ts";
import { call, literal, object } from "../core/build.ts";
import { evaluateInState } from "../jsonata-evaluator/states.ts";
import { printStatesProgram } from "../jsonata-js/index.ts";
import { isParseError } from "../syntax/cursor.ts";
import { parseJsonata } from "../syntax/jsonata/parse.ts";
import type { Jsonata } from "../syntax/jsonata/syntax.ts";
import { type JsonataType, jsonataMayFail, jsonataType, jsonataYieldsNothing } from "./analysis.ts";

/** JSONata of state machines: a program yields one value or fails with `States.QueryEvaluationError`. */
export const statesJsonata: Dialect = {
  name: "JSONata",
  yieldsFinite: true,
  outputs: () => "one",
  canFail: (text) => factsOf(text).canFail,
  type: (text) => factsOf(text).type,
  *evaluate({ text, place = [] }, inputs) {
    yield evaluateInState(loadJsonataEvaluator(), text, place, Object.fromEntries(inputs));
  },
  lower: ({ text, place = [] }, inputs) => call("evaluateJsonata", literal(text), literal(place), object([...inputs])),
  javascript: printStatesProgram,
};

/** A program of a field. The names of inputs are those of `evaluateInState`. */
export const statesProgram = (
  text: string,
  place: { readonly field: string; readonly state: string },
  inputs: readonly (readonly [name: string, value: Expression])[],
): DialectProgram => ({
  kind: "dialect",
  dialect: statesJsonata,
  text,
  place: [place.field, place.state],
  inputs: inputs.map(([name, value]) => ({ name, value })),
});

interface ProgramFacts {
  readonly canFail: boolean;
  readonly type: Type;
}

/** Analyses ask repeatedly, with the text only. */
const known = new Map<string, ProgramFacts>();

const maxKnown = 1000;

function factsOf(text: string): ProgramFacts {
  const found = known.get(text);
  if (found) return found;
  const tree = parseJsonata(text);
  if (isParseError(tree)) throw new Error(`A program of JSONata is invalid: ${tree.message}`);
  const facts = { canFail: jsonataMayFail(tree) || jsonataYieldsNothing(tree), type: typeOf(tree) };
  if (known.size >= maxKnown) known.clear();
  known.set(text, facts);
  return facts;
}

function typeOf(tree: Jsonata): Type {
  const type = jsonataType(tree);
  return type === undefined ? any : types[type];
}

const types: { readonly [type in JsonataType]: Type } = {
  null: nullType,
  boolean,
  number,
  string,
  array: anyArray,
  object: anyObject,
  // Such a program fails.
  function: any,
};
