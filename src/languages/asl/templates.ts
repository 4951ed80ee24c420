import { collect, comma, type Expression, literal, object, simplify } from "../../expressions/index.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { badTemplateKey } from "./diagnostics/kinds.ts";
import { readIntrinsic } from "./intrinsics.ts";
import { type Path, type PathRoots, type PathText, readPath } from "./paths.ts";
import { isDynamic, memberName } from "./template-keys.ts";

/** A property of a state or of a part of one. */
export interface Field {
  readonly owner: object;
  readonly key: string;
}

/** The value of a field. */
export const valueAt = ({ owner, key }: Field): Json | undefined =>
  Object.hasOwn(owner, key) ? (owner as JsonObject)[key] : undefined;

/** The text of a field and its spans. */
export function textAt({ writer }: PathRoots, field: Field): PathText {
  const { document } = writer.context;
  const spanAt = (from: number, to: number) => document.spanWithin(field.owner, field.key, from, to);
  return { text: String(valueAt(field)), spanAt };
}

/** The path in a field; undefined if it is invalid, which is reported. */
export const pathAt = (roots: PathRoots, field: Field): Path | undefined => readPath(roots, textAt(roots, field));

/** The value of the path or the call of an intrinsic function in a field. */
export function expressionAt(roots: PathRoots, field: Field): Expression {
  const text = textAt(roots, field);
  const value = /^\s*\$/.test(text.text) ? readPath(roots, text)?.value : readIntrinsic(roots, text);
  return value ? simplify(value) : literal(null);
}

/** The value of a payload template. Keys that end in `.$` have paths or intrinsic functions; anything else is literal. */
export function templateAt(roots: PathRoots, field: Field): Expression {
  const value = valueAt(field)!;
  if (Array.isArray(value)) {
    const items = value.map((_, i) => templateAt(roots, { owner: value, key: String(i) }));
    if (items.every(({ kind }) => kind === "literal")) return literal(value);
    return collect(comma(...items));
  }
  if (!isObject(value)) return literal(value);
  const entries = Object.keys(value).map((key) => [memberName(key), entryAt(roots, { owner: value, key })] as const);
  checkKeys(roots, value);
  const isConstant = entries.every(([, each]) => each.kind === "literal") && !Object.keys(value).some(isDynamic);
  return isConstant ? literal(value) : object(entries);
}

function entryAt(roots: PathRoots, field: Field): Expression {
  if (!isDynamic(field.key)) return templateAt(roots, field);
  return typeof valueAt(field) === "string" ? expressionAt(roots, field) : literal(null);
}

/** The values of the variables of an `Assign`, by name. */
export function assignmentsAt(roots: PathRoots, owner: object): readonly (readonly [string, Expression])[] {
  const variables = valueAt({ owner, key: "Assign" });
  if (!isObject(variables)) return [];
  checkKeys(roots, variables);
  return Object.keys(variables).map((key) => [memberName(key), entryAt(roots, { owner: variables, key })] as const);
}

function checkKeys({ writer }: PathRoots, value: JsonObject): void {
  const { context } = writer;
  for (const key of Object.keys(value).filter(isDynamic)) {
    const name = memberName(key);
    if (Object.hasOwn(value, name))
      context.report(badTemplateKey(spanOf(context, value, key, "key"), { key, reason: `\`${name}\` is there too` }));
    if (typeof value[key] !== "string")
      context.report(badTemplateKey(spanOf(context, value, key), { key, reason: "its value is no path or function" }));
  }
}
