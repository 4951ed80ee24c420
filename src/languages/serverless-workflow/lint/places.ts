import { isObject, type Json } from "../../../json.ts";
import { type Context, spanOf } from "../context.ts";
import { doublePlace } from "../diagnostics/kinds.ts";
import { chainsIn } from "./reads.ts";

/**
 * A workflow reads a result from one place: `$.payload.greeting` as a results path merges what it selects as `greeting`, and places the whole at
 * `payload.greeting` only if it selects nothing. Which of the two, the function decides.
 */
export function lintPlaces(context: Context): void {
  if (context.resultPaths.length === 0) return;
  const read = new Set<string>();
  addReads(context.document.value, read);
  for (const { owner, chain, path } of context.resultPaths) {
    const name = chain.at(-1)!;
    const double = read.has(keyOf(chain)) && read.has(keyOf([name]));
    if (double) context.report(doublePlace(spanOf(context, owner, "dataResultsPath"), { path, name }));
  }
}

const keyOf = (chain: readonly string[]): string => JSON.stringify(chain);

/** Properties that say where something goes, or that have no meaning. */
const notRead: ReadonlySet<string> = new Set([
  "dataResultsPath",
  "outputCollection",
  "inputParameter",
  "metadata",
  "extensions",
  "description",
]);

/** Adds the beginnings of all paths in the texts of a value. */
function addReads(value: Json, read: Set<string>): void {
  if (typeof value === "string") {
    for (const chain of chainsIn(value))
      for (let end = 1; end <= Math.min(chain.length, 20); end++) read.add(keyOf(chain.slice(0, end)));
  } else if (Array.isArray(value)) {
    for (const item of value) addReads(item, read);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) if (!notRead.has(key)) addReads(value[key]!, read);
  }
}
