import { expressionFault } from "../../../diagnostics/expressions.ts";
import {
  call,
  collect,
  conditional,
  type Expression,
  firstOr,
  isFault,
  type JsonPath,
  literal,
  parseJsonPath,
  variable,
} from "../../../expressions/index.ts";
import type { Context } from "../context.ts";

/** The data of the workflow, the state's own where one is running. */
export const data: Expression = variable("data");

/** What a path is for: to read what is there, or to say where something goes, where nothing need be. */
export type Purpose = "read" | "place";

/** Parses the path in `owner[key]`, and reports what is wrong with it. What is read by it knows its places. */
export function pathAt(
  { document, report }: Context,
  owner: object,
  key: string,
  source: Expression,
  purpose: Purpose = "read",
): JsonPath | undefined {
  const text = (owner as { readonly [key: string]: string })[key]!;
  const placeOf = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const path = parseJsonPath(text, source, purpose === "read" ? { placeOf } : {});
  if (!isFault(path)) return path;
  report(expressionFault(placeOf(path.from, path.to), path, "path"));
  return undefined;
}

/** What a path selects: its value, or null where there is none; the list of its values where it can select several. */
export const selected = (path: JsonPath): Expression =>
  path.definite ? firstOr(path.query, literal(null)) : collect(path.query);

/** What a path selects, or something else where it selects nothing. */
export const selectedOr = (path: JsonPath, otherwise: Expression): Expression =>
  path.definite
    ? firstOr(path.query, otherwise)
    : conditional(call("exists", path.query), collect(path.query), otherwise);
