import { helpers } from "../../../../src/generated/asl-helpers.js";
import { own } from "../../../../src/json.ts";

/** The name of the form of a helper that does not fail; undefined of one that does not fail itself, with what can be caught. */
export const caughtForm = (name: string): string | undefined => own(helpers, name)?.caught;

/**
 * The definitions of the helpers that are used and of those that these use, each after those that it uses itself. `seesMessages`: whether something reads
 * how errors are worded.
 */
export function definitions(used: ReadonlySet<string>, seesMessages: boolean): readonly string[] {
  const found = new Map<string, string>();
  for (const name of used) addNeeded(name, seesMessages, found);
  return [...found].map(([name, body]) => `$${name} := ${body}`);
}

/** Adds a helper and those that it uses, each after those that it uses itself. */
function addNeeded(name: string, seesMessages: boolean, found: Map<string, string>, open = new Set<string>()): void {
  const helper = found.has(name) || open.has(name) ? undefined : own(helpers, name);
  if (helper === undefined) return;
  open.add(name);
  const { text, needs } = seesMessages ? helper : (helper.plain ?? helper);
  for (const other of needs) addNeeded(other, seesMessages, found, open);
  found.set(name, text);
}

const builtIn = [
  "sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match contains replace",
  "split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power random boolean not map zip",
  "filter single reduce foldLeft sift keys lookup append exists spread merge reverse each error assert type sort shuffle distinct",
  "base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis fromMillis clone now millis eval",
  "partition range hash uuid parse states failure law",
].flatMap((line) => line.split(" "));

/** Names that variables of a machine must not have: expressions use them for functions. */
export const functionNames: ReadonlySet<string> = new Set([...builtIn, ...Object.keys(helpers)]);
