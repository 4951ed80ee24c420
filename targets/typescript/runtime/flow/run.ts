import { namedFailure, WorkflowError } from "../errors.ts";
import type { ReceivedEvent } from "../events.ts";
import type { Host } from "../host.ts";
import { inputError } from "../inputs.ts";
import { copyOf, type Json } from "../json.ts";
import { initialValue } from "../rules.ts";
import { type AnyWorkflow, functionsOf, isActive, type Workflow } from "../workflow.ts";
import type { Signal } from "./abort.ts";
import { type Activities, activityOf, createActivities, outcomeOf } from "./activities.ts";
import { emptyTally, type Tally } from "./context.ts";
import { Counts } from "./counts.ts";
import { flowOf } from "./create.ts";

/** A workflow, its functions and its host. */
interface Executable {
  readonly host: Host;
  readonly workflow: AnyWorkflow;
  readonly functions: unknown;
}

/** How a run starts. */
export interface Starting {
  readonly input: Json;
  /** The prefixes of the keys of recorded effects, and of calls. */
  readonly prefix: string;
  readonly callPrefix?: string;
  /** For a subflow, the attempts at calls of its caller. */
  readonly attempts?: Map<string, number> | undefined;
  readonly position: readonly number[];
  readonly signal: Signal;
  /** Outside its window, a subflow completes with its input, and a called run fails. */
  readonly isSubflow: boolean;
  /** The events that started it. */
  readonly events?: readonly ReceivedEvent[];
  /** For a subflow, the counters and the scheduler of its caller. */
  readonly tally?: Tally;
  readonly activities?: Activities;
  /** The number of subflows that wait for each other, up to this one. */
  readonly depth?: number;
}

/**
 * Runs a workflow on a host and returns its output. Rejects with a `WorkflowError` or a `RunEnd`, or the signal's
 * reason.
 */
export function runWorkflow(cast: Executable, starting: Starting): Promise<Json> {
  const { activities, position, signal } = starting;
  if (activities) return runIn(activities, cast, starting);
  const own = createActivities();
  return activityOf({ activities: own, position, signal }, () => runIn(own, cast, starting));
}

async function runIn(
  activities: Activities,
  { host, workflow, functions }: Executable,
  starting: Starting,
): Promise<Json> {
  const { input, prefix, position, signal, events = [], tally = emptyTally(), depth = 0 } = starting;
  const invalid = starting.isSubflow || events.length > 0 ? undefined : inputError(workflow, input);
  if (invalid) throw invalid;
  const window = workflow.start?.window;
  const activity = { activities, position, signal };
  const mayStart =
    window === undefined ||
    (await outcomeOf(
      activity,
      host.once(`${prefix}start`, () => isActive(window, host.now()), signal),
    ));
  if (!mayStart) {
    if (starting.isSubflow) return input;
    throw new WorkflowError("NotActive", `Workflow ${workflow.id} cannot be started now.`, { origin: "denied" });
  }
  const value = initialValue(workflow, host.runId, input, events);
  const subscription =
    workflow.waits || workflow.start?.on ? host.subscribe(prefix, workflow, { events, value }) : undefined;
  const attached = new Set<() => void>();
  const flow = flowOf({
    host,
    run: { workflow, functions, subscription, value: subscription?.value ?? value, tally, depth, signal, attached },
    prefix,
    callPrefix: starting.callPrefix ?? prefix,
    counts: new Counts(),
    attempts: starting.attempts,
    ...activity,
  });
  try {
    return await (workflow as unknown as Workflow<unknown, Json>).run(
      flow,
      copyArguments(Object(functionsOf(functions, workflow))),
      input,
    );
  } catch (thrown) {
    throw signal.aborted ? thrown : finalError(flow.raised(thrown), workflow);
  } finally {
    for (const stop of attached) stop();
    subscription?.close();
  }
}

/** The error that ends a run: its own end, or a failure without a handler. */
function finalError(thrown: unknown, { errors }: AnyWorkflow): unknown {
  try {
    return namedFailure(thrown, errors);
  } catch {
    return thrown;
  }
}

/** Functions that receive copies of their arguments, so that they cannot change the workflow's data. */
const copyArguments = (functions: object): object =>
  new Proxy(functions, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      return (argument: unknown, ...more: readonly unknown[]): unknown =>
        Reflect.apply(found, target, [copyOf(argument), ...more]);
    },
  });
