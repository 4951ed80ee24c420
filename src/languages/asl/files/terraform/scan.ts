/** A position in the text of a Terraform file. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** A resource block: its labels and attributes. */
export interface ResourceBlock {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The offsets of the values, by name. */
  readonly attributes: ReadonlyMap<string, number>;
}

/** Finds the resources of a type at the top level of a file. */
export function findResources(text: string, type: string): readonly ResourceBlock[] {
  const cursor: Cursor = { text, at: 0 };
  const found: ResourceBlock[] = [];
  for (skipSpace(cursor); cursor.at < text.length; skipSpace(cursor)) {
    const start = cursor.at;
    const header = readHeader(cursor);
    if (text[cursor.at] !== "{") {
      cursor.at = Math.max(cursor.at, start + 1);
      continue;
    }
    const [keyword, first, name] = header;
    if (keyword !== "resource" || first !== type || name === undefined) {
      skipBalanced(cursor);
      continue;
    }
    cursor.at += 1;
    const attributes = readAttributes(cursor);
    found.push({ name, start, end: cursor.at, attributes });
  }
  return found;
}

/** The words and labels before a block. */
function readHeader(cursor: Cursor): readonly string[] {
  const words: string[] = [];
  for (;;) {
    skipInline(cursor);
    const { text, at } = cursor;
    const [word] = /^(?:[\p{L}_][\p{L}\d_-]*|"[^"\\\n]*")/u.exec(text.slice(at, at + 200)) ?? [];
    if (word === undefined) return words;
    words.push(word.replaceAll('"', ""));
    cursor.at += word.length;
  }
}

/** The attributes of a block up to its `}`; nested blocks are skipped. */
function readAttributes(cursor: Cursor): ReadonlyMap<string, number> {
  const attributes = new Map<string, number>();
  for (skipSpace(cursor); cursor.at < cursor.text.length; skipSpace(cursor)) {
    if (cursor.text[cursor.at] === "}") {
      cursor.at += 1;
      return attributes;
    }
    const before = cursor.at;
    const [name] = readHeader(cursor);
    if (cursor.text[cursor.at] === "=" && name !== undefined) {
      cursor.at += 1;
      skipSpace(cursor);
      attributes.set(name, cursor.at);
      skipExpression(cursor);
    } else if (cursor.text[cursor.at] === "{") skipBalanced(cursor);
    if (cursor.at === before) cursor.at += 1;
  }
  return attributes;
}

/** Skips to the end of an expression: a separator, a closing bracket or a line end outside of brackets. */
export function skipExpression(cursor: Cursor): void {
  for (const { text } = cursor; cursor.at < text.length; ) {
    const next = text[cursor.at]!;
    if (next === "\n" || next === "," || next === "}" || next === "]" || next === ")") return;
    if (next === "#" || text.startsWith("//", cursor.at)) return;
    skipPart(cursor);
  }
}

/** Skips a bracket with its contents, a string, a comment, or one character. */
function skipPart(cursor: Cursor): void {
  const { text, at } = cursor;
  if (text[at] === "{" || text[at] === "[" || text[at] === "(") skipBalanced(cursor);
  else if (text[at] === '"') skipString(cursor);
  else if (text.startsWith("/*", at)) skipSpace(cursor);
  else cursor.at = (text.startsWith("<<", at) ? heredocAt(text, at)?.end : undefined) ?? at + 1;
}

/** Skips a bracket and everything up to the one that closes it. */
export function skipBalanced(cursor: Cursor): void {
  let depth = 0;
  for (const { text } = cursor; cursor.at < text.length; ) {
    const next = text[cursor.at]!;
    if (next === "{" || next === "[" || next === "(") {
      depth += 1;
      cursor.at += 1;
    } else if (next === "}" || next === "]" || next === ")") {
      depth -= 1;
      cursor.at += 1;
      if (depth <= 0) return;
    } else if (next === "#" || text.startsWith("//", cursor.at)) skipSpace(cursor);
    else skipPart(cursor);
  }
}

/** Skips a string with its interpolations. */
export function skipString(cursor: Cursor): void {
  const { text } = cursor;
  cursor.at += 1;
  while (cursor.at < text.length) {
    const next = text[cursor.at]!;
    if (next === '"') {
      cursor.at += 1;
      return;
    }
    const isInterpolated = (next === "$" || next === "%") && text[cursor.at + 1] === "{";
    if (isInterpolated && text[cursor.at - 1] !== next) {
      cursor.at += 1;
      skipBalanced(cursor);
    } else cursor.at += next === "\\" ? 2 : 1;
  }
}

/** A heredoc: `<<EOF` or `<<-EOF`, whose lines lose their common indentation. */
export interface Heredoc {
  readonly value: string;
  readonly end: number;
}

/** The heredoc at an offset. */
export function heredocAt(text: string, at: number): Heredoc | undefined {
  const [opening, dash, name] = /^<<(-?)([\p{L}_][\p{L}\d_-]*)[ \t]*\r?\n/u.exec(text.slice(at, at + 200)) ?? [];
  if (opening === undefined || name === undefined) return undefined;
  const lines: string[] = [];
  for (let line = at + opening.length; line < text.length; ) {
    const end = text.indexOf("\n", line);
    const written = text.slice(line, end < 0 ? text.length : end).replace(/\r$/, "");
    if (written.trim() === name) return { value: dedent(lines, dash === "-"), end: line + written.length };
    lines.push(written);
    if (end < 0) break;
    line = end + 1;
  }
  // It is not closed.
  return { value: dedent(lines, dash === "-"), end: text.length };
}

function dedent(lines: readonly string[], isDedented: boolean): string {
  const filled = isDedented ? lines.filter((line) => line.trim() !== "") : [];
  const indents = filled.map((line) => line.length - line.trimStart().length);
  const common = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
  return lines.map((line) => `${line.slice(Math.min(common, line.length - line.trimStart().length))}\n`).join("");
}

/** Skips whitespace and comments. */
export function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    while (/\s/.test(text[cursor.at] ?? "")) cursor.at += 1;
    const isLine = text[cursor.at] === "#" || text.startsWith("//", cursor.at);
    if (!isLine && !text.startsWith("/*", cursor.at)) return;
    const end = isLine ? text.indexOf("\n", cursor.at) : text.indexOf("*/", cursor.at + 2);
    cursor.at = end < 0 ? text.length : end + (isLine ? 1 : 2);
  }
}

/** Skips spaces and tabs. */
export function skipInline(cursor: Cursor): void {
  while (cursor.text[cursor.at] === " " || cursor.text[cursor.at] === "\t") cursor.at += 1;
}
