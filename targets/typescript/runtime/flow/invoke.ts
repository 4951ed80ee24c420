import { RunEnd } from "../errors.ts";
import type { Given, InvokeOptions, LaunchOptions } from "../flow.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { neverAborted, stoppable } from "./abort.ts";
import { activityOf, begin, outcomeOf, wait } from "./activities.ts";
import { act, type Context, detachedPosition, type Keys, keysOf, prefixesOf } from "./context.ts";
import { evaluate, withRetries } from "./recovery.ts";
import { runWorkflow } from "./run.ts";
import { idempotencyKey, step } from "./step.ts";

/**
 * Runs another workflow and returns its output. One outside the program is called by its id. A subflow is an activity,
 * so that recursion does not nest calls.
 */
export function invoke(
  context: Context,
  name: string,
  workflow: AnyWorkflow | string,
  input: Given<Json>,
  options: InvokeOptions,
): Promise<Json> {
  const { host, run } = context;
  if (typeof workflow === "string")
    return step(context, name, (call) => host.callWorkflow(workflow, evaluate(input), call), options);
  host.visit(name);
  return withRetries(context, name, options, async (inner) => {
    const given = evaluate(input);
    host.nest?.(run.depth + 1, given);
    const keys = keysOf(inner, name);
    return wait<Json>(inner, (wake) => {
      begin(inner, () => runSubflow(inner, keys, workflow, given, options, run.depth + 1), wake);
      return () => undefined;
    });
  });
}

/** Starts another workflow without waiting for it. Computing its input is retried if that is a function. */
export function launch(
  context: Context,
  name: string,
  workflow: AnyWorkflow | string,
  input: Given<Json>,
  options: LaunchOptions,
): Promise<void> {
  const { attached = false } = options;
  if (typeof input !== "function") return launchWith(context, name, workflow, input, attached);
  return withRetries(context, name, options, async (inner) => launchWith(inner, name, workflow, input(), attached));
}

function launchWith(
  context: Context,
  name: string,
  workflow: AnyWorkflow | string,
  input: Json,
  isAttached: boolean,
): Promise<void> {
  const { host, run, position } = context;
  act(context, name);
  const keys = keysOf(context, name);
  const { key } = keys;
  if (typeof workflow === "string") {
    const call = { key: idempotencyKey(context, keys.call), attempt: 1, signal: neverAborted, position };
    return outcomeOf(
      context,
      host.detach(key, async () => host.callWorkflow(workflow, input, call)),
    );
  }
  if (isAttached) {
    launchAttached(context, keys, workflow, input);
    return Promise.resolve();
  }
  const alone = { ...context, position: detachedPosition(position, run.tally.launched++), signal: neverAborted };
  const work = () => activityOf(alone, () => runSubflow(alone, keys, workflow, input, {}, 0));
  return outcomeOf(context, host.detach(key, work, { workflow, input }));
}

/** Starts a workflow as an activity of the run, which stops when the workflow that starts it ends. */
function launchAttached(context: Context, keys: Keys, workflow: AnyWorkflow, input: Json): void {
  const { run, position } = context;
  const { signal, stop } = stoppable(run.signal);
  const own = { ...context, position: detachedPosition(position, run.tally.launched++), signal };
  run.attached.add(stop);
  begin(
    own,
    () => runSubflow(own, keys, workflow, input, {}, 0),
    () => run.attached.delete(stop),
  );
}

async function runSubflow(
  { host, run, position, signal, activities, attempts }: Context,
  keys: Keys,
  workflow: AnyWorkflow,
  input: Json,
  options: InvokeOptions,
  depth: number,
): Promise<Json> {
  const place = { ...prefixesOf(keys, ""), position, signal, tally: run.tally, activities, attempts, depth };
  try {
    return await runWorkflow({ host, workflow, functions: run.functions }, { ...place, input, isSubflow: true });
  } catch (error) {
    if (!(error instanceof RunEnd) || options.terminates) throw error;
    if ("value" in error.ending) return error.ending.value;
    throw error.ending.error;
  }
}
