import { loadJsonataEvaluator } from "#lazy";
import { isObject, type Json } from "../../json.ts";
import {
  alternatives,
  any,
  anyObject,
  boolean,
  integer,
  isNever,
  nullType,
  plainTypeName,
  storedType,
  string,
  type Type,
  truthOf,
  typeOfTruth,
  union,
} from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import { literal } from "../core/build.ts";
import { firstOf } from "../core/streams.ts";
import { evaluateInState } from "../jsonata-evaluator/states.ts";
import { queryEvaluationError } from "../jsonata-functions/query.ts";
import { hashed } from "../library/hashes.ts";
import { instantText } from "../library/instants.ts";
import { matchesNode } from "../library/iregexp.ts";
import { toFinite } from "../library/json-value.ts";
import {
  problemDetail,
  problemName,
  problemOf,
  problemStatus,
  problemTitle,
  problemType,
} from "../library/problems.ts";
import { schemaViolation, schemaViolationOf } from "../library/schema.ts";
import { isTrue } from "../library/types.ts";
import {
  type Builtin,
  type CallOutcome,
  type Closure,
  constantOf,
  inferAnyNumber,
  isNothingIn,
  isTotalIn,
  predicateBuiltin,
  streamBuiltin,
  times,
  valueBuiltin,
} from "./builtin.ts";
import { compareInCondition, comparesNodes, switchCondition } from "./dialect/conditions.ts";
import { attributeOf, text } from "./dialect/data.ts";
import { lengthOfNode, valueOfNodes } from "./dialect/jsonpath.ts";
import { mergingFunctions } from "./merging.ts";

const problemPart = (name: string, part: string, apply: (error: Json, standard: Json) => Json): Builtin => ({
  ...valueBuiltin(name, 2, `\`${name}(error, standard)\`: ${part} in an error's problem details.`),
  apply,
  type: () => any,
  simplify: (args) => {
    const [error, standard] = args.map(constantOf);
    return error === undefined || standard === undefined ? undefined : literal(apply(error, standard));
  },
  javascript: name,
});

/** The builtins without a counterpart in jq. */
export const dialectFunctions: readonly Builtin[] = [
  {
    ...valueBuiltin("text", 1, "`text(x)`: a string as it is; anything else as compact JSON."),
    returns: "string",
    apply: (given: Json) => text(given),
    type: () => string,
    simplify: ([given], { typeOf }) => (typeOf(given!) === "string" ? given : undefined),
    javascript: "text",
  },
  {
    ...valueBuiltin(
      "finite",
      1,
      "`finite(x)`: x with numbers that JSON can carry: NaN is null, a number beyond a double's range the largest one.",
    ),
    apply: (given: Json) => toFinite(given),
    type: ([given = any]) => storedType(given),
    simplify: ([given]) => {
      if (given!.kind === "literal") return literal(toFinite(given!.value));
      if (given!.kind !== "call") return undefined;
      if (given!.name === "nan") return literal(null);
      return given!.name === "infinite" ? literal(Number.MAX_VALUE) : undefined;
    },
    javascript: "toFinite",
  },
  {
    ...valueBuiltin(
      "schemaViolation",
      2,
      "`schemaViolation(x, rules)`: null if x fits the rules of a JSON Schema, or else where it does not.",
    ),
    apply: (given: Json, rules: Json) => schemaViolation(given, rules),
    type: () => union(nullType, string),
    javascript: "schemaViolation",
  },
  {
    ...valueBuiltin(
      "schemaViolation",
      3,
      "`schemaViolation(x, rules, noun)`: the same, where the clause calls x `noun`.",
    ),
    apply: (given: Json, rules: Json, noun: Json) => schemaViolationOf(given, rules, noun),
    type: () => union(nullType, string),
    javascript: "schemaViolationOf",
  },
  {
    ...valueBuiltin(
      "instant",
      1,
      "`instant(x)`: the ISO 8601 text of seconds since 1970, in UTC with milliseconds; null unless it is in the years 0 to 9999.",
    ),
    apply: (seconds: Json) => instantText(seconds),
    type: () => union(nullType, string),
    javascript: "instantText",
  },
  {
    ...valueBuiltin(
      "hash",
      2,
      "`hash(x, algorithm)`: the hash of a string or of the JSON of another value, by MD5, SHA-1, SHA-256, SHA-384 or SHA-512; null for another algorithm.",
    ),
    apply: (value: Json, algorithm: Json) => hashed(value, algorithm),
    type: () => union(nullType, string),
    javascript: "hashed",
  },
  {
    ...valueBuiltin(
      "problem",
      3,
      "`problem(error, pointer, standard)`: the error with problem details (RFC 9457) as its data, by the standard errors of a language.",
    ),
    apply: (error: Json, pointer: Json, standard: Json) => problemOf(error, pointer, standard),
    type: () => anyObject,
    simplify: (args) => {
      const [error, pointer, standard] = args.map(constantOf);
      return error === undefined || pointer === undefined || standard === undefined
        ? undefined
        : literal(problemOf(error, pointer, standard));
    },
    javascript: "problemOf",
  },
  {
    ...valueBuiltin(
      "evaluateJsonata",
      3,
      "`evaluateJsonata(text, place, inputs)`: the value of a JSONata expression of a state, as `evaluateInState` documents.",
    ),
    canFail: () => true,
    errorName: queryEvaluationError,
    apply: (program: Json, place: Json, inputs: Json) =>
      evaluateInState(loadJsonataEvaluator(), String(program), place, isObject(inputs) ? inputs : {}),
    type: () => any,
    javascript: "evaluateJsonata",
  },
  problemPart("problemName", "the name", problemName),
  problemPart("problemType", "the type", problemType),
  problemPart("problemStatus", "the status", problemStatus),
  problemPart("problemTitle", "the title", problemTitle),
  problemPart("problemDetail", "the detail, or null,", problemDetail),
  ...mergingFunctions,
  {
    ...valueBuiltin(
      "switchCondition",
      3,
      "`switchCondition(values, operator, operand)`: a switch condition of Serverless Workflow over what a path selected.",
    ),
    returns: "boolean",
    canFail: ([, operator, operand]) =>
      operator?.kind !== "literal" || (isPattern(operator.value) && !isRegularExpression(operand)),
    apply: (values: Json, operator: Json, operand: Json) => switchCondition(values, operator, operand),
    type: () => boolean,
    javascript: "switchCondition",
  },
  {
    ...predicateBuiltin(
      "exists",
      1,
      "`exists(E)`: whether E yields anything.",
      (outputs) => firstOf(outputs()).length > 0,
    ),
    javascript: "exists",
    simplify: ([argument], known) => {
      if (isNothingIn(known, argument!)) return literal(false);
      return isTotalIn(known, argument!) ? literal(true) : undefined;
    },
    infer: ([argument], outcomeOf) => {
      const { type, isNonEmpty: some } = outcomeOf(argument!);
      return { type: typeOfTruth(isNever(type) ? "never" : some ? "always" : "maybe"), isNonEmpty: true };
    },
  },
  {
    ...predicateBuiltin("truthy", 1, "`truthy(E)`: whether some output of E is neither false nor null.", truthy),
    javascript: "truthy",
    simplify: ([argument], known) => {
      if (isNothingIn(known, argument!)) return literal(false);
      return known.outputsOf(argument!) === "one" && known.typeOf(argument!) === "boolean" ? argument : undefined;
    },
    infer: ([argument], outcomeOf) => {
      const { type, isNonEmpty: some } = outcomeOf(argument!);
      const truth = truthOf(type);
      return { type: typeOfTruth(some || isNever(type) || truth === "never" ? truth : "maybe"), isNonEmpty: true };
    },
  },
  {
    ...predicateBuiltin("isEmpty", 1, '`isEmpty(E)`: whether E yields nothing, or first null, "", [] or {}.', isEmpty),
    javascript: { name: "isBlank", argumentForms: ["first"] },
    infer: ([argument], outcomeOf) => ({
      type: isNever(outcomeOf(argument!).type) ? typeOfTruth("always") : boolean,
      isNonEmpty: true,
    }),
  },
  {
    ...predicateBuiltin(
      "compareInCondition",
      3,
      "`compareInCondition(L, op, R)`: a comparison in a condition, of what both sides yield.",
      (left, operator, right) => compareInCondition([...left()], firstOf(operator())[0]!, [...right()]),
    ),
    javascript: { name: "compareInCondition", argumentForms: ["all", "constant", "all"] },
    comparison: ([left, operator, right]) =>
      operator?.kind === "literal" ? { left: left!, operator: operator.value, right: right! } : undefined,
    infer: inferComparison,
  },
  {
    ...predicateBuiltin(
      "comparesNodes",
      3,
      "`comparesNodes(L, op, R)`: a comparison in a JSONPath filter.",
      (left, operator, right) => comparesNodes(firstOf(left()), firstOf(operator())[0]!, firstOf(right())),
    ),
    javascript: { name: "comparesNodes", argumentForms: ["firstInArray", "constant", "firstInArray"] },
    infer: inferComparison,
  },
  {
    ...streamBuiltin(
      "attribute",
      2,
      "`attribute(E, name)`: of each CloudEvent that E yields the context attribute of that name; never its `data`.",
    ),
    apply: attribute,
    javascript: "attribute",
    outputs: (args, outputsOf) => args.map(outputsOf).reduce(times, "optional"),
    infer: (args, outcomeOf) => inferAnyNumber(any, args, outcomeOf),
  },
  {
    ...streamBuiltin(
      "nodeLength",
      1,
      "`nodeLength(E)`: how long a text, array or object is that E yields first; nothing of anything else.",
    ),
    returns: "number",
    apply: (nodes: Closure) => optionalOutput(lengthOfNode(firstOf(nodes())[0])),
    javascript: { name: "lengthOfNode", argumentForms: ["first"], isOptional: true },
    outputs: () => "optional",
    infer: (args, outcomeOf) => inferAnyNumber(integer, args, outcomeOf),
  },
  {
    ...streamBuiltin("nodeCount", 1, "`nodeCount(E)`: how many outputs E has."),
    returns: "number",
    apply: (nodes: Closure) => [[...nodes()].length],
    javascript: "count",
    outputs: () => "one",
    infer: (args, outcomeOf) => ({ ...inferAnyNumber(integer, args, outcomeOf), isNonEmpty: true }),
  },
  {
    ...streamBuiltin("nodeValue", 1, "`nodeValue(E)`: the output of E where it has exactly one; else nothing."),
    apply: (nodes: Closure) => optionalOutput(valueOfNodes([...nodes()])),
    javascript: { name: "valueOfNodes", argumentForms: ["all"], isOptional: true },
    outputs: () => "optional",
    infer: ([argument], outcomeOf) => ({ type: outcomeOf(argument!).type, isNonEmpty: false }),
  },
  {
    ...predicateBuiltin(
      "nodeMatches",
      2,
      "`nodeMatches(E, P)`: whether the whole of a text matches an I-Regexp.",
      (node, pattern) => matchesNode(firstOf(node())[0], firstOf(pattern())[0], true),
    ),
    javascript: "matches",
    usesRegex: true,
  },
  {
    ...predicateBuiltin(
      "nodeSearches",
      2,
      "`nodeSearches(E, P)`: whether some part of a text matches an I-Regexp.",
      (node, pattern) => matchesNode(firstOf(node())[0], firstOf(pattern())[0], false),
    ),
    javascript: "searches",
    usesRegex: true,
  },
];

const optionalOutput = (found: Json | undefined): readonly Json[] => (found === undefined ? [] : [found]);

/** Implements `truthy`. */
export function truthy(outputs: Closure): boolean {
  for (const value of outputs()) if (isTrue(value)) return true;
  return false;
}

/** Implements `isEmpty`. */
export function isEmpty(outputs: Closure): boolean {
  const [value = null] = firstOf(outputs());
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Implements `attribute`; names are case-insensitive. */
export function* attribute(events: Closure, name: Closure): Generator<Json> {
  for (const event of events()) {
    for (const wanted of name()) {
      const value = attributeOf(event, text(wanted));
      if (value !== undefined) yield value;
    }
  }
}

const isPattern = (operator: Json): boolean => operator === "matches" || operator === "notmatches";

function isRegularExpression(operand: Expression | undefined): boolean {
  if (operand?.kind !== "literal" || typeof operand.value !== "string") return false;
  try {
    return new RegExp(operand.value, "u") !== undefined;
  } catch {
    return false;
  }
}

/** A scalar constant equals only values of its own type. */
function inferComparison(args: readonly Expression[], outcomeOf: (side: Expression) => CallOutcome): CallOutcome {
  const asked = inferAnyNumber(boolean, args, outcomeOf);
  const [left, operator, right] = args as readonly [Expression, Expression, Expression];
  const [constant, other] = right.kind === "literal" ? [right, left] : [left, right];
  if (operator.kind !== "literal" || operator.value !== "==" || constant.kind !== "literal")
    return { ...asked, isNonEmpty: true };
  const { value } = constant;
  const isApart = value !== null && typeof value !== "object" && !couldBe(outcomeOf(other).type, typeof value);
  return { type: typeOfTruth(isApart ? "never" : "maybe"), isNonEmpty: true };
}

const couldBe = (valueType: Type, type: string): boolean =>
  alternatives(valueType).some((part) => plainTypeName(part) === type);
