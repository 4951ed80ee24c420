import { type Block, js, printProgram } from "../../js-ast/index.ts";
import { effectsOf, outputs } from "../analysis/effects.ts";
import type { Expression } from "../core/ast.ts";
import { emit, variableName } from "./emit.ts";
import { addTo, smallSink } from "./place.ts";
import { runtimeText } from "./runtime.ts";
import { type Refusal, RefusalSignal, type Scope, withVariable } from "./scope.ts";
import { traitsOf } from "./traits.ts";
import { type Frame, helped, type Writer } from "./writer.ts";

export type { Refusal } from "./scope.ts";

/** How an expression is to be written. */
export interface JavaScriptOptions {
  /** The name of the function: a word that no function of the runtime has, and no other expression of the same text. */
  readonly name?: string | undefined;
  /** The variables that the function takes after the input, in this order; without this, those that are free in the expression, sorted. */
  readonly variables?: readonly string[] | undefined;
}

/** An expression as a function of JavaScript (ES2019): of the input, and of the values of variables. */
export interface JavaScriptProgram {
  readonly name: string;
  /** What the function returns: the only output, or all of them as an array. It throws an `EvaluationError` of the runtime where the expression fails. */
  readonly form: "one" | "list";
  /** The function alone, after the constants that it needs. */
  readonly statements: Block;
  /** The same as text. Values that it gives may share parts with its arguments, and with each other: they are not to be changed. */
  readonly text: string;
  /** The functions of the runtime that it calls: `runtimeText` gives their text, for several expressions at once too. */
  readonly helpers: readonly string[];
  readonly variables: readonly string[];
}

/** The whole program as text: the functions of the runtime, then its own. No getter of the program: V8 makes a class for each object literal that has one. */
export const standaloneText = ({ helpers, text }: JavaScriptProgram): string =>
  `"use strict";\n${runtimeText(helpers)}${text}`;

/** Programs longer than this many UTF-16 units are refused. */
export const longestProgram = 4_000_000;

/** Writes an expression as JavaScript, or says why that is not possible. */
export function compileJavaScript(
  expression: Expression,
  options: JavaScriptOptions = {},
): JavaScriptProgram | Refusal {
  try {
    const program = programOf(expression, options);
    if (program.text.length <= longestProgram) return program;
    return { refused: "This expression becomes too long a program.", span: expression.span };
  } catch (error) {
    if (error instanceof RefusalSignal) return error.refusal;
    if (error instanceof RangeError) return { refused: "This expression is nested too deeply.", span: expression.span };
    throw error;
  }
}

/** Whether an expression was refused. */
export const isRefusal = (result: JavaScriptProgram | Refusal): result is Refusal => "refused" in result;

function programOf(expression: Expression, options: JavaScriptOptions): JavaScriptProgram {
  const name = options.name ?? "program";
  const variables = options.variables ?? [...effectsOf(expression).free.keys()].sort();
  const traits = traitsOf(expression);
  const writer: Writer = { name, helpers: new Set(), constants: [], count: 0, accessors: new Map(), ...traits };
  const form = outputs(expression) === "one" ? "one" : "list";
  const names = variables.map((variable) => variableName(variable, writer));
  const scope = variables.reduce((outer, each, i) => withVariable(outer, each, js.name(names[i]!)), outermost(writer));
  const body = counting(form === "one" ? bodyOfOne(expression, scope) : bodyOfList(expression, scope), writer);
  const statements = [
    ...writer.constants.map((constant) => js.constant(constant.name, constant.value)),
    js.functionDeclaration(name, ["input", ...names], body),
  ];
  const text = printProgram(statements, { types: false, charset: "ascii" });
  return { name, form, statements, text, helpers: [...writer.helpers].sort(), variables };
}

/** A body whose loops count their rounds, and whose overflows are limits like these: `let steps = 0; try { … } catch (error) { throw limited(error); }`. */
function counting(body: Block, writer: Writer): Block {
  if (!writer.counts) return body;
  const handler = [js.throwStatement(helped(writer, "limited", js.name("error")))];
  return [js.variable("steps", js.literal(0)), js.tryStatement(body, "error", handler)];
}

/** Where nothing is named yet, and the current value is the function's input. */
const outermost = (writer: Writer): Scope => ({
  writer,
  dot: { value: js.name("input") },
  variables: undefined,
  functions: undefined,
  labels: undefined,
  tries: 0,
});

function bodyOfOne(expression: Expression, scope: Scope): Block {
  const frame: Frame = { outer: undefined, exits: new Set() };
  let isDirect = true;
  const give = smallSink((value, site) => {
    if (site.frame === frame) return [js.returnStatement(value)];
    isDirect = false;
    return [js.assign("output", value)];
  });
  const body = emit(expression, scope, { frame, tail: true }, give);
  return isDirect ? body : [js.variable("output"), ...body, js.returnStatement(js.name("output"))];
}

function bodyOfList(expression: Expression, scope: Scope): Block {
  const site = { frame: { outer: undefined, exits: new Set<never>() }, tail: false };
  const body = emit(expression, scope, site, addTo("outputs"));
  return [js.constant("outputs", js.array([])), ...body, js.returnStatement(js.name("outputs"))];
}
