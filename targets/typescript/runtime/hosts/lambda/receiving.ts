import type { CloudEvent } from "../../events.ts";
import { requireEvent } from "../../internal.ts";
import type { Json } from "../../json.ts";
import { EventBroker } from "./broker.ts";
import { siteOf } from "./clients.ts";
import type { Hooks, Program } from "./index.ts";
import { maxEventBytes } from "./journal.ts";

/** An event as EventBridge delivers it. */
export interface DeliveredEvent {
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: string;
  readonly detail: Json;
}

/** The scheduled call that performs what crashed functions have left. */
export interface SweepRequest {
  readonly sweep: true;
}

/**
 * Creates the handler of the events function. EventBridge invokes it with each event, with the end of executions, which
 * may not have reported it, and on a schedule.
 */
export function receiving(
  { workflows }: Pick<Program, "workflows">,
  hooks: Hooks = {},
): (delivered: DeliveredEvent | SweepRequest) => Promise<{ readonly id: string }> {
  const broker = new EventBroker(siteOf(workflows, hooks, () => process.env["WORKFLOWS_FUNCTION"] ?? ""));
  return async (delivered) => {
    if ("sweep" in delivered) {
      await broker.sweep();
      return { id: "" };
    }
    const ended = endedExecution(delivered);
    if (ended !== undefined) await broker.leaveExecution(ended);
    const event = cloudEventOf(delivered);
    requireEvent(event);
    requireLength(event);
    await broker.arrive(event);
    return { id: event.id };
  };
}

/** Throws if an event does not fit into an operation of a run. */
function requireLength(event: CloudEvent): void {
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > maxEventBytes)
    throw new RangeError(
      `The event cannot be taken in: it has ${bytes} bytes, and a run on AWS Lambda receives ${maxEventBytes} at most.`,
    );
}

/** The name of the execution that an event reports as ended. */
function endedExecution({ source, detail, ...rest }: DeliveredEvent): string | undefined {
  if (source !== "aws.lambda" || rest["detail-type"] !== "Durable Execution Status Change") return undefined;
  const { status, durableExecutionName: name } = Object(detail) as { readonly [member: string]: unknown };
  return endStatuses.has(status) && typeof name === "string" ? name : undefined;
}

const endStatuses: ReadonlySet<unknown> = new Set(["SUCCEEDED", "FAILED", "STOPPED", "TIMED_OUT"]);

/** The event if it was sent in structured mode; any other is converted to a CloudEvent. */
function cloudEventOf({ id, source, time, detail, ...rest }: DeliveredEvent): CloudEvent {
  const given = Object(detail) as Partial<CloudEvent>;
  if (typeof given.specversion === "string") return { id, source, type: rest["detail-type"], ...given } as CloudEvent;
  return { specversion: "1.0", id, source, type: rest["detail-type"], time, data: detail };
}
