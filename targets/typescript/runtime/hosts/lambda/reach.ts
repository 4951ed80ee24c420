import type { DurableContext } from "@aws/durable-execution-sdk-js";
import type { GetItemCommandInput, QueryCommandInput, TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import type { CloudEvent } from "../../events.ts";
import { WorkflowError } from "../../face.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { parts } from "../parts.ts";
import { type BrokerSite, executionOf } from "./broker.ts";
import type { Reach } from "./host.ts";
import type { Hooks, Program, Started } from "./index.ts";
import { type DynamoDB, type EventsTable, openTable } from "./table.ts";

/** How a run reaches AWS: EventBridge for its events, Lambda for runs that it starts, or what tests have in their place. */
export function clientsOf(
  context: DurableContext,
  { sinks = {} }: Program,
  hooks: Hooks,
): Pick<Reach, "send" | "launch"> {
  const launch = hooks.launch ?? ((started) => invoke(context.lambdaContext.invokedFunctionArn, started));
  const send = hooks.send ?? ((event) => sendTo(sinks, event));
  return {
    async send(event) {
      if (!Object.hasOwn(sinks, event.type)) requireLength(event);
      await send(event);
    },
    launch: (workflow, input, id, since) => launch({ workflow: workflow.id, input, id, since }),
  };
}

/** Where the runs of workflows and events meet; `arn` is of the function whose executions they are. */
export function siteOf(workflows: readonly AnyWorkflow[], hooks: Hooks, arn: () => string): BrokerSite {
  const clock = hooks.clock ?? (() => Date.now());
  return {
    table: hooks.dynamodb ? openTable(hooks.dynamodb, "events", clock) : tableOf(clock),
    workflows,
    clock,
    async launch(run) {
      const started = { ...run, input: {} };
      await (hooks.launch ? hooks.launch(started) : invoke(arn(), started));
    },
    wake: hooks.wake ?? wake,
    pause: hooks.pause ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
  };
}

/** Loads something when it is first asked for. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

const lambda = once(async () => {
  const { InvokeCommand, LambdaClient, SendDurableExecutionCallbackSuccessCommand } = await import(
    "@aws-sdk/client-lambda"
  );
  return { client: new LambdaClient(), InvokeCommand, SendDurableExecutionCallbackSuccessCommand };
});

const bus = once(async () => new (await import("@aws-sdk/client-eventbridge")).EventBridge());

/** Programs in which no events come in do without it. */
const dynamodb = once(async (): Promise<DynamoDB> => {
  const client = new (await import("@aws-sdk/client-dynamodb")).DynamoDB();
  const adapted: DynamoDB = {
    getItem: (request) => client.getItem(request as unknown as GetItemCommandInput),
    query: (request) => client.query(request as unknown as QueryCommandInput),
    transactWriteItems: (request) => client.transactWriteItems(request as unknown as TransactWriteItemsCommandInput),
  };
  return adapted;
});

function tableOf(clock: () => number): EventsTable {
  const { EVENTS_TABLE = "", KEEP_EVENTS } = process.env;
  const keepEvents = KEEP_EVENTS === undefined ? undefined : Number(KEEP_EVENTS);
  const table = once(async () => openTable(await dynamodb(), EVENTS_TABLE, clock, keepEvents));
  return {
    readKeys: async () => (await table()).readKeys(),
    writeKeys: async (before, keys) => (await table()).writeKeys(before, keys),
    readPartition: async (name) => (await table()).readPartition(name),
    writePartition: async (before, partition, additions) =>
      (await table()).writePartition(before, partition, additions),
    readExecution: async (name) => (await table()).readExecution(name),
    pendingPartitions: async () => (await table()).pendingPartitions(),
  };
}

/** Starts an execution of the function by itself; one of the same name and input is there already. */
async function invoke(arn: string, started: Started): Promise<void> {
  const { client, InvokeCommand } = await lambda();
  const command = new InvokeCommand({
    FunctionName: arn,
    InvocationType: "Event",
    DurableExecutionName: executionOf(started.id ?? ""),
    Payload: JSON.stringify(started),
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "DurableExecutionAlreadyStartedException") throw error;
  }
}

/** A callback that is completed, or whose execution is over, is left at that. */
async function wake(CallbackId: string): Promise<void> {
  const { client, SendDurableExecutionCallbackSuccessCommand } = await lambda();
  try {
    await client.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId }));
  } catch (error) {
    if (!isDone(error)) throw error;
  }
}

/** What is answered of a callback that is completed or whose execution is over. */
const isDone = (error: unknown): boolean =>
  error instanceof Error &&
  ["CallbackTimeoutException", "InvalidParameterValueException", "ResourceNotFoundException"].includes(error.name);

/** Sends an event to its sink, or puts it on the bus where it has none; what a sink does not want is left at that. */
async function sendTo(sinks: NonNullable<Program["sinks"]>, event: CloudEvent): Promise<void> {
  const sink = Object.hasOwn(sinks, event.type) ? sinks[event.type] : undefined;
  if (!sink) return put(event);
  try {
    await parts.sendTo(sink, event, { attempt: 1, signal: parts.neverAborted });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== "EventRefused") throw thrown;
    console.error(JSON.stringify({ level: "error", message: thrown.message, event: event.id }));
  }
}

/** A failure that no handler takes where the bus has not room for an event: on another host there would be none. */
function requireLength(event: CloudEvent): void {
  const bytes = Buffer.byteLength(JSON.stringify(event) + event.source + event.type);
  if (bytes > longest)
    throw new WorkflowError(
      "LimitError",
      `What is emitted has ${bytes} bytes as an event, and EventBridge takes ${longest} at most.`,
      { origin: "limit", fatal: true },
    );
}

/** 256 kB, with the time. */
const longest = 256 * 1024 - 14;

/** Puts an event on the bus: a CloudEvent in structured mode. */
async function put(event: CloudEvent): Promise<void> {
  const entry = {
    EventBusName: process.env["EVENT_BUS"] || "default",
    Source: event.source,
    DetailType: event.type,
    Detail: JSON.stringify(event),
  };
  const { Entries } = await (await bus()).putEvents({ Entries: [entry] });
  const [done] = Entries ?? [];
  if (done?.ErrorCode)
    throw new Error(`EventBridge refuses the event ${event.id}: ${done.ErrorCode} ${done.ErrorMessage ?? ""}`);
}
