import type { DurableContext } from "@aws/durable-execution-sdk-js";
import type { GetItemCommandInput, QueryCommandInput, TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import type { CloudEvent } from "../../events.ts";
import { neverAborted, sendTo, WorkflowError } from "../../internal.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { type BrokerSite, executionOf } from "./broker.ts";
import type { RunConnections } from "./host.ts";
import type { Hooks, Program, StartRequest } from "./index.ts";
import { maxEventBytes } from "./journal.ts";
import { type DynamoDB, type EventsTable, openTable } from "./table.ts";

/** The connections of a run to AWS: EventBridge for its events, Lambda for the runs that it starts. */
export function clientsOf(
  context: DurableContext,
  { sinks = {} }: Program,
  hooks: Hooks,
): Pick<RunConnections, "send" | "launch"> {
  const launch = hooks.launch ?? ((started) => invoke(context.lambdaContext.invokedFunctionArn, started));
  const send = hooks.send ?? ((event) => sendToSink(sinks, event));
  return {
    async send(event) {
      if (!Object.hasOwn(sinks, event.type)) requireAccepted(event);
      await send(event);
    },
    launch: ({ workflow, ...run }) => launch({ ...run, workflow: workflow.id }),
  };
}

/** The broker's connections to AWS. `arn`: the workflows function. */
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

/** Loads a module at the first use. */
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

/** Programs that receive no events lack the package. */
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

/** Starts an execution unless there is one with its name. */
async function invoke(arn: string, started: StartRequest): Promise<void> {
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

/** Completes a callback; has no effect if it is completed or its execution has ended. */
async function wake(CallbackId: string): Promise<void> {
  const { client, SendDurableExecutionCallbackSuccessCommand } = await lambda();
  try {
    await client.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId }));
  } catch (error) {
    if (!isDone(error)) throw error;
  }
}

/** Whether a callback is completed or its execution has ended. */
const isDone = (error: unknown): boolean =>
  error instanceof Error &&
  ["CallbackTimeoutException", "InvalidParameterValueException", "ResourceNotFoundException"].includes(error.name);

/** Sends an event to its sink, or else to the bus. An event that its sink refuses is logged. */
async function sendToSink(sinks: NonNullable<Program["sinks"]>, event: CloudEvent): Promise<void> {
  const sink = Object.hasOwn(sinks, event.type) ? sinks[event.type] : undefined;
  if (!sink) return put(event);
  try {
    await sendTo(sink, event, { attempt: 1, signal: neverAborted });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== "EventRefused") throw thrown;
    console.error(JSON.stringify({ level: "error", message: thrown.message, event: event.id }));
  }
}

/**
 * Throws an error that no handler catches if the bus does not accept an event, or no run could receive it: other hosts
 * do not have these limits.
 */
function requireAccepted(event: CloudEvent): void {
  const fault = faultOf(event);
  if (fault !== undefined) throw new WorkflowError("LimitError", fault, { origin: "limit", fatal: true });
}

function faultOf(event: CloudEvent): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > maxEventBytes)
    return `What is emitted has ${bytes} bytes as an event, and runs on AWS Lambda receive ${maxEventBytes} at most.`;
  const { length } = event.type;
  if (length > maxType)
    return `The type of the event has ${length} characters, and EventBridge accepts ${maxType} at most.`;
  return undefined;
}

/** In characters. */
const maxType = 128;

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
