import { arithmetic } from "./helpers/arithmetic.ts";
import { conditions } from "./helpers/conditions.ts";
import { objects } from "./helpers/objects.ts";
import { order } from "./helpers/order.ts";
import { paths } from "./helpers/paths.ts";
import { texts } from "./helpers/texts.ts";

/**
 * Functions that expressions define at their head when they use them: what JSONata does not do as exactly. Its paths go into arrays by
 * themselves, its lists of one become their element, lists in lists become one, its merges are shallow, its comparisons know two types only.
 *
 * Where an expression has several outputs they are a list of boxes `{"value": output}`, so that outputs that are lists stay whole; of no boxes the
 * list may be missing, and of one box it may be that box. An output that may be missing is JSONata's own nothing.
 */
const helpers: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...paths, ...objects, ...texts, ...order, ...conditions, ...arithmetic }),
);

const builtIn = [
  "sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match contains replace",
  "split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power random boolean not map zip",
  "filter single reduce foldLeft sift keys lookup append exists spread merge reverse each error assert type sort shuffle distinct",
  "base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis fromMillis clone now millis eval",
  "partition range hash uuid parse states failure law",
].flatMap((line) => line.split(" "));

/** Names that variables of a machine must not have: expressions use them for functions. */
export const functionNames: ReadonlySet<string> = new Set([...builtIn, ...helpers.keys()]);

/** A helper and those that it uses, each after those that it uses itself. */
function neededBy(name: string, found = new Set<string>(), open = new Set<string>()): ReadonlySet<string> {
  const body = helpers.get(name);
  if (body === undefined || open.has(name)) return found;
  open.add(name);
  for (const [, other] of body.matchAll(/\$([A-Za-z]\w*)/g)) neededBy(other!, found, open);
  return found.add(name);
}

const needed: ReadonlyMap<string, ReadonlySet<string>> = new Map([...helpers.keys()].map((name) => [name, neededBy(name)]));

/** The definitions of the helpers that are used and of those that these use, each after those that it uses itself. */
export function definitions(used: ReadonlySet<string>): readonly string[] {
  const names = new Set<string>();
  for (const name of used) for (const helper of needed.get(name) ?? []) names.add(helper);
  return [...names].map((name) => `$${name} := ${helpers.get(name)}`);
}
