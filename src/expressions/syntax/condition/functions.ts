import { effectsOf } from "../../analysis/effects.ts";
import type { Expression } from "../../core/ast.ts";
import { alternative, balanced, binary, bind, call, conditional, iterate, literal, slice } from "../../core/build.ts";
import { isParseError, maxExpressionLength } from "../cursor.ts";
import { translatePattern } from "../regex/translate.ts";
import { failAt, type Range } from "../token-stream.ts";
import { readAt, rejectTightNegation } from "./infix.ts";
import { compareOperands, isText, type Operand, textOf, toValue } from "./operand.ts";
import {
  type ApplyCall,
  type CallRule,
  type ConditionReader,
  freshVariable,
  type InfixRule,
  type OperandResult,
  precedences,
  type ReadTest,
} from "./reader.ts";

/** A function of a fixed number of values. */
export const fixed = (arity: number | readonly number[], apply: ApplyCall): CallRule => ({
  kind: "call",
  arity: typeof arity === "number" ? [arity] : arity,
  apply,
});

/** A test with a value on its right side. */
export const testRule = (apply: ApplyCall): InfixRule => ({
  kind: "test",
  power: precedences.comparison,
  read: testOf(apply),
});

/** The opposite of a test. */
export const negatedTest = (apply: ApplyCall): InfixRule =>
  testRule((...given) => conditionOf(call("not", apply(...given).expression)));

function testOf(apply: ApplyCall): ReadTest {
  return (reader, left) => {
    const right = readAt(reader, precedences.comparison + 1);
    rejectTightNegation(reader, right);
    const range = { from: left.from, to: reader.end };
    return { ...apply([left, right], reader, range), ...range };
  };
}

/** A condition without its range. */
export const conditionOf = (expression: Expression): OperandResult => ({ kind: "condition", expression });

/** A value without its range. */
export const resultOf = (expression: Expression): OperandResult => ({ kind: "value", expression });

/** The length of a string, array or object; null for other values. */
export const size: ApplyCall = ([subject]) => {
  const isSized = isListed(subject!) || isText(subject!);
  return isSized
    ? resultOf(call("length", toValue(subject!)))
    : { kind: "member", expression: call("nodeLength", toNodes(subject!)) };
};

/** Whether a value is missing, null, or an empty string, array or object. */
export const isEmpty: ApplyCall = ([subject]) => conditionOf(call("isEmpty", toNodes(subject!)));

/** Whether a string begins with another one. */
export const startsWith: ApplyCall = ([text, prefix]) =>
  conditionOf(call("startswith", toValue(text!), toValue(prefix!)));

/** Whether a string ends with another one. */
export const endsWith: ApplyCall = ([text, suffix]) => conditionOf(call("endswith", toValue(text!), toValue(suffix!)));

/** Whether a string contains another one. */
export const containsText: ApplyCall = ([text, part]) => conditionOf(call("contains", toValue(text!), toValue(part!)));

/** Whether a string contains another one, or an array an element. */
export const contains: ApplyCall = ([subject, part], reader, place) => {
  if (subject!.kind === "list") return conditionOf(isAmong(reader, part!, subject!.items, place));
  if (isListed(subject!)) return conditionOf(hasElement(reader, toValue(subject!), part!));
  if (isText(subject!)) return containsText([subject!, part!], reader, subject!);
  return conditionOf(
    named(reader, "subject", toValue(subject!), (value) =>
      conditional(
        binary("==", call("type", value), literal("array")),
        hasElement(reader, value, part!),
        call("contains", value, toValue(part!)),
      ),
    ),
  );
};

/** Whether a list has an element that equals a value, or an object a member of this name. */
export const isIn: ApplyCall = ([item, list], reader, place) => {
  if (list!.kind === "list") return conditionOf(isAmong(reader, item!, list!.items, place));
  const value = toValue(list!);
  if (isListed(list!)) return conditionOf(hasElement(reader, value, item!));
  return conditionOf(
    named(reader, "list", value, (found) =>
      conditional(
        binary("==", call("type", found), literal("object")),
        call("has", found, toValue(item!)),
        hasElement(reader, found, item!),
      ),
    ),
  );
};

/** Whether a string matches a constant regular expression: as a `whole`, or in some part. */
export const matches =
  (whole: boolean): ApplyCall =>
  ([subject, pattern], reader) =>
    conditionOf(matchesPattern(reader, subject!, pattern!, whole));

/** Whether the member of an object under a key exists. */
export const containsKey: ApplyCall = ([subject, key]) => conditionOf(call("has", toValue(subject!), toValue(key!)));

/** Methods of strings and collections that SpEL and JEXL share with Java. */
export const javaMethods: ReadonlyMap<string, CallRule> = new Map([
  ["startsWith", fixed(1, startsWith)],
  ["endsWith", fixed(1, endsWith)],
  ["contains", fixed(1, contains)],
  ["matches", fixed(1, matches(true))],
  ["size", fixed(0, size)],
  ["length", fixed(0, size)],
  ["isEmpty", fixed(0, isEmpty)],
  ["equals", fixed(1, ([a, b]) => conditionOf(compareOperands(a!, "==", b!)))],
  ["containsKey", fixed(1, containsKey)],
  ["trim", fixed(0, ([text]) => resultOf(call("trim", toValue(text!))))],
  ["toString", fixed(0, ([value]) => resultOf(call("tostring", toValue(value!))))],
  ["substring", fixed([1, 2], substring)],
  ["indexOf", fixed(1, ([text, part]) => resultOf(indexOf("index", text!, part!)))],
  ["lastIndexOf", fixed(1, ([text, part]) => resultOf(indexOf("rindex", text!, part!)))],
]);

/** Whether an operand is one of a list of operands. */
export function isAmong(reader: ConditionReader, item: Operand, items: readonly Operand[], place: Range): Expression {
  if ((item.to - item.from) * items.length > maxExpressionLength)
    failAt(reader, "limit", "This list is too long.", place);
  for (const each of items) rejectTightNegation(reader, each);
  return balanced(
    "or",
    items.map((each) => compareOperands(item, "==", each)),
  );
}

/** Whether a string matches the regular expression in a string literal. */
export function matchesPattern(
  reader: ConditionReader,
  subject: Operand,
  pattern: Operand,
  whole: boolean,
): Expression {
  const text = textOf(pattern);
  if (text === undefined) {
    const message = "A regular expression must be a string literal.";
    return failAt(reader, "unsupported", message, pattern);
  }
  const translated = translatePattern(text);
  if (isParseError(translated))
    return failAt(reader, translated.category, translated.message, pattern, translated.hint);
  const source = whole ? `^(?:${translated.source})$` : translated.source;
  const nodes = subject.kind === "member" ? subject.expression : toValue(subject);
  return call("switchCondition", { kind: "array", items: nodes }, literal("matches"), literal(source));
}

/** Whether an array has an element that equals a value. */
export function hasElement(reader: ConditionReader, list: Expression, item: Operand): Expression {
  const element = freshVariable(reader, "item");
  const operand: Operand = { kind: "value", expression: element.value, from: item.from, to: item.to };
  return call("truthy", bind(element.name, iterate(list), compareOperands(operand, "==", item)));
}

/** Uses a value several times. */
export function named(
  reader: ConditionReader,
  wanted: string,
  value: Expression,
  use: (value: Expression) => Expression,
): Expression {
  if (value.kind === "literal" || value.kind === "variable") return use(value);
  const { name, value: bound } = freshVariable(reader, wanted);
  return bind(name, value, use(bound));
}

const isListed = (operand: Operand): boolean =>
  operand.kind === "list" || (operand.kind !== "choice" && effectsOf(operand.expression).type === "array");

/** A path or member as it is, since a missing one has no length. */
const toNodes = (operand: Operand): Expression =>
  operand.kind === "path" || operand.kind === "member" ? operand.expression : toValue(operand);

/** Fails for values that are not strings. */
const asText = (value: Expression): Expression => call("ltrimstr", value, literal(""));

function substring([text, from, to]: readonly Operand[]): OperandResult {
  return resultOf(slice(asText(toValue(text!)), toValue(from!), to ? toValue(to) : undefined));
}

/** The first or last index of a part, or -1. */
const indexOf = (name: "index" | "rindex", text: Operand, part: Operand): Expression =>
  alternative(call(name, toValue(text), toValue(part)), literal(-1));
