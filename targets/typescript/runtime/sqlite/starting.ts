import type { ReceivedEvent } from "../events.ts";
import type { Json } from "../json.ts";
import { initialValue } from "../rules.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import type { Task } from "./store.ts";
import { textOf } from "./values.ts";

/** A run to be stored. */
export interface NewRun {
  readonly id: string;
  readonly ref: number;
  readonly workflow: AnyWorkflow;
  readonly input: Json;
  /** The run that started it, and the root run. */
  readonly parent?: string;
  readonly root?: number;
  /** The trace context of what starts it. */
  readonly trace?: string | undefined;
}

/** Stores a run that receives events from now on. Its number. Within a transaction. */
export function* addRun(core: Core, run: NewRun): Task<number> {
  const { id, ref, workflow, input, root } = run;
  const value = correlationOfNew(workflow, id, input, []);
  const number = yield* insertRun(core, run, value);
  if (workflow.events) yield* core.broker.join({ run: number, inbox: "", workflow: ref, value, root });
  return number;
}

/** Stores a run with its correlation value. Its number. Within a transaction. */
export function* insertRun(
  { sql, now, broker }: Core,
  { id, ref, input, parent, root, trace }: Omit<NewRun, "workflow">,
  value: unknown,
): Task<number> {
  const at = now();
  const text = JSON.stringify(input);
  const token = textOf(value);
  const added = yield* sql.addRun.change(id, ref, at, at, text, token, parent ?? null, root ?? null, trace ?? null);
  broker.waits.addRun(added.lastInsertRowid);
  return added.lastInsertRowid;
}

/** The correlation value of a new run. If computing it fails, the run fails when it computes it again. */
export function correlationOfNew(
  workflow: AnyWorkflow,
  id: string,
  input: Json,
  events: readonly ReceivedEvent[],
): Json | undefined {
  try {
    return initialValue(workflow, id, input, events);
  } catch {
    return undefined;
  }
}
