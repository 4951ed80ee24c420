/**
 * A text as PostgreSQL can have it, which takes neither U+0000 nor one half of a pair: these stand by their numbers behind a character that no text has a use
 * for, and so does that itself: `a\0b` is `a\ufffe0000b` there.
 */
export function stored(text: string): string {
  if (text.isWellFormed() && !text.includes("\0") && !text.includes(mark)) return text;
  return text.replaceAll(unstorable, (character) => mark + character.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The text that is stored so. */
export function read(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(marked, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const mark = "\ufffe";

const unstorable = /[\0\ufffe]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const marked = /\ufffe([0-9a-f]{4})/g;
