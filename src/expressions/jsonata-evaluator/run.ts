import type { EvaluatorOptions, EvaluatorProgram, jsonata } from "../../generated/jsonata-evaluator.js";
import { type Json, setOwn } from "../../json.ts";
import { deepestEvaluation, type JsonataFailure, tooDeep } from "../jsonata-functions/failures.ts";
import { BoundedRegExp } from "./bounded-regexp.ts";

/** Bounds of an evaluation. */
export interface JsonataLimits {
  /** The maximum number of evaluated nodes, and of parts of values that are compared, printed or returned. */
  readonly steps: number;
  /** The maximum number of nested evaluations. */
  readonly depth: number;
  /** The maximum length of a sequence. */
  readonly sequence: number;
}

/** Steps of about ten seconds. */
export const defaultJsonataLimits: JsonataLimits = {
  steps: 5_000_000,
  depth: deepestEvaluation,
  sequence: 10_000_000,
};

/** What an evaluation reads in addition to its document. */
export interface JsonataRun {
  /** By name, without the `$`. */
  readonly variables: { readonly [name: string]: Json };
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly random: () => number;
  readonly limits: JsonataLimits;
  /** Whether a number beyond the range of doubles fails also where it is not the result. */
  readonly refusesInfinity?: boolean;
  /** Replaces functions of JSONata, or adds some. */
  extend?(program: EvaluatorProgram): void;
}

/** Evaluates a program; undefined if it yields nothing. Throws for a mistake, which `describeFailure` reads. */
export function runJsonata(
  load: typeof jsonata,
  text: string,
  input: Json | undefined,
  run: JsonataRun,
): Json | undefined {
  const options = optionsOf(run);
  const program = load(text, options);
  run.extend?.(program);
  // Transforms may change the document in place, also in an expression given to `$eval`.
  const mayChangeInput = text.includes("|") || text.includes("eval");
  const copy = <T>(value: T): T => (mayChangeInput ? structuredClone(value) : value);
  const bindings = Object.fromEntries(Object.entries(run.variables).map(([name, value]) => [name, copy(value)]));
  return jsonOf(program.evaluate(copy(input), bindings), options.visit);
}

function optionsOf({ now, random, limits, refusesInfinity }: JsonataRun): EvaluatorOptions {
  let steps = 0;
  const visit = (): void => {
    steps += 1;
    if (steps > limits.steps) throw limitFailure("D1012", `The evaluation takes more than ${limits.steps} steps.`);
  };
  const enter = (depth: number): void => {
    visit();
    if (depth > limits.depth) throw limitFailure("D1011", tooDeep(limits.depth));
  };
  const number = refusesInfinity ? finite : (value: number): number => value;
  return {
    enter,
    visit,
    number,
    now,
    random,
    sequence: limits.sequence,
    RegexEngine: BoundedRegExp as RegExpConstructor,
  };
}

const limitFailure = (code: string, limit: string): JsonataFailure => ({ code, limit, message: limit });

function finite(value: number): number {
  if (!Number.isFinite(value)) throw { code: "D1001", message: `Number out of range: ${value}`, value: String(value) };
  return value;
}

/** The message of a result that is or contains a function. */
export const functionResult = "The result contains a function.";

/** Copies a result, without the marks that the evaluator leaves on arrays. Fails for functions and infinite numbers; -0 is 0. */
function jsonOf(value: unknown, visit: () => void): Json | undefined {
  visit();
  if (value === undefined) return undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    return finite(value) === 0 ? 0 : value;
  }
  if (typeof value !== "object" || isFunction(value)) throw { message: functionResult };
  if (Array.isArray(value)) return value.map((item: unknown) => jsonOf(item, visit) ?? null);
  const copy: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(value)) {
    const json = jsonOf(member, visit);
    if (json !== undefined) setOwn(copy, name, json);
  }
  return copy;
}

/** Whether an object is a function of the evaluator. Data may have the same members, but no functions in them. */
const isFunction = (value: object): boolean =>
  ("_jsonata_function" in value && "implementation" in value && typeof value.implementation === "function") ||
  ("_jsonata_lambda" in value && "apply" in value && typeof value.apply === "function");
