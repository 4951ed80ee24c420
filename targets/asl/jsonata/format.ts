/**
 * JSONata over several lines, as a person would write it: what fits stays on a line; else one definition a line, alternatives under their condition, and
 * what is in brackets further in. `($a := …; $f($a))` →
 *
 *     (
 *       $a := …;
 *       $f($a)
 *     )
 *
 * Only spaces outside of texts, patterns and names are changed. `width`: how long lines may become, as far as they can be broken.
 */
export function layOut(text: string, width: number): string {
  return laidOut(read(tokensOf(text)), 0, width);
}

/** A piece of text without brackets outside of texts, or what stands in brackets. */
type Part = string | { readonly open: string; readonly inside: readonly Part[]; readonly close: string };

/** Texts, names in back-ticks, patterns, brackets, what separates, and what is between these. */
const token =
  /"(?:[^"\\]|\\.)*"|`[^`]*`|(?<=[(,=?:] ?)\/(?! )(?:[^/\\]|\\.)+\/[im]*|[()[\]{}]| (?:\?|:|and|or|&|\+) |[;,] | |[^\s"`()[\]{};,/]+|[\s\S]/g;

const tokensOf = (text: string): readonly string[] => text.match(token) ?? [];

/** Tokens with what stands in brackets as one part. */
function read(tokens: readonly string[]): readonly Part[] {
  const open: { readonly bracket: string; readonly parts: Part[] }[] = [{ bracket: "", parts: [] }];
  for (const text of tokens) {
    if (/^[([{]$/.test(text)) open.push({ bracket: text, parts: [] });
    else if (/^[)\]}]$/.test(text) && open.length > 1) {
      const { bracket, parts } = open.pop()!;
      open.at(-1)!.parts.push({ open: bracket, inside: parts, close: text });
    } else open.at(-1)!.parts.push(text);
  }
  return open[0]!.parts;
}

const flat = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `${part.open}${flat(part.inside)}${part.close}`)).join("");

/** Parts at an indentation, of which the first line may be used up to a column already. */
function laidOut(parts: readonly Part[], indent: number, width: number, used = indent): string {
  const line = flat(parts);
  if (used + line.length <= width) return line;
  const further = `\n${" ".repeat(indent + 2)}`;
  for (const separator of ["; ", ", "]) {
    const pieces = split(parts, separator);
    if (pieces.length > 1)
      return pieces.map((piece) => laidOut(piece, indent, width)).join(`${separator.trim()}\n${" ".repeat(indent)}`);
  }
  const question = parts.indexOf(" ? ");
  if (question > 0) {
    const [condition, then, otherwise] = alternatives(parts, question);
    const branches = [
      `? ${laidOut(then, indent + 4, width)}`,
      ...(otherwise ? [`: ${laidOut(otherwise, indent + 2, width, indent + 4)}`] : []),
    ];
    return [laidOut(condition, indent, width, used), ...branches].join(further);
  }
  for (const operator of [" or ", " and ", " & ", " + "]) {
    const pieces = split(parts, operator);
    if (pieces.length > 1)
      return pieces.map((piece) => laidOut(piece, indent + 2, width)).join(`${further}${operator.trimStart()}`);
  }
  return opened(parts, indent, width);
}

/** What is before a question, and its two answers: the second stands behind the `:` that belongs to it. */
function alternatives(
  parts: readonly Part[],
  question: number,
): readonly [readonly Part[], readonly Part[], (readonly Part[])?] {
  let depth = 0;
  for (let i = question + 1; i < parts.length; i++) {
    if (parts[i] === " ? ") depth += 1;
    if (parts[i] === " : " && depth-- === 0)
      return [parts.slice(0, question), parts.slice(question + 1, i), parts.slice(i + 1)];
  }
  return [parts.slice(0, question), parts.slice(question + 1)];
}

function split(parts: readonly Part[], separator: string): readonly (readonly Part[])[] {
  const pieces: Part[][] = [[]];
  for (const part of parts) {
    if (part === separator) pieces.push([]);
    else pieces.at(-1)!.push(part);
  }
  return pieces;
}

/** Parts of which the last that has brackets is opened: what is in them stands on lines of its own. Brackets right within brackets are opened with them. */
function opened(parts: readonly Part[], indent: number, width: number): string {
  const at = parts.findLastIndex((part) => typeof part !== "string" && flat([part]).length > shortest);
  const part = parts[at];
  if (part === undefined || typeof part === "string") return flat(parts);
  let [inside, open, close] = [trimmed(part.inside), part.open, part.close];
  for (let [only] = inside; inside.length === 1 && only !== undefined && typeof only !== "string"; [only] = inside) {
    [open, close] = [`${open}${only.open}`, `${only.close}${close}`];
    inside = trimmed(only.inside);
  }
  const inner = laidOut(inside, indent + 2, width);
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)].map(flat) as [string, string];
  return `${before}${open}\n${" ".repeat(indent + 2)}${inner}\n${" ".repeat(indent)}${close}${after}`;
}

/** What is in shorter brackets stays on the line. */
const shortest = 12;

const trimmed = (parts: readonly Part[]): readonly Part[] =>
  parts.filter((part, i) => part !== " " || (i > 0 && i < parts.length - 1));
