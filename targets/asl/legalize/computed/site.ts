import { canFail, type Expression, type JavaScriptProgram, simplify } from "../../../../src/expressions/index.ts";
import type { Reference, Step } from "../../../../src/ir/workflow.ts";
import type { Span } from "../../../../src/text/source.ts";
import { refusals } from "../../jsonata/index.ts";

/** The function of a workflow that computes what JSONata cannot; no function of a definition has a quote in its name. */
export const expressionsFunction = "expressions'";

/** An expression that this function computes. */
export interface Computed {
  /** What the machine asks for it by: the id of the step that does so. */
  readonly name: string;
  readonly program: JavaScriptProgram;
  /** The names under which it is given the variables of the program, in their order. */
  readonly variables: readonly string[];
  readonly canFail: boolean;
  /** Which parts of the definition it computes, and why. */
  readonly parts: readonly Part[];
}

/** A part of a definition, and what of it cannot be written as JSONata where it stands. */
export interface Part {
  readonly span: Span;
  readonly why: string;
}

/** An expression that no function can compute either: `reason` is what the printer of JavaScript says. */
export interface Impossible {
  readonly span: Span;
  readonly reason: string;
}

/** What making steps that compute expressions needs to know, and what has been made. */
export interface Site {
  /** The workflow's document. */
  readonly document: string;
  /** The ids of all steps; of those that were made, with the id of the step that they were made for. Grows. */
  readonly taken: Map<string, string | undefined>;
  /** Steps whose values may fail where a handler wants the error, and no state can catch it. */
  readonly uncaught: ReadonlySet<string>;
  /** The variables that hold errors, and nothing else. */
  readonly errors: Set<string>;
  /** Grows. */
  readonly computed: Computed[];
  /** Grows. */
  readonly impossible: Impossible[];
  /** Gives the scope that the steps are in variables. */
  readonly declare: (...names: readonly string[]) => void;
}

/** Why a condition, or a value that may fail, is computed elsewhere. */
export const uncaughtReason = "No state here can catch what this may fail with";

/** The part of an expression that JSONata has no exact form for, if there is one. */
export interface Inexact {
  readonly construct: string;
  readonly span: Span | undefined;
}

/** What of an expression JSONata has no exact form for; undefined where it has one for all of it. */
export function inexact(expression: Expression): Inexact | undefined {
  if (!known.has(expression)) known.set(expression, refusals(simplify(expression))[0]);
  return known.get(expression);
}

const known = new WeakMap<Expression, Inexact | undefined>();

/** Why an expression is computed by the function: JSONata has no form for it, or its errors could not be caught. `span`: where it stands. */
export function partOf(expression: Expression, span: Span, mustBeCaught: boolean): Part | undefined {
  const found = inexact(expression);
  if (found)
    return { span: found.span ?? expression.span ?? span, why: `JSONata has no exact form for ${found.construct}` };
  return mustBeCaught && mayFail(expression) ? { span: expression.span ?? span, why: uncaughtReason } : undefined;
}

/** Whether an expression may fail, constants aside. */
export const mayFail = (expression: Expression): boolean => canFail(simplify(expression));

/** An id for a new step: that of the step that it is made for, and what it does. */
export function freshId(id: string, what: string, { taken }: Site): string {
  let result = `${id}/${what}`;
  for (let count = 2; taken.has(result); count++) result = `${id}/${what} ${count}`;
  taken.set(result, id);
  return result;
}

/** What a made step has in common with the step that it is made for. */
export const inside = ({ origin, span }: Step): Pick<Step, "origin" | "span"> => ({
  origin: { ...origin, entry: false },
  span,
});

/** A reference to a made step. */
export const to = (name: string, { span }: Step): Reference => ({ name, span });
