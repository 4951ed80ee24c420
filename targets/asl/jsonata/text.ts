import type { Json, JsonObject } from "../../../src/json.ts";

/** A JSON value as JSONata text. */
export function valueText(value: Json): string {
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => valueText(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as JsonObject).map(([key, item]) => `${stringText(key)}: ${valueText(item)}`);
  return `{${members.join(", ")}}`;
}

/** A string literal; nothing in it can end the expression, or the file that it stands in. */
export function stringText(text: string): string {
  return JSON.stringify(text).replace(/%(?=\})|[\u007f-\u009f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A regular expression literal. JSONata looks for its end by counting brackets, in character classes too, so those are escaped. */
export function patternText(pattern: string): string {
  let inClass = false;
  let text = "";
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!;
    if (c === "\\") {
      text += c + (pattern[++i] ?? "");
      continue;
    }
    if (c === "[" && !inClass) inClass = true;
    else if (c === "]") inClass = false;
    else if (c === "/" || (inClass && /[([{})]/.test(c))) text += "\\";
    text += c === "\n" ? "\\n" : c === "\r" ? "\\r" : c;
  }
  return `/${text}/`;
}

/** Text without parentheses around the whole of it. */
export function unwrapped(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")") || text.includes(";") || /["`/]/.test(text)) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === "(") depth += 1;
    if (text[i] === ")" && --depth === 0) return text;
  }
  return text.slice(1, -1);
}
