import { validationError } from "./errors.ts";
import type { Condition, Operand } from "./expressions.ts";
import { compareText } from "./items.ts";
import { firstIndex, type StoredItem } from "./partitions.ts";

/** The items that a key condition selects: a range of the sort keys of one partition. */
export interface KeyRange {
  readonly pk: string;
  /** The indices of the first item, and of the first behind the last, in the order of sort keys. */
  range(items: readonly StoredItem[]): readonly [number, number];
}

/** Reads `pk = :p`, or that and one condition on `sk`. Throws a `ValidationException` for any other condition. */
export function keyRangeOf(condition: Condition): KeyRange {
  const parts = condition.kind === "and" ? condition.parts : [condition];
  const [first, second, ...others] = parts.toSorted((a, b) => Number(isOfPartition(b)) - Number(isOfPartition(a)));
  const pk = first?.kind === "comparison" && isOfPartition(first) ? textOf(first.right) : undefined;
  if (pk === undefined || others.length > 0) throw notSupported();
  return { pk, range: second ? rangeOf(second) : (items) => [0, items.length] };
}

const isOfPartition = (condition: Condition): boolean =>
  condition.kind === "comparison" && condition.operator === "=" && isName(condition.left, "pk");

const isName = (operand: Operand, name: string): boolean =>
  operand.kind === "path" && operand.path.length === 1 && operand.path[0] === name;

function textOf(operand: Operand): string {
  if (operand.kind !== "value" || operand.value.S === undefined) throw notSupported();
  if (operand.value.S === "") throw validationError("The AttributeValue for a key attribute cannot be empty");
  return operand.value.S;
}

const notSupported = (): Error => validationError("Query key condition not supported");

function rangeOf(condition: Condition): KeyRange["range"] {
  const atLeast = (text: string) => (items: readonly StoredItem[]) =>
    firstIndex(items, ({ sk }) => compareText(sk, text) >= 0);
  const above = (text: string) => (items: readonly StoredItem[]) =>
    firstIndex(items, ({ sk }) => compareText(sk, text) > 0);
  switch (condition.kind) {
    case "comparison": {
      if (!isName(condition.left, "sk")) throw notSupported();
      const text = textOf(condition.right);
      switch (condition.operator) {
        case "=":
          return (items) => [atLeast(text)(items), above(text)(items)];
        case "<":
          return (items) => [0, atLeast(text)(items)];
        case "<=":
          return (items) => [0, above(text)(items)];
        case ">":
          return (items) => [above(text)(items), items.length];
        case ">=":
          return (items) => [atLeast(text)(items), items.length];
        default:
          throw notSupported();
      }
    }
    case "between": {
      if (!isName(condition.value, "sk")) throw notSupported();
      const [low, high] = [textOf(condition.low), textOf(condition.high)];
      if (compareText(low, high) > 0)
        throw validationError("The BETWEEN operator requires upper bound to be greater than or equal to lower bound");
      return (items) => [atLeast(low)(items), above(high)(items)];
    }
    case "begins_with": {
      if (condition.path.length !== 1 || condition.path[0] !== "sk") throw notSupported();
      const prefix = textOf(condition.argument);
      const isBehind = ({ sk }: StoredItem) => compareText(sk, prefix) > 0 && !sk.startsWith(prefix);
      return (items) => [atLeast(prefix)(items), firstIndex(items, isBehind)];
    }
    default:
      throw notSupported();
  }
}
