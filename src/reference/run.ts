import type { Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Program } from "../program.ts";
import type { World } from "../world.ts";
import { enter, firstOf, type Run } from "./context.ts";
import { StepFailure } from "./failure.ts";
import { createInbox } from "./inbox.ts";
import { definitionOf, tokenOf } from "./matching.ts";
import { isActive, runScope } from "./scope.ts";

/** Who runs what, and where. */
interface Cast {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly world: World;
  /** The count of the run that starts this one; absent for a run of its own. */
  readonly emitted?: Run["emitted"] | undefined;
}

/** How a run is started. */
export interface Starting {
  readonly input: Json;
  readonly position: readonly number[];
  readonly signal: AbortSignal;
  /** Outside its window a subflow completes with its input; a run that was called fails. */
  readonly asSubflow: boolean;
  /** The events that started it, and the names of their definitions. */
  readonly events?: readonly { readonly name: string; readonly event: JsonObject }[] | undefined;
}

/** Runs a workflow in a world; its output. Rejects with a `StepFailure` or a `RunEnd`. */
export async function runWorkflow(cast: Cast, starting: Starting): Promise<Json> {
  const { workflow, world } = cast;
  const { input, position, signal, asSubflow, events = [] } = starting;
  if (!isActive(workflow.start.window, world.now())) {
    if (asSubflow) return input;
    throw new StepFailure({
      origin: "denied",
      name: "NotActive",
      message: `Workflow ${workflow.id} cannot be started now.`,
    });
  }
  const inbox = createInbox(events.map(({ event }) => event));
  const run: Run = { ...cast, inbox, token: firstToken(cast, starting), emitted: cast.emitted ?? { count: 0 } };
  const stop = world.listen((event) => run.inbox.deliver(event));
  try {
    const environment = enter(workflow.body, undefined, new Map([[workflow.input, input]]));
    return await runScope(workflow.body, { run, environment, position, signal });
  } finally {
    stop();
  }
}

/** The correlation value of a run that starts: from the first event that has one, else as the workflow says. */
function firstToken({ workflow, world }: Cast, { input, events = [] }: Starting): Json | undefined {
  for (const { name, event } of events) {
    const token = tokenOf(definitionOf({ event: { name, span: workflow.span } }, workflow), event);
    if (token !== undefined) return token;
  }
  if (!workflow.correlation) return undefined;
  const variables = new Map<string, Json>([
    [workflow.input, input],
    ["run", { id: world.runId }],
  ]);
  return firstOf(workflow.correlation, variables) ?? undefined;
}
