import { failure, WorkflowError } from "../errors.ts";
import type { Branches, Flow, ForkOptions } from "../flow.ts";
import type { JsonObject } from "../json.ts";
import { outcomeOf } from "./activities.ts";
import { type Context, keyOf } from "./context.ts";
import { emit } from "./emit.ts";
import { forEach } from "./foreach.ts";
import { fork } from "./fork.ts";
import { invoke, launch } from "./invoke.ts";
import { receive } from "./receive.ts";
import { computed, recovering } from "./recovery.ts";
import { sleep, sleepUntil, start, step } from "./step.ts";
import { isActive } from "./window.ts";

/** What a workflow is given to act with. */
export function flowOf(context: Context): Flow {
  const { host, signal } = context;
  const flow: Flow = {
    run: { id: host.runId },
    signal,
    step: (name, call, options) => step(context, name, call, options),
    start: (name, call) => start(context, name, call),
    sleep: (name, seconds) => sleep(context, name, seconds),
    sleepUntil: (name, instant) => sleepUntil(context, name, Date.parse(String(instant))),
    receive: (name, wait) => receive(context, name, wait),
    emit: (name, event, data, attributes) => emit(context, name, event, data, attributes),
    fork: (name: string, branches: Branches, options: ForkOptions = {}) => {
      host.visit(name);
      return recovering(context, name, options, (inner) => fork(inner, name, branches, options)) as never;
    },
    forEach: (name, items, body, options = {}) => {
      host.visit(name);
      return recovering(context, name, options, async (inner) => forEach(inner, name, computed(items), body, options));
    },
    invoke: (name, workflow, input, options = {}) => invoke(context, name, workflow, input, options),
    launch: (name, workflow, input) => launch(context, name, workflow, input),
    attempt: (name, body, options = {}) => {
      host.visit(name);
      return recovering(context, name, options, (inner) => body(inner === context ? flow : flowOf(inner)));
    },
    round: (name, data) => round(context, name, data) as never,
    failure: (thrown) => failure(thrown, context.run.workflow.errors),
    isWithin: (name, window) =>
      outcomeOf(
        context,
        host.once(keyOf(context, name), () => isActive(window, host.now()), signal),
      ),
  };
  return flow;
}

/**
 * Begins a round of a loop with what is recorded for it, and with the counts that its steps had then. A loop that only computes lets others go on now
 * and then, and after many rounds is taken for one without end.
 */
function round(context: Context, name: string, data: JsonObject): Promise<JsonObject> | JsonObject {
  const { host, prefix, entered, run, signal } = context;
  const { tally } = run;
  if (signal.aborted) throw signal.reason;
  tally.rounds += 1;
  tally.idle += 1;
  if (tally.idle > mostIdleRounds) throw new WorkflowError("LimitError", withoutEnd, { origin: "limit", fatal: true });
  const recorded = host.round(prefix, name, data, entered);
  const pause = tally.rounds % roundsAtOnce === 0 ? host.giveWay() : undefined;
  if (!recorded) return pause ? outcomeOf(context, pause).then(() => data) : data;
  return outcomeOf(context, Promise.all([recorded, pause])).then(([state]) => {
    for (const [step, count] of Object.entries(state.entered)) entered.set(step, count);
    return state.data;
  });
}

/** More rounds in which nothing is called, waited for or emitted are taken for a loop without end. */
const mostIdleRounds = 200_000;

const withoutEnd = `More than ${mostIdleRounds} steps were taken in a row without a call, a delay, an event or an end.`;

/** After so many rounds others may go on. */
const roundsAtOnce = 1000;
