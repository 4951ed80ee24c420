import { and, binary, bind, call, conditional, type Expression, literal, variable } from "../../expressions/index.ts";
import type { Json } from "../../json.ts";

/** How a comparator tests a value; the operand of `…Path` is computed. */
export type Comparison = (value: Expression, operand: Expression) => Expression;

const operators = {
  Equals: "==",
  LessThan: "<",
  GreaterThan: ">",
  LessThanEquals: "<=",
  GreaterThanEquals: ">=",
} as const;

const isA = (value: Expression, type: string): Expression => binary("==", call("type", value), literal(type));

const both = (left: Expression, right: Expression, test: (each: Expression) => Expression): Expression =>
  and(test(left), test(right));

const days =
  "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))";
const leapYears = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const clock = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const timestampPattern = `^(?:\\d{4}-${days}|${leapYears}-02-29)T${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})$`;

/** Whether a constant is a timestamp of Step Functions. */
export const isTimestampText = (text: string): boolean => new RegExp(timestampPattern).test(text);

/** Whether a value is a timestamp of Step Functions. */
export const isTimestamp = (value: Expression): Expression =>
  conditional(isA(value, "string"), matchesPattern(value, timestampPattern), literal(false));

const matchesPattern = (value: Expression, pattern: string): Expression =>
  call("switchCondition", { kind: "array", items: value }, literal("matches"), literal(pattern));

function compares(type: "string" | "number" | "boolean", operator: keyof typeof operators): Comparison {
  return (left, right) =>
    and(
      both(left, right, (each) => isA(each, type)),
      binary(operators[operator], left, right),
    );
}

function comparesInstants(operator: keyof typeof operators): Comparison {
  return (left, right) => {
    const inOrder = (symbol: string): Expression => call("compareInCondition", left, literal(symbol), right);
    const test = operator === "Equals" ? and(inOrder("<="), inOrder(">=")) : inOrder(operators[operator]);
    return and(both(left, right, isTimestamp), test);
  };
}

const hasType =
  (test: (value: Expression) => Expression): Comparison =>
  (value, wanted) =>
    binary("==", test(value), wanted);

const orders = Object.keys(operators) as readonly (keyof typeof operators)[];

/** The comparators of a value that a path finds, except `IsPresent`. */
export const comparators: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ...orders.flatMap((operator): [string, Comparison][] => [
    [`String${operator}`, compares("string", operator)],
    [`Numeric${operator}`, compares("number", operator)],
    [`Timestamp${operator}`, comparesInstants(operator)],
  ]),
  ["BooleanEquals", compares("boolean", "Equals")],
  ["IsNull", hasType((value) => isA(value, "null"))],
  ["IsNumeric", hasType((value) => isA(value, "number"))],
  ["IsString", hasType((value) => isA(value, "string"))],
  ["IsBoolean", hasType((value) => isA(value, "boolean"))],
  ["IsTimestamp", hasType(isTimestamp)],
]);

/** Tests a value once. */
export function compare(comparison: Comparison, value: Expression, operand: Expression): Expression {
  const [left, right] = [variable("left value"), variable("right value")];
  const isConstant = operand.kind === "literal";
  const test = comparison(left, isConstant ? operand : right);
  return bind("left value", value, isConstant ? test : bind("right value", operand, test));
}

/** Whether a string matches a pattern in which `*` matches any characters. */
export function matchesText(value: Expression, pattern: Json): Expression {
  const left = variable("left value");
  const test = conditional(isA(left, "string"), matchesPattern(left, patternOf(String(pattern))), literal(false));
  return bind("left value", value, test);
}

/** The regular expression of a pattern; undefined if it ends in a lone backslash. */
function patternOf(pattern: string): string {
  const parts = pattern.match(/\\[*\\]|[\s\S]/g) ?? [];
  const quoted = parts.map((part) => {
    if (part === "*") return "[\\s\\S]*";
    const text = part.length === 2 && part.startsWith("\\") ? part[1]! : part;
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  });
  return `^${quoted.join("")}$`;
}

/** Whether a pattern ends in a backslash that escapes nothing. */
export const endsInBackslash = (pattern: string): boolean => /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern);
