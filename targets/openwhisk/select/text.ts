import { type Expression, freeVariables, runtimeParts } from "../../../src/expressions/index.ts";
import { helpers as ownHelpers } from "../../../src/generated/openwhisk-helpers.js";
import {
  type JsExpression as Code,
  js,
  type ParameterDeclaration,
  printCode,
  printProgram,
  referencesName,
  type Statement,
} from "../../../src/js-ast/index.ts";
import { type Written, written } from "../../../src/readable/written.ts";
import type { FlowContext } from "./context.ts";
import { beginProgram, codeOf, programOf, type Writing } from "./programs.ts";
import type { Program } from "./state-builder.ts";

/**
 * A function as text, which calls what is declared around it.
 *
 *   () => ({ value: total > 100 })
 *   (params) => { answer = taken(params); }
 */
export function functionText({ lines, result }: Program, parameter?: ParameterDeclaration): string {
  const body = lines.length === 0 && result ? result : statementsOf({ lines, result });
  return printCode(js.arrow(parametersOf({ lines, result }, parameter), body), plain).trimEnd();
}

/**
 * The same with what it calls in it: constants and classes first, as they have to be there, functions behind the statements.
 *
 *   (params) => { answer = taken(params); function taken(params) { … } }
 */
export function wholeFunctionText(program: Program, parameter?: ParameterDeclaration): string {
  const all = [...helperTexts(program.helpers).values()];
  if (all.length === 0) return functionText(program, parameter);
  const head = printCode(js.arrow(parametersOf(program, parameter), []), plain).trimEnd();
  const isFunction = (text: string): boolean => text.startsWith("function ");
  const statements = printProgram(statementsOf(program), plain).trimEnd();
  const body = [...all.filter((text) => !isFunction(text)), statements, ...all.filter(isFunction)];
  const text = body.filter((part) => part !== "").join("\n\n");
  return `${head.slice(0, head.lastIndexOf("{"))}{\n${indented(text)}\n}`;
}

/** What functions call, by name: declarations of our own, and of the expressions' runtime, each behind what it is computed from. */
export function helperTexts(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const isOurs = (name: string): boolean => Object.hasOwn(ownHelpers, name);
  const ours = new Set<string>();
  const add = (name: string): void => {
    if (ours.has(name)) return;
    for (const other of ownHelpers[name]!.needs) add(other);
    ours.add(name);
  };
  for (const name of [...names].filter(isOurs).sort()) add(name);
  const { texts, fails } = runtimeParts([...names].filter((name) => !isOurs(name)));
  const isAsked = [...texts.values()].some((text) => text.includes("instanceof EvaluationError"));
  const failing = fails ? [["EvaluationError", isAsked ? failureClass : failure] as const] : [];
  return new Map([...failing, ...Array.from(ours, (name) => [name, ownHelpers[name]!.text] as const), ...texts]);
}

const statementsOf = ({ lines, result }: Pick<Program, "lines" | "result">): readonly Statement[] => [
  ...lines,
  ...(result ? [js.returnStatement(result)] : []),
];

function parametersOf(
  program: Pick<Program, "lines" | "result">,
  parameter?: ParameterDeclaration,
): readonly (string | ParameterDeclaration)[] {
  const parameters = parameter ?? (referencesName(statementsOf(program), "params") ? "params" : undefined);
  return parameters === undefined ? [] : [parameters];
}

/**
 * An expression that a helper action computes, and not the conductor: as the text of a function of what is given, by the names that it has there, and of the
 * variables of the workflow.
 *
 *   ({ event, order }) => event.data?.id === order.id
 */
export function textFor(
  expression: Expression,
  given: ReadonlyMap<string, { readonly symbol: string; readonly type?: "string" }>,
  flow: FlowContext,
  result: (writing: Writing, value: Written) => Code = (_, { code }) => code,
): string {
  const known = [...given].map(([name, { symbol, type }]) => [name, written(js.name(symbol), { type })] as const);
  const writing = beginProgram(flow, undefined, new Map(known));
  const code = result(writing, codeOf(writing, expression));
  const names = [...freeVariables(expression)].flatMap(
    (name) => given.get(name)?.symbol ?? flow.symbols.get(name) ?? [],
  );
  return wholeFunctionText(programOf(writing, code), js.parameter(js.membersPattern(names)));
}

/** `{ order }`: the variables of the workflow that expressions read, as they are now; undefined where there is none. */
export function variablesOf(expressions: readonly Expression[], flow: FlowContext): Code | undefined {
  const read = new Set(expressions.flatMap((expression) => [...freeVariables(expression)]));
  const symbols = [...read].flatMap((name) => flow.symbols.get(name) ?? []);
  return symbols.length === 0
    ? undefined
    : js.record(Object.fromEntries(symbols.map((symbol) => [symbol, js.name(symbol)])));
}

const plain = { types: false } as const;

/** What expressions fail with, so that the text of it says all: the conductor writes what is thrown as a text. */
const failure = `function EvaluationError(value) {
  return { value, toString: () => \`EvaluationError: \${JSON.stringify(value)}\` };
}`;

/** The same where something asks whether it is one. */
const failureClass = `class EvaluationError extends Error {
  constructor(value, isLimit = false) {
    super();
    this.value = value;
    this.isLimit = isLimit;
  }

  toString() {
    return \`EvaluationError: \${JSON.stringify(this.value)}\`;
  }
}`;

/** Lines moved to the right, but where a text of several lines in backticks would become another one. */
const indented = (text: string): string =>
  /`[^`\n]*\n/.test(text.replace(/`[^`\n]*`/g, "")) ? text : text.replace(/^(?=.)/gm, "  ");
