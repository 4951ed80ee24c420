import type { Timeout } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Attempt, RunLimit } from "../../ir/workflow.ts";
import { own } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import type { StepFragment } from "../shared/steps.ts";
import { inputRow, workflowInputRow } from "./arguments.ts";
import type { Context, Writer } from "./context.ts";
import { idleTimeout } from "./diagnostics/flow.ts";
import { unknownComponent } from "./diagnostics/references.ts";
import { durationAt, secondsAt, secondsOf } from "./durations.ts";
import type { ValuePlace } from "./expressions.ts";

/** Tasks that take no time. */
const instant: ReadonlySet<Writer["kind"]> = new Set(["set", "switch", "raise", "emit"]);

/** The time limit of a task, and the steps that compute it. */
export interface TaskLimit {
  readonly limit: Pick<Attempt, "timeout" | "spans">;
  readonly steps: StepFragment;
}

/** The time limit of a task, if it has one. */
export function timeoutOf(writer: Writer): TaskLimit | undefined {
  const { context, task, kind } = writer;
  if (task.timeout === undefined) return undefined;
  const span = spanOf(context, task, "timeout", "key");
  if (instant.has(kind)) {
    context.report(idleTimeout(span, { kind }));
    return undefined;
  }
  const place = limitAt(context, task);
  if (!place) return undefined;
  const { seconds, steps } = secondsAt(writer, place, inputRow(writer), "positive");
  return { limit: { timeout: seconds, spans: { timeout: span } }, steps };
}

/** The time limit of runs, constant or over the input. */
export function runLimitOf(context: Context): RunLimit | undefined {
  const { definition } = context;
  const place = definition.timeout === undefined ? undefined : limitAt(context, definition);
  if (!place) return undefined;
  const span = spanOf(context, definition, "timeout");
  const seconds = durationAt(context, place, workflowInputRow);
  return { seconds: seconds.kind === "literal" ? secondsOf(context, place, seconds.value) : seconds, span };
}

/** Where the duration is that `owner.timeout` states or names. */
function limitAt(context: Context, owner: { readonly timeout?: string | Timeout | undefined }): ValuePlace | undefined {
  const { timeout } = owner;
  if (typeof timeout === "object") return { owner: timeout, key: "after" };
  const known = context.definition.use?.timeouts ?? {};
  const name = String(timeout);
  const found = own(known, name);
  if (found) return { owner: found, key: "after" };
  const span = spanOf(context, owner, "timeout");
  context.report(unknownComponent(span, { noun: "timeout", name, known: Object.keys(known), under: "use.timeouts" }));
  return undefined;
}
