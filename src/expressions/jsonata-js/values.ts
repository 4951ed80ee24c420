import { type JsExpression as Code, js } from "../../js-ast/index.ts";
import type { ArrayConstruction, Jsonata, ObjectConstruction } from "../syntax/jsonata/syntax.ts";
import { readsContext } from "./paths.ts";
import { print } from "./print.ts";
import { call, fresh, helper, type Printed, refuse, type Scope, withContext } from "./scope.ts";

/** `[A, B]`: `[a, ...itemsIn(b)]`, as the elements of arrays become those of the array. */
export function printArray({ items }: ArrayConstruction, scope: Scope): Printed {
  const printed = items.map((item) => printItem(item, scope));
  const known = { type: "array", isOptional: false, canFail: printed.some(({ canFail }) => canFail) } as const;
  const [only, ...others] = printed;
  if (only?.isSpread && others.length === 0) return { ...known, code: only.code };
  return { ...known, code: js.array(printed.map(({ code, isSpread }) => (isSpread ? js.spread(code) : code))) };
}

interface Item {
  readonly code: Code;
  readonly canFail: boolean;
  /** Whether the code is an array of items. */
  readonly isSpread: boolean;
}

function printItem(item: Jsonata, scope: Scope): Item {
  if (item.kind === "range") {
    const bounds = [print(item.from, scope), print(item.upTo, scope)].map(({ code }) => code);
    return { ...call(scope, "range", bounds), canFail: true, isSpread: true };
  }
  const value = print(item, scope);
  const { code, type, isOptional, canFail } = value;
  if (item.kind === "array" || (type !== undefined && type !== "array" && !isOptional))
    return { code, canFail, isSpread: false };
  return { ...call(scope, "itemsIn", [code]), canFail, isSpread: true };
}

/** `{K: V}`: `{ k: v }`, or `record({ k: v })` where a value may be nothing. */
export function printObject(node: ObjectConstruction, scope: Scope): Printed {
  if (!scope.context || !node.entries.some(({ value }) => readsContext(value))) return printMembers(node, scope);
  const build = printBuilder(node, scope);
  return { ...build, code: js.call(build.code, [scope.context.code]) };
}

/** `objects((item) => …)`: builds an object for an item. */
export function printBuilder(node: ObjectConstruction, scope: Scope): Printed {
  const item = fresh(scope, "item");
  const built = printMembers(node, withContext(scope, { code: js.name(item), isOptional: false, canFail: false }));
  return { ...built, code: js.call(helper(scope, "objects"), [js.arrow([item], built.code)]) };
}

function printMembers({ entries }: ObjectConstruction, scope: Scope): Printed {
  const names = entries.map(({ key }) =>
    key.kind === "string" && isOrdinary(key.value) ? key.value : refuse("a key"),
  );
  if (new Set(names).size < names.length) return refuse("a key twice");
  const values = entries.map(({ value }) => print(value, scope));
  const code = js.object(names.map((name, i) => js.property(name, values[i]!.code)));
  const known = { type: "object", canFail: values.some(({ canFail }) => canFail) } as const;
  return values.some(({ isOptional }) => isOptional)
    ? call(scope, "record", [code], known)
    : { ...known, code, isOptional: false };
}

/** Whether a key is evaluated in the order of the source, and JSONata allows it. */
const isOrdinary = (key: string): boolean => !/^(?:\d+|_jsonata_.*)$/.test(key);
