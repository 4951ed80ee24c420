import { cursorOf, signal } from "../cursor.ts";

/**
 * Signals a fault for what means something else in JavaScript when case is disregarded: characters that Oniguruma takes for several (`ß` for `ss`),
 * classes in which such characters are, classes and properties of case, ranges of letters that are not ASCII, and back-references.
 */
export function checkFolding(pattern: string, wideClass: number | undefined, local: boolean): void {
  const foreign = local ? pattern.search(/[^\0-\x7f]|\\x/) : -1;
  if (foreign >= 0)
    signal(
      cursorOf(pattern),
      "unsupported",
      "Only ASCII is supported in a regular expression that disregards case in parts.",
      foreign,
    );
  if (wideClass !== undefined) {
    const message = "A class with all letters is not supported in a regular expression that disregards case.";
    const hint = "Write `\\w` outside of a class, or name the characters.";
    signal(cursorOf(pattern), "unsupported", message, wideClass, wideClass + 1, hint);
  }
  const unusual =
    /[\xdf\u0130\u0131\u0149\u01f0\u02bc\u02be\u0390\u03b0\u0587\u1e96-\u1e9e\u1f00-\u1fff\ufb00-\ufb17]|\p{M}|[^\0-\x7f](?=-[^\]])|-[^\0-\x7f]|\\x\{0*[1-9a-fA-F]\w{2,}\}|\\x\{0*[89a-fA-F]\w\}|\\[pP]\{|\[:\^?(?:upp|low)er:|\\(?:[1-9]|k<)/u;
  const found = unusual.exec(pattern);
  if (!found) return;
  const message = "This is not supported in a regular expression that disregards case.";
  signal(cursorOf(pattern), "unsupported", message, found.index, found.index + found[0].length);
}

/** Whether letters that ligatures and `ß` stand for may follow each other in a pattern: `ss`, `st`, `ff`, `fi`, `fl`. */
export const findsLigatures = (pattern: string): boolean => /s[^a-z]*[st]|f[^a-z]*[fil]|\\x/i.test(pattern);
