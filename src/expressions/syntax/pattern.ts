import { type Cursor, cursorOf, fail, isParseError, match, type ParseError, peek, runParser } from "./cursor.ts";

/** The maximum length of a pattern in UTF-16 units. */
export const maxPatternLength = 10_000;

/**
 * Checks that a regular expression uses only syntax that RE2, Java and ECMAScript share: no look-around,
 * back-references, named groups or flags.
 */
export function patternError(text: string): ParseError | undefined {
  const result = runParser(() => {
    const cursor = cursorOf(text);
    if (text.length > maxPatternLength)
      fail(cursor, "limit", `This pattern is longer than ${maxPatternLength} characters.`, 0, text.length);
    while (cursor.offset < text.length) checkNext(cursor);
    return isRegExp(text) ? {} : fail(cursor, "syntax", "Invalid regular expression.", 0, text.length);
  });
  return isParseError(result) ? result : undefined;
}

const unsupportedSyntax: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/y, "Look-around in patterns is not supported."],
  [/\\(?:[1-9]|k)/y, "Back-references in patterns are not supported."],
  [/\(\?(?!:)[^)]{0,20}\)?/y, "Groups that begin with `(?` are not supported, except `(?:`."],
  [/\\[^dDwWsSbBnrtfvxu0\W_]/y, "The meaning of this escape differs between regular expression dialects."],
  [/\\u\{/y, "The meaning of this escape differs between regular expression dialects."],
  [/\[\[?:\^?\w+:/y, "Named character classes in patterns are not supported."],
];

function checkNext(cursor: Cursor): void {
  const from = cursor.offset;
  for (const [pattern, message] of unsupportedSyntax) {
    if (match(cursor, pattern) !== undefined) fail(cursor, "unsupported", message, from, cursor.offset);
  }
  cursor.offset += peek(cursor) === "\\" ? 2 : 1;
}

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
