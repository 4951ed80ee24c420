import { createHash } from "node:crypto";
import type { DurableContext } from "@aws/durable-execution-sdk-js";
import type { CloudEvent } from "../../events.ts";
import type { Reach } from "./host.ts";
import type { Hooks, Program, Started } from "./index.ts";
import { parts } from "./parts.ts";

/** How a run reaches AWS: EventBridge for its events, Lambda for runs that it starts, or what tests have in their place. */
export function clientsOf(
  context: DurableContext,
  { sinks = {} }: Program,
  hooks: Hooks,
): Pick<Reach, "send" | "launch"> {
  const launch = hooks.launch ?? ((started) => invoke(context.lambdaContext.invokedFunctionArn, started));
  const send = hooks.send ?? ((event) => sendTo(sinks, event));
  return {
    send: async (event) => send(event),
    launch: (workflow, input, id) => launch({ workflow: workflow.id, input, id }),
  };
}

/** Starts an execution of the function by itself; one of the same name and input is there already. */
export async function invoke(arn: string, started: Started): Promise<void> {
  const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  const name = createHash("sha256")
    .update(started.id ?? "")
    .digest("hex");
  const command = new InvokeCommand({
    FunctionName: arn,
    InvocationType: "Event",
    DurableExecutionName: name,
    Payload: JSON.stringify(started),
  });
  try {
    await new LambdaClient().send(command);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "DurableExecutionAlreadyStartedException") throw error;
  }
}

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

/** Puts an event on the bus: a CloudEvent in structured mode. */
async function put(event: CloudEvent): Promise<void> {
  const { EventBridge } = await import("@aws-sdk/client-eventbridge");
  const entry = {
    EventBusName: process.env["EVENT_BUS"] || "default",
    Source: event.source,
    DetailType: event.type,
    Detail: JSON.stringify(event),
  };
  const { Entries } = await new EventBridge().putEvents({ Entries: [entry] });
  const [done] = Entries ?? [];
  if (done?.ErrorCode)
    throw new Error(`EventBridge refuses the event ${event.id}: ${done.ErrorCode} ${done.ErrorMessage ?? ""}`);
}
