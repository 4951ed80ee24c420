import { isObject, type Json } from "../../src/json.ts";

/** Lines of machine files are this long if arrays are on one line. */
const maxLineLength = 100;

/** Prints JSON over several lines, like `JSON.stringify`, with short arrays of scalars on one line. */
export const layOutJson = (value: Json): string => `${printed(value, "", 0)}\n`;

/** `before`: the length of the text before it on its line. */
function printed(value: Json, indent: string, before: number): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = value.every(isScalar) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : undefined;
    if (line !== undefined && before + line.length < maxLineLength) return line;
    return block(
      "[",
      "]",
      value.map((item: Json) => printed(item, inner, inner.length)),
      indent,
    );
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, item]: [string, Json | undefined]) => {
    const start = `${JSON.stringify(key)}: `;
    return item === undefined ? [] : [start + printed(item, inner, inner.length + start.length)];
  });
  return block("{", "}", members, indent);
}

const isScalar = (value: Json): boolean => typeof value !== "object" || value === null;

const block = (open: string, close: string, items: readonly string[], indent: string): string =>
  items.length === 0
    ? open + close
    : `${open}\n${items.map((item) => `${indent}  ${item}`).join(",\n")}\n${indent}${close}`;
