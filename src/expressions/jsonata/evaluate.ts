import { loadJsonataEvaluator } from "#lazy";
import type { Json } from "../../json.ts";
import { defaultJsonataLimits, type JsonataLimits, runJsonata } from "../jsonata-evaluator/run.ts";
import { describeFailure } from "../jsonata-functions/failures.ts";
import { isParseError, type ParseError } from "../syntax/cursor.ts";
import { parseJsonata } from "../syntax/jsonata/parse.ts";
import type { Jsonata } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";

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

/**
 * Compiles JSONata with the evaluator of the package `jsonata` 2.2.2, without `async`. It differs from the package in
 * two respects: members of arrays and objects are evaluated one after the other, so that a variable assigned in one is
 * visible in the next and the first error in source order is reported; and evaluations are bounded.
 */
export function compileJsonata(text: string): CompiledJsonata | ParseError {
  const tree = parseJsonata(text);
  if (isParseError(tree)) return tree;
  return {
    tree,
    evaluate(input, context) {
      const limits = context.limits ?? defaultJsonataLimits;
      try {
        const run = { ...context, limits, variables: Object.fromEntries(context.variables ?? []) };
        return { kind: "value", value: runJsonata(loadJsonataEvaluator(), text, input, run) };
      } catch (error) {
        return { kind: "error", error: problemOf(error, tree, limits) };
      }
    },
  };
}

function problemOf(thrown: unknown, tree: Jsonata, limits: JsonataLimits): JsonataProblem {
  const { code, message, position } = describeFailure(thrown, limits.depth);
  const { start, end } = typeof position === "number" ? nodeAt(tree, position) : tree;
  return { code, message, from: start, to: end };
}

/** The smallest node around a position, which is the end of a token in the package's errors. */
function nodeAt(tree: Jsonata, position: number): Jsonata {
  let node = tree;
  for (;;) {
    const child = childrenOf(node).find(({ start, end }) => start < position && position <= end);
    if (!child) return node;
    node = child;
  }
}
