/** The widths of characters of a common sans-serif font, in thousandths of the font size. */
const widths = new Map<string, number>();
for (const [characters, width] of [
  ["ijl'|", 225],
  ["ft.,:;I!/\\()[] ", 300],
  ['r-`{}"*', 360],
  ["sckvxyzJ?", 520],
  ["abdeghnopqu0123456789$_#L", 580],
  ["<>+=~^FTEPSXYZABKV&", 670],
  ["CDHNRUGOQ", 750],
  ["Mmw%", 880],
  ["W@", 980],
] as const)
  for (const character of characters) widths.set(character, width);

/** Estimates the width of a line, rather too large than too small. */
export function textWidth(text: string, size: number, isBold = false): number {
  let sum = 0;
  for (const character of text) sum += widths.get(character) ?? (character < "\u0250" ? 620 : 1000);
  return (sum / 1000) * size * (isBold ? 1.09 : 1.03);
}

/** Breaks a string into at most `max` lines of a width. If it is longer, the last line ends with an ellipsis. */
export function wrapText(text: string, width: number, size: number, max: number, isBold = false): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of wordsOf(text)) {
    const longer = line + word;
    if (textWidth(longer.trimEnd(), size, isBold) <= width || line === "") line = longer;
    else {
      lines.push(line.trimEnd());
      line = word.trimStart();
    }
    if (lines.length > max) break;
  }
  if (line.trimEnd() !== "") lines.push(line.trimEnd());
  const shown = lines.slice(0, max).map((each) => shortenText(each, width, size, isBold));
  if (lines.length <= max) return shown;
  return [...shown.slice(0, -1), shortenText(`${shown.at(-1)!.replace(/…$/, "")} …`, width, size, isBold)];
}

/** Cuts a line to a width. */
export function shortenText(text: string, width: number, size: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= width) return text;
  const characters = [...text.slice(0, Math.ceil((width / size) * 5))];
  while (characters.length > 1 && textWidth(`${characters.join("")}…`, size, isBold) > width) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

/** Words with the blanks after them. Long names also break after marks and before capitals. */
const wordsOf = (text: string): readonly string[] =>
  text.slice(0, maxLength).match(/[^\s/_.-]{1,24}?(?:[\s/_.-]+|(?<=[a-z])(?=[A-Z])|$)|[^\s/_.-]{1,24}|[\s/_.-]+/g) ??
  [];

const maxLength = 1000;

/** Replaces characters that XML and diagrams cannot contain: controls, lone surrogates and marks of direction. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, " ")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "\ufffd");
