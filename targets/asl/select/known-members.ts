import {
  type Binary,
  type Call,
  call,
  comma,
  conditional,
  type Expression,
  equalExpressions,
  firstOr,
  inferTypeWithin,
  isBinary,
  isTotal,
  literal,
  type Query,
} from "../../../src/expressions/index.ts";
import { alternatives, any, memberOf, plainTypeName, type Type, typeNameOf } from "../../../src/types/index.ts";

type KnownTypes = ReadonlyMap<string, Type>;

/**
 * Decides what types know of members.
 *
 *   exists($result.stock) → false, and first($result.stock, $result) → $result if no result has the member
 */
export function decideMembers(expression: Call, types: KnownTypes): Expression | undefined {
  const [argument, ...others] = expression.args;
  if (isBinary(expression)) return decidedType(expression, types);
  if (!argument || others.length > 0) return undefined;
  if (expression.name === "exists" && argument.kind === "query") {
    const presence = presenceOf(argument, types);
    return presence === "maybe" ? undefined : literal(presence === "always");
  }
  if (expression.name !== "first" || argument.kind !== "comma") return undefined;
  return firstOfBranches(argument.items) ?? firstPresent(argument.items, types);
}

/** `type($x) == "object"` → `false` if no value is an object. */
function decidedType({ name, args: [left, right] }: Binary, types: KnownTypes): Expression | undefined {
  const [subject] = left.kind === "call" && left.name === "type" ? left.args : [];
  if (name !== "==" || subject?.kind !== "variable" || right.kind !== "literal") return undefined;
  const type = inferTypeWithin(subject, { input: any, variables: types });
  const mayBe = alternatives(type).some((part) => plainTypeName(part) === right.value);
  return mayBe && typeNameOf(type) === undefined ? undefined : literal(mayBe);
}

/** `first(if c then 1 else $x.a end, if c then $y else $z end)` → `if c then 1 else first($x.a, $z) end`. */
function firstOfBranches(items: readonly Expression[]): Expression | undefined {
  const [first, last, ...others] = items;
  if (first?.kind !== "if" || last?.kind !== "if" || others.length > 0 || !isTotal(first.condition)) return undefined;
  if (!equalExpressions(first.condition, last.condition)) return undefined;
  const [then, otherwise] = [firstOr(first.then, last.then), firstOr(first.otherwise, last.otherwise)];
  return conditional(first.condition, then, otherwise);
}

/** What follows a value that is always there is never used. */
function firstPresent(items: readonly Expression[], types: KnownTypes): Expression | undefined {
  const presences = items.map((item) => (item.kind === "query" ? presenceOf(item, types) : "maybe"));
  const sure = presences.indexOf("always");
  const end = sure < 0 ? items.length : sure + 1;
  const kept = items.slice(0, end).filter((_, i) => presences[i] !== "never");
  if (kept.length === items.length || (sure >= 0 && kept.length + 1 === items.length && isNull(items.at(-1)!)))
    return undefined;
  return call("first", comma(...kept, ...(sure < 0 ? [] : [literal(null)])));
}

const isNull = (expression: Expression): boolean => expression.kind === "literal" && expression.value === null;

function presenceOf({ source, segments }: Query, types: KnownTypes): "always" | "maybe" | "never" {
  if (!isTotal(source)) return "maybe";
  let type = inferTypeWithin(source, { input: any, variables: types });
  let isSure = true;
  for (const { descend, selectors } of segments) {
    const [selector, ...more] = selectors;
    if (descend || more.length > 0 || selector?.kind !== "name") return "maybe";
    const member = memberOf(type, selector.name);
    if (member.presence === "never") return "never";
    isSure &&= member.presence === "always";
    type = member.type;
  }
  return isSure ? "always" : "maybe";
}
