import type { Expression } from "../../core/ast.ts";
import { binary, bind, call, collect, comma, conditional, iterate, literal } from "../../core/build.ts";
import { conditionOf, named, resultOf } from "../condition/functions.ts";
import { readAt } from "../condition/infix.ts";
import { type Operand, toValue } from "../condition/operand.ts";
import { readOperand } from "../condition/primary.ts";
import {
  type CallRule,
  type ConditionReader,
  freshVariable,
  type OperandResult,
  precedences,
  toCondition,
  withNames,
} from "../condition/reader.ts";
import { nameOf } from "../jsonpath/jsonpath.ts";
import { accept, advance, describeNext, expect, failAt, nested, type Range } from "../token-stream.ts";

/** The comprehension macros, of lists and of the keys of maps. */
export const macros: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
  ["all", macro(({ each, test }) => conditionOf(call("not", call("truthy", each(call("not", test()))))))],
  ["exists", macro(({ each, test }) => conditionOf(call("truthy", each(test()))))],
  ["exists_one", macro(({ each, select }) => conditionOf(isOne(each(select(literal(true))))))],
  ["existsOne", macro(({ each, select }) => conditionOf(isOne(each(select(literal(true))))))],
  ["filter", macro(({ each, select, item }) => resultOf(collect(each(select(item)))))],
  ["map", macro(({ each, mapped }) => resultOf(collect(each(mapped()))), 3)],
]);

/** `has(a.b)`: whether the member exists. */
export function readHas(reader: ConditionReader, _: Operand | undefined, place: Range): OperandResult {
  const operand = nested(reader, () => readOperand(reader), place);
  expect(reader, ")");
  const { expression } = "expression" in operand ? operand : { expression: undefined };
  const last = expression?.kind === "query" ? expression.segments.at(-1) : undefined;
  const isMember = last && !last.descend && nameOf(last) !== undefined;
  if (expression && isMember) return conditionOf(call("exists", expression));
  const at = { from: operand.from, to: operand.to };
  return failAt(reader, "syntax", "`has` requires a member, as in `has(order.id)`.", place.from > 0 ? at : at);
}

/** What a macro makes of its arguments. */
interface Comprehension {
  readonly item: Expression;
  /** An expression for each element. */
  readonly each: (body: Expression) => Expression;
  /** The last argument as a condition. */
  readonly test: () => Expression;
  /** A value for each element that satisfies the last argument. */
  readonly select: (value: Expression) => Expression;
  /** The last argument as a value, for each element that satisfies the argument before, if any. */
  readonly mapped: () => Expression;
}

const isOne = (found: Expression): Expression => binary("==", call("nodeCount", found), literal(1));

function macro(apply: (parts: Comprehension) => OperandResult, mostArguments = 2): CallRule {
  return {
    kind: "macro",
    read: (reader, receiver, place) => {
      const name = readVariableName(reader);
      const item = freshVariable(reader, name);
      const outer = reader.resolve;
      const resolve = (word: string) => (word === name ? item.value : outer(word));
      const args: Operand[] = [];
      while (accept(reader, ","))
        args.push(nested(reader, () => withNames(reader, { resolve }, () => readAt(reader, precedences.choice))));
      expect(reader, ")");
      if (args.length === 0 || args.length >= mostArguments)
        failAt(reader, "syntax", "This macro takes a variable and an expression.", {
          from: place.from,
          to: reader.end,
        });
      const list = elements(reader, toValue(receiver!));
      const last = args.at(-1)!;
      const select = (test: Operand, value: Expression) => conditional(toCondition(reader, test), value, comma());
      return apply({
        item: item.value,
        each: (body) => bind(item.name, list, body),
        test: () => toCondition(reader, last),
        select: (value) => select(last, value),
        mapped: () => (args.length === 1 ? toValue(last) : select(args[0]!, toValue(last))),
      });
    },
  };
}

function readVariableName(reader: ConditionReader): string {
  if (reader.token.kind !== "name")
    failAt(reader, "syntax", `The name of a variable is missing before ${describeNext(reader)}.`);
  return advance(reader).text;
}

/** The elements of a list, or the keys of a map. */
const elements = (reader: ConditionReader, list: Expression): Expression =>
  iterate(
    named(reader, "collection", list, (value) =>
      conditional(binary("==", call("type", value), literal("object")), call("keys_unsorted", value), value),
    ),
  );
