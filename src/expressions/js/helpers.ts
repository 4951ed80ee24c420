import { type JsExpression as Code, type Identifier, js } from "../../js-ast/index.ts";
import { outputs } from "../analysis/effects.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Call } from "../core/ast.ts";

/** The runtime function of a builtin over values, if it has one. */
export function functionName(name: string, arity: number): string | undefined {
  const builtin = builtinOf(name, arity);
  return builtin?.kind === "value" ? builtin.javascript : undefined;
}

/** The functions that count what others return, so that these need no order. */
const counting = [
  { name: "unique", count: (values: Code, helper: HelperOf): Code => js.call(helper("countUnique"), [values]) },
  {
    name: "keys",
    count: (value: Code, helper: HelperOf): Code => js.member(js.call(helper("keysInOrder"), [value]), "length"),
  },
] as const;

type HelperOf = (name: string) => Identifier;

/** `length` of a value: `length(unique(values))` → `countUnique(values)` */
export function lengthCode(value: Code, helper: HelperOf): Code {
  if (value.kind === "call" && value.callee.kind === "identifier" && value.args.length === 1)
    for (const { name, count } of counting)
      if (value.callee.name === helper(name).name) return count(value.args[0]!, helper);
  return js.call(helper("length"), [value]);
}

const singleKeys = new WeakMap<Call, Call>();

/** `group_by(E)` with an array of keys instead of arrays of one key, if E has one output. */
export function withSingleKeys(call: Call): Call | undefined {
  const known = singleKeys.get(call);
  if (known || call.name !== "_group_by_impl") return known;
  const keys = call.args[1]!;
  const each = keys.kind === "array" && keys.items?.kind === "pipe" ? keys.items : undefined;
  if (each?.right.kind !== "array" || !each.right.items || outputs(each.right.items) !== "one") return undefined;
  const single: Call = {
    ...call,
    args: [call.args[0]!, { kind: "array", items: { kind: "pipe", left: each.left, right: each.right.items } }],
  };
  singleKeys.set(call, single);
  return single;
}

/** The runtime function of `group_by`. */
export const groupingFunction = (call: Call): string => (withSingleKeys(call) ? "groupByKey" : "groupBy");
