import { type Expression, freeVariables } from "../../../src/expressions/index.ts";
import { runtimeParts } from "../../../src/expressions/js/index.ts";
import { helpers as ownHelpers } from "../../../src/generated/openwhisk-helpers.js";
import type { Workflow } from "../../../src/ir/workflow.ts";
import {
  type JsExpression as Code,
  js,
  type ParameterDeclaration,
  printCode,
  printProgram,
  referencesName,
  type Statement,
} from "../../../src/js-ast/index.ts";
import type { Json } from "../../../src/json.ts";
import type { SelectionContext } from "./context.ts";
import type { DeployedFunction } from "./deployed-functions.ts";
import type { StateFunction } from "./state-builder.ts";

/**
 * Prints a function that calls helpers declared around it.
 *
 *   () => ({ value: total > 100 })
 *   (params) => { answer = taken(params); }
 */
export function printFunction({ lines, result }: StateFunction, parameter?: ParameterDeclaration): string {
  const body = lines.length === 0 && result ? result : statementsOf({ lines, result });
  return printCode(js.arrow(parametersOf({ lines, result }, parameter), body), printOptions).trimEnd();
}

/** Prints a function with its helpers: constants and classes before the statements, functions after them. */
export function printStandaloneFunction(
  program: StateFunction,
  parameter?: ParameterDeclaration,
  constants: Constants = noConstants,
): string {
  const all = [...helperDeclarations(program.helpers, constants).values()];
  if (all.length === 0) return printFunction(program, parameter);
  const head = printCode(js.arrow(parametersOf(program, parameter), []), printOptions).trimEnd();
  const isFunction = (text: string): boolean => text.startsWith("function ");
  const statements = printProgram(statementsOf(program), printOptions).trimEnd();
  const body = [...all.filter((text) => !isFunction(text)), statements, ...all.filter(isFunction)];
  const text = body.filter((part) => part !== "").join("\n\n");
  return `${head.slice(0, head.lastIndexOf("{"))}{\n${indent(text)}\n}`;
}

/** The declarations of constants of a workflow, by name. */
export type Constants = ReadonlyMap<string, string>;

const noConstants: Constants = new Map();

/** The constants of a workflow: the names of its unnamed errors, and the standard errors of its language. */
export const constantsOf = ({ errorNames, standardErrors }: Workflow): Constants =>
  new Map(
    Object.entries({ errorNames, standardErrors }).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, printProgram([js.constant(name, js.value(value as Json))], printOptions).trimEnd()]],
    ),
  );

/** The declarations of constants, helpers and their dependencies, in order. */
export function helperDeclarations(
  names: ReadonlySet<string>,
  constants: Constants = noConstants,
): ReadonlyMap<string, string> {
  const isOurs = (name: string): boolean => Object.hasOwn(ownHelpers, name);
  const ours = new Set<string>();
  const add = (name: string): void => {
    if (ours.has(name)) return;
    for (const other of ownHelpers[name]!.needs) add(other);
    ours.add(name);
  };
  for (const name of [...names].filter(isOurs).sort()) add(name);
  const { texts, fails } = runtimeParts([...names].filter((name) => !isOurs(name) && !constants.has(name)));
  const isInstanceTested = [...texts.values()].some((text) => text.includes("instanceof EvaluationError"));
  const failing = fails
    ? [["EvaluationError", isInstanceTested ? evaluationErrorClass : evaluationErrorFunction] as const]
    : [];
  const own = [...constants].filter(([name]) => names.has(name));
  return new Map([
    ...failing,
    ...own,
    ...Array.from(ours, (name) => [name, ownHelpers[name]!.text] as const),
    ...texts,
  ]);
}

const statementsOf = ({ lines, result }: Pick<StateFunction, "lines" | "result">): readonly Statement[] => [
  ...lines,
  ...(result ? [js.returnStatement(result)] : []),
];

function parametersOf(
  program: Pick<StateFunction, "lines" | "result">,
  parameter?: ParameterDeclaration,
): readonly (string | ParameterDeclaration)[] {
  const parameters = parameter ?? (referencesName(statementsOf(program), "params") ? "params" : undefined);
  return parameters === undefined ? [] : [parameters];
}

/** Prints the constant `functions` of the helper action, with helpers around the functions. */
export function printDeployedFunctions(
  functions: readonly DeployedFunction[],
  printHelper: (name: string, text: string) => string,
): string {
  const helpers = helperDeclarations(new Set(functions.flatMap(({ body }) => [...body.helpers])));
  const members = functions.map(
    ({ id, body, parameter }) => `${JSON.stringify(id)}: ${printFunction(body, parameter)},`,
  );
  if (members.length === 0) return "const functions = {};\n";
  const table = `{\n${members.join("\n")}\n}`;
  if (helpers.size === 0) return `const functions = ${table};\n`;
  const declarations = Array.from(helpers, ([name, text]) => printHelper(name, text));
  return `const functions = (() => {\n${declarations.join("\n")}\nreturn ${table};\n})();\n`;
}

/** The current values of the variables that expressions read: `{ order }`. Undefined if they read none. */
export function captureVariables(expressions: readonly Expression[], flow: SelectionContext): Code | undefined {
  const read = new Set(expressions.flatMap((expression) => [...freeVariables(expression)]));
  const symbols = [...read].flatMap((name) => flow.symbols.get(name) ?? []);
  return symbols.length === 0
    ? undefined
    : js.record(Object.fromEntries(symbols.map((symbol) => [symbol, js.name(symbol)])));
}

const printOptions = { types: false } as const;

/** The conductor converts thrown values to strings, so the string contains the whole error. */
const evaluationErrorFunction = `function EvaluationError(value) {
  return { value, toString: () => \`EvaluationError: \${JSON.stringify(value)}\` };
}`;

/** The same for functions that use `instanceof`. */
const evaluationErrorClass = `class EvaluationError extends Error {
  constructor(value, isLimit = false) {
    super();
    this.value = value;
    this.isLimit = isLimit;
  }

  toString() {
    return \`EvaluationError: \${JSON.stringify(this.value)}\`;
  }
}`;

/** Indents lines, except in template literals. */
const indent = (text: string): string =>
  /`[^`\n]*\n/.test(text.replace(/`[^`\n]*`/g, "")) ? text : text.replace(/^(?=.)/gm, "  ");
