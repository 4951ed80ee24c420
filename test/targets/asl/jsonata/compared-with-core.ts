import { outputs } from "../../../../src/expressions/analysis/effects.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { collect, pipe, variable } from "../../../../src/expressions/core/build.ts";
import { errorOf } from "../../../../src/expressions/core/failure.ts";
import { evaluateAll } from "../../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../../src/expressions/library/failure.ts";
import { equalValues } from "../../../../src/expressions/library/order.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { UnsupportedExpression, type VariablePrinter } from "../../../../targets/asl/jsonata/context.ts";
import { parseErrorMarker } from "../../../../targets/asl/jsonata/errors.ts";
import { jsonataString, printJsonata } from "../../../../targets/asl/jsonata/print.ts";
import { StateError } from "../../../../targets/asl/simulator/environment.ts";
import { createEvaluator } from "../../../../targets/asl/simulator/evaluator.ts";
import type { Oracle } from "../../../expressions/jq/oracle.ts";

/** Prints variables in these tests. */
export const environment: VariablePrinter = (name) =>
  name === "data"
    ? "$states.input"
    : name === "y"
      ? "$states.result"
      : name === "id"
        ? { call: "$uuid()" }
        : `$${name}`;

/** An expression with exactly one output: itself, or the array of its outputs. */
export const one = (expression: Expression): Expression =>
  outputs(expression) === "one" ? expression : collect(expression);

/** The result of an expression, as text: its value, or its error's name and message. */
export type ExpectedResult = string;

/** The result of the core evaluator. */
export function expected(expression: Expression, variables: ReadonlyMap<string, Json>): ExpectedResult {
  try {
    const values = evaluateAll(expression, { input: null, variables });
    return values.map((value) => JSON.stringify(value)).join(" ");
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { name, message } = errorOf(error.value);
    return `${name}: ${message}`;
  }
}

/** The result of a field in the simulator. */
export async function actual(template: Json, variables: ReadonlyMap<string, Json>): Promise<ExpectedResult> {
  let calls = 0;
  const evaluator = createEvaluator({ uuid: () => `id-${++calls}` } as Parameters<typeof createEvaluator>[0]);
  const states = JSON.parse(JSON.stringify({ input: variables.get("data"), result: variables.get("y") })) as JsonObject;
  try {
    return JSON.stringify(
      await evaluator.field("Output", template, {
        states,
        variables: { own: new Map(variables), outer: undefined },
        state: "S",
      }),
    );
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const marked = parseErrorMarker(error.cause ?? "");
    return marked ? `${marked.name}: ${marked.message}` : `unmarked: ${error.cause}`;
  }
}

/** The result of a program: a syntax error, its unsupported parts, or both results. */
export type Verdict =
  | { readonly kind: "unread"; readonly why: string }
  | { readonly kind: "refused"; readonly construct: string }
  | { readonly kind: "run"; readonly text: string; readonly core: ExpectedResult; readonly jsonata: ExpectedResult };

/** The variables of jq programs in the two languages that use jq. */
const given = ["value", "global", "counter"];

/** A jq program as an expression with one output: the array of all outputs unless there is surely one. */
export function readProgram(program: string) {
  const read = readJq(program, { variables: given });
  return "expression" in read
    ? { expression: one(pipe(variable("data"), read.expression)), isOne: one(read.expression) === read.expression }
    : { why: read[0]!.message };
}

/** Runs a jq program as JSONata and in the core. */
export async function judge(program: string, input: Json, simplified = false): Promise<Verdict> {
  const read = readProgram(program);
  if (!read.expression) return { kind: "unread", why: read.why };
  const text = printed(simplified ? simplify(read.expression) : read.expression);
  if (typeof text !== "string") return { kind: "refused", construct: text.construct };
  const variables = new Map<string, Json>([["data", input]]);
  return {
    kind: "run",
    text,
    core: expected(read.expression, variables),
    jsonata: await actual(jsonataString(text), variables),
  };
}

/** Prints an expression, or explains why that is impossible. */
export function printed(expression: Parameters<typeof printJsonata>[0]): string | UnsupportedExpression {
  try {
    return printJsonata(expression, environment);
  } catch (error) {
    if (!(error instanceof UnsupportedExpression)) throw error;
    return error;
  }
}

/** Whether JSONata reports that it cannot compute a result. */
export const isLimit = (result: ExpectedResult): boolean => result.startsWith("LimitError: ");

/** Whether a result is an error. */
export const isFailure = (result: ExpectedResult): boolean => /^(?:[A-Za-z]\w*|unmarked): /.test(result);

/** Whether jq gives the same values, or fails too. Undefined if jq crashes. */
export async function agreesWithJq(
  oracle: Oracle,
  program: string,
  input: Json,
  result: ExpectedResult,
): Promise<boolean | undefined> {
  const isOne = readProgram(program).isOne;
  const answer = await oracle.run(isOne ? program : `[${program}]`, JSON.stringify(input));
  if (answer === "trap") return undefined;
  const [output, ...rest] = answer.split("\n");
  const failed = rest.join("\n").includes("jq: error");
  if (failed || isFailure(result)) return failed === isFailure(result);
  return equalValues(JSON.parse(output!) as Json, JSON.parse(result) as Json);
}
