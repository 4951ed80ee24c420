import { js } from "../../../js-ast/index.ts";
import { canFail, effectsOf } from "../../analysis/effects.ts";
import type { Expression, Update } from "../../core/ast.ts";
import { identity } from "../../core/build.ts";
import { functionName } from "../helpers.ts";
import { mayStandIn } from "./order.ts";
import { isShown, write, writeOne } from "./write.ts";
import { helped, isSimple, type PrintedExpression, printedExpression, type Scope, withInput } from "./written.ts";

/** `.a |= E` → `withMember(value, "a", e)`, `.a.b |= E` → `setpath(value, ["a", "b"], e)`: one member gets another value. */
export function writeUpdate({ args: [path, value] }: Update, scope: Scope): PrintedExpression | undefined {
  const keys = namesOfPath(path);
  if (!keys || effectsOf(value).outputs !== "one") return undefined;
  const target = write(identity, scope);
  const isRead = effectsOf(value).usesInput;
  const old = target && isSimple(target.code) ? (isRead ? writeOne(path, scope) : target) : undefined;
  if (!target || !old || !isDoneAfter(path, old, value)) return undefined;
  const changed = writeOne(value, withInput({ ...scope, lines: undefined }, old));
  if (!changed) return undefined;
  const [name, ...deeper] = keys;
  return name !== undefined && deeper.length === 0 && isShown(name)
    ? writeWithMember(target, name, changed, scope)
    : printedExpression(helped(scope, functionName("setpath", 3)!, [target.code, js.value(keys), changed.code]));
}

/** A value with another value for one member: `{ ...data, line }` of what is known to be an object. */
function writeWithMember(
  whole: PrintedExpression,
  name: string,
  value: PrintedExpression,
  scope: Scope,
): PrintedExpression {
  const { use, type, isPresent } = whole;
  if (scope.isUntyped && type === "object" && isPresent && name !== "__proto__")
    return printedExpression(js.object([js.spread(whole.code), js.property(name, value.code)]), { type, isPresent });
  return printedExpression(helped(scope, "withMember", [whole.code, js.literal(name), value.code]), { use });
}

/** Whether a value is made from what is there, so that it is seen first whether there can be such a member; or cannot fail. */
const isDoneAfter = (path: Expression, old: PrintedExpression, value: Expression): boolean =>
  effectsOf(value).usesInput ? mayStandIn(path, old, value, { kind: "input" }) : !canFail(value);

/** The names of a path that is a chain of members. */
function namesOfPath(path: Expression): readonly string[] | undefined {
  if (path.kind === "identity") return [];
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal" || typeof path.key.value !== "string")
    return undefined;
  const names = namesOfPath(path.source);
  return names && [...names, path.key.value];
}
