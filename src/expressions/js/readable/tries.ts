import type { JsExpression as Code } from "../../../js-ast/index.ts";
import { js } from "../../../js-ast/index.ts";
import { canFail, effectsOf } from "../../analysis/effects.ts";
import type { Expression, Try } from "../../core/ast.ts";
import { isOwn, write, writeOne } from "./write.ts";
import { helped, isSimple, type PrintedExpression, printedExpression, type Scope, unguarded } from "./written.ts";

/** `try (.count | tonumber) catch 0` → `numberIf(findCount(input)) ?? 0`, without exceptions */
export function writeTry({ body, handler }: Try, scope: Scope): PrintedExpression | undefined {
  const [source, call] = body.kind === "pipe" ? [body.left, body.right] : [undefined, body];
  if (call.kind !== "call" || call.isLocal || call.name !== "tonumber") return undefined;
  if (source && call.args[0]!.kind !== "identity") return undefined;
  const found = writeFound(source ?? call.args[0]!, scope);
  const value = found && helped(scope, "numberIf", [found]);
  if (!value || !handler) return value && printedExpression(value, { type: "number", isOptional: true });
  if (effectsOf(handler).usesInput || (scope.engine && canFail(handler))) return undefined;
  const otherwise = writeOne(handler, unguarded(scope));
  if (!otherwise) return undefined;
  const code = scope.engine
    ? helped(scope, "withDefault", [value, otherwise.code])
    : js.binary(value, "??", otherwise.code);
  return printedExpression(code, otherwise.type === "number" ? { type: "number", isPresent: true } : {});
}

/** A member; null or undefined if it is missing or cannot be read. */
function writeFound(expression: Expression, scope: Scope): Code | undefined {
  if (expression.kind === "identity" || expression.kind === "variable") {
    const value = write(expression, scope);
    return value && isSimple(value.code) ? value.code : undefined;
  }
  const key = expression.kind === "access" && !expression.optional ? expression.key : undefined;
  if (expression.kind !== "access" || key?.kind !== "literal" || typeof key.value !== "string" || !isOwn(key.value))
    return undefined;
  const object = writeFound(expression.source, scope);
  if (!object) return undefined;
  return scope.accessor
    ? js.call(scope.accessor(key.value, true), [object])
    : helped(scope, "memberOf", [object, js.literal(key.value)]);
}
