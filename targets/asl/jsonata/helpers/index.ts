import { helpers } from "../../../../src/generated/asl-helpers.js";
import { own } from "../../../../src/json.ts";

/** A helper's non-failing form, unless its failures cannot be caught. */
export const catchingForm = (name: string): string | undefined => own(helpers, name)?.caught;

/** What messages of errors show: all that jq's show, only types, or as little as possible. */
type MessageForm = "full" | "plain" | "brief";

/** Definitions of helpers, dependencies first. */
export function definitions(used: ReadonlySet<string>, form: MessageForm): readonly string[] {
  const found = new Map<string, string>();
  for (const name of used) addNeeded(name, form, found);
  return [...found].map(([name, body]) => `$${name} := ${body}`);
}

function addNeeded(name: string, form: MessageForm, found: Map<string, string>, open = new Set<string>()): void {
  const helper = found.has(name) || open.has(name) ? undefined : own(helpers, name);
  if (helper === undefined) return;
  open.add(name);
  const { plain = helper, brief = plain } = helper;
  const { text, needs } = { full: helper, plain, brief }[form];
  for (const other of needs) addNeeded(other, form, found, open);
  found.set(name, text);
}

const builtIn = [
  "sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match contains replace",
  "split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power random boolean not map zip",
  "filter single reduce foldLeft sift keys lookup append exists spread merge reverse each error assert type sort shuffle distinct",
  "base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis fromMillis clone now millis eval",
  "partition range hash uuid parse states failure law",
].flatMap((line) => line.split(" "));

/** Names used by functions, which a machine's variables must not have. */
export const functionNames: ReadonlySet<string> = new Set([...builtIn, ...Object.keys(helpers)]);
