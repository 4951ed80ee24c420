/** A part of a string: text, or the inside of `${ … }`. */
export interface StringPart {
  readonly kind: "text" | "expression";
  readonly text: string;
  /** The offset of `text` in the string. */
  readonly from: number;
}

/** The string `${ … }` around one expression, or undefined. */
export function wholeExpression(text: string): StringPart | undefined {
  const from = text.length - text.trimStart().length;
  if (!text.startsWith("${", from)) return undefined;
  const end = endOfExpression(text, from + 2);
  if (end === undefined || text.slice(end + 1).trim() !== "") return undefined;
  return { kind: "expression", text: text.slice(from + 2, end), from: from + 2 };
}

/** The parts of a string with embedded expressions; undefined without any. */
export function embeddedExpressions(text: string): readonly StringPart[] | undefined {
  const parts: StringPart[] = [];
  let from = 0;
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", from)) {
    const end = endOfExpression(text, at + 2);
    if (end === undefined) break;
    if (at > from) parts.push({ kind: "text", text: text.slice(from, at), from });
    parts.push({ kind: "expression", text: text.slice(at + 2, end), from: at + 2 });
    from = end + 1;
  }
  if (parts.length === 0) return undefined;
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from), from });
  return parts;
}

/** The offset of the brace that closes an expression: strings of jq and braces of objects are skipped. */
function endOfExpression(text: string, from: number): number | undefined {
  const open: ("{" | "(" | '"')[] = [];
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]!;
    const inner = open.at(-1);
    if (inner === '"') {
      if (char === "\\" && text[at + 1] === "(") open.push("(");
      if (char === "\\") at += 1;
      else if (char === '"') open.pop();
    } else if (char === '"') open.push('"');
    else if (char === "{" || char === "(") open.push(char);
    else if (char === ")" && inner === "(") open.pop();
    else if (char === "}" && inner === "{") open.pop();
    else if (char === "}") return inner === undefined ? at : undefined;
  }
  return undefined;
}
