import { loaderOf } from "../../../targets/typescript/load.ts";
import type {
  Engine,
  EngineOptions,
  RunDetail,
  RunStatus,
  RunSummary,
} from "../../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../../targets/typescript/runtime/events.ts";
import type { durable, Hooks, receiving, Started } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import { executionOf } from "../../../targets/typescript/runtime/hosts/lambda/rendezvous.ts";
import type { Json } from "../../../targets/typescript/runtime/json.ts";
import { runtimePlace } from "../place.ts";
import { createService, type Ended, type Execution, type Service } from "./service.ts";
import { inMemory } from "./table.ts";

/** What of AWS a program has for itself: executions and a table, and the code of each version that is deployed. */
interface Region {
  readonly service: Service;
  readonly table: ReturnType<typeof inMemory>;
  readonly code: Map<string, ReturnType<typeof durable>>;
  /** The version that new executions begin with. */
  live: string;
}

const regions = new Map<string, Region>();

/** A place where nothing is deployed. */
export function newRegion(): string {
  const time = { now: Date.now, at: (instant: number, fire: () => void) => void later(fire, instant - Date.now()) };
  const name = `region-${regions.size}`;
  regions.set(name, { service: createService(time), table: inMemory(), code: new Map(), live: "" });
  return name;
}

/** The longest time of one timer of Node; nothing in these tests waits for longer. */
const later = (fire: () => void, milliseconds: number) => setTimeout(fire, Math.min(milliseconds, 2 ** 31 - 1)).unref();

const never = <T>(): Promise<T> => new Promise(() => undefined);

const module = () =>
  loaderOf(runtimePlace())("lambda.js") as { readonly durable: typeof durable; readonly receiving: typeof receiving };

/**
 * A program that is deployed, by what one would ask AWS for: `start` invokes the function, `deliver` puts an event on the bus, `show` and `list` read the
 * history of executions, `cancel` stops one, of which AWS tells by an event. As long as it is open, what is invoked is executed. `requested` hears of all that
 * the function has asked of AWS and that is done; true: what is invoked is lost. Who starts a run waits until it is in the table.
 */
export function deploy({ store, workflows, functions, send }: EngineOptions, requested = () => false): Engine {
  const region = regions.get(store)!;
  const { service, table, code } = region;
  let isOpen = true;
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (!isOpen) return never();
    const answer = await ask();
    if (requested()) isOpen = false;
    return isOpen ? answer : never();
  };
  const hooks: Hooks = {
    client: {
      ...service.client,
      checkpoint: (request, logger) => asking(() => service.client.checkpoint(request, logger)),
    },
    dynamodb: {
      getItem: (request) => asking(() => table.client.getItem(request)),
      transactWriteItems: (request) => asking(() => table.client.transactWriteItems(request)),
    },
    send: (event) => send(event, { attempt: 1, signal: new AbortController().signal }),
    launch: async (started) => void invoke(started),
    wake: async (callback) => (isOpen ? service.callBack(callback, "") : never()),
  };
  const receives = workflows.some(({ events }) => events !== undefined);
  const version = JSON.stringify(workflows.map((workflow) => [workflow.id, workflow.version]));
  region.live = version;
  code.set(version, module().durable({ workflows, functions, receives }, hooks));
  const ingest = module().receiving({ workflows }, hooks);
  const invoke = (started: Started) => {
    const { live } = region;
    return service.start((event, context) => code.get(live)!(event, context), executionOf(started.id!), started);
  };
  const found = (id: string) => service.executions().find(({ name }) => name === executionOf(id));
  const deliver = async (detail: CloudEvent) => {
    await ingest({ id: detail.id, source: detail.source, "detail-type": detail.type, time: "", detail });
    return { status: "accepted", started: [], delivered: [] } as const;
  };
  service.again();
  return {
    async start(workflow, input, { id = crypto.randomUUID() } = {}) {
      try {
        invoke({ workflow, input, id });
      } catch (error) {
        if ((error as Error).name !== "DurableExecutionAlreadyStartedException") throw error;
      }
      const execution = found(id)!;
      while (receives && !isKnown(execution)) await new Promise((resolve) => setTimeout(resolve, 2));
      return summaryOf(execution);
    },
    deliver,
    list: ({ status } = {}) =>
      service
        .executions()
        .map(summaryOf)
        .filter((each) => status === undefined || each.status === status)
        .toReversed(),
    show: (id) => detailOf(found(id)),
    async ended(id) {
      await found(id)!.ended;
      return summaryOf(found(id)!);
    },
    async cancel(id) {
      const name = executionOf(id);
      if (!service.stop(name)) return false;
      const detail = { durableExecutionName: name, status: "STOPPED" };
      await ingest({
        id: `stopped ${name}`,
        source: "aws.lambda",
        "detail-type": "Durable Execution Status Change",
        time: "",
        detail,
      });
      return true;
    },
    async close() {
      isOpen = false;
    },
    fault: () => undefined,
    unsent: () => ({ unsent: 0, refused: 0 }),
    retry: () => Promise.reject(notOffered),
    prune: () => Promise.reject(notOffered),
    versions: () => {
      throw notOffered;
    },
  };
}

/** Whether a run is in the table: events that come from now on are for it. */
const isKnown = (execution: Execution): boolean =>
  execution.outcome() !== undefined ||
  execution.operations().some(({ Name, Status }) => Name === "#said 1" && Status === "SUCCEEDED");

const notOffered = new Error("AWS Lambda does not offer that.");

function summaryOf(execution: Execution): RunSummary {
  const { workflow, id = execution.name } = execution.payload as Started;
  const outcome = execution.outcome();
  const time = new Date(execution.began).toISOString();
  return {
    id,
    workflow,
    version: "1",
    status: statusOf(execution, outcome),
    created: time,
    updated: time,
    ...(outcome && "result" in outcome && { output: JSON.parse(outcome.result ?? "null") as Json }),
    ...(outcome && "error" in outcome && { error: errorOf(outcome.error) }),
  };
}

function statusOf(execution: Execution, outcome: Ended | undefined): RunStatus {
  if (!outcome) return execution.isInvoked() ? "running" : "waiting";
  return "isStopped" in outcome ? "cancelled" : "result" in outcome ? "succeeded" : "failed";
}

const errorOf = ({
  ErrorType: name = "",
  ErrorMessage: message = "",
}: Extract<Ended, { error: unknown }>["error"]) => ({
  name,
  message,
});

function detailOf(execution: Execution | undefined): RunDetail | undefined {
  if (!execution) return undefined;
  const { input = {} } = execution.payload as Started;
  const steps = execution.operations().flatMap(({ Type, Name, Status, StartTimestamp }) => {
    const status = Status === "SUCCEEDED" ? "done" : Status === "FAILED" ? "failed" : "waiting";
    return Type === "EXECUTION" ? [] : [{ key: Name ?? "", status, at: String(StartTimestamp) } as const];
  });
  return { ...summaryOf(execution), input, steps, unsent: [], waitingFor: { events: [] } };
}
