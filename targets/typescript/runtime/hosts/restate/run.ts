import type { Json } from "../../json.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { restateHost } from "./host.ts";
import { Lane, type Setting } from "./lane.ts";
import type { Begin, Summary } from "./messages.ts";
import { parts } from "./parts.ts";
import type { Sdk, WorkflowContext } from "./sdk.ts";

/** How an execution of a run came out. */
type Outcome = { readonly output: Json } | { readonly thrown: unknown };

/** Executes a run: what the handler of a workflow of Restate gives. */
export async function execute(ctx: WorkflowContext, setting: Setting, begin: Begin, sdk: Errors): Promise<Json> {
  const workflow = setting.options.workflows.find(
    ({ id, version }) => id === begin.workflow && version === begin.version,
  );
  if (!workflow) throw new Error(`There is no version ${begin.version} of ${begin.workflow} here.`);
  const lane = new Lane(ctx, setting, begin, workflow);
  lane.show({ status: "running", events: [] });
  try {
    for (;;) {
      const outcome = await attempt(lane, workflow);
      const end = endOf(outcome);
      if ("output" in end) {
        await leave(lane, { status: "succeeded", output: end.output });
        return end.output;
      }
      const failedAt = lane.clock;
      lane.show({ status: "failed", events: [], error: end.error });
      setting.ended(begin.id);
      const cause = causeOf(lane, outcome);
      for (let isOver = false; !isOver; ) {
        const entry = await lane.pumpOnce();
        await lane.rest();
        lane.pass();
        if (entry.kind !== "message") continue;
        if (entry.message.kind === "end") throw new sdk.TerminalError(`${end.error.name}: ${end.error.message}`);
        isOver = entry.message.kind === "retry";
      }
      lane.again(cause, failedAt, lane.clock);
    }
  } catch (thrown) {
    if (!(thrown instanceof sdk.CancelledError)) throw thrown;
    lane.controller.abort(new Error("The run was cancelled."));
    await lane.rest();
    lane.tellBook("leave", { run: begin.id });
    lane.show({ status: "cancelled", events: [] });
    setting.ended(begin.id);
    throw thrown;
  }
}

/** The errors of Restate. */
export type Errors = Pick<Sdk, "TerminalError" | "CancelledError">;

async function attempt(lane: Lane, workflow: AnyWorkflow): Promise<Outcome> {
  const { begin, setting, controller } = lane;
  let outcome: Outcome | undefined;
  const starting = {
    input: begin.input,
    prefix: "",
    position: [],
    signal: controller.signal,
    isSubflow: false,
    events: begin.taken,
  };
  const cast = { host: restateHost(lane), workflow, functions: setting.options.functions };
  parts.runWorkflow(cast, starting).then(
    (output) => {
      outcome = { output };
    },
    (thrown: unknown) => {
      outcome = { thrown };
    },
  );
  await lane.pump(() => outcome !== undefined);
  return outcome!;
}

async function leave(lane: Lane, end: { readonly status: "succeeded"; readonly output: Json }): Promise<void> {
  lane.tellBook("leave", { run: lane.begin.id });
  lane.show({ ...end, events: [] });
  lane.setting.ended(lane.begin.id);
  while (lane.background.size > 0) await lane.pumpOnce();
}

type End = { readonly output: Json } | { readonly error: NonNullable<Summary["error"]> };

function endOf(outcome: Outcome): End {
  if ("output" in outcome) return outcome;
  const { thrown } = outcome;
  if (thrown instanceof parts.RunEnd)
    return "value" in thrown.ending ? { output: thrown.ending.value } : { error: errorIn(thrown.ending.error) };
  return { error: errorIn(thrown instanceof Error ? thrown : new Error(String(thrown))) };
}

const errorIn = (error: Error): NonNullable<Summary["error"]> => ({
  name: error.name,
  message: error.message,
  ...(error instanceof parts.WorkflowError && error.data !== undefined && { data: error.data }),
});

/** The key of what made a run fail. */
function causeOf(lane: Lane, outcome: Outcome): string | undefined {
  if (!("thrown" in outcome)) return undefined;
  const { thrown } = outcome;
  const error = thrown instanceof parts.RunEnd && "error" in thrown.ending ? thrown.ending.error : thrown;
  const known = [error, thrown].flatMap((each) => lane.causes.get(Object(each)) ?? [])[0];
  return known ?? lane.lastFailure(errorIn(error as Error));
}
