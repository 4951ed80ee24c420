/**
 * A text with its control characters written as escapes, so that what a file says cannot move a terminal's cursor, colour
 * its lines or reverse their direction. Keeps the length in UTF-16 units only of what needs no escape.
 */
export function visible(text: string): string {
  return text.replace(hidden, escapeOf);
}

/** C0 and C1 controls, line and paragraph separators, marks that change the direction of text, and halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const hidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
