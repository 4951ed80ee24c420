import { isObject, type Json } from "../../json.ts";
import {
  alternatives,
  any,
  anyObject,
  assignType,
  boolean,
  deletePathType,
  differenceType,
  integer,
  isNever,
  memberOf,
  mergeResultTypes,
  mergeTypes,
  never,
  nullType,
  objectsOf,
  placeType,
  plainTypeName,
  storedType,
  string,
  type Type,
  truthOf,
  typeOfOperation,
  typeOfTruth,
  union,
  withMember,
} from "../../types/index.ts";
import type { Expression } from "../core/ast.ts";
import { call, literal, object } from "../core/build.ts";
import { firstOf } from "../core/streams.ts";
import { matchesNode } from "../library/iregexp.ts";
import { toFinite } from "../library/json-value.ts";
import { schemaViolation } from "../library/schema.ts";
import { isTrue } from "../library/types.ts";
import {
  type Analysis,
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
import {
  assignEventJson,
  assignJson,
  assignResultJson,
  attributeOf,
  dataMergeError,
  differenceJson,
  mergeEventJson,
  mergeJson,
  mergeOutputJson,
  mergeResultJson,
  omitJson,
  outputError,
  placeJson,
  text,
} from "./dialect/data.ts";
import { lengthOfNode, valueOfNodes } from "./dialect/jsonpath.ts";

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
      "merge",
      2,
      "`merge(target, value)`: of two objects member by member, recursively; else the value.",
    ),
    canFail: ([target, given], typeOf) => {
      const type = typeOf(given!);
      return typeOf(target!) !== "object" && (type === undefined || type === "object");
    },
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json) => mergeJson(target, given),
    type: ([target = any, given = any]) => mergeTypes(target, given),
    simplify: ([target, given], known) => simplifyMerge(target!, given!, known),
    javascript: "mergeJson",
  },
  {
    ...valueBuiltin(
      "mergeResult",
      3,
      "`mergeResult(target, value, key)`: null leaves the target, an object is merged into it, anything else as the member `key`.",
    ),
    canFail: ([target, given], typeOf) => typeOf(target!) !== "object" && typeOf(given!) !== "null",
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json, key: Json) => mergeResultJson(target, given, key),
    type: ([target = any, given = any, key = any]) => mergeResultTypes(target, given, key),
    simplify: ([target, given, key], known) => simplifyMergeResult("merge", [target!, given!], constantOf(key), known),
    javascript: "mergeResultJson",
  },
  {
    ...valueBuiltin(
      "place",
      3,
      "`place(target, path, value)`: the target with the value at a path of names; objects are made on the way.",
    ),
    canFail: ([target, path], typeOf) => typeOf(target!) !== "object" && constantNames(path!)?.length !== 0,
    errorName: dataMergeError.name,
    apply: (target: Json, path: Json, given: Json) => placeJson(target, path, given),
    type: ([target = any, , given = any], [, path]) => {
      const names = constantNames(path!);
      return names ? placeType(target, names, given) : any;
    },
    simplify: ([target, path, given], known) =>
      constantNames(path!)?.length === 0 && isTotalIn(known, target!) ? given : undefined,
    javascript: "placeJson",
  },
  {
    ...valueBuiltin(
      "mergeOutput",
      2,
      "`mergeOutput(state, output)`: the state, or else an empty object, with the members of the output in the places of its own.",
    ),
    returns: "object",
    canFail: ([, output], typeOf) => typeOf(output!) !== "object",
    errorName: outputError.name,
    apply: (state: Json, output: Json) => mergeOutputJson(state, output),
    type: ([state = any, output = any]) =>
      union(
        typeOfOperation("+", union(...objectsOf(state)), union(...objectsOf(output))),
        alternatives(state).every(({ kind }) => kind === "object") ? never : union(...objectsOf(output)),
      ),
    javascript: "mergeOutputJson",
  },
  {
    ...valueBuiltin(
      "mergeEvent",
      4,
      "`mergeEvent(target, event, key, token)`: `mergeResult` with the event's data, then its attribute `token` where the target has no such member.",
    ),
    canFail: ([target], typeOf) => typeOf(target!) !== "object",
    errorName: dataMergeError.name,
    apply: (target: Json, event: Json, key: Json, token: Json) => mergeEventJson(target, event, key, token),
    type: ([target = any, event = any, key = any], [, , , token]) =>
      mergeEventTypes([target, event, key], token, mergeTypes),
    javascript: "mergeEventJson",
  },
  {
    ...valueBuiltin(
      "assign",
      2,
      "`assign(target, value)`: of two objects, the target with the members of the value in the places of its own; else the value.",
    ),
    canFail: ([target, given], typeOf) => {
      const type = typeOf(given!);
      return typeOf(target!) !== "object" && (type === undefined || type === "object");
    },
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json) => assignJson(target, given),
    type: ([target = any, given = any]) => assignType(target, given),
    simplify: ([target, given], known) => simplifyMerge(target!, given!, known),
    javascript: "assignJson",
  },
  {
    ...valueBuiltin(
      "assignResult",
      3,
      "`assignResult(target, value, key)`: null leaves the target, the members of an object replace its own, anything else becomes the member `key`.",
    ),
    canFail: ([target, given], typeOf) => typeOf(target!) !== "object" && typeOf(given!) !== "null",
    errorName: dataMergeError.name,
    apply: (target: Json, given: Json, key: Json) => assignResultJson(target, given, key),
    type: ([target = any, given = any, key = any]) => mergeResultTypes(target, given, key, assignType),
    simplify: ([target, given, key], known) => simplifyMergeResult("assign", [target!, given!], constantOf(key), known),
    javascript: "assignResultJson",
  },
  {
    ...valueBuiltin(
      "assignEvent",
      4,
      "`assignEvent(target, event, key, token)`: `assignResult` with the event's data, then its attribute `token` where the target has no such member.",
    ),
    canFail: ([target], typeOf) => typeOf(target!) !== "object",
    errorName: dataMergeError.name,
    apply: (target: Json, event: Json, key: Json, token: Json) => assignEventJson(target, event, key, token),
    type: ([target = any, event = any, key = any], [, , , token]) =>
      mergeEventTypes([target, event, key], token, assignType),
    javascript: "assignEventJson",
  },
  {
    ...valueBuiltin("omit", 2, "`omit(value, names)`: an object without the members of these names; else the value."),
    apply: (given: Json, names: Json) => omitJson(given, names),
    type: ([given = any], [, names]) => omitTypes(given, constantNames(names!)),
    javascript: "omitJson",
  },
  {
    ...valueBuiltin(
      "difference",
      2,
      "`difference(value, base)`: what of the value is new; null where both are equal and not objects.",
    ),
    apply: (given: Json, base: Json) => differenceJson(given, base),
    type: ([given = any, base = any]) => differenceType(given, base),
    javascript: "differenceJson",
  },
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

function simplifyMerge(target: Expression, given: Expression, { typeOf }: Analysis): Expression | undefined {
  if (isEmptyObject(constantOf(target))) return given;
  return isEmptyObject(constantOf(given)) && typeOf(target) === "object" ? target : undefined;
}

/** A plain merge if the result's type is known. */
function simplifyMergeResult(
  name: "merge" | "assign",
  [target, given]: readonly [Expression, Expression],
  key: Json | undefined,
  known: Analysis,
): Expression | undefined {
  const type = known.typeOf(given);
  if (type === undefined || typeof key !== "string") return undefined;
  if (type === "null") return isTotalIn(known, given) ? target : undefined;
  const part = type === "object" ? given : object([[key, given]]);
  return simplifyMerge(target, part, known) ?? call(name, target, part);
}

const isEmptyObject = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length === 0;

function mergeEventTypes(
  [target, event, key]: readonly [Type, Type, Type],
  token: Expression | undefined,
  merge: (target: Type, value: Type) => Type,
): Type {
  if (token?.kind !== "literal" || typeof token.value !== "string") return any;
  const name = token.value;
  const given = alternatives(event).map((each) => (each.kind === "object" ? memberOf(each, "data") : undefined));
  const isAlways = given.every((each) => each?.presence === "always");
  const data = union(...given.map((each) => each?.type ?? nullType), isAlways ? never : nullType);
  const merged = mergeResultTypes(target, event.kind === "any" ? any : data, key, merge);
  const lacking = objectsOf(merged).filter((each) => memberOf(each, name).presence !== "always");
  return union(merged, ...lacking.map((each) => withMember(each, name, any)));
}

function omitTypes(given: Type, names: readonly string[] | undefined): Type {
  if (!names) return given.kind === "any" ? any : union(given, anyObject);
  const objects = objectsOf(given).map((object): Type => object);
  const kept = names.reduce<Type>((type, name) => deletePathType(type, [name]), union(...objects));
  return union(...alternatives(given).filter(({ kind }) => kind !== "object"), kept);
}

function constantNames(path: Expression): readonly string[] | undefined {
  if (path.kind !== "literal" || !Array.isArray(path.value)) return undefined;
  return path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)));
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
