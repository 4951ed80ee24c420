import type { Json } from "../../json.ts";
import { typeOfOperation } from "../../types/index.ts";
import type { Binary, Form } from "../core/ast.ts";
import { divide, minus, modulo, times as multiply, plus } from "../library/arithmetic.ts";
import { equalValues, isGreater, isGreaterOrEqual, isLess, isLessOrEqual } from "../library/order.ts";
import type { JqTypeName } from "../library/types.ts";
import { type FormFunction, type Outputs, times, type ValueFunction, valueBuiltin } from "./builtin.ts";

type Operator = Binary["name"];

/** jq's operators; numbers may become infinite or nan. */
export const operators: readonly ValueFunction[] = [
  operator("+", plus, "plus"),
  operator("-", minus, "minus"),
  operator("*", multiply, "times"),
  operator("/", divide, "divide"),
  operator("%", modulo, "modulo"),
  operator("==", equalValues, "equalValues"),
  operator("!=", (left, right) => !equalValues(left, right), "unequalValues"),
  operator("<", isLess, "isLess"),
  operator("<=", isLessOrEqual, "isLessOrEqual"),
  operator(">", isGreater, "isGreater"),
  operator(">=", isGreaterOrEqual, "isGreaterOrEqual"),
];

function operator(name: Operator, apply: (left: Json, right: Json) => Json, javascript: string): ValueFunction {
  return {
    ...valueBuiltin(name, 2, `\`a ${name} b\`.`),
    apply: (left: Json, right: Json) => apply(left, right),
    canFail: ([left, right], typeOf) => operatorCanFail(name, typeOf(left!), typeOf(right!)),
    type: ([left, right]) => typeOfOperation(name, left!, right!),
    javascript,
  };
}

/** Whether an operator may fail for types (undefined: unknown), except by exceeding a limit. */
export function operatorCanFail(name: Operator, left: JqTypeName | undefined, right: JqTypeName | undefined): boolean {
  const same = left === right ? left : undefined;
  switch (name) {
    case "+":
      return left !== "null" && right !== "null" && !["number", "string", "array", "object"].includes(same ?? "");
    case "-":
      return same !== "number" && same !== "array";
    case "*":
      return same !== "number" && same !== "object";
    case "/":
      return same !== "string";
    case "%":
      return true;
    default:
      return false;
  }
}

/** Calls whose arguments are evaluated in a way of their own. */
export const forms: readonly FormFunction[] = [
  form("and", 2, "`a and b`: whether both are neither false nor null.", false, ([left, right], outputsOf) =>
    times(outputsOf(left!), either("one", outputsOf(right!))),
  ),
  form("or", 2, "`a or b`: whether one is neither false nor null.", false, ([left, right], outputsOf) =>
    times(outputsOf(left!), either("one", outputsOf(right!))),
  ),
  form(
    "alternative",
    2,
    "`alternative(A; B)`, `A // B`: the outputs of A but for false and null, otherwise those of B.",
    false,
    ([left, right], outputsOf) => {
      const first = outputsOf(left!);
      return first === "many" ? "many" : either(first === "none" ? "none" : "one", outputsOf(right!));
    },
  ),
  form("recurse", 1, "`recurse(E)`: the input, then the same of each output of E.", false, () => "many"),
  form("path", 1, "`path(E)`: the path of each output of E.", true, ([body], outputsOf) => outputsOf(body!)),
  form(
    "update",
    2,
    "`update(P; E)`, `P |= E`: the input with the first output of E at each path of P.",
    true,
    () => "one",
  ),
];

function form(
  name: Form["name"],
  arity: number,
  meaning: string,
  fails: boolean,
  outputs: FormFunction["outputs"],
): FormFunction {
  return { kind: "form", name, arity, meaning, canFail: () => fails, outputs };
}

/** The number of outputs of one of two expressions. */
export function either(a: Outputs, b: Outputs): Outputs {
  if (a === b) return a;
  return a === "many" || b === "many" ? "many" : "optional";
}
