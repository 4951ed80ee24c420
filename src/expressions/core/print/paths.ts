import { assertNever, printJson } from "../../../json.ts";
import type { Access, Expression, Slice } from "../ast.ts";
import { isWord, type Level, level, print, whole } from "../print.ts";
import type { PathKind } from "../walk/paths.ts";

/** An expression that leads into values, and how tightly its text holds together. */
export function printedPath(expression: Extract<Expression, { kind: PathKind }>): readonly [Level, string] {
  switch (expression.kind) {
    case "access":
      return [level.postfix, `${sourceOf(expression.source)}${printKey(expression)}${mark(expression)}`];
    case "slice":
      return [level.postfix, `${sourceOf(expression.source)}[${printBounds(expression)}]${mark(expression)}`];
    case "iterate":
      return [level.postfix, `${sourceOf(expression.source)}[]${mark(expression)}`];
    case "recurse":
    case "path":
      return [level.postfix, `${expression.kind}(${whole(expression.body)})`];
    case "update":
      return [level.comma, `${print(expression.path, level.or)} |= ${print(expression.value, level.or)}`];
    default:
      return assertNever(expression);
  }
}

/** A member of `.` has no further dot before it. */
const sourceOf = (source: Expression): string => (source.kind === "identity" ? "." : print(source, level.postfix));

function printKey({ source, key }: Access): string {
  const name = key.kind === "literal" && typeof key.value === "string" ? key.value : undefined;
  if (name === undefined) return `[${whole(key)}]`;
  const dot = source.kind === "identity" ? "" : ".";
  return isWord(name) ? `${dot}${name}` : `[${printJson(name)}]`;
}

const printBounds = ({ from, upTo }: Slice): string => `${from ? whole(from) : ""}:${upTo ? whole(upTo) : ""}`;

const mark = ({ optional }: { readonly optional: boolean }): string => (optional ? "?" : "");
