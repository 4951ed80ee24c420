/** A line of a comparison: removed, kept or added. */
export type DiffLine = readonly [sign: "-" | " " | "+", text: string];

/** Larger changes are a removal and an addition of everything: comparing takes quadratic time and memory. */
const maxComparedLines = 2000;

/** Compares lines, with as few removed and added ones as possible. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): DiffLine => [" ", text];
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ["-", text];
  const added = (text: string): DiffLine => ["+", text];
  if (before.length === 0 || after.length === 0 || before.length + after.length > maxComparedLines)
    return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  // The length of the longest common subsequence of what follows each pair of lines.
  const common = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        before[i] === after[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push([" ", before[i]!]);
      [i, j] = [i + 1, j + 1];
    } else if (j >= after.length || (i < before.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      lines.push(removed(before[i]!));
      i += 1;
    } else {
      lines.push(added(after[j]!));
      j += 1;
    }
  }
  return lines;
}
