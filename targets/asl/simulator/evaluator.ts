import { createHash } from "node:crypto";
import type { Expression } from "jsonata";
import { loadJsonata } from "#lazy";
import { BoundedRegExp, seededRandom } from "../../../src/expressions/index.ts";
import { type Json, type JsonObject, setOwn } from "../../../src/json.ts";
import { parseErrorMarker } from "../jsonata/errors.ts";
import {
  type CompiledExpression,
  type ExecutionEnvironment,
  StateError,
  type VariableScope,
  variableIn,
} from "./environment.ts";
import { maxValueBytes } from "./limits.ts";
import { createNestingTracker, instrument, nestingName, tooDeep } from "./nesting.ts";

/** What the expressions of a state see: `$states` and the variables. */
export interface StateView {
  readonly states: JsonObject;
  readonly variables: VariableScope;
  readonly state: string;
  readonly uuid?: (() => string) | undefined;
}

/** Evaluates the fields of states: JSON whose strings `{% … %}` are expressions. */
export interface FieldEvaluator {
  /** The value of a field. Fails with `States.QueryEvaluationError` if an expression fails or gives nothing. */
  field(name: string, template: Json, view: StateView): Promise<Json>;
}

/**
 * Creates an evaluator for AWS's dialect of JSONata 2.0.6: without `$eval`, with `$parse`, `$partition`, `$range`,
 * `$hash`, `$random` and `$uuid`, and with its depth limit. Members named `__proto__` are ordinary, as on AWS. The
 * installed version has security fixes; for what Waybill emits, tests hold it to the results of 2.0.6.
 */
export function createEvaluator(environment: ExecutionEnvironment): FieldEvaluator {
  const { compiled = new Map<string, CompiledExpression>(), onLimit } = environment;
  const expressionOf = (text: string): CompiledExpression => {
    const known = compiled.get(text);
    if (known) return known;
    const expression = loadJsonata()(hideProto(text), { RegexEngine: BoundedRegExp as RegExpConstructor });
    addDialect(expression, environment);
    const names = [...new Set(Array.from(text.matchAll(/\$(\w+)/g), ([, name]) => name!))];
    const read = { expression, names, siblings: instrument(expression) };
    compiled.set(text, read);
    return read;
  };
  const field = async (name: string, template: Json, view: StateView): Promise<Json> => {
    if (typeof template === "string")
      return isExpression(template)
        ? evaluate(name, template.slice(2, -2).trim(), view, { expressionOf, onLimit })
        : template;
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

interface EvaluationContext {
  expressionOf(text: string): CompiledExpression;
  readonly onLimit: ((limit: string) => void) | undefined;
}

async function evaluate(
  name: string,
  text: string,
  view: StateView,
  { expressionOf, onLimit }: EvaluationContext,
): Promise<Json> {
  const where = `The JSONata expression '${text}' specified for the field '${name}'`;
  let value: unknown;
  try {
    const { expression, names, siblings } = expressionOf(text);
    const seen = { ...bindings(view, names), [nestingName]: createNestingTracker(siblings) };
    value = await expression.evaluate(undefined, seen);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const failed = parseErrorMarker(message);
    if (failed?.name === "LimitError") onLimit?.(`An expression of \`${view.state}\` fails: ${failed.message}`);
    if (code === tooDeep) onLimit?.(`An expression of \`${view.state}\` is nested deeper than Step Functions allows.`);
    throw failure(
      view,
      `${where} threw an error during evaluation. ${code ? `${code}: ` : ""}${restoreProto(message)}`,
    );
  }
  if (value === undefined) throw failure(view, `${where} returned nothing (undefined).`);
  if (typeof value === "function" || (value as { _jsonata_lambda?: boolean })?._jsonata_lambda) {
    throw failure(view, `${where} returned an unsupported result type.`);
  }
  const range = { isKept: true };
  const written = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "number" && !Number.isFinite(part)) range.isKept = false;
    return part;
  });
  if (!range.isKept) throw failure(view, `${where} gave a number that is out of range.`);
  if (written.length > maxValueBytes / 3 && Buffer.byteLength(written) > maxValueBytes) {
    onLimit?.(`An expression of \`${view.state}\` gives more than 6,990,256 bytes, which Step Functions rejects.`);
    throw failure(view, `${where} gave a value of more than ${maxValueBytes} bytes.`);
  }
  return JSON.parse(restoreProto(written)) as Json;
}

/**
 * Replaces `__proto__`, which JSONata in JavaScript would lose. It is a word of the same length, since expressions cut,
 * count and match strings.
 */
const standIn = "__proto_9";

const hideProto = (text: string): string => text.replaceAll("__proto__", standIn);

const restoreProto = (text: string): string => text.replaceAll(standIn, "__proto__");

function withoutProto<T extends Json>(value: T): T {
  const text = JSON.stringify(value) as string | undefined;
  return text?.includes("__proto__") ? (JSON.parse(hideProto(text)) as T) : value;
}

/** Whether a field's value is an expression. */
export function isExpression(value: Json | undefined): value is string {
  return typeof value === "string" && value.startsWith("{%") && value.endsWith("%}");
}

/** The error of a state whose data cannot be evaluated. */
export function failure({ state }: StateView, detail: string): StateError {
  return new StateError(
    "States.QueryEvaluationError",
    `An error occurred while executing the state '${state}'. ${detail}`,
  );
}

function bindings({ states, variables, uuid }: StateView, names: readonly string[]): Record<string, unknown> {
  const seen = names.flatMap((name) => {
    const value = variableIn(variables, name);
    return value === undefined ? [] : [[hideProto(name), withoutProto(value)] as const];
  });
  return { ...Object.fromEntries(seen), ...(uuid && { uuid: () => uuid() }), states: withoutProto(states) };
}

function addDialect(expression: Expression, environment: ExecutionEnvironment): void {
  const refuse = () => {
    throw { code: "T1006", message: "Attempted to invoke a non-function" };
  };
  expression.registerFunction("eval", refuse);
  expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
  expression.registerFunction("uuid", () => environment.uuid(), "<:s>");
  expression.registerFunction(
    "random",
    (seed?: number) => (seed === undefined ? environment.random() : seededRandom(seed)),
    "<n?:n>",
  );
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

/** AWS gives a bare number for a range of one element, and nothing for a step in the wrong direction. */
function range(from: number, to: number, step: number): number[] | number | undefined {
  const length = step === 0 ? 0 : Math.floor((to - from) / step) + 1;
  if (length < 1 || length > 360_145) return undefined;
  return length === 1 ? from : Array.from({ length }, (_, i) => from + i * step);
}
