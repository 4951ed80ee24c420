import {
  type DurableContext,
  type DurableExecutionClient,
  DurableOperationError,
  withDurableExecution,
} from "@aws/durable-execution-sdk-js";
import type { CloudEvent, ReceivedEvent } from "../../events.ts";
import { neverAborted, RunEnd, requireId, runWorkflow, WorkflowError } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { Sink } from "../../main/sinks.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { EventBroker } from "./broker.ts";
import { clientsOf, siteOf } from "./clients.ts";
import { lambdaHost, type RunConnections } from "./host.ts";
import { journalOf, type Limits } from "./journal.ts";
import { RunEvents } from "./run-events.ts";
import type { DynamoDB } from "./table.ts";

export { receiving } from "./receiving.ts";

/** The parts of a function of AWS Lambda. */
export interface Program {
  readonly workflows: readonly AnyWorkflow[];
  readonly functions: unknown;
  /** Whether the program receives events. */
  readonly receives?: boolean;
  /** The HTTP sinks of event types. Other events are put on the bus. */
  readonly sinks?: { readonly [type: string]: Sink } | undefined;
}

/** The payload of a durable execution. */
export interface StartRequest {
  /** The id of the workflow. */
  readonly workflow: string;
  readonly input?: Json;
  /** The id of the run. Default: the name of the execution. */
  readonly id?: string;
  /**
   * When it was started, in milliseconds since 1970: earlier events are not for it. Default: when its execution began.
   */
  readonly since?: number;
  /** When the root run of a subflow was started. */
  readonly root?: number;
  /** The partition of the events that start the run. */
  readonly partition?: string;
  /** The events that start the run. */
  readonly taken?: readonly ReceivedEvent[];
}

/** Replacements of AWS for tests. */
export interface Hooks {
  readonly client?: DurableExecutionClient;
  readonly send?: (event: CloudEvent) => Promise<void> | void;
  readonly launch?: (started: StartRequest) => Promise<void>;
  readonly dynamodb?: DynamoDB;
  /** Completes a callback. */
  readonly wake?: (callback: string) => Promise<void>;
  /** Waits for some milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  readonly limits?: Limits;
}

type Handler = ReturnType<typeof withDurableExecution>;

/** Creates the handler of the workflows function: each durable execution is a run of a workflow. */
export function durable(program: Program, hooks: Hooks = {}): Handler {
  requireNoCodec(process.env);
  return (event, lambda) => {
    const [first] = event.InitialExecutionState?.Operations ?? [];
    const began = new Date(first?.StartTimestamp ?? Date.now()).getTime();
    const handler = withDurableExecution(
      (started: StartRequest, context: DurableContext) => runIn(program, hooks, { started, context, began }),
      hooks.client && { durableExecutionClient: hooks.client },
    );
    return handler(event, lambda);
  };
}

/** Throws if the environment names a codec, which other hosts would use. */
export function requireNoCodec({ WAYBILL_CODEC }: { readonly [name: string]: string | undefined }): void {
  if (WAYBILL_CODEC !== undefined)
    throw new Error("AWS Lambda stores the data of runs, and encrypts them: WAYBILL_CODEC cannot be used.");
}

interface Execution {
  readonly started: StartRequest;
  readonly context: DurableContext;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
}

/** Executes a run from its beginning; recorded results are replayed. */
async function runIn(program: Program, hooks: Hooks, { started, context, began }: Execution): Promise<Json> {
  const { functions, workflows } = program;
  const workflow = workflowOf(program, started);
  const journal = journalOf(context, began, hooks.clock ?? (() => Date.now()), hooks.limits);
  const arn = context.executionContext.durableExecutionArn;
  const execution = /\/durable-execution\/([^/]+)\//.exec(arn)?.[1] ?? arn;
  const { id = execution, input = {}, taken = [], since = began, root, partition } = started;
  requireId(id);
  const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  const broker = program.receives
    ? new EventBroker(siteOf(workflows, hooks, () => context.lambdaContext.invokedFunctionArn))
    : undefined;
  const events = broker && new RunEvents(journal, broker, { id, execution, since, root, partition }, pause);
  const reach: RunConnections = {
    runId: id,
    root: root ?? since,
    events: events ?? noEvents,
    ...clientsOf(context, program, hooks),
    deliver: async (event) => broker?.arrive(event),
    pause,
  };
  const detached: Promise<unknown>[] = [];
  const host = lambdaHost(journal, reach, detached);
  const signal = neverAborted;
  const starting = { input, prefix: "", position: [], signal, isSubflow: false, events: taken };
  try {
    const running = runWorkflow({ host, workflow, functions }, starting);
    return await outcomeOf(events ? Promise.race([running, events.broken]) : running);
  } finally {
    if (events) detached.push(events.leave());
    await Promise.allSettled(detached);
  }
}

/** The output of a run. Rejects with an error that the SDK records. */
async function outcomeOf(running: Promise<Json>): Promise<Json> {
  try {
    return await running;
  } catch (thrown) {
    if (!(thrown instanceof RunEnd)) throw failed(thrown);
    if ("value" in thrown.ending) return thrown.ending.value;
    throw failed(thrown.ending.error);
  }
}

/** The events of a run whose program receives none. */
const noEvents: RunConnections["events"] = {
  reported: () => Promise.resolve(),
  subscribe: (key, workflow) => ({ key, workflow, close: () => undefined }),
  receive() {
    throw new Error("The program receives no events.");
  },
};

function workflowOf({ workflows }: Program, started: StartRequest): AnyWorkflow {
  const wanted: unknown = Object(started)["workflow"];
  const workflow = workflows.find(({ id }) => id === wanted);
  if (workflow) return workflow;
  const known = workflows.map(({ id }) => JSON.stringify(id)).join(", ");
  throw failed(
    new WorkflowError(
      "NotFound",
      `There is no workflow ${JSON.stringify(wanted) ?? "without an id"} here: ${known} can be started.`,
    ),
  );
}

/** A failure of an execution, with the name and data of the workflow's error. */
class Failed extends DurableOperationError {
  readonly errorType: string;

  constructor({ name, message, data }: WorkflowError) {
    super(message, undefined, data === undefined ? undefined : JSON.stringify(data));
    this.errorType = name;
  }
}

const failed = (thrown: unknown): unknown => (thrown instanceof WorkflowError ? new Failed(thrown) : thrown);
