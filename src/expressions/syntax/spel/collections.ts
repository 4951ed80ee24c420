import type { Expression } from "../../core/ast.ts";
import {
  call,
  collect,
  comma,
  conditional,
  firstOr,
  identity,
  iterate,
  literal,
  member,
  pipe,
} from "../../core/build.ts";
import { readAt } from "../condition/infix.ts";
import { type Operand, toValue } from "../condition/operand.ts";
import { type ConditionReader, countOperation, precedences, toCondition, withNames } from "../condition/reader.ts";
import { advance, expect, nested } from "../token-stream.ts";

/**
 * Reads a selection `list.?[condition]`, its first `.^[…]` or last `.$[…]` element, or a projection `list.![value]`.
 * Inside, names are members of the element, which is `#this`. Of an object, they use the values.
 */
export function readSelection(reader: ConditionReader, operand: () => Operand): Operand | undefined {
  const sign = reader.token;
  const kind = sign.kind === "sign" ? kinds.get(sign.text) : undefined;
  if (kind === undefined) return undefined;
  const list = operand();
  countOperation(reader, advance(reader));
  const inside = nested(reader, () => withNames(reader, elementNames, () => readBody(reader, kind)), sign);
  expect(reader, "]");
  const found = pipe(iterate(toValue(list)), inside);
  return { kind: "value", expression: resultOf(kind, found), from: list.from, to: reader.end };
}

type SelectionKind = "all" | "first" | "last" | "projection";

const kinds: ReadonlyMap<string, SelectionKind> = new Map([
  [".?[", "all"],
  [".^[", "first"],
  [".$[", "last"],
  [".![", "projection"],
]);

const elementNames = { resolve: (name: string) => member(identity, name), self: identity };

function readBody(reader: ConditionReader, kind: SelectionKind): Expression {
  const operand = readAt(reader, precedences.choice);
  return kind === "projection" ? toValue(operand) : conditional(toCondition(reader, operand), identity, comma());
}

function resultOf(kind: SelectionKind, found: Expression): Expression {
  switch (kind) {
    case "first":
      return firstOr(found, literal(null));
    case "last":
      return firstOr(call("last", found), literal(null));
    default:
      return collect(found);
  }
}
