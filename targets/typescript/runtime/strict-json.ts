import type { Json } from "./json.ts";

/** Why a string is rejected, as a title and the end of a sentence, such as "is not JSON". */
export class JsonViolation extends Error {
  readonly title: string;

  constructor(title: string, message: string) {
    super(message);
    this.title = title;
  }
}

/** The maximum depth of arrays and objects. */
export const maxJsonDepth = 500;

/**
 * Parses JSON that means the same everywhere. Throws a `JsonViolation` for what is not JSON, too deep, a number beyond
 * the range of doubles, or an object with two members of one name: parsers differ in which one they choose.
 */
export function parseStrictJson(text: string): Json {
  const repeated = checkStructure(text);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (reason) {
    throw new JsonViolation("Not JSON", `is not JSON${positionIn(reason)}`);
  }
  if (repeated !== undefined)
    throw new JsonViolation("Repeated member", `has the member ${quoted(repeated)} twice in one object`);
  if (hasInfinity(value))
    throw new JsonViolation("Too large a number", "contains a number that is larger than any double");
  return value;
}

/** The position in the parser's message, without the text that it quotes. */
function positionIn(reason: unknown): string {
  const position = reason instanceof Error ? /\(line (\d+) column (\d+)\)/.exec(reason.message) : null;
  return position ? `: see line ${position[1]}, column ${position[2]}` : "";
}

/** Whether a value contains a number such as 1e400. */
function hasInfinity(value: Json | undefined): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => hasInfinity(part));
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Throws if the nesting is too deep. Returns a name that an object has twice, or undefined. */
function checkStructure(text: string): string | undefined {
  // The names of each open object so far; undefined for arrays.
  const open: (Set<string> | undefined)[] = [];
  let repeated: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      const end = endOfString(text, i + 1);
      const names = open.at(-1);
      if (names !== undefined && repeated === undefined && isBeforeColon(text, end + 1)) {
        const name = nameIn(text.slice(i, end + 1));
        if (names.has(name)) repeated = name;
        names.add(name);
      }
      i = end;
    } else if (code === openBracket || code === openBrace) {
      open.push(code === openBrace ? new Set() : undefined);
      if (open.length > maxJsonDepth)
        throw new JsonViolation("Too deep", `has arrays and objects that are nested more than ${maxJsonDepth} deep`);
    } else if (code === closeBracket || code === closeBrace) open.pop();
  }
  return repeated;
}

/** The index of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i;
    if (code === backslash) i += 1;
  }
  return text.length;
}

function isBeforeColon(text: string, start: number): boolean {
  let i = start;
  while (i < text.length && text.charCodeAt(i) <= 0x20) i += 1;
  return text.charCodeAt(i) === colon;
}

/** The name in a string literal. Literals with escapes are decoded, since `"a"` and `"\u0061"` are the same name. */
function nameIn(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
