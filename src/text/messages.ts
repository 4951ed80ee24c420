/** Shortens user text for a message. */
export function truncate(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Lists at most six quoted names. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 6 ? 5 : 6).map((name) => `\`${truncate(name)}\``);
  const all = shown.length < names.length ? [...shown, `${names.length - shown.length} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Prints an integer as `1,048,576`. `toLocaleString` would load the data of ICU, which takes 15 ms. */
export const groupDigits = (integer: number): string => String(integer).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** Bounds for hostile names. */
const maxNameLength = 100;
const maxKnownNames = 10_000;
const maxEditDistance = 6;

/** Suggests the nearest known name, if any. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const best = nearestName(name, known);
  return best === undefined ? undefined : `Did you mean \`${best}\`?`;
}

/**
 * The nearest known name, ignoring case, with one edit in short names and more in long ones. Never the opposite of the
 * name. Ignores very long names and those after the first 10,000.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) return undefined;
  const wanted = name.toLowerCase();
  let limit = Math.min(Math.max(1, Math.floor(name.length * 0.4)), name.length - 1, maxEditDistance);
  const letters = lettersOf(wanted);
  let best: string | undefined;
  let count = 0;
  for (const candidate of known) {
    count += 1;
    if (count > maxKnownNames || limit < 0) break;
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue;
    const lower = candidate.toLowerCase();
    if (leastEdits(letters, lettersOf(lower)) > limit) continue;
    const found = editDistance(wanted, lower, limit);
    if (found > limit || areOpposite(name, candidate)) continue;
    if (found > 1 && name.length < 6 && candidate[0]?.toLowerCase() !== wanted[0]) continue;
    best = candidate;
    limit = found - 1;
  }
  return best;
}

/** The nearest known name, if any other similar one is more than twice as far. */
export function onlyNearName(name: string, known: Iterable<string>): string | undefined {
  const all = [...known];
  const best = nearestName(name, all);
  if (best === undefined) return undefined;
  const second = nearestName(
    name,
    all.filter((other) => other !== best),
  );
  const distance = (other: string) => editDistance(name.toLowerCase(), other.toLowerCase(), maxEditDistance);
  return second === undefined || distance(second) > 2 * distance(best) ? best : undefined;
}

const negations: readonly RegExp[] = [
  /^n(?=(?:eq?|in)$)/i,
  /N(?=[A-Z]{1,4}$)/,
  /^(?:not|non|no|un|in|dis)[-_ ]?(?=[a-z]{4})/i,
  /Not?(?=[A-Z])/,
];

/** Whether one name is the other with a negation, as `NEQ` and `EQ`, or `StrNEQ` and `StrEQ`. */
function areOpposite(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const rest = short.toLowerCase();
  return short.length < long.length && negations.some((negation) => long.replace(negation, "").toLowerCase() === rest);
}

const maxComparisons = 20_000;

/** Returns the names for a bounded number of suggestions. */
export function limitSuggestions(known: readonly string[]): () => readonly string[] {
  let left = Math.max(1, Math.floor(maxComparisons / (known.length + 1)));
  return () => (left-- > 0 ? known : []);
}

/** The letters of a name, one bit for each. Other characters share the remaining bits. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    letters |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (26 + (code & 3));
  }
  return letters;
}

/** A lower bound of the edit distance: one edit removes at most one letter that the other name lacks. */
const leastEdits = (a: number, b: number): number => Math.max(countBits(a & ~b), countBits(b & ~a));

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

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
