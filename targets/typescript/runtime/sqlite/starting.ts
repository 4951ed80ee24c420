import type { Taken } from "../events.ts";
import { firstToken } from "../flow/run.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import { addInterests } from "./inbox.ts";
import { textOf } from "./values.ts";

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

/** Stores a run, with the events that start it: it listens from the last of these on, or from now on. Its number. */
export function addRun(core: Core, { id, ref, workflow, input, parent, taken = [], events = [] }: NewRun): number {
  const now = core.now();
  const token = tokenOfNew(workflow, id, input, taken);
  const recorded = textOf(token);
  const run = core.sql.addRun.run(id, ref, now, now, JSON.stringify(input), recorded, parent ?? null).lastInsertRowid;
  for (const [i, event] of events.entries()) core.sql.putEvent.run(run, i - events.length, "", event);
  const since = events.length > 0 ? Math.max(...events) : core.sql.lastEvent.get()!.number;
  addInterests(core, { run, inbox: "", ref, workflow, since }, token);
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

/** How long events are kept that no run has and none will have, but one that has failed and is retried, in milliseconds. */
export const keepingTime = (seconds = 86_400): number => seconds * 1000;
