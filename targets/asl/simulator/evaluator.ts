import { createHash } from "node:crypto";
import jsonata, { type Expression } from "jsonata";
import { type Json, type JsonObject, setOwn } from "../../../src/json.ts";
import { createNesting, nestingName, watched } from "./depth.ts";
import { type Compiled, type Environment, StateError, type Variables, variableIn } from "./environment.ts";
import { longestValue } from "./limits.ts";

/** What expressions of a state see: `$states`, and the variables in scope. */
export interface View {
  readonly states: JsonObject;
  readonly variables: Variables;
  /** The state's name, for error texts. */
  readonly state: string;
  /** What `$uuid()` gives, where that is not the environment's. */
  readonly uuid?: (() => string) | undefined;
}

/** Evaluates the values of a state's fields: JSON in which any string `{% … %}` is an expression. */
export interface Evaluator {
  /** The value of a field. Fails with `States.QueryEvaluationError` where an expression fails or gives nothing. */
  field(name: string, template: Json, view: View): Promise<Json>;
}

/**
 * An evaluator in AWS's dialect of JSONata 2.0.6: without `$eval`, with `$parse`, `$partition`, `$range`, `$hash`,
 * `$random` and `$uuid`, and as deep as that goes. As on AWS, whose JSONata is none in JavaScript, a member named `__proto__` is one like all others.
 */
export function createEvaluator(environment: Environment): Evaluator {
  const { compiled = new Map<string, Compiled>() } = environment;
  const expressionOf = (text: string): Compiled => {
    const known = compiled.get(text);
    if (known) return known;
    const expression = jsonata(hidden(text));
    addDialect(expression, environment);
    const names = [...new Set(Array.from(text.matchAll(/\$(\w+)/g), ([, name]) => name!))];
    const read = { expression, names, siblings: watched(expression) };
    compiled.set(text, read);
    return read;
  };
  const field = async (name: string, template: Json, view: View): Promise<Json> => {
    if (typeof template === "string")
      return isExpression(template) ? evaluate(name, template.slice(2, -2).trim(), view, expressionOf) : template;
    if (Array.isArray(template))
      return Promise.all(template.map((item: Json, i: number) => field(`${name}[${i}]`, item, view)));
    if (typeof template !== "object" || template === null) return template;
    const result: { [key: string]: Json } = {};
    for (const [key, value] of Object.entries(template as JsonObject))
      setOwn(result, key, await field(`${name}/${key}`, value, view));
    return result;
  };
  return { field };
}

async function evaluate(
  name: string,
  text: string,
  view: View,
  expressionOf: (text: string) => Compiled,
): Promise<Json> {
  const where = `The JSONata expression '${text}' specified for the field '${name}'`;
  let value: unknown;
  try {
    const { expression, names, siblings } = expressionOf(text);
    const seen = { ...bindings(view, names), [nestingName]: createNesting(siblings) };
    value = await expression.evaluate(undefined, seen);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw failure(view, `${where} threw an error during evaluation. ${code ? `${code}: ` : ""}${shown(message)}`);
  }
  if (value === undefined) throw failure(view, `${where} returned nothing (undefined).`);
  if (typeof value === "function" || (value as { _jsonata_lambda?: boolean })?._jsonata_lambda) {
    throw failure(view, `${where} returned an unsupported result type.`);
  }
  const written = JSON.stringify(value);
  if (written.length > longestValue / 3 && Buffer.byteLength(written) > longestValue)
    throw failure(view, `${where} gave a value of more than ${longestValue} bytes.`);
  return JSON.parse(shown(written)) as Json;
}

/** What stands for `__proto__` where JSONata in JavaScript would lose it: of the same length, and a word too, as programs cut, count and match texts. */
const standIn = "__proto_9";

const hidden = (text: string): string => text.replaceAll("__proto__", standIn);

const shown = (text: string): string => text.replaceAll(standIn, "__proto__");

/** A value in which nothing is called `__proto__`: itself where that is so already. */
function withoutProto<T extends Json>(value: T): T {
  const text = JSON.stringify(value) as string | undefined;
  return text?.includes("__proto__") ? (JSON.parse(hidden(text)) as T) : value;
}

/** Whether a string of a definition is an expression. */
export function isExpression(value: Json | undefined): value is string {
  return typeof value === "string" && value.startsWith("{%") && value.endsWith("%}");
}

/** The error of a state whose data cannot be computed. */
export function failure({ state }: View, detail: string): StateError {
  return new StateError(
    "States.QueryEvaluationError",
    `An error occurred while executing the state '${state}'. ${detail}`,
  );
}

/** What an expression sees, of variables those that it names. */
function bindings({ states, variables, uuid }: View, names: readonly string[]): Record<string, unknown> {
  const seen = names.flatMap((name) => {
    const value = variableIn(variables, name);
    return value === undefined ? [] : [[hidden(name), withoutProto(value)] as const];
  });
  return { ...Object.fromEntries(seen), ...(uuid && { uuid: () => uuid() }), states: withoutProto(states) };
}

function addDialect(expression: Expression, environment: Environment): void {
  const refuse = () => {
    throw { code: "T1006", message: "Attempted to invoke a non-function" };
  };
  expression.registerFunction("eval", refuse);
  expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
  expression.registerFunction("uuid", () => environment.uuid(), "<:s>");
  expression.registerFunction("random", () => environment.random(), "<n?:n>");
  expression.registerFunction("hash", (text: string, algorithm: string) => hash(text, algorithm), "<ss:s>");
  expression.registerFunction(
    "partition",
    (items: unknown[], size: number) => partition(items, Math.trunc(size)),
    "<an:a>",
  );
  expression.registerFunction(
    "range",
    (from: number, to: number, step: number) => range(Math.trunc(from), Math.trunc(to), Math.trunc(step)),
    "<nnn:a>",
  );
  expression.registerFunction("millis", () => environment.now(), "<:n>");
  expression.registerFunction("now", () => new Date(environment.now()).toISOString(), "<:s>");
}

function hash(text: string, algorithm: string): string {
  return createHash(algorithm.replace("-", "").toLowerCase()).update(text).digest("hex");
}

function partition(items: readonly unknown[], size: number): unknown[] | undefined {
  if (size < 1) return undefined;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** AWS gives a bare number for a range of one element, and nothing for a step that leads away. */
function range(from: number, to: number, step: number): number[] | number | undefined {
  const length = step === 0 ? 0 : Math.floor((to - from) / step) + 1;
  if (length < 1 || length > 360_145) return undefined;
  return length === 1 ? from : Array.from({ length }, (_, i) => from + i * step);
}
