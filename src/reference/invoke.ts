import type { Invoke, Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { type Context, compute } from "./context.ts";
import { RunEnd, StepFailure } from "./failure.ts";
import { runWorkflow } from "./run.ts";
import { limited } from "./steps.ts";

/** Starts another workflow and, when the step waits, gives its output; one that is not in the program is called by its id. */
export async function invoke(step: Invoke, context: Context): Promise<Json> {
  const input = compute(step.input, context);
  const known = context.run.program.byId.get(step.workflow.name);
  const work = (inner: Context) => (known ? runSubflow(step, known, input, inner) : callExternal(step, input, inner));
  if (step.wait) return limited(step.timeout, context, work);
  work({ ...context, signal: new AbortController().signal }).catch(() => undefined);
  return null;
}

const callExternal = (step: Invoke, input: Json, { run, position, signal }: Context): Promise<Json> =>
  run.world.call(step.workflow.name, input, { position, signal });

/** Begins on a stack of its own, so that subflows may start each other however often. */
async function runSubflow(
  step: Invoke,
  workflow: Workflow,
  input: Json,
  { run, position, signal }: Context,
): Promise<Json> {
  await undefined;
  try {
    return await runWorkflow(
      { program: run.program, workflow, world: run.world, emitted: run.emitted },
      { input, position, signal, asSubflow: true },
    );
  } catch (error) {
    if (!(error instanceof RunEnd) || step.terminates) throw error;
    if (error.ending.kind === "leave") return error.ending.value;
    throw new StepFailure(error.ending.error);
  }
}
