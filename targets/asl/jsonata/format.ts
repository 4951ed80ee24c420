/**
 * Formats JSONata over several lines of at most `width` columns where it can be broken: one definition a line, branches
 * below their condition, bracketed content indented. Only whitespace outside of literals changes.
 *
 *     (
 *       $a := …;
 *       $f($a)
 *     )
 */
export function formatJsonata(text: string, width: number): string {
  return formatFragments(groupBrackets(tokensOf(text)), 0, width);
}

type TextFragment =
  | string
  | { readonly open: string; readonly inside: readonly TextFragment[]; readonly close: string };

const token =
  /"(?:[^"\\]|\\.)*"|`[^`]*`|(?<=[(,=?:] ?)\/(?! )(?:[^/\\]|\\.)+\/[im]*|[()[\]{}]| (?:\?|:|and|or|&|\+) |[;,] | |[^\s"`()[\]{};,/]+|[\s\S]/g;

const tokensOf = (text: string): readonly string[] => text.match(token) ?? [];

function groupBrackets(tokens: readonly string[]): readonly TextFragment[] {
  const open: { readonly bracket: string; readonly parts: TextFragment[] }[] = [{ bracket: "", parts: [] }];
  for (const text of tokens) {
    if (/^[([{]$/.test(text)) open.push({ bracket: text, parts: [] });
    else if (/^[)\]}]$/.test(text) && open.length > 1) {
      const { bracket, parts } = open.pop()!;
      open.at(-1)!.parts.push({ open: bracket, inside: parts, close: text });
    } else open.at(-1)!.parts.push(text);
  }
  return open[0]!.parts;
}

const flatText = (parts: readonly TextFragment[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `${part.open}${flatText(part.inside)}${part.close}`)).join("");

function formatFragments(parts: readonly TextFragment[], indent: number, width: number, used = indent): string {
  const line = flatText(parts);
  if (used + line.length <= width) return line;
  const further = `\n${" ".repeat(indent + 2)}`;
  for (const separator of ["; ", ", "]) {
    const pieces = split(parts, separator);
    if (pieces.length > 1)
      return pieces
        .map((piece) => formatFragments(piece, indent, width))
        .join(`${separator.trim()}\n${" ".repeat(indent)}`);
  }
  const question = parts.indexOf(" ? ");
  if (question > 0) {
    const [condition, then, otherwise] = splitTernary(parts, question);
    const branches = [
      `? ${formatFragments(then, indent + 4, width)}`,
      ...(otherwise ? [`: ${formatFragments(otherwise, indent + 2, width, indent + 4)}`] : []),
    ];
    return [formatFragments(condition, indent, width, used), ...branches].join(further);
  }
  for (const operator of [" or ", " and ", " & ", " + "]) {
    const pieces = split(parts, operator);
    if (pieces.length > 1)
      return pieces.map((piece) => formatFragments(piece, indent + 2, width)).join(`${further}${operator.trimStart()}`);
  }
  return expandLastBrackets(parts, indent, width);
}

/** Splits at a `?` and the `:` that belongs to it. */
function splitTernary(
  parts: readonly TextFragment[],
  question: number,
): readonly [readonly TextFragment[], readonly TextFragment[], (readonly TextFragment[])?] {
  let depth = 0;
  for (let i = question + 1; i < parts.length; i++) {
    if (parts[i] === " ? ") depth += 1;
    if (parts[i] === " : " && depth-- === 0)
      return [parts.slice(0, question), parts.slice(question + 1, i), parts.slice(i + 1)];
  }
  return [parts.slice(0, question), parts.slice(question + 1)];
}

function split(parts: readonly TextFragment[], separator: string): readonly (readonly TextFragment[])[] {
  const pieces: TextFragment[][] = [[]];
  for (const part of parts) {
    if (part === separator) pieces.push([]);
    else pieces.at(-1)!.push(part);
  }
  return pieces;
}

/** Directly nested brackets open together. */
function expandLastBrackets(parts: readonly TextFragment[], indent: number, width: number): string {
  const at = parts.findLastIndex((part) => typeof part !== "string" && flatText([part]).length > maxInlineBrackets);
  const part = parts[at];
  if (part === undefined || typeof part === "string") return flatText(parts);
  let [inside, open, close] = [trimmed(part.inside), part.open, part.close];
  for (let [only] = inside; inside.length === 1 && only !== undefined && typeof only !== "string"; [only] = inside) {
    [open, close] = [`${open}${only.open}`, `${only.close}${close}`];
    inside = trimmed(only.inside);
  }
  const inner = formatFragments(inside, indent + 2, width);
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)].map(flatText) as [string, string];
  return `${before}${open}\n${" ".repeat(indent + 2)}${inner}\n${" ".repeat(indent)}${close}${after}`;
}

/** Shorter bracketed groups stay on their line. */
const maxInlineBrackets = 12;

const trimmed = (parts: readonly TextFragment[]): readonly TextFragment[] =>
  parts.filter((part, i) => part !== " " || (i > 0 && i < parts.length - 1));
