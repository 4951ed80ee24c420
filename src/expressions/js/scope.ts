import type { Block, JsExpression as Code } from "../../js-ast/index.ts";
import type { Span } from "../../text/source.ts";
import type { ScopeChain } from "../analysis/substitute.ts";
import type { Define, Expression } from "../core/ast.ts";
import type { Place } from "./place.ts";
import type { Exit, Frame, Writer } from "./writer.ts";

/** What an expression is written in: the current value, and what the names around it are in the program. */
export interface Scope {
  readonly writer: Writer;
  readonly dot: Place;
  readonly variables: ScopeChain<Code>;
  readonly functions: ScopeChain<Callee>;
  readonly labels: ScopeChain<Exit>;
  /** The set of what the current value's owner made, where that is a state which is being changed; for the change itself only. */
  readonly owned?: string | undefined;
  /** How many `try` are around, whose ends are what a break inside leaves to. */
  readonly tries: number;
}

/** What is called: a function of the expression, or a parameter of one. */
export type Callee = FunctionCallee | ParameterCallee;

/** A function of the expression, which becomes one of the program where it is called. */
export interface FunctionCallee {
  readonly kind: "function";
  readonly definition: Define;
  /** What is around the definition, itself included. */
  scope: Scope;
  /** The function that the definition is in. */
  readonly frame: Frame;
  /** The generated function for values, and the one that tracks paths, too. */
  plain: Version | undefined;
  tracking: Version | undefined;
  /** The declarations of both. */
  readonly declarations: Block[number][];
}

/** A function of the program that an expression's function became. */
export interface Version {
  readonly name: string;
  readonly frame: Frame;
  /** Marks an exit to something that its callers know. */
  readonly passes: Exit;
  /** The names of its parameters: the input, its path and the value there, the functions, and what is called with the outputs. */
  readonly input: readonly string[];
  readonly parameters: readonly string[];
  readonly callback: string;
  done: boolean;
  /** Whether it begins again, in place of calling itself at its end. */
  repeats: boolean;
}

/** A parameter: a function of the program, for an input and what is called with the outputs. */
export interface ParameterCallee {
  readonly kind: "parameter";
  readonly name: string;
  readonly passes: Exit;
  /** How many `try` are around the function. */
  readonly tries: number;
}

/** A scope with another current value. */
export const withDot = (scope: Scope, dot: Place): Scope => ({ ...scope, dot });

/** A scope without paths. */
export const withoutPath = (scope: Scope): Scope =>
  scope.dot.path ? { ...scope, dot: { value: scope.dot.value } } : scope;

/** A scope with one more variable: its name in the program. */
export const withVariable = (scope: Scope, name: string, code: Code): Scope => ({
  ...scope,
  variables: { name, value: code, outer: scope.variables },
});

/** A scope inside of a `try`: a break to what is around it is caught like an error. */
export function inTry(scope: Scope, exit: Exit): Scope {
  const caughtBy = (labels: ScopeChain<Exit>): ScopeChain<Exit> =>
    labels && { name: labels.name, value: exit, outer: caughtBy(labels.outer) };
  return { ...scope, labels: caughtBy(scope.labels), tries: scope.tries + 1 };
}

/** Whether paths are tracked. */
export const isTracked = (scope: Scope): boolean => scope.dot.path !== undefined;

/** The reason why an expression cannot be printed. */
export interface Refusal {
  readonly refused: string;
  /** The position of the reason, if known. */
  readonly span: Span | undefined;
}

/** Ends the writing of a program. */
export class RefusalSignal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** Gives up on an expression. */
export function refuse(expression: Expression, reason: string): never {
  throw new RefusalSignal({ refused: reason, span: expression.span });
}
