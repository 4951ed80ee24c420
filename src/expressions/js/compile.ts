import {
  allNames,
  type Block,
  blockMayComplete,
  type Identifier,
  js,
  printProgram,
  type TypeNode,
  walkNodes,
} from "../../js-ast/index.ts";
import { effectsOf, outputs } from "../analysis/effects.ts";
import type { Expression } from "../core/ast.ts";
import { emit, variableName } from "./emit.ts";
import { countNames, nameTemporaries } from "./naming.ts";
import { addTo, type Sink } from "./place.ts";
import { runtimeText } from "./runtime.ts";
import { type Refusal, RefusalSignal, type Scope, withVariable } from "./scope.ts";
import { tidy } from "./tidy.ts";
import { traitsOf } from "./traits.ts";
import { block, exitOf, type Frame, fresh, helped, leave, type Site, type Writer } from "./writer.ts";

export type { Refusal } from "./scope.ts";

/** How to print an expression as a function. */
export interface JavaScriptOptions {
  /** The name of the function, which no function of the runtime may have. */
  readonly name?: string | undefined;
  /** The variables that the function takes, in this order. Default: the free variables of the expression, sorted. */
  readonly variables?: readonly string[] | undefined;
  /**
   * What the function returns: the only output, or an array of all (default); the first output, or undefined; or the first output, which the caller knows
   * to exist.
   */
  readonly result?: "all" | "first" | "value" | undefined;
  /** `exact` (default) prints loops and functions that engines run fast, `readable` code as a programmer would write it. Both compute the same. */
  readonly policy?: "exact" | "readable" | undefined;
  /** Whether the function takes no input: it is null. */
  readonly withoutInput?: boolean | undefined;
  readonly exported?: boolean | undefined;
  /** Refers to a function of the runtime. Default: by its name. */
  readonly helper?: ((name: string) => Identifier) | undefined;
  /**
   * Refers to a function that reads the member of one name; `isTotal`: undefined where that fails. Default: by the
   * policy `exact`, a constant of the program.
   */
  readonly accessor?: ((key: string, isTotal?: boolean) => Identifier) | undefined;
}

/** An expression as a function of JavaScript (ES2019) or TypeScript: of the input, and of the values of variables. */
export interface JavaScriptProgram {
  readonly name: string;
  /** What the function returns: one output, all of them as an array, or the first or undefined. It throws an `EvaluationError` if the expression fails. */
  readonly form: "one" | "list" | "first";
  /**
   * The function, after the constants that it needs. Types print as TypeScript. Results may share parts with arguments
   * and with each other, so they must not be changed.
   */
  readonly statements: Block;
  /** The functions of the runtime that it calls; `runtimeText` returns their source. */
  readonly helpers: readonly string[];
  readonly variables: readonly string[];
}

/** The source of the function and its constants as JavaScript. */
export const javaScriptText = ({ statements }: JavaScriptProgram): string =>
  printProgram(statements, { types: false, charset: "ascii" });

/** The source of the whole program: the functions of the runtime, then its own. */
export const standaloneText = (program: JavaScriptProgram): string =>
  `"use strict";\n${runtimeText(program.helpers)}${javaScriptText(program)}`;

/** Programs longer than this many UTF-16 units are refused. */
export const longestProgram = 4_000_000;

/** Prints an expression as a function, or gives the reason why that is not possible. */
export function compileJavaScript(
  expression: Expression,
  options: JavaScriptOptions = {},
): JavaScriptProgram | Refusal {
  if (isTooDeepToPrint(expression)) return tooDeep(expression);
  try {
    const program = programOf(expression, options);
    if (!mayBeTooLarge(program.statements) || javaScriptText(program).length <= longestProgram) return program;
    return { refused: "This expression becomes too long a program.", span: expression.span };
  } catch (error) {
    if (error instanceof RefusalSignal) return error.refusal;
    if (error instanceof RangeError) return tooDeep(expression);
    throw error;
  }
}

/** Whether an expression is nested more deeply than the recursive printers descend. */
export const isTooDeepToPrint = (expression: Expression): boolean =>
  effectsOf(expression).weight.depth > maxPrintedDepth;

/** The stack holds between 1,000 and 2,000 levels of a printer. */
const maxPrintedDepth = 1000;

const tooDeep = ({ span }: Expression): Refusal => ({ refused: "This expression is nested too deeply.", span });

/**
 * Whether a program has more nodes and constants than fit into a short one, however they are indented, or enough nodes to
 * be nested too deeply to be printed.
 */
function mayBeTooLarge(statements: Block): boolean {
  let [length, nodes] = [0, 0];
  for (const node of walkNodes(statements)) {
    nodes += 1;
    length += averageNode;
    if (node.kind === "literal" && typeof node.value === "string") length += node.value.length;
    else if (node.kind === "property" && typeof node.key === "string") length += node.key.length;
    else if (node.kind === "template")
      for (const part of node.parts) if (typeof part === "string") length += part.length;
  }
  return length > longestProgram / 6 || nodes > maxPlainNodes;
}

/** Fewer nodes can be printed recursively, however deep they are. */
const maxPlainNodes = 500;

/** In UTF-16 units. Characters of constants may be escaped, as six units. */
const averageNode = 40;

/** Whether an expression was refused. */
export const isRefusal = (result: JavaScriptProgram | Refusal): result is Refusal => "refused" in result;

function programOf(expression: Expression, options: JavaScriptOptions): JavaScriptProgram {
  const { name = "program", helper = js.name, withoutInput, exported } = options;
  const variables = options.variables ?? [...effectsOf(expression).free.keys()].sort();
  const writer: Writer = {
    name,
    helper,
    accessor: options.accessor,
    isReadable: options.policy === "readable",
    helpers: new Set(),
    withoutValue: new Set(),
    types: new Map(),
    reductions: new Map(),
    constants: [],
    temporaries: new Map(),
    accessors: new Map(),
    ...traitsOf(expression),
  };
  const isOne = outputs(expression) === "one" || options.result === "value";
  const form = isOne ? "one" : options.result === "first" ? "first" : "list";
  const input = withoutInput ? undefined : fresh(writer, "value", "input");
  const names = variables.map((variable) => variableName(variable, writer));
  const scope = variables.reduce(
    (outer, each, i) => withVariable(outer, each, js.name(names[i]!)),
    outermost(writer, input),
  );
  const body = counting(
    form === "list" ? bodyOfList(expression, scope) : bodyOfFirst(expression, scope, isOne),
    writer,
  );
  const parameters = input === undefined ? names : [input, ...names];
  const tidied = tidy(body, writer.temporaries);
  const program = js.functionDeclaration(name, parameters, form === "first" ? withReturn(tidied) : tidied, {
    exported,
    returns: returnTypes[form],
  });
  const occurrences = countNames([program]);
  const statements = [
    ...writer.constants.map((constant) => js.constant(constant.name, constant.value)),
    ...nameTemporaries([program], writer.temporaries, occurrences),
  ];
  return { name, form, statements, helpers: helpersIn(occurrences, writer), variables };
}

/** TypeScript wants a `return` in a function that has a type. */
const withReturn = (body: Block): Block =>
  walkNodes(body).some(({ kind }) => kind === "return") || !blockMayComplete(body)
    ? body
    : [...body, js.returnStatement(js.undefinedName)];

const json = js.type("Json");

const returnTypes: { readonly [form in JavaScriptProgram["form"]]: TypeNode } = {
  one: json,
  list: js.arrayType(json),
  first: js.union([json, js.keyword("undefined")]),
};

/** The functions of the runtime that a program calls: others were called by code that turned out to be unneeded. */
function helpersIn(occurrences: ReadonlyMap<string, number>, writer: Writer): readonly string[] {
  const constants = writer.constants.flatMap(({ value }) => (value.kind === "function" ? [] : [value]));
  const others = allNames(constants);
  const isCalled = (helper: string): boolean => {
    const { name } = writer.helper(helper);
    return occurrences.has(name) || others.has(name) || (helper === "absent" && writer.accessors.size > 0);
  };
  return [...writer.helpers].filter(isCalled).sort();
}

/** A body whose loops count their rounds, and whose overflows are limits like these: `let steps = 0; try { … } catch (error) { throw limited(error); }`. */
function counting(body: Block, writer: Writer): Block {
  if (!writer.helpers.has("endSteps")) return body;
  const handler = [js.throwStatement(helped(writer, "asLimit", js.name("error")))];
  return [js.variable("steps", js.literal(0)), js.tryStatement(body, "error", handler)];
}

/** The scope of the program: no names but its variables, which are added, and the input. */
const outermost = (writer: Writer, input: string | undefined): Scope => ({
  writer,
  dot: { value: input === undefined ? js.literal(null) : js.name(input) },
  variables: undefined,
  functions: undefined,
  labels: undefined,
  tries: 0,
});

/** Returns the first output at once. Another function inside of it assigns the output to a variable instead. */
function bodyOfFirst(expression: Expression, scope: Scope, isSure: boolean): Block {
  const frame: Frame = { outer: undefined, exits: new Set() };
  const site: Site = { frame, tail: true };
  const exit = exitOf(scope.writer, site);
  const output = fresh(scope.writer, isSure ? "value" : "optional", "output");
  let isDirect = true;
  const give: Sink = {
    small: true,
    returnsFrom: frame,
    mayReturnNothing: !isSure,
    write({ value }, at) {
      if (at.frame === frame) return [js.returnStatement(value)];
      isDirect = false;
      return [js.assign(output, value), ...leave(exit, at)];
    },
  };
  const body = block(exit, emit(expression, scope, site, give));
  if (isDirect) return isSure && blockMayComplete(body) ? [...body, js.returnStatement(js.literal(null))] : body;
  return [js.variable(output, isSure ? js.literal(null) : undefined), ...body, js.returnStatement(js.name(output))];
}

function bodyOfList(expression: Expression, scope: Scope): Block {
  const site = { frame: { outer: undefined, exits: new Set<never>() }, tail: false };
  const list = fresh(scope.writer, "list", "outputs");
  const body = emit(expression, scope, site, addTo(list));
  return [js.constant(list, js.array([])), ...body, js.returnStatement(js.name(list))];
}
