import type { Expression } from "../../../src/expressions/index.ts";
import type { Emit } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { byteLength } from "../../../src/text/utf8.ts";
import { intrinsics } from "../intrinsics.ts";
import { type ScopeContext, stepAt } from "./context.ts";

/** An event of a request to EventBridge. */
export interface EventEntry {
  readonly step: Emit;
  readonly bus: string | undefined;
  readonly source: string;
  readonly type: string;
  readonly detail: Expression;
}

/** The maximum number and total size of events in a request. */
const [maxEntries, maxBytes] = [10, 262_144];

/** An event and the following ones that surely fit into the same request and cannot fail. */
export function batchEvents(
  context: ScopeContext,
  first: Emit,
  entryOf: (step: Emit) => EventEntry,
): readonly EventEntry[] {
  const entries = [entryOf(first)];
  let bytes = maxEntryBytes(entries[0]!);
  while (bytes !== undefined && entries.length < maxEntries) {
    const next = stepAt(context, entries.at(-1)!.step.next);
    if (next.kind !== "emit" || next === first || context.predecessors.get(next.id) !== 1) break;
    const entry = entryOf(next);
    const size = maxEntryBytes(entry);
    if (size === undefined || bytes + size > maxBytes) break;
    entries.push(entry);
    bytes += size;
  }
  return entries;
}

/** The maximum size of an event in bytes, if it is known. */
function maxEntryBytes({ source, type, detail }: EventEntry): number | undefined {
  const size = maxJsonBytes(detail);
  return size === undefined ? undefined : size + jsonSize(source) + jsonSize(type);
}

/** The maximum size of an expression's value as JSON, if it is known; such an expression cannot fail. */
function maxJsonBytes(expression: Expression): number | undefined {
  switch (expression.kind) {
    case "literal":
      return jsonSize(expression.value);
    case "variable":
      return maxProvidedBytes.get(expression.name);
    case "object":
      return expression.entries.reduce<number | undefined>((sum, { key, value }) => {
        const [name, size] = [maxJsonBytes(key), maxJsonBytes(value)];
        return sum === undefined || name === undefined || size === undefined ? undefined : sum + name + size + 2;
      }, 2);
    default:
      return undefined;
  }
}

/** The maximum size of intrinsics. */
const maxProvidedBytes: ReadonlyMap<string, number> = new Map([
  [intrinsics.uuid, 38],
  [intrinsics.now, 26],
  [intrinsics.millis, 25],
]);

const jsonSize = (value: Json): number => byteLength(JSON.stringify(value));
