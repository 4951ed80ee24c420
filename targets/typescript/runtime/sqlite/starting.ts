import type { Taken } from "../events.ts";
import { firstToken } from "../flow/run.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import { addInterests } from "./inbox.ts";
import { textOf, tokenKey } from "./values.ts";

/** A run that is to be. */
export interface NewRun {
  readonly id: string;
  readonly ref: number;
  readonly workflow: AnyWorkflow;
  readonly input: Json;
  /** The run that has started it. */
  readonly parent?: string;
  /** The events that start it, and their numbers in the store. */
  readonly taken?: readonly Taken[];
  readonly events?: readonly number[];
}

/** Stores a run, with the events that are there for it: it listens from now on. Its number. */
export function addRun(core: Core, { id, ref, workflow, input, parent, taken = [], events = [] }: NewRun): number {
  const now = core.now();
  const token = tokenOfNew(workflow, id, input, taken);
  const recorded = textOf(token);
  const run = core.sql.addRun.run(id, ref, now, now, JSON.stringify(input), recorded, parent ?? null).lastInsertRowid;
  const first = [...earlyEvents(core, workflow, token, now), ...events];
  for (const [i, event] of first.entries()) core.sql.putEvent.run(run, i - first.length, "", event);
  addInterests(core, run, "", ref, workflow, token);
  return run;
}

/** When a workflow cannot tell, the run fails by that as it begins. */
function tokenOfNew(workflow: AnyWorkflow, id: string, input: Json, taken: readonly Taken[]): Json | undefined {
  try {
    return firstToken(workflow, id, input, taken);
  } catch {
    return undefined;
  }
}

/** The events with the run's correlation value that have come before it and that nothing has matched; nobody else gets them. */
function earlyEvents(
  { sql, options }: Core,
  workflow: AnyWorkflow,
  token: Json | undefined,
  now: number,
): readonly number[] {
  if (token === undefined) return [];
  const since = now - keepingTime(options.keepEvents);
  const found = new Set(
    Object.keys(workflow.events ?? {}).flatMap((name) =>
      sql.early.all(workflow.id, name, tokenKey(token), since).map(({ event }) => event),
    ),
  );
  for (const event of found) sql.endEarly.run(workflow.id, event);
  return [...found].sort((a, b) => a - b);
}

/** How long events are kept that nothing has matched, in milliseconds. */
export const keepingTime = (seconds = 86_400): number => seconds * 1000;
