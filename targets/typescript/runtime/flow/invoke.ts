import { RunEnd } from "../errors.ts";
import type { Given, InvokeOptions } from "../flow.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { neverAborted } from "./abort.ts";
import { activityOf, begin, outcomeOf, wait } from "./activities.ts";
import { act, type Context, type Keys, keysOf, positionBehind, prefixesOf } from "./context.ts";
import { computed, recovering } from "./recovery.ts";
import { runWorkflow } from "./run.ts";
import { idempotencyKey, step } from "./step.ts";

/**
 * Runs another workflow and gives its output; one that is elsewhere is called by its id. It is an activity of its own, so that subflows may start each
 * other however often.
 */
export function invoke(
  context: Context,
  name: string,
  workflow: AnyWorkflow | string,
  input: Given<Json>,
  options: InvokeOptions,
): Promise<Json> {
  const { host } = context;
  if (typeof workflow === "string")
    return step(context, name, (call) => host.callWorkflow(workflow, computed(input), call), options);
  host.visit(name);
  return recovering(context, name, options, async (inner) => {
    const given = computed(input);
    const keys = keysOf(inner, name);
    return wait<Json>(inner, (wake) => {
      begin(inner, () => runSubflow(inner, keys, workflow, given, options), wake);
      return () => undefined;
    });
  });
}

/** Starts another workflow that nobody waits for. */
export function launch(context: Context, name: string, workflow: AnyWorkflow | string, input: Json): Promise<void> {
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
  const alone = { ...context, position: positionBehind(position, run.tally.launched++), signal: neverAborted };
  const work = () => activityOf(alone, () => runSubflow(alone, keys, workflow, input, {}));
  return outcomeOf(context, host.detach(key, work, { workflow, input }));
}

async function runSubflow(
  { host, run, position, signal, activities, attempts }: Context,
  keys: Keys,
  workflow: AnyWorkflow,
  input: Json,
  options: InvokeOptions,
): Promise<Json> {
  const place = { ...prefixesOf(keys, ""), position, signal, tally: run.tally, activities, attempts };
  try {
    return await runWorkflow({ host, workflow, functions: run.functions }, { ...place, input, isSubflow: true });
  } catch (error) {
    if (!(error instanceof RunEnd) || options.terminates) throw error;
    if ("value" in error.ending) return error.ending.value;
    throw error.ending.error;
  }
}
