import { js } from "../../../js-ast/index.ts";
import type { Json } from "../../../json.ts";
import { canFail } from "../../analysis/effects.ts";
import type { Call, Expression } from "../../core/ast.ts";
import { firstOr, literal, member } from "../../core/build.ts";
import { equalExpressions } from "../../core/equal.ts";
import { isScalar } from "./operators.ts";
import { writeInOrder } from "./order.ts";
import { isProvenObject } from "./use.ts";
import { writeOne } from "./write.ts";
import { helped, type PrintedExpression, printedExpression, type Scope, unguarded } from "./written.ts";

/** An object whose members are not objects, so that nothing is merged into them: `{ ...data, status: "done" }` */
export function writeWithMembers({ args }: Call, scope: Scope): PrintedExpression | undefined {
  const [target, members] = args as readonly [Expression, Expression];
  if (!scope.isUntyped || members.kind !== "literal") return undefined;
  const given = members.value;
  if (given === null || typeof given !== "object" || Array.isArray(given)) return undefined;
  const entries = Object.entries(given as { readonly [name: string]: Json });
  if (entries.some(([name, value]) => name === "__proto__" || !isScalar(literal(value)))) return undefined;
  const value = writeOne(target, scope);
  if (value?.type !== "object" || !value.isPresent) return undefined;
  const properties = entries.map(([name, each]) => js.property(name, js.value(each)));
  return printedExpression(js.object([js.spread(value.code), ...properties]), { type: "object", isPresent: true });
}

/** An object with one more member: `{ ...data, line }` */
export function writePlaced({ args }: Call, scope: Scope): PrintedExpression | undefined {
  const [target, path, value] = args as readonly [Expression, Expression, Expression];
  if (!scope.isUntyped || path.kind !== "literal" || !Array.isArray(path.value)) return undefined;
  const [name, ...deeper] = path.value as readonly Json[];
  if (typeof name !== "string" || name === "__proto__" || deeper.length > 0) return undefined;
  const [around, placed] = writeInOrder([target, value], scope) ?? [];
  if (around?.type !== "object" || !around.isPresent || !placed) return undefined;
  return printedExpression(js.object([js.spread(around.code), js.property(name, placed.code)]), {
    type: "object",
    isPresent: true,
  });
}

/** `place(T, ["name"], first(V.name, V))` → `assignMember(t, "name", v)` */
export function writeAssignedMember({ args }: Call, scope: Scope): PrintedExpression | undefined {
  const [target, path, value] = args as readonly [Expression, Expression, Expression];
  const name = path.kind === "literal" && Array.isArray(path.value) && path.value.length === 1 ? path.value[0] : null;
  const source = alternativeTo(value);
  if (scope.isUntyped || typeof name !== "string" || !source || [target, source].some(canFail)) return undefined;
  if (!equalExpressions(value, firstOr(member(source, name), source))) return undefined;
  const [around, result] = writeInOrder([target, source], unguarded(scope)) ?? [];
  if (!around || !result) return undefined;
  const code = helped(scope, "assignMember", [around.code, js.literal(name), result.code]);
  return printedExpression(code, { use: around.use });
}

/** B of `first(A, B)` */
function alternativeTo(expression: Expression): Expression | undefined {
  const [choices] = expression.kind === "call" && expression.name === "first" ? expression.args : [];
  return choices?.kind === "comma" ? choices.items[1] : undefined;
}

/** An object with members of another: `{ ...data, status: "done" }` */
export function writeAssigned({ args }: Call, scope: Scope): PrintedExpression | undefined {
  if (!scope.isUntyped) return undefined;
  const [target, value] = writeInOrder(args, scope) ?? [];
  return target && value && [target, value].every(isObjectValue) ? spread(target, value) : undefined;
}

function spread(target: PrintedExpression, value: PrintedExpression): PrintedExpression {
  const members = value.code.kind === "object" ? value.code.members : [js.spread(value.code)];
  return printedExpression(js.object([js.spread(target.code), ...members]), { type: "object", isPresent: true });
}

/**
 * `assignResult(T, V, "quote")` or `mergeResult(T, V, "quote")`: the key has no effect on a value that is an object:
 * `{ ...data, ...quote }`, `assign(data, quote)`, `assignResult(data, answer, "quote")`
 */
export function writeMergedResult(
  { args: [into, members, key] }: Call,
  helpers: { readonly object: string; readonly any: string },
  scope: Scope,
): PrintedExpression | undefined {
  const [target, value] = key?.kind === "literal" ? (writeInOrder([into!, members!], scope) ?? []) : [];
  if (!target || !value || key?.kind !== "literal") return undefined;
  const isObject = isObjectValue(value);
  if (helpers.object === "assignJson" && scope.isUntyped && isObject && isObjectValue(target))
    return spread(target, value);
  const code = isObject
    ? helped(scope, helpers.object, [target.code, value.code])
    : helped(scope, helpers.any, [target.code, value.code, js.value(key.value)]);
  return printedExpression(code, { use: target.use });
}

/** Whether a value is an object, by its form or its proven type. */
const isObjectValue = ({ type, isPresent, isOptional, proven }: PrintedExpression): boolean =>
  !isOptional && ((type === "object" && isPresent === true) || isProvenObject(proven));
