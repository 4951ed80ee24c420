import { isObject } from "../../json.ts";
import type { Access, Alternative, Binary, Call, Expression, Form, Logic, Update } from "./ast.ts";
import { literal } from "./build.ts";

/** The bounds of an access that is a slice, `T[F:U]`; null means the beginning or the end. */
export function sliceBounds({ key }: Access): readonly [from: Expression, upTo: Expression] | undefined {
  if (key.kind === "literal") {
    const { value } = key;
    if (!isObject(value) || Object.keys(value).join() !== "start,end") return undefined;
    return [literal(value["start"]!), literal(value["end"]!)];
  }
  if (key.kind !== "object" || key.entries.length !== 2) return undefined;
  const [from, upTo] = key.entries;
  return isNamed(from!.key, "start") && isNamed(upTo!.key, "end") ? [from!.value, upTo!.value] : undefined;
}

const isNamed = (key: Expression, name: string): boolean => key.kind === "literal" && key.value === name;

const formNames: ReadonlySet<string> = new Set<Form["name"]>(["and", "or", "alternative", "recurse", "path", "update"]);

const operators: ReadonlySet<string> = new Set<Binary["name"]>([
  "+",
  "-",
  "*",
  "/",
  "%",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
]);

/** The call as one whose arguments are evaluated in a way of its own, if it is. */
export const formOf = (call: Call): Form | undefined =>
  formNames.has(call.name) && !call.isLocal ? (call as Form) : undefined;

/** Whether an expression is an operation of jq's arithmetic or a comparison. */
export const isBinary = (expression: Expression): expression is Binary =>
  expression.kind === "call" && operators.has(expression.name) && !expression.isLocal;

/** Whether an expression is `A and B` or `A or B`. */
export const isLogic = (expression: Expression): expression is Logic =>
  hasForm(expression, "and") || hasForm(expression, "or");

/** Whether an expression is `A // B`. */
export const isAlternative = (expression: Expression): expression is Alternative => hasForm(expression, "alternative");

/** Whether an expression is `P |= E`. */
export const isUpdate = (expression: Expression): expression is Update => hasForm(expression, "update");

const hasForm = (expression: Expression, name: Form["name"]): boolean =>
  expression.kind === "call" && expression.name === name && !expression.isLocal;

/** Whether a call reads `.` other than in its arguments, or evaluates them with another `.`. */
export function readsInput(call: Call): boolean {
  if (call.isLocal) return true;
  const form = formOf(call);
  return form?.name === "recurse" || form?.name === "path" || form?.name === "update";
}
