import type { CloudEvent } from "../../events.ts";
import type { Json } from "../../json.ts";
import type { Begin } from "../restate/messages.ts";
import type { Hooks, Program } from "./index.ts";
import { finish, type Site, tell } from "./rendezvous.ts";
import { type DynamoDB, openTable, type Table } from "./table.ts";

/** An event as EventBridge delivers it. */
export interface Delivered {
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: string;
  readonly detail: Json;
}

/** The handler of the function that takes events in: each is for runs that wait, or starts some, once. */
export function receiving(
  program: Program,
  hooks: Hooks = {},
): (delivered: Delivered) => Promise<{ readonly id: string }> {
  const site = siteOf(program, hooks, () => process.env["WORKFLOWS_FUNCTION"] ?? "");
  return async (delivered) => {
    const event = cloudEventOf(delivered);
    await finish(site);
    await tell(site, { at: site.clock(), method: "deliver", what: event });
    return { id: event.id };
  };
}

/** Where the runs of a program and events meet; `arn` is of the function whose executions they are. */
export function siteOf({ workflows }: Program, hooks: Hooks, arn: () => string): Site {
  const clock = hooks.clock ?? (() => Date.now());
  return {
    table: hooks.dynamodb ? openTable(hooks.dynamodb, "events", clock) : tableOf(clock),
    workflows,
    clock,
    launch: async ({ workflow, id, taken, at }: Begin) => {
      const started = { workflow, id, taken, at, input: {} };
      if (hooks.launch) await hooks.launch(started);
      else await (await import("./reach.ts")).invoke(arn(), started);
    },
    wake: hooks.wake ?? wake,
    pause: hooks.pause ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
  };
}

/** Programs in which no events come in do without it. */
const clientOfTable: string = "@aws-sdk/client-dynamodb";

function tableOf(clock: () => number): Table {
  let opened: Promise<Table> | undefined;
  const open = async () => {
    const { DynamoDB } = (await import(clientOfTable)) as { readonly DynamoDB: new () => DynamoDB };
    return openTable(new DynamoDB(), process.env["EVENTS_TABLE"] ?? "", clock);
  };
  const table = () => {
    opened ??= open();
    return opened;
  };
  return {
    get: async (key) => (await table()).get(key),
    write: async (values, version) => (await table()).write(values, version),
  };
}

/** What is answered of a callback that is completed or whose execution is over. */
const isDone = (error: unknown): boolean =>
  error instanceof Error &&
  ["CallbackTimeoutException", "InvalidParameterValueException", "ResourceNotFoundException"].includes(error.name);

/** A callback that is completed, or whose execution is over, is left at that. */
async function wake(CallbackId: string): Promise<void> {
  const { LambdaClient, SendDurableExecutionCallbackSuccessCommand } = await import("@aws-sdk/client-lambda");
  try {
    await new LambdaClient().send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId }));
  } catch (error) {
    if (!isDone(error)) throw error;
  }
}

/** The event in structured mode, where it came so; any other is made into one. */
function cloudEventOf({ id, source, time, detail, ...rest }: Delivered): CloudEvent {
  const given = Object(detail) as Partial<CloudEvent>;
  if (typeof given.specversion === "string") return { id, source, type: rest["detail-type"], ...given } as CloudEvent;
  return { specversion: "1.0", id, source, type: rest["detail-type"], time, data: detail };
}
