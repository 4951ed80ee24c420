import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { type Machine, Unsupported } from "./environment.ts";
import { failure, type View } from "./evaluator.ts";
import { type Frame, runStates } from "./execute.ts";

/** A Parallel state: all branches on the same input; the first failure stops the others. Gives the outputs in order. */
export async function runBranches(frame: Frame, state: JsonObject, view: View): Promise<Json> {
  const input =
    state["Arguments"] === undefined
      ? view.states["input"]!
      : await frame.evaluator.field("Arguments", state["Arguments"], view);
  const branches = state["Branches"] as unknown as readonly Machine[];
  return together(frame, branches.length, branches.length, (i, signal) =>
    runStates(inner(frame, branches[i]!, i, signal), input),
  );
}

/** A Map state, inline: an iteration per item, at most `MaxConcurrency` at once. Gives the outputs in the items' order. */
export async function runItems(frame: Frame, state: JsonObject, view: View): Promise<Json> {
  const { evaluator } = frame;
  const processor = (state["ItemProcessor"] ?? state["Iterator"]) as unknown as Machine & {
    ProcessorConfig?: { Mode?: string };
  };
  if ((processor.ProcessorConfig?.Mode ?? "INLINE") !== "INLINE")
    throw new Unsupported("Distributed Map states are not executed.");
  const items = await itemsOf(frame, state, view);
  const asked =
    state["MaxConcurrency"] === undefined ? 0 : await evaluator.field("MaxConcurrency", state["MaxConcurrency"], view);
  const width = typeof asked === "number" && asked > 0 ? asked : items.length;
  return together(frame, items.length, width, async (i, signal) => {
    const item = { Index: i, Value: items[i]! };
    const context = { ...(view.states["context"] as JsonObject), Map: { Item: item } };
    const seen: View = { ...view, states: { ...view.states, context } };
    const selector = state["ItemSelector"];
    const input = selector === undefined ? items[i]! : await evaluator.field("ItemSelector", selector, seen);
    return runStates(
      { ...inner(frame, processor, i, signal), context: { ...frame.context, Map: { Item: item } } },
      input,
    );
  });
}

/** What a Map goes over: its `Items` (an array, or an object as its members), or its input, which must be an array. */
async function itemsOf({ evaluator }: Frame, state: JsonObject, view: View): Promise<readonly Json[]> {
  const given = state["Items"] !== undefined;
  const value = given ? await evaluator.field("Items", state["Items"]!, view) : view.states["input"]!;
  if (Array.isArray(value)) return value as readonly Json[];
  if (given && isObject(value)) return Object.entries(value).map(([Key, Value]) => ({ Key, Value }));
  throw failure(view, `Map state input must be an array but was: ${JSON.stringify(value)}`);
}

function inner(frame: Frame, machine: Machine, index: number, signal: AbortSignal): Frame {
  const variables = { own: new Map<string, Json>(), outer: frame.variables };
  return { ...frame, machine, variables, position: [...frame.position, index], signal };
}

/** Runs jobs side by side, at most `width` at once, started in order; the first failure aborts the rest and is the result. */
async function together(
  frame: Frame,
  count: number,
  width: number,
  job: (index: number, signal: AbortSignal) => Promise<Json>,
): Promise<Json> {
  const stop = new AbortController();
  const signal = AbortSignal.any([frame.signal, stop.signal]);
  const results: Json[] = new Array<Json>(count).fill(null);
  let started = 0;
  const worker = async () => {
    while (started < count) {
      const index = started++;
      results[index] = await job(index, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
    return results;
  } catch (error) {
    stop.abort(error);
    throw error;
  }
}
