/** The characters of literals. */
export type Charset = "unicode" | "ascii";

/** Prints a string literal that cannot end a line, tag or template, or change the reading direction. */
export function quoteString(text: string, charset: Charset): string {
  const literal = JSON.stringify(text);
  return /^[\x20-\x7e]*$/.test(literal) && !/[<>`]|\$\{/.test(literal)
    ? literal
    : escapeCharacters(literal, charset, unreadable);
}

/** Prints a string literal in the quotes that need fewer escapes. */
export function stringLiteral(text: string, charset: Charset): string {
  const literal = quoteString(text, charset);
  if (!literal.includes('\\"')) return literal;
  const [doubles, singles] = ['"', "'"].map((quote) => text.split(quote).length);
  if (doubles! <= singles!) return literal;
  const body = literal.slice(1, -1).replace(/\\[\s\S]|'/g, (unit) => {
    if (unit === '\\"') return '"';
    return unit === "'" ? "\\'" : unit;
  });
  return `'${body}'`;
}

/** Prints a part of a template literal. */
export function templatePiece(text: string, charset: Charset): string {
  const piece = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return escapeCharacters(piece, charset, unreadableInTemplate);
}

/** Prints a regular expression literal. */
export function regexLiteral(source: string, flags: string, charset: Charset): string {
  if (source === "") return `/(?:)/${flags}`;
  const units = /\\[\s\S]|\[|\]|[\s\S]/g;
  let isInClass = false;
  const body = source.replace(units, (unit) => {
    if (unit === "[") isInClass = true;
    else if (unit === "]") isInClass = false;
    if (unit === "/" && !isInClass) return "\\/";
    if (unit === "<" || unit === "`") return hex(unit);
    const last = unit.at(-1)!;
    const isHarmless =
      charset === "ascii"
        ? /[\x20-\x7e]/.test(last)
        : last >= " " && !/[\ud800-\udfff]/.test(last) && !harmful.test(last);
    return isHarmless ? unit : hex(last);
  });
  return `/${body}/${flags}`;
}

/** Prints a nonnegative number; `groups`: long integers have separators. */
export function printNumber(value: number, groups: boolean): string {
  return groups && Number.isInteger(value) && value >= 10_000 && value < 1e15
    ? String(value).replace(/\B(?=(\d{3})+$)/g, "_")
    : String(value);
}

/** Whether a name needs no quotes as a property. */
export const isIdentifierName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

/** Prints a property key. `__proto__` is computed, since it would set the prototype. */
export function propertyKey(name: string, charset: Charset): string {
  if (name === "__proto__") return '["__proto__"]';
  return isIdentifierName(name) || (charset === "unicode" && wordPattern.test(name))
    ? name
    : stringLiteral(name, charset);
}

/** A name of letters and digits in any script. */
const wordPattern = /^[\p{L}$_][\p{L}\p{M}\p{Nd}$_]*$/u;

/** Splits a comment into lines without control characters and comment ends. */
export const commentLines = (text: string): readonly string[] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) =>
    line
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, " ")
      .replaceAll("*/", "*\\/")
      .trimEnd(),
  );

/** Makes a string safe for a single-line comment, truncated with an ellipsis. */
export function oneLine(text: string, maxLength = 120): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : characters.join("");
}

const harmful =
  /[\u007f-\u009f\u00ad\u0600-\u0605\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ue000-\uf8ff]/;

const outsideOfAscii = /[`<>\u007f-\uffff]|\$(?=\{)/g;
const unreadable = new RegExp(`${harmful.source}|<(?=[!/])|\\$(?=\\{)|[\\ud800-\\udfff]`, "g");
const unreadableInTemplate = new RegExp(`\`|${unreadable.source}`, "g");

function escapeCharacters(literal: string, charset: Charset, unreadable: RegExp): string {
  if (charset === "ascii") return literal.replace(outsideOfAscii, hex);
  return literal.replace(unreadable, (unit, at: number) => (isPaired(literal, at) ? unit : hex(unit)));
}

const hex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return false;
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
}
