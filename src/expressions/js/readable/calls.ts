import type { JsExpression as Code, JsBinaryOperator } from "../../../js-ast/index.ts";
import { js } from "../../../js-ast/index.ts";
import type { Json } from "../../../json.ts";
import { canFail, effectsOf, outputs } from "../../analysis/effects.ts";
import { builtinOf } from "../../builtins/builtins.ts";
import type { Call, Expression } from "../../core/ast.ts";
import { call, firstOr, literal, member, object, variable } from "../../core/build.ts";
import { equalExpressions } from "../../core/equal.ts";
import { isLargeRegexp, isStraightRegexp, regexpSource } from "../../library/iregexp.ts";
import { functionName, groupingFunction, lengthCode, withSingleKeys } from "../helpers.ts";
import { reductionOfCall } from "../reductions.ts";
import { writeAssigned, writeAssignedMember, writeMergedResult, writePlaced, writeWithMembers } from "./merging.ts";
import { conditional } from "./narrowing.ts";
import { isScalar } from "./operators.ts";
import { writeInOrder } from "./order.ts";
import { isDefinite } from "./paths.ts";
import { writeList } from "./streams.ts";
import { compared } from "./use.ts";
import { isFailure, orNull, sureOf, write, writeLiteral, writeOne, writeTruth } from "./write.ts";
import {
  helped,
  isSimple,
  narrowed,
  type PrintedExpression,
  printedExpression,
  type Scope,
  truth,
  unguarded,
} from "./written.ts";

/** A call of a function of the core: `ascii_upcase(E)` → `asciiUpcase(e)` */
export function writeCall(expression: Call, scope: Scope): PrintedExpression | undefined {
  const { name, args } = expression;
  const [first] = args as readonly [Expression];
  const reduced = first?.kind === "identity" ? scope.input?.reduced?.get(name) : undefined;
  if (reduced) return printedExpression(reduced, name === "length" ? { type: "number", isPresent: true } : {});
  if (scope.hasLoops && reductionOfCall(expression)) return undefined;
  switch (`${name}/${args.length}`) {
    case "first/1":
      return writeFirst(first, scope);
    case "exists/1":
      return writeExists(first, scope);
    case "truthy/1":
      return writeTruthy(first, scope);
    case "isEmpty/1":
      return writeOfNode("isBlank", first, scope, { type: "boolean", isPresent: true });
    case "nodeLength/1":
      return writeOfNode("lengthOfNode", first, scope, { type: "number", isOptional: true });
    case "not/1":
      return writeNot(first, scope);
    case "switchCondition/3":
      return writeSwitchCondition(expression, scope);
    case "compareInCondition/3":
    case "comparesNodes/3":
      return writeRelation(expression, scope);
    case "nodeMatches/2":
    case "nodeSearches/2":
      return writeMatch(expression, scope);
    case "attribute/2":
      return writeAttribute(expression, scope);
    case "merge/2":
      return (
        writeErrorData(expression, scope) ??
        writeWithMembers(expression, scope) ??
        writeFunction(expression, "mergeJson", scope)
      );
    case "mergeResult/3":
      return (
        writeMergedResult(expression, { object: "mergeJson", any: "mergeResultJson" }, scope) ??
        writeFunction(expression, "mergeResultJson", scope)
      );
    case "assign/2":
      return writeAssigned(expression, scope) ?? writeFunction(expression, "assignJson", scope);
    case "assignResult/3":
      return (
        writeMergedResult(expression, { object: "assignJson", any: "assignResultJson" }, scope) ??
        writeFunction(expression, "assignResultJson", scope)
      );
    case "place/3":
      return (
        writePlaced(expression, scope) ??
        writeAssignedMember(expression, scope) ??
        writeFunction(expression, functionName("place", 3), scope)
      );
    case "error/1":
      return writeFunction(expression, "raise", scope);
    case "length/1":
      return writeLength(expression, scope);
    case "_group_by_impl/2":
      return writeFunction(withSingleKeys(expression) ?? expression, groupingFunction(expression), scope);
    case "nan/0":
      return writeLiteral(Number.NaN);
    case "infinite/0":
      return writeLiteral(Number.POSITIVE_INFINITY);
    default:
      return builtinOf(name, args.length)?.kind === "value"
        ? writeFunction(expression, functionName(name, args.length), scope)
        : undefined;
  }
}

/** A function of values. */
function writeFunction({ name, args }: Call, helper: string | undefined, scope: Scope): PrintedExpression | undefined {
  const values = helper === undefined ? undefined : writeInOrder(args, scope);
  if (helper === undefined || !values) return undefined;
  const type = builtinOf(name, args.length)?.returns;
  const codes = values.map((value) => value.code);
  return printedExpression(helped(scope, helper, codes), {
    type,
    use: changing.has(name) ? values[0]?.use : undefined,
    isPresent: type !== undefined && type !== "null",
  });
}

/** An error as data, `{ name, message, trace }`, where the trace is optional: `errorData(error)` */
function writeErrorData(expression: Call, scope: Scope): PrintedExpression | undefined {
  const error = variable("error");
  const meaning = scope.variable("error");
  if (!meaning || !equalExpressions(expression, errorData(error))) return undefined;
  return printedExpression(helped(scope, "errorData", [meaning.code]), { type: "object", isPresent: true });
}

/** The expression that `errorData` of the runtime computes. */
const errorData = (error: Expression): Expression =>
  call(
    "merge",
    object(["name", "message"].map((name) => [name, firstOr(member(error, name), literal(""))] as const)),
    firstOr(object([["trace", member(error, "data", "trace")]]), object([])),
  );

/** Functions that give their first argument with something changed in it: the type is the same. */
const changing: ReadonlySet<string> = new Set(
  "merge mergeResult mergeOutput mergeEvent assign assignResult assignEvent place omit".split(" "),
);

/** A function of the first output: `nodeLength(data.items)` → `lengthOfNode(data.items)` */
function writeOfNode(
  helper: string,
  node: Expression,
  scope: Scope,
  known: Parameters<typeof printedExpression>[1],
): PrintedExpression | undefined {
  if (outputs(node) === "many") return undefined;
  const value = write(node, unguarded(scope));
  return value && printedExpression(helped(scope, helper, [value.code]), known);
}

/** The length of a list that is just made is JavaScript's own. */
function writeLength(expression: Call, scope: Scope): PrintedExpression | undefined {
  const [list] = expression.args as readonly [Expression];
  const value = writeOne(list, scope);
  if (!value) return undefined;
  const code = list.kind === "array" ? js.member(value.code, "length") : lengthCode(value.code, scope.helper);
  return printedExpression(code, { type: "number", isPresent: true });
}

/** The first of what is there, such as a member or what takes its place: `first(A, B)` → `a ?? b` */
function writeFirst(expression: Expression, outside: Scope): PrintedExpression | undefined {
  const scope = unguarded(outside);
  if (expression.kind !== "comma") return write(expression, scope);
  const [first, second, ...rest] = expression.items;
  if (!first || !second || rest.length > 0) return undefined;
  const guards: Code[] = [];
  const [value, fallback] = [write(first, { ...scope, guards }), write(second, scope)];
  if (!value || !fallback) return undefined;
  if (guards.length > 0)
    return !value.isOptional && looksFirst(first) ? standingIn(guards, value, fallback) : undefined;
  if (!value.isOptional) return value;
  if (value.sure !== undefined) return sureOf(value, scope);
  if (isFailure(second) && !scope.isUntyped) return writeRequired(value, second, scope);
  if (second.kind === "literal" && second.value === null) return printedExpression(orNull(value), { use: value.use });
  if (second.kind === "literal" && value.type === "number")
    return printedExpression(js.binary(value.code, "??", fallback.code), { type: fallback.type, isPresent: true });
  if (!isSimple(value.code)) return writeDefault(value, sureOf(fallback, scope) ?? fallback, second, scope);
  return standingIn([value.code], { ...value, code: narrowed(value.code) }, fallback);
}

/** A value that is too long to be repeated, or another one if it is undefined: `withDefault(a, b)` */
function writeDefault(
  value: PrintedExpression,
  fallback: PrintedExpression,
  second: Expression,
  scope: Scope,
): PrintedExpression | undefined {
  if (scope.isUntyped || scope.engine || canFail(second)) return undefined;
  const code = helped(scope, "withDefault", [value.code, fallback.code]);
  return printedExpression(code, { isOptional: fallback.isOptional });
}

/** A value, or an error if it is missing: `first($data[0], error(E))` → `required(elementOf(data, 0), e)` */
function writeRequired(value: PrintedExpression, failure: Call, scope: Scope): PrintedExpression | undefined {
  const [error] = failure.args as readonly [Expression];
  const printed = canFail(error) ? undefined : writeOne(error, scope);
  return printed && printedExpression(helped(scope, "required", [value.code, printed.code]), { use: value.use });
}

/** Whether an expression checks that its parts exist before it does anything that can fail. */
const looksFirst = (expression: Expression): boolean =>
  !canFail(expression) || (expression.kind === "call" && expression.name !== "first" && !expression.args.some(canFail));

/** `guard === undefined ? fallback : value` */
function standingIn(guards: readonly Code[], value: PrintedExpression, fallback: PrintedExpression): PrintedExpression {
  const test = js.or(...guards.map((guard) => js.binary(guard, "===", js.undefinedName)));
  return printedExpression(conditional(test, fallback.code, value.code), { isOptional: fallback.isOptional });
}

/** Whether there is an output: `exists(E)` → `e !== undefined` */
function writeExists(expression: Expression, outside: Scope): PrintedExpression | undefined {
  const scope = unguarded(outside);
  if (effectsOf(expression).outputs === "many") return writeAny(expression, scope);
  const value = write(expression, scope);
  if (!value) return undefined;
  if (value.isOptional) return truth(js.binary(value.code, "!==", js.undefinedName));
  return canFail(expression) ? undefined : truth(js.literal(true));
}

/** Whether a list has elements. */
function writeAny(expression: Expression, scope: Scope): PrintedExpression | undefined {
  const list = canFail(expression) ? undefined : writeList(expression, scope);
  return list && truth(js.binary(js.member(list.code, "length"), ">", js.literal(0)));
}

/** Whether the one output that there may be is true: nothing is as null here. */
function writeTruthy(expression: Expression, outside: Scope): PrintedExpression | undefined {
  const scope = unguarded(outside);
  const value = write(expression, scope);
  if (!value || (value.type === "boolean" && !value.isOptional)) return value;
  return truth(helped(scope, "isTrue", [orNull(value)]));
}

function writeNot(expression: Expression, scope: Scope): PrintedExpression | undefined {
  const test = writeTruth(expression, scope);
  return test && truth(opposite(test.code));
}

const opposite = (code: Code): Code => {
  if (code.kind !== "binary") return js.unary("!", code);
  if (code.operator === "===") return js.binary(code.left, "!==", code.right);
  return code.operator === "!==" ? js.binary(code.left, "===", code.right) : js.unary("!", code);
};

/** A switch condition over what one path selects: `switchCondition([$data.state], "equals", "done")` → `equals(data?.state, "done")` */
function writeSwitchCondition(expression: Call, scope: Scope): PrintedExpression | undefined {
  const [values, operator, operand] = expression.args as readonly [Expression, Expression, Expression];
  const nodes =
    values.kind === "array" && values.items?.kind === "query" && values.items.segments.every(isDefinite)
      ? values.items
      : undefined;
  if (!nodes || operator.kind !== "literal" || effectsOf(operand).outputs !== "one" || canFail(operand))
    return writeFunction(expression, "switchCondition", scope);
  const selected = write(nodes, unguarded(scope));
  if (!selected || (!selected.isOptional && !conditions.has(operator.value)))
    return writeFunction(expression, "switchCondition", scope);
  switch (operator.value) {
    case "exists":
      return truth(js.binary(selected.code, "!==", js.undefinedName));
    case "notexists":
      return truth(js.binary(selected.code, "===", js.undefinedName));
    case "null":
      return truth(js.binary(selected.code, "===", js.literal(null)));
    case "notnull":
      return truth(js.binary(orNull(selected), "!==", js.literal(null)));
    default: {
      const condition = conditions.get(operator.value);
      const what = condition === undefined ? undefined : writeOne(operand, scope);
      if (what && condition === "equals" && isPlainText(operand) && mayHaveType(selected, "string")) {
        compared(selected);
        return truth(js.binary(selected.code, "===", what.code));
      }
      const sign = selected.type === "number" && what?.type === "number" ? numericSigns.get(condition!) : undefined;
      if (what && sign && !selected.isOptional) return truth(js.binary(selected.code, sign, what.code));
      return what && truth(helped(scope, condition!, [selected.code, what.code]));
    }
  }
}

/** Whether TypeScript does not know that a value has another type than a scalar, which it would reject comparing. */
const mayHaveType = ({ type, inferred = type }: PrintedExpression, wanted: PrintedExpression["type"]): boolean =>
  inferred === undefined || wanted === "null" || inferred === wanted;

/** Whether an expression is a string that is neither a number nor a boolean: no other value equals it. */
const isPlainText = (expression: Expression): boolean =>
  expression.kind === "literal" &&
  typeof expression.value === "string" &&
  !["true", "false", "NaN"].includes(expression.value) &&
  Number.isNaN(Number(expression.value));

/** The functions of the runtime that say whether one value satisfies an operator of a switch condition. */
const conditions: ReadonlyMap<Json, string> = new Map([
  ["equals", "equals"],
  ["notequals", "notEquals"],
  ["lessthan", "isBelow"],
  ["lessthanorequals", "isAtMost"],
  ["greaterthan", "isAbove"],
  ["greaterthanorequals", "isAtLeast"],
  ["matches", "matches"],
  ["notmatches", "notMatches"],
]);

/** The operators for two numbers. */
const numericSigns: ReadonlyMap<string, JsBinaryOperator> = new Map<string, JsBinaryOperator>([
  ["equals", "==="],
  ["notEquals", "!=="],
  ["isBelow", "<"],
  ["isAtMost", "<="],
  ["isAbove", ">"],
  ["isAtLeast", ">="],
]);

/**
 * A comparison of selected nodes. Of one node with a string, number, boolean or null it is JavaScript's, as a missing
 * node equals none of these.
 */
function writeRelation(expression: Call, scope: Scope): PrintedExpression | undefined {
  const [left, operator, right] = expression.args as readonly [Expression, Expression, Expression];
  if (operator.kind !== "literal" || (canFail(left) && canFail(right))) return undefined;
  const inside = unguarded(scope);
  const [scalar, other] = isScalar(right) ? [right, left] : [left, right];
  if ((operator.value === "==" || operator.value === "!=") && isScalar(scalar) && outputs(other) !== "many") {
    const [value, to] = [write(other, inside), write(scalar, inside)];
    if (!value || !to) return undefined;
    if (mayHaveType(value, to.type)) return equality(expression.name, value, to, operator.value, scalar);
  }
  const ordering = writeOrdering(expression, inside);
  if (ordering) return ordering;
  const [a, b] = [writeList(left, inside), writeList(right, inside)];
  return a && b && truth(helped(scope, expression.name, [a.code, js.literal(String(operator.value)), b.code]));
}

/** The order of at most one value and a value: `data.total > 100` of numbers, otherwise `isAbove(data.total, 100)`. */
function writeOrdering({ name, args }: Call, scope: Scope): PrintedExpression | undefined {
  const [left, operator, right] = args as readonly [Expression, Expression, Expression];
  const isMirrored = effectsOf(right).outputs !== "one";
  const sign = orderings.get(constantOf(operator) ?? null);
  const [subject, bound] = isMirrored ? [right, left] : [left, right];
  if (name !== "compareInCondition" || !sign || outputs(subject) === "many" || effectsOf(bound).outputs !== "one")
    return undefined;
  if (canFail(left) && canFail(right)) return undefined;
  const [value, to] = [write(subject, scope), writeOne(bound, scope)];
  if (!value || !to) return undefined;
  const [operatorSign, helper] = isMirrored
    ? [sign.mirrored, orderings.get(sign.mirrored)!.helper]
    : [sign.sign, sign.helper];
  return value.type === "number" && to.type === "number" && !value.isOptional
    ? truth(js.binary(value.code, operatorSign, to.code))
    : truth(helped(scope, helper, [value.code, to.code]));
}

interface Ordering {
  readonly sign: JsBinaryOperator;
  readonly mirrored: JsBinaryOperator;
  readonly helper: string;
}

const orderings: ReadonlyMap<Json, Ordering> = new Map<Json, Ordering>([
  ["<", { sign: "<", mirrored: ">", helper: "isBelow" }],
  ["<=", { sign: "<=", mirrored: ">=", helper: "isAtMost" }],
  [">", { sign: ">", mirrored: "<", helper: "isAbove" }],
  [">=", { sign: ">=", mirrored: "<=", helper: "isAtLeast" }],
]);

const constantOf = (expression: Expression): Json | undefined =>
  expression.kind === "literal" ? expression.value : undefined;

/** In a condition nothing equals null and is unequal to nothing; in a filter it is unequal to every value. */
function equality(
  name: string,
  value: PrintedExpression,
  scalar: PrintedExpression,
  operator: "==" | "!=",
  side: Expression,
): PrintedExpression {
  compared(value);
  const compare = (how: JsBinaryOperator, to: Code) => js.binary(value.code, how, to);
  const isCondition = name === "compareInCondition" && value.isOptional;
  if (isCondition && side.kind === "literal" && side.value === null)
    return truth(js.binary(orNull(value), operator === "==" ? "===" : "!==", scalar.code));
  if (operator === "==") return truth(compare("===", scalar.code));
  const unequal = compare("!==", scalar.code);
  return truth(isCondition ? js.and(compare("!==", js.undefinedName), unequal) : unequal);
}

/**
 * Whether a selected string matches an I-Regexp: `nodeSearches(.text, "a.c")` → `matchesNode(item?.text, "a.c", false)`
 */
function writeMatch({ name, args }: Call, scope: Scope): PrintedExpression | undefined {
  if (args.every(canFail)) return undefined;
  const [text, pattern] = args.map((argument) => write(argument, unguarded(scope)));
  if (!text || !pattern) return undefined;
  const matches = isSimple(text.code) ? writeMatcher(args[1]!, name === "nodeMatches", scope) : undefined;
  if (matches) {
    const isText = js.binary(js.unary("typeof", text.code), "===", js.literal("string"));
    return truth(js.and(isText, matches(text.code)));
  }
  return truth(helped(scope, "matchesNode", [text.code, pattern.code, js.literal(name === "nodeMatches")]));
}

/** A test of a string by a constant pattern, made once for engines to run it fast: `program_1_.test(text)`. */
export function writeMatcher(pattern: Expression, whole: boolean, scope: Scope): ((text: Code) => Code) | undefined {
  const text = pattern.kind === "literal" ? pattern.value : undefined;
  if (!scope.engine || typeof text !== "string" || isLargeRegexp(text)) return undefined;
  const source = regexpSource(text, whole);
  if (source === undefined) return undefined;
  const flags = [js.literal(source), js.literal("u")];
  if (isStraightRegexp(text, whole)) {
    const regex = scope.engine.constant(js.newExpression("RegExp", flags));
    return (node) => js.method(regex, "test", [node]);
  }
  const tester = scope.engine.constant(helped(scope, "createTester", flags));
  return (node) => js.call(tester, [node]);
}

/** An attribute of an event, in whatever case: `attribute(E, "type")` → `attributeOf(event, "type")` */
function writeAttribute({ args }: Call, scope: Scope): PrintedExpression | undefined {
  if (args.every(canFail)) return undefined;
  const [event, name] = args.map((argument) => writeOne(argument, unguarded(scope)));
  if (!event || !name || effectsOf(args[1]!).type !== "string") return undefined;
  return printedExpression(helped(scope, "attributeOf", [event.code, name.code]), { isOptional: true });
}
