import {
  type Binary,
  binary,
  type Call,
  type Conditional,
  call,
  childrenOf,
  conditional,
  containsKind,
  dataMergeError,
  type Expression,
  equalExpressions,
  formOf,
  inferTypeWithin,
  isBinary,
  isTotal,
  literal,
  object,
  type Query,
  query,
  type Segment,
  simplify,
  withChildren,
} from "../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { any, memberOf, objectsOf, type Type, typeNameOf } from "../../../src/types/index.ts";
import { decideMembers } from "./known-members.ts";

type ReceivedTypes = ReadonlyMap<string, Type>;

/**
 * Reads members directly from merged values, unless that may fail.
 *
 *   merge($data, { a: 1 }).a → 1, and merge($data, { a: 1 }).b → $data.b if $data is an object
 */
export function takeMembers(expression: Expression, types: ReceivedTypes): Expression {
  let taken = expression;
  for (let round = 0; round < maxRounds; round++) {
    const next = rewrite(taken, types);
    if (next === taken) break;
    taken = simplify(next);
  }
  return taken;
}

/** A decided condition leaves further members to take. */
const maxRounds = 3;

function rewrite(expression: Expression, types: ReceivedTypes): Expression {
  if (expression.kind === "call" && ["path", "update"].includes(formOf(expression)?.name ?? "")) return expression;
  if (!containsKind(expression, "call") && !containsKind(expression, "if")) return expression;
  const children = childrenOf(expression);
  const parts = children.map((child) => rewrite(child.expression, without(types, child.boundVariable)));
  const isSame = parts.every((part, i) => part === children[i]!.expression);
  const rebuilt = isSame ? expression : withChildren(expression, parts, children);
  const found =
    rebuilt.kind === "query"
      ? takenMember(rebuilt, types)
      : (withoutReplaced(rebuilt, types) ?? (rebuilt.kind === "call" ? decideMembers(rebuilt, types) : undefined));
  return found ? rewrite(found, types) : rebuilt;
}

/**
 * `merge(merge($data, { a: 1 }), { a: 2 })` → `merge($data, { a: 2 })`, if that replaces all members in the same
 * order; `merge({}, $event)` → `$event`, if that is an object.
 */
function withoutReplaced(expression: Expression, types: ReceivedTypes): Expression | undefined {
  const [target] = expression.kind === "call" ? expression.args : [];
  if (!target || !mayBeReplaced.has(target.kind)) return undefined;
  const outer = mergeOf(expression, types);
  if (outer && isEmptyObject(outer.target)) return outer.given;
  const inner = outer && mergeOf(outer.target, types);
  const [old, added] = [inner && keysOf(inner.given), outer && keysOf(outer.given)];
  if (!outer || !inner || !old || !added) return undefined;
  const isReplaced = (name: string, i: number): boolean =>
    added[i] === name && (!outer.isDeep || objectsOf(memberOf(inferType(outer.given, types), name).type).length === 0);
  return old.every(isReplaced) ? withTarget(expression, inner.target) : undefined;
}

/** What an empty object or another merge is. */
const mayBeReplaced: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>(["call", "object", "literal"]);

const isEmptyObject = (expression: Expression): boolean => keysOf(expression)?.length === 0;

const withTarget = (expression: Expression, target: Expression): Expression =>
  withChildren(expression, [
    target,
    ...childrenOf(expression)
      .slice(1)
      .map((child) => child.expression),
  ]);

function keysOf(expression: Expression): readonly string[] | undefined {
  if (expression.kind === "literal" && isObject(expression.value)) return Object.keys(expression.value);
  if (expression.kind !== "object") return undefined;
  const keys = expression.entries.map(({ key }) => (key.kind === "literal" ? key.value : undefined));
  return keys.every((key) => typeof key === "string") ? keys : undefined;
}

const without = (types: ReceivedTypes, name: string | undefined): ReceivedTypes =>
  name === undefined || !types.has(name) ? types : new Map([...types].filter(([each]) => each !== name));

/** Undefined if its origin is unknown. */
function takenMember({ source, segments }: Query, types: ReceivedTypes): Expression | undefined {
  const name = nameIn(segments[0]);
  if (name === undefined) return undefined;
  const merge = mergeOf(source, types);
  if (merge) return fromMerged(merge, name, segments, types);
  if (source.kind === "call" && source.name === "place") return fromPlaced(source, name, segments, types);
  if (source.kind !== "if") return undefined;
  return fromWrapped(source, name, segments, types) ?? fromBranches(source, segments, types);
}

/** `(if c then merge($data, { a: 1 }) else $data end).a` → `if c then 1 else $data.a end`. */
function fromBranches(
  { condition, then, otherwise, ...source }: Conditional,
  path: Query["segments"],
  types: ReceivedTypes,
): Expression | undefined {
  const branches = [then, otherwise].map((branch) => query(branch, path));
  const isTaken = branches.some((branch) => branch.kind === "query" && takenMember(branch, types) !== undefined);
  return isTaken ? { ...source, ...conditional(condition, branches[0]!, branches[1]!) } : undefined;
}

function nameIn(segment: Segment | undefined): string | undefined {
  const [selector, ...more] = segment?.selectors ?? [];
  return segment && !segment.descend && more.length === 0 && selector?.kind === "name" ? selector.name : undefined;
}

function fromMerged(
  { target, given, isDeep }: Merge,
  name: string,
  path: Query["segments"],
  types: ReceivedTypes,
): Expression | undefined {
  const [old, added] = [memberOf(inferType(target, types), name), memberOf(inferType(given, types), name)];
  if (added.presence === "never") return query(target, path);
  const isReplaced = !isDeep || objectsOf(old.type).length === 0 || objectsOf(added.type).length === 0;
  return added.presence === "always" && isReplaced ? query(given, path) : undefined;
}

/** `place($data, ["a"], 1).a` → 1 if `$data` is an object, or else the error. */
function fromPlaced(
  { args }: Call,
  name: string,
  path: Query["segments"],
  types: ReceivedTypes,
): Expression | undefined {
  const [target, names, placed] = args;
  const [first] = names?.kind === "literal" && Array.isArray(names.value) ? names.value : [];
  if (target?.kind !== "variable" || !isTotal(placed!)) return undefined;
  const isObject = typeNameOf(inferType(target, types)) === "object";
  if (typeof first === "string" && first !== name && isObject) return query(target, path);
  if (onlyName(names!) !== name) return undefined;
  return conditional(
    binary("==", call("type", target), literal("object")),
    query(placed!, path.slice(1)),
    call("error", literal({ name: dataMergeError.name, message: dataMergeError.place })),
  );
}

interface Merge {
  readonly target: Expression;
  readonly given: Expression;
  readonly isDeep: boolean;
}

function mergeOf(expression: Expression, types: ReceivedTypes): Merge | undefined {
  const merge = isBinary(expression) ? sumOf(expression) : calledMerge(expression, types);
  if (!merge) return undefined;
  const isMade = [merge.target, merge.given].every(
    (each) => typeNameOf(inferType(each, types)) === "object" && isCertain(each, types),
  );
  return isMade ? merge : undefined;
}

const sumOf = ({ name, args: [left, right] }: Binary): Merge | undefined =>
  name === "+" ? { target: left, given: right, isDeep: false } : undefined;

function calledMerge(expression: Expression, types: ReceivedTypes): Merge | undefined {
  if (expression.kind !== "call") return undefined;
  const { name, args } = expression;
  const [target, second, third] = args;
  const given = target && second && givenTo(name, second, third, types);
  return given && { target, given, isDeep: name === "merge" || name === "mergeResult" };
}

/** The object that a function merges into its first argument. */
function givenTo(
  name: string,
  second: Expression,
  third: Expression | undefined,
  types: ReceivedTypes,
): Expression | undefined {
  const key = name === "place" ? onlyName(second) : third?.kind === "literal" ? third.value : undefined;
  switch (name) {
    case "merge":
      // With a mode for arrays, members may be combined of both.
      return third ? undefined : second;
    case "assign":
    case "mergeOutput":
      return second;
    case "place":
      return typeof key === "string" && third ? object([[key, third]]) : undefined;
    case "mergeResult":
    case "assignResult": {
      const type = typeNameOf(inferType(second, types));
      if (type === "object") return second;
      return type !== undefined && type !== "null" && typeof key === "string" ? object([[key, second]]) : undefined;
    }
    default:
      return undefined;
  }
}

const onlyName = (path: Expression): Json | undefined =>
  path.kind === "literal" && Array.isArray(path.value) && path.value.length === 1 ? path.value[0] : undefined;

/** `(if type($x) == "object" then $x else { input: $x }).a` → `$x.a`: other values have no members. */
function fromWrapped(
  wrapped: Conditional,
  name: string,
  path: Query["segments"],
  types: ReceivedTypes,
): Expression | undefined {
  const { condition, then, otherwise } = wrapped;
  if (then.kind !== "variable" || !equalExpressions(condition, binary("==", call("type", then), literal("object"))))
    return undefined;
  const isElsewhere = isTotal(otherwise) && memberOf(inferType(otherwise, types), name).presence === "never";
  return isElsewhere ? query(then, path) : undefined;
}

/** It has one value and cannot fail. */
const isCertain = (expression: Expression, types: ReceivedTypes): boolean =>
  isTotal(expression) || mergeOf(expression, types) !== undefined;

const inferType = (expression: Expression, types: ReceivedTypes): Type =>
  inferTypeWithin(expression, { input: any, variables: types });
