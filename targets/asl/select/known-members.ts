import {
  type Call,
  call,
  comma,
  type Expression,
  inferTypeWithin,
  isTotal,
  literal,
  type Query,
} from "../../../src/expressions/index.ts";
import { any, memberOf, type Type } from "../../../src/types/index.ts";

type KnownTypes = ReadonlyMap<string, Type>;

/**
 * Decides what types know of members.
 *
 *   exists($result.stock) → false, and first($result.stock, $result) → $result if no result has the member
 */
export function decideMembers(expression: Call, types: KnownTypes): Expression | undefined {
  const [argument, ...others] = expression.args;
  if (!argument || others.length > 0) return undefined;
  if (expression.name === "exists" && argument.kind === "query") {
    const presence = presenceOf(argument, types);
    return presence === "maybe" ? undefined : literal(presence === "always");
  }
  return expression.name === "first" && argument.kind === "comma" ? firstPresent(argument.items, types) : undefined;
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
