import { loadJsonataEvaluator } from "#lazy";
import type { EvaluatorOptions, EvaluatorProgram } from "../../generated/jsonata-evaluator.js";
import { type Json, setOwn } from "../../json.ts";
import { isParseError, type ParseError } from "../syntax/cursor.ts";
import { parseJsonata } from "../syntax/jsonata/parse.ts";
import type { Jsonata } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";
import { BoundedRegExp } from "./bounded-regexp.ts";

/** A JSONata expression that is ready to be evaluated. */
export interface CompiledJsonata {
  readonly tree: Jsonata;
  /** Evaluates the expression for a document, if any. Never throws for a mistake in the expression. */
  evaluate(input: Json | undefined, context: JsonataContext): JsonataResult;
}

/** What an evaluation sees in addition to its document. */
export interface JsonataContext {
  /** By name, without the `$`. */
  readonly variables?: ReadonlyMap<string, Json>;
  /** The time of `$now()` and `$millis()`, in milliseconds since 1970. */
  readonly now: number;
  /** The numbers of `$random()` and `$shuffle()`, at least 0 and less than 1. */
  readonly random: () => number;
  readonly limits?: JsonataLimits;
}

/** Bounds of an evaluation. */
export interface JsonataLimits {
  /** The maximum number of evaluated nodes, and of parts of values that are compared, printed or returned. */
  readonly steps: number;
  /** The maximum number of nested evaluations. */
  readonly depth: number;
  /** The maximum length of a sequence. */
  readonly sequence: number;
}

/** The value of an expression, undefined if it yields nothing; or its error. */
export type JsonataResult =
  | { readonly kind: "value"; readonly value: Json | undefined }
  | { readonly kind: "error"; readonly error: JsonataProblem };

/** A failed evaluation. `from` and `to` are UTF-16 offsets of the smallest expression known to fail. */
export interface JsonataProblem {
  /** The code of JSONata, if it has one for the error. */
  readonly code: string | undefined;
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** Steps of about ten seconds, and a depth that the stack of Node.js and browsers has room for. */
export const defaultJsonataLimits: JsonataLimits = { steps: 5_000_000, depth: 500, sequence: 10_000_000 };

/**
 * Compiles JSONata with the evaluator of the package `jsonata` 2.2.2, without `async`. It differs from the package in
 * two respects: members of arrays and objects are evaluated one after the other, so that a variable assigned in one is
 * visible in the next and the first error in source order is reported; and evaluations are bounded.
 */
export function compileJsonata(text: string): CompiledJsonata | ParseError {
  const tree = parseJsonata(text);
  if (isParseError(tree)) return tree;
  // Transforms may change the document in place, also in an expression given to `$eval`.
  const mayChangeInput = text.includes("|") || text.includes("eval");
  return {
    tree,
    evaluate(input, context) {
      const limits = context.limits ?? defaultJsonataLimits;
      const options = optionsOf(context, limits);
      const load = loadJsonataEvaluator();
      try {
        const program: EvaluatorProgram = load(text, options);
        const copy = <T>(value: T): T => (mayChangeInput ? structuredClone(value) : value);
        const bindings = Object.fromEntries([...(context.variables ?? [])].map(([name, value]) => [name, copy(value)]));
        return { kind: "value", value: jsonOf(program.evaluate(copy(input), bindings), options.visit) };
      } catch (error) {
        return { kind: "error", error: problemOf(error, tree, limits) };
      }
    },
  };
}

function optionsOf({ now, random }: JsonataContext, limits: JsonataLimits): EvaluatorOptions {
  let steps = 0;
  const visit = (): void => {
    steps += 1;
    if (steps > limits.steps) throw limitFailure("D1012", `The evaluation takes more than ${limits.steps} steps.`);
  };
  const enter = (depth: number): void => {
    visit();
    if (depth > limits.depth) throw limitFailure("D1011", tooDeep(limits));
  };
  return { enter, visit, now, random, sequence: limits.sequence, RegexEngine: BoundedRegExp as RegExpConstructor };
}

const tooDeep = ({ depth }: JsonataLimits): string => `Evaluations are nested more than ${depth} levels deep.`;

const limitFailure = (code: string, limit: string): EvaluatorFailure => ({ code, limit, message: limit });

interface EvaluatorFailure {
  readonly code?: string | undefined;
  readonly message: string;
  /** The message of a limit: the evaluator overwrites `message` by code. */
  readonly limit?: string;
  readonly position?: number;
}

const failure = (code: string | undefined, message: string): EvaluatorFailure => ({ code, message });

function problemOf(thrown: unknown, tree: Jsonata, limits: JsonataLimits): JsonataProblem {
  const { code, limit, message: text, position } = describe(thrown, limits);
  const message = limit ?? text;
  const { start, end } = typeof position === "number" ? nodeAt(tree, position) : tree;
  const short = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
  return { code, message: short, from: start, to: end };
}

function describe(thrown: unknown, limits: JsonataLimits): EvaluatorFailure {
  if (thrown instanceof RangeError)
    return /call stack/.test(thrown.message) ? failure("D1011", tooDeep(limits)) : failure("D2015", thrown.message);
  if (thrown instanceof Error) return failure(undefined, thrown.message);
  return typeof thrown === "object" && thrown !== null && "message" in thrown
    ? (thrown as EvaluatorFailure)
    : failure(undefined, "The evaluation failed.");
}

const maxMessageLength = 500;

/** The smallest node around a position, which is the end of a token in the package's errors. */
function nodeAt(tree: Jsonata, position: number): Jsonata {
  let node = tree;
  for (;;) {
    const child = childrenOf(node).find(({ start, end }) => start < position && position <= end);
    if (!child) return node;
    node = child;
  }
}

/** Copies a result, without the marks that the evaluator leaves on arrays. Fails for functions and infinite numbers; -0 is 0. */
function jsonOf(value: unknown, visit: () => void): Json | undefined {
  visit();
  if (value === undefined) return undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw failure("D1001", `Number out of range: ${value}`);
    return value === 0 ? 0 : value;
  }
  if (typeof value !== "object" || "_jsonata_function" in value || "_jsonata_lambda" in value)
    throw failure(undefined, "The result contains a function.");
  if (Array.isArray(value)) return value.map((item: unknown) => jsonOf(item, visit) ?? null);
  const copy: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(value)) {
    const json = jsonOf(member, visit);
    if (json !== undefined) setOwn(copy, name, json);
  }
  return copy;
}
