import { isFault } from "../../../../src/expressions/syntax/cursor.ts";
import { parseJq } from "../../../../src/expressions/syntax/jq/parse.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import { printJq } from "../../../expressions/jq/print.ts";

/** A program and one input. */
export interface Shrinkable {
  readonly program: string;
  readonly input: string;
}

/** Cases tried before the smallest so far is taken. */
const patience = 400;

/** Gives the smaller case where what is asked holds for it too; `best` is the smallest so far. */
export type Check<Case> = (smaller: Shrinkable, best: Case) => Promise<Case | undefined>;

/** The smallest case found in which what is asked still holds, by taking away parts of the program and of the input. */
export async function shrink<Case extends Shrinkable>(first: Case, check: Check<Case>): Promise<Case> {
  let [best, tries] = [first, 0];
  for (let isSmaller = true; isSmaller && tries < patience; ) {
    isSmaller = false;
    for (const smaller of smallerCases(best)) {
      tries += 1;
      if (tries > patience) break;
      const found = await check(smaller, best);
      if (!found) continue;
      best = found;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smallerCases({ program, input }: Shrinkable): Generator<Shrinkable> {
  for (const text of smallerPrograms(program)) yield { program: text, input };
  for (const value of smallerValues(JSON.parse(input) as Json)) yield { program, input: JSON.stringify(value) };
}

/** The program with one of its parts replaced by `.`, by `null` or by something inside of it, the largest replacements first. */
function* smallerPrograms(program: string): Generator<string> {
  const query = parseJq(program);
  if (isFault(query)) return;
  const texts = new Set<string>();
  for (const tree of replacements(query as unknown as Json)) texts.add(printed(tree));
  const shorter = [...texts].filter((text) => text !== "" && text.length < program.length);
  yield* shorter.sort((a, b) => a.length - b.length);
}

/** Not every tree is a program: such print as something else, or not at all. */
function printed(tree: Json): string {
  try {
    const text = printJq(tree as unknown as Parameters<typeof printJq>[0]);
    return isFault(parseJq(text)) ? "" : text;
  } catch {
    return "";
  }
}

const places = { start: 0, end: 0 };
const isNode = (value: Json): boolean => isObject(value) && typeof value.kind === "string";
const membersOf = (value: Json): readonly Json[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

/** The nodes next inside of a node. */
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

/** The value with something of it left out or replaced by something inside of it, or by null. */
function* smallerValues(value: Json): Generator<Json> {
  if (value === null) return;
  yield null;
  if (typeof value !== "object") return;
  yield* membersOf(value);
  const entries = Object.entries(value as { [key: string]: Json });
  const rebuilt = (kept: readonly (readonly [string, Json])[]): Json =>
    Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
  for (const [i, [key, member]] of entries.entries()) {
    yield rebuilt(entries.toSpliced(i, 1));
    for (const smaller of smallerValues(member)) yield rebuilt(entries.with(i, [key, smaller]));
  }
}
