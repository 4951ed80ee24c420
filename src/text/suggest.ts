/** How long a name may be to get a suggestion, how many known names are looked at, and how many characters may differ. */
const maxNameLength = 100;
const maxKnownNames = 10_000;
const maxEditDistance = 6;

/** "Did you mean `x`?" for the known name nearest to `name`, if any is near; of equally near ones the first. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const best = nearestName(name, known);
  return best === undefined ? undefined : `Did you mean \`${best}\`?`;
}

/**
 * The known name nearest to `name`, case aside, if changing about two fifths of its characters makes one of the other. Very long
 * names, and all but the first ten thousand known ones, are left out of it, so that a hostile text costs no time.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) return undefined;
  const wanted = name.toLowerCase();
  let limit = Math.min(Math.max(1, Math.floor(name.length * 0.4)), name.length - 1, maxEditDistance);
  let best: string | undefined;
  let count = 0;
  for (const candidate of known) {
    count += 1;
    if (count > maxKnownNames || limit < 0) break;
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue;
    const found = editDistance(wanted, candidate.toLowerCase(), limit);
    if (found > limit) continue;
    best = candidate;
    limit = found - 1;
  }
  return best;
}

/** How many pairs of an unknown and a known name are compared in one list of names. */
const maxComparisons = 20_000;

/** The known names to suggest one of, as long as few names are unknown; none when thousands are, which would take long to compare. */
export function limitSuggestions(known: readonly string[]): () => readonly string[] {
  let left = Math.max(1, Math.floor(maxComparisons / (known.length + 1)));
  return () => (left-- > 0 ? known : []);
}

/** How many characters to insert, remove, replace or swap with their neighbour; anything above `limit` when there are more. */
function editDistance(a: string, b: string, limit: number): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [rows, columns] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (rows === "" || columns === "") return rows.length + columns.length;
  let before: number[] = [];
  let row = Array.from({ length: columns.length + 1 }, (_, j) => j);
  for (let i = 1; i <= rows.length; i += 1) {
    const next = nextRow(rows, columns, i, row, before);
    if (Math.min(...next) > limit) return limit + 1;
    before = row;
    row = next;
  }
  return row[columns.length]!;
}

function nextRow(a: string, b: string, i: number, row: readonly number[], before: readonly number[]): number[] {
  const next = [i];
  for (let j = 1; j <= b.length; j += 1) {
    const same = a[i - 1] === b[j - 1];
    const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    next.push(
      Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1), isSwapped ? before[j - 2]! + 1 : infinity),
    );
  }
  return next;
}

const infinity = Number.POSITIVE_INFINITY;
