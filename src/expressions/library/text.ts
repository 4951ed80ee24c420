// jq counts strings in code points, JavaScript in UTF-16 units.

/** The number of code points in a string. */
export function codePointCount(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPairAt(text, i - 1)) count--;
  return count;
}

/** Whether a surrogate pair starts at an index. */
export function isPairAt(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

/** The substring between two code point indexes in range. */
export function codePointSlice(text: string, start: number, end: number): string {
  const from = unitOffset(text, 0, start);
  return text.slice(from, unitOffset(text, from, end - start));
}

/** Advances a UTF-16 offset by `count` code points. */
export function unitOffset(text: string, from: number, count: number): number {
  let offset = from;
  for (let i = 0; i < count && offset < text.length; i++) offset += isPairAt(text, offset) ? 2 : 1;
  return offset;
}
