import { js, mentions, type Parameter, printCode, printProgram } from "../../../src/code/index.ts";
import { runtimeParts } from "../../../src/expressions/index.ts";
import { helpers as ownHelpers } from "../../../src/generated/openwhisk-helpers.js";
import type { Program } from "./drafts.ts";

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
