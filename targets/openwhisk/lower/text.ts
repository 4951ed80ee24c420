import {
  type Expression as Code,
  js,
  mentions,
  type Parameter,
  printCode,
  printProgram,
} from "../../../src/code/index.ts";
import { type Expression, freeVariables, runtimeParts } from "../../../src/expressions/index.ts";
import { helpers as ownHelpers } from "../../../src/generated/openwhisk-helpers.js";
import { type Written, written } from "../../../src/readable/written.ts";
import type { FlowContext } from "./context.ts";
import type { Program } from "./drafts.ts";
import { beginProgram, codeOf, programOf, type Writing } from "./programs.ts";

/**
 * A function as text. What it calls stands in it: constants and classes first, as they have to be there, functions behind the statements.
 *
 *   () => ({ value: total > 100 })
 *   (params) => { answer = taken(params); function taken(params) { … } }
 */
export function functionText({ lines, result, helpers }: Program, parameter?: Parameter): string {
  const statements = [...lines, ...(result ? [js.give(result)] : [])];
  const parameters = parameter ?? (mentions(statements, "params") ? "params" : undefined);
  const { before, behind } = declarations(helpers);
  const given = parameters === undefined ? [] : [parameters];
  if (before.length + behind.length === 0) {
    const body = lines.length === 0 && result ? result : statements;
    return printCode(js.arrow(given, body), plain).trimEnd();
  }
  const head = printCode(js.arrow(given, []), plain).trimEnd();
  const body = [...before, printProgram(statements, plain).trimEnd(), ...behind];
  const text = body.filter((part) => part !== undefined && part !== "").join("\n\n");
  return `${head.slice(0, head.lastIndexOf("{"))}{\n${indented(text)}\n}`;
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
  return functionText(programOf(writing, code), js.parameter(js.membersPattern(names)));
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

/** What a function calls: of our own, and of the expressions' runtime. */
function declarations(helpers: ReadonlySet<string>): {
  readonly before: readonly string[];
  readonly behind: readonly string[];
} {
  const isOurs = (name: string): boolean => Object.hasOwn(ownHelpers, name);
  const ours = new Set<string>();
  const add = (name: string): void => {
    if (ours.has(name)) return;
    for (const other of ownHelpers[name]!.needs) add(other);
    ours.add(name);
  };
  for (const name of [...helpers].filter(isOurs).sort()) add(name);
  const { texts, fails } = runtimeParts([...helpers].filter((name) => !isOurs(name)));
  const isAsked = texts.some((text) => text.includes("instanceof EvaluationError"));
  const failing = isAsked ? failureClass : failure;
  const all = [...(fails ? [failing] : []), ...Array.from(ours, (name) => ownHelpers[name]!.text).reverse(), ...texts];
  const isFunction = (text: string): boolean => text.startsWith("function ");
  return { before: all.filter((text) => !isFunction(text)), behind: all.filter(isFunction) };
}

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
