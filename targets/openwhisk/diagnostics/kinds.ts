import { defineError, defineInfo, defineWarning } from "../../../src/text/diagnostics.ts";
import { listNames, truncate } from "../../../src/text/messages.ts";

// WB52xx: constructs that OpenWhisk does not support, and its limits

/** A construct that a composition cannot express exactly. */
export const openwhiskUnsupported = defineError("WB5201", (a: { construct: string; hint?: string | undefined }) => ({
  message: `OpenWhisk does not support ${a.construct}.`,
  hint: a.hint,
}));

/** A timeout that exceeds the time limit of an action. */
export const openwhiskActionTime = defineWarning("WB5202", (a: { name: string; seconds: number; limit: number }) => ({
  message: `A call of \`${truncate(a.name)}\` times out after ${a.limit === 300 ? "5 minutes" : `${a.limit} s`}, the limit of ${a.limit === 300 ? "an action" : "its action"}, not after ${a.seconds} s.`,
  hint: "Let the function report its result with an event, or allow less time.",
}));

/** A value that exceeds the size limit in every run. */
export const openwhiskTooLarge = defineError("WB5203", (a: { bytes: number; most: number }) => ({
  message: `This value has at least ${a.bytes} bytes as JSON; OpenWhisk is limited to ${a.most}.`,
  hint: "Store the data and send a reference to it, or send it in parts.",
}));

/** More concurrent activations than a namespace allows. */
export const openwhiskConcurrency = defineInfo("WB5205", (a: { count: number; most: number }) => ({
  message: `Up to ${a.count} activations run here at once, but a namespace is limited to ${a.most} by default. The others are delayed.`,
  hint: "Limit the concurrency in the definition.",
}));

/** Workflows whose events are in one document of the store. */
export const openwhiskOnePartition = defineInfo(
  "WB5206",
  (a: { ids: readonly string[]; why: string; hint: string }) => ({
    message: `All events and waits of ${listNames(a.ids)} are in one document of the store, which limits their rate: ${a.why}.`,
    hint: a.hint,
  }),
);

/** A workflow outside the program is called as an action, whose activation ends when the run is suspended. */
export const openwhiskExternalWorkflow = defineInfo("WB5204", (a: { id: string }) => ({
  message: `Workflow \`${truncate(a.id)}\` is called as an action. If its run is suspended, the result is a status, not its output.`,
  hint: "Compile it together with this workflow, which then waits for its output.",
}));
