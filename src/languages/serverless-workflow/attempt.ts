import type { Attempt, Scope } from "../../ir/workflow.ts";
import { spanOf } from "./context.ts";
import { data } from "./data/paths.ts";
import { complete, end, type Fragment, type Reserved, reserve, sequence } from "./fragments.ts";
import type { Writer } from "./writer.ts";

/** Work as one step, whose errors can be handled. */
export interface ReservedAttempt {
  readonly step: Reserved;
  /** Completes the step. */
  fill(rest: Pick<Attempt, "restore" | "retries" | "handlers" | "next">): void;
}

/** Reserves a step that runs work on the state's own data. */
export function reserveAttempt(writer: Writer, work: (inner: Writer) => Fragment): ReservedAttempt {
  const step = reserve(writer, "attempt", spanOf(writer.context, writer.state, "name"));
  const body = bodyOf(writer, work);
  return { step, fill: (rest) => step.fill({ ...step.base, kind: "attempt", body, ...rest }) };
}

/** A scope for work that shares the variables around it. */
function bodyOf(writer: Writer, work: (inner: Writer) => Fragment): Scope {
  const inner: Writer = { ...writer, slots: [] };
  const span = spanOf(writer.context, writer.state, "name");
  const fragment = work(inner);
  const done = end(inner, "done", span, { outcome: "leave", extent: "scope", value: data });
  const entry = complete(sequence(fragment, done), span);
  return { entry, variables: [], steps: inner.slots.flatMap((step) => step ?? []), span };
}
