import type { Alternative, Receive } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import { type Context, compute } from "./context.ts";
import { definitionOf, fulfilled, inOrder, type Matcher, tokenOf, type Used } from "./matching.ts";

/** Waits for the first alternative that is fulfilled; `{ alternative, events }`, with null when all were given up. */
export async function receive(step: Receive, context: Context): Promise<Json> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  try {
    return await new Promise<Json>((resolve, reject) => wait(step, { ...context, signal }, resolve, reject));
  } finally {
    stop.abort(new Error("done"));
  }
}

function wait(
  step: Receive,
  context: Context,
  resolve: (value: Json) => void,
  reject: (reason: unknown) => void,
): void {
  const { inbox, world } = context.run;
  const open = new Set<Alternative>(step.alternatives);
  const look = () => {
    const taken = take(step, open, context);
    if (taken) resolve(taken);
  };
  const forget = inbox.listen(() => guarded(look, reject));
  context.signal.addEventListener("abort", () => {
    forget();
    reject(context.signal.reason);
  });
  for (const alternative of step.alternatives) {
    if (alternative.within === undefined) continue;
    world.sleep(alternative.within, context.signal).then(
      () => {
        open.delete(alternative);
        if (open.size === 0) resolve(giveUp(step, context));
      },
      () => undefined,
    );
  }
  guarded(look, reject);
}

/** Looks at the events one by one, in order of arrival: the first alternative that they fulfil is taken. */
function take(step: Receive, open: ReadonlySet<Alternative>, context: Context): Json | undefined {
  const { inbox } = context.run;
  const matcher = matcherOf(context);
  for (let seen = 1; seen <= inbox.waiting.length; seen++) {
    const events = inbox.waiting.slice(0, seen);
    for (const [index, alternative] of step.alternatives.entries()) {
      const groups = open.has(alternative) ? fulfilled(alternative, events, matcher) : undefined;
      if (groups) return accept(step, index, groups, seen, context);
    }
  }
  return undefined;
}

function accept(step: Receive, index: number, groups: readonly Used[], seen: number, { run }: Context): Json {
  const used = inOrder(groups, run.inbox.waiting);
  const consumed = new Set<JsonObject>(used.map(({ event }) => event));
  run.inbox.replace(
    run.inbox.waiting.filter((event, i) => !consumed.has(event) && !(step.unused === "drop" && i < seen)),
  );
  for (const { name, event } of used) {
    run.token ??= tokenOf(definitionOf({ event: { name, span: step.span } }, run.workflow), event);
  }
  const plain = (each: readonly Used[]): Json => each.map(({ name, event }) => ({ name, event }));
  return { alternative: index, events: plain(used), groups: plain(groups) };
}

/** No alternative is left: all that came is unused. */
function giveUp(step: Receive, { run }: Context): Json {
  if (step.unused === "drop") run.inbox.replace([]);
  return { alternative: null, events: [], groups: [] };
}

const matcherOf = (context: Context): Matcher => ({
  workflow: context.run.workflow,
  token: context.run.token,
  holds: ({ when }, event) => !when || compute(when, context, new Map<string, Json>([["event", event]])) === true,
});

function guarded(work: () => void, reject: (reason: unknown) => void): void {
  try {
    work();
  } catch (error) {
    reject(error);
  }
}
