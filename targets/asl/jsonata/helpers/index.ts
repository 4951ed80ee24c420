import { arithmetic, conditions, numbers, order, sorting } from "./calculation.ts";
import { access, objects, paths, places } from "./data.ts";
import { collections, json, strings, texts } from "./library.ts";
import { messages } from "./messages.ts";

/**
 * Functions that expressions define at their head when they use them: what JSONata does not do as exactly. Its paths go
 * into arrays by themselves, its lists of one become their element, lists in lists become one, its merges are shallow,
 * its comparisons know two types only.
 *
 * Where an expression has several outputs they are a list of boxes `{"value": output}`, so that outputs that are lists
 * stay whole; of no boxes the list may be missing, and of one box it may be that box. An output that may be missing is
 * JSONata's own nothing.
 */
const helpers: ReadonlyMap<string, string> = new Map(
  [
    paths,
    objects,
    texts,
    order,
    conditions,
    arithmetic,
    messages,
    json,
    access,
    collections,
    numbers,
    places,
    sorting,
    strings,
  ].flatMap((topic) => Object.entries(topic)),
);

/** The helpers that a helper's text names. */
const callsIn = (body: string): readonly string[] => (body.match(/\$[A-Za-z]\w*/g) ?? []).map((name) => name.slice(1));

const calls: ReadonlyMap<string, readonly string[]> = new Map(
  [...helpers].map(([name, body]) => [name, callsIn(body)]),
);

/**
 * Those that fail for some values, and what they fail with can be caught: where they fail, that is the last that they
 * do.
 */
const failingHelpers: ReadonlySet<string> = transitivelyCalling(new Set(["failWith", "raise"]));

function transitivelyCalling(some: ReadonlySet<string>): ReadonlySet<string> {
  const more = [...calls].filter(([name, others]) => !some.has(name) && others.some((other) => some.has(other)));
  return more.length === 0 ? some : transitivelyCalling(new Set([...some, ...more.map(([name]) => name)]));
}

/** Whether a helper fails for some values. */
export const canHelperFail = (name: string): boolean => failingHelpers.has(name);

/** The name of the form of a helper that does not fail: it gives a function that gives what the helper fails with. */
export const caughtName = (name: string): string => `try${name[0]!.toUpperCase()}${name.slice(1)}`;

/** The failing helpers by the names of their forms that do not fail. */
const caughtHelpers: ReadonlyMap<string, string> = new Map([...failingHelpers].map((name) => [caughtName(name), name]));

/** How the two are written by which all others fail. */
const caughtFailures: ReadonlyMap<string, string> = new Map([
  ["failWith", "function($message) { function() { $message } }"],
  ["raise", "function($v) { function() { $v } }"],
]);

function withCaught(body: string): string {
  return body.replace(/\$([A-Za-z]\w*)/g, (text, name: string) =>
    failingHelpers.has(name) ? `$${caughtName(name)}` : text,
  );
}

function bodyOf(name: string): string | undefined {
  const failing = caughtHelpers.get(name);
  return failing === undefined ? helpers.get(name) : (caughtFailures.get(failing) ?? withCaught(helpers.get(failing)!));
}

const builtIn = [
  "sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match contains replace",
  "split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power random boolean not map zip",
  "filter single reduce foldLeft sift keys lookup append exists spread merge reverse each error assert type sort shuffle distinct",
  "base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis fromMillis clone now millis eval",
  "partition range hash uuid parse states failure law",
].flatMap((line) => line.split(" "));

/** Names that variables of a machine must not have: expressions use them for functions. */
export const functionNames: ReadonlySet<string> = new Set([...builtIn, ...helpers.keys(), ...caughtHelpers.keys()]);

/** Adds a helper and those that it uses, each after those that it uses itself. */
function addNeeded(name: string, found: Map<string, string>, open = new Set<string>()): void {
  const body = found.has(name) || open.has(name) ? undefined : bodyOf(name);
  if (body === undefined) return;
  open.add(name);
  for (const other of calls.get(name) ?? callsIn(body)) addNeeded(other, found, open);
  found.set(name, body);
}

/** The definitions of the helpers that are used and of those that these use, each after those that it uses itself. */
export function definitions(used: ReadonlySet<string>): readonly string[] {
  const found = new Map<string, string>();
  for (const name of used) addNeeded(name, found);
  return [...found].map(([name, body]) => `$${name} := ${body}`);
}
