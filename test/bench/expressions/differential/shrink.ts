import { isParseError } from "../../../../src/expressions/syntax/cursor.ts";
import { parseJq } from "../../../../src/expressions/syntax/jq/parse.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import { printJq } from "../../../expressions/jq/print.ts";

/** A program and one input. */
export interface ShrinkCandidate {
  readonly program: string;
  readonly input: string;
}

/** The maximum number of candidates tried. */
const maxTrials = 400;

/** Returns the candidate if it still shows the disagreement. `best` is the smallest case so far. */
export type ShrinkCheck<Case> = (smaller: ShrinkCandidate, best: Case) => Promise<Case | undefined>;

/** Shrinks the program and the input while `check` holds. */
export async function shrink<Case extends ShrinkCandidate>(first: Case, check: ShrinkCheck<Case>): Promise<Case> {
  let [best, tries] = [first, 0];
  for (let isSmaller = true; isSmaller && tries < maxTrials; ) {
    isSmaller = false;
    for (const smaller of smallerCases(best)) {
      tries += 1;
      if (tries > maxTrials) break;
      const shown = await check(smaller, best);
      if (!shown) continue;
      best = shown;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smallerCases({ program, input }: ShrinkCandidate): Generator<ShrinkCandidate> {
  for (const text of smallerPrograms(program)) yield { program: text, input };
  for (const value of smallerValues(JSON.parse(input) as Json)) yield { program, input: JSON.stringify(value) };
}

/** Replaces a part of the program by `.`, `null` or a nested part, the smallest results first. */
function* smallerPrograms(program: string): Generator<string> {
  const query = parseJq(program);
  if (isParseError(query)) return;
  const texts = new Set<string>();
  for (const tree of replacements(query as unknown as Json)) texts.add(printed(tree));
  const shorter = [...texts].filter((text) => text !== "" && text.length < program.length);
  yield* shorter.sort((a, b) => a.length - b.length);
}

/** Not every tree is a program; others print differently or not at all. */
function printed(tree: Json): string {
  try {
    const text = printJq(tree as unknown as Parameters<typeof printJq>[0]);
    return isParseError(parseJq(text)) ? "" : text;
  } catch {
    return "";
  }
}

const places = { start: 0, end: 0 };
const isNode = (value: Json): boolean => isObject(value) && typeof value.kind === "string";
const membersOf = (value: Json): readonly Json[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

const inner = (value: Json): readonly Json[] =>
  membersOf(value).flatMap((member) => (isNode(member) ? [member] : inner(member)));

function* replacements(value: Json): Generator<Json> {
  if (isNode(value)) {
    yield { kind: "identity", ...places };
    yield { kind: "constant", value: null, ...places };
    yield* inner(value);
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      if (value.length > 1) yield value.toSpliced(i, 1);
      for (const smaller of replacements(item as Json)) yield value.with(i, smaller);
    }
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (isObject(member) || Array.isArray(member))
        for (const smaller of replacements(member)) yield { ...value, [key]: smaller };
    }
  }
}

/** Removes a part of a value, or replaces it by a nested part or null. */
function* smallerValues(value: Json): Generator<Json> {
  if (value === null) return;
  yield null;
  if (typeof value !== "object") return;
  yield* membersOf(value);
  const entries = Object.entries(value as { [key: string]: Json });
  const rebuilt = (members: readonly (readonly [string, Json])[]): Json =>
    Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  for (const [i, [key, member]] of entries.entries()) {
    yield rebuilt(entries.toSpliced(i, 1));
    for (const smaller of smallerValues(member)) yield rebuilt(entries.with(i, [key, smaller]));
  }
}
