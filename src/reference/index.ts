import type { ErrorValue } from "../ir/workflow.ts";
import type { Outcome, RunRequest } from "../target.ts";
import { RunEnd, StepFailure } from "./failure.ts";
import { runWorkflow } from "./run.ts";
import { startingEvents } from "./start.ts";

/**
 * The reference: executes the IR as plainly as it can be said. What it does is what a workflow means; every target is held against it.
 */
export const reference = {
  name: "reference",
  summary: "the interpreter that defines what a workflow means",
  run,
} as const;

/** Runs a workflow of a program in a world. */
async function run({ program, workflow, world, input }: RunRequest): Promise<Outcome> {
  const byEvents = input === undefined && (workflow.start.on ?? []).length > 0;
  const events = byEvents ? await startingEvents(workflow, world) : undefined;
  world.started();
  const signal = new AbortController().signal;
  try {
    const starting = { input: input === undefined ? {} : input, position: [], signal, asSubflow: false, events };
    return { status: "succeeded", output: await runWorkflow({ program, workflow, world }, starting) };
  } catch (error) {
    if (error instanceof StepFailure) return failed(error.error);
    if (!(error instanceof RunEnd)) throw error;
    return error.ending.kind === "leave"
      ? { status: "succeeded", output: error.ending.value }
      : failed(error.ending.error);
  }
}

const failed = ({ name, message, data }: ErrorValue): Outcome => ({
  status: "failed",
  error: { name, message, ...(data === undefined ? {} : { data }) },
});
