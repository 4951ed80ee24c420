import type { CloudEvent } from "../../events.ts";
import type { Json } from "../../json.ts";
import { parts } from "../parts.ts";
import type { Hooks, Program } from "./index.ts";
import { limits } from "./journal.ts";
import { siteOf } from "./reach.ts";
import { tell } from "./rendezvous.ts";

/** An event as EventBridge delivers it. */
export interface Delivered {
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: string;
  readonly detail: Json;
}

/**
 * The handler of the function that takes events in: each is for runs that wait, or starts some, once. Of an execution that is over without having said so, as
 * when somebody has stopped it, AWS tells by an event too.
 */
export function receiving(
  { workflows }: Pick<Program, "workflows">,
  hooks: Hooks = {},
): (delivered: Delivered) => Promise<{ readonly id: string }> {
  const site = siteOf(workflows, hooks, () => process.env["WORKFLOWS_FUNCTION"] ?? "");
  return async (delivered) => {
    const over = executionOver(delivered);
    if (over !== undefined) await tell(site, { at: site.clock(), method: "over", what: over });
    const event = cloudEventOf(delivered);
    parts.requireEvent(event);
    requireLength(event);
    await tell(site, { at: site.clock(), method: "deliver", what: event });
    return { id: event.id };
  };
}

/** Throws where no run could be told of an event, as an operation has not room for it with what is told besides. */
function requireLength(event: CloudEvent): void {
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > longest)
    throw new RangeError(
      `The event cannot be taken in: it has ${bytes} bytes, and a run on AWS Lambda can be told of ${longest} at most.`,
    );
}

/** Besides it there are its number and the key of an inbox. */
const longest = limits.bytes - 4096;

/** The name of the execution that an event says is over. */
function executionOver({ source, detail, ...rest }: Delivered): string | undefined {
  if (source !== "aws.lambda" || rest["detail-type"] !== "Durable Execution Status Change") return undefined;
  const { status, durableExecutionName: name } = Object(detail) as { readonly [member: string]: unknown };
  return ended.has(status) && typeof name === "string" ? name : undefined;
}

const ended: ReadonlySet<unknown> = new Set(["SUCCEEDED", "FAILED", "STOPPED", "TIMED_OUT"]);

/** The event in structured mode, where it came so; any other is made into one. */
function cloudEventOf({ id, source, time, detail, ...rest }: Delivered): CloudEvent {
  const given = Object(detail) as Partial<CloudEvent>;
  if (typeof given.specversion === "string") return { id, source, type: rest["detail-type"], ...given } as CloudEvent;
  return { specversion: "1.0", id, source, type: rest["detail-type"], time, data: detail };
}
