import type { Expression } from "../../../src/expressions/index.ts";
import type { Emit } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { byteLength } from "../../../src/text/utf8.ts";
import { type ScopeContext, target } from "./context.ts";
import { provided } from "./symbols.ts";

/** What EventBridge is given for an event, over what there is in the state that does so. */
export interface Entry {
  readonly step: Emit;
  readonly bus: string | undefined;
  readonly source: string;
  readonly type: string;
  readonly detail: Expression;
}

/** How many events one request to EventBridge may have, and how many bytes they have together at most. */
const [mostEntries, mostBytes] = [10, 262_144];

/** An event, with those that come straight after it and surely fit into the same request: nothing of them can fail, as all of it is known but for ids and times. */
export function entriesFrom(context: ScopeContext, first: Emit, entryOf: (step: Emit) => Entry): readonly Entry[] {
  const entries = [entryOf(first)];
  let bytes = sizeOf(entries[0]!);
  while (bytes !== undefined && entries.length < mostEntries) {
    const next = target(context, entries.at(-1)!.step.next);
    if (next.kind !== "emit" || next === first || context.entries.get(next.id) !== 1) break;
    const entry = entryOf(next);
    const size = sizeOf(entry);
    if (size === undefined || bytes + size > mostBytes) break;
    entries.push(entry);
    bytes += size;
  }
  return entries;
}

/** The most bytes that count for an event; undefined where that is not known. */
function sizeOf({ source, type, detail }: Entry): number | undefined {
  const size = mostSize(detail);
  return size === undefined ? undefined : size + jsonSize(source) + jsonSize(type);
}

/** The most bytes that the JSON text of what an expression gives may have; undefined where that is not known. Such an expression cannot fail. */
function mostSize(expression: Expression): number | undefined {
  switch (expression.kind) {
    case "literal":
      return jsonSize(expression.value);
    case "variable":
      return sizes.get(expression.name);
    case "object":
      return expression.entries.reduce<number | undefined>((sum, { key, value }) => {
        const [name, size] = [mostSize(key), mostSize(value)];
        return sum === undefined || name === undefined || size === undefined ? undefined : sum + name + size + 2;
      }, 2);
    default:
      return undefined;
  }
}

/** What is never longer than so many bytes: what Step Functions provides. */
const sizes: ReadonlyMap<string, number> = new Map([
  [provided.uuid, 38],
  [provided.now, 26],
  [provided.millis, 25],
]);

const jsonSize = (value: Json): number => byteLength(JSON.stringify(value));
