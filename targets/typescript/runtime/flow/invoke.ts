import { RunEnd } from "../errors.ts";
import type { InvokeOptions } from "../flow.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { neverAborted } from "./abort.ts";
import { act, type Context, keyOf, positionBehind, prefixOf } from "./context.ts";
import { recovering } from "./recovery.ts";
import { runWorkflow } from "./run.ts";
import { step } from "./step.ts";

/** Runs another workflow and gives its output; one that is elsewhere is called by its id. */
export function invoke(
  context: Context,
  name: string,
  workflow: AnyWorkflow | string,
  input: Json,
  options: InvokeOptions,
): Promise<Json> {
  const { host } = context;
  if (typeof workflow === "string")
    return step(context, name, (call) => host.callWorkflow(workflow, input, call), options);
  host.visit(name);
  return recovering(context, name, options, (inner) => runSubflow(inner, keyOf(inner, name), workflow, input, options));
}

/** Starts another workflow that nobody waits for. */
export function launch(context: Context, name: string, workflow: AnyWorkflow | string, input: Json): Promise<void> {
  const { host, run, position } = context;
  act(context, name);
  const key = keyOf(context, name);
  const alone = { ...context, position: positionBehind(position, run.tally.launched++), signal: neverAborted };
  if (typeof workflow !== "string")
    return host.detach(key, () => runSubflow(alone, key, workflow, input, {}), { workflow, input });
  return host.detach(key, async () =>
    host.callWorkflow(workflow, input, { key: `${host.runId}/${key}`, signal: neverAborted, position }),
  );
}

/** Begins on a stack of its own, so that subflows may start each other however often. */
async function runSubflow(
  context: Context,
  key: string,
  workflow: AnyWorkflow,
  input: Json,
  options: InvokeOptions,
): Promise<Json> {
  const { host, run, position, signal } = context;
  await undefined;
  try {
    const place = { prefix: prefixOf(key, ""), position, signal, tally: run.tally };
    return await runWorkflow({ host, workflow, functions: run.functions }, { ...place, input, isSubflow: true });
  } catch (error) {
    if (!(error instanceof RunEnd) || options.terminates) throw error;
    if ("value" in error.ending) return error.ending.value;
    throw error.ending.error;
  }
}
