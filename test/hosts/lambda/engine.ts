import { createLoader } from "../../../targets/typescript/load.ts";
import type {
  Engine,
  EngineOptions,
  RunDetail,
  RunStatus,
  RunSummary,
} from "../../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../../targets/typescript/runtime/events.ts";
import { executionOf } from "../../../targets/typescript/runtime/hosts/lambda/broker.ts";
import type {
  durable,
  Hooks,
  receiving,
  StartRequest,
} from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { Json } from "../../../targets/typescript/runtime/json.ts";
import { listedRun } from "../../../targets/typescript/runtime/paging.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { createService, type DurableExecution, type DurableExecutionResult, type LambdaService } from "./service.ts";
import { createMemoryTable } from "./table.ts";

/** The AWS resources of a program: executions, a table and the code of each deployed version. */
interface DeployedRegion {
  readonly service: LambdaService;
  readonly table: ReturnType<typeof createMemoryTable>;
  readonly code: Map<string, ReturnType<typeof durable>>;
  /** The version of new executions. */
  live: string;
}

const regions = new Map<string, DeployedRegion>();

/** Creates an empty region and returns its name. */
export function newRegion(): string {
  const time = {
    now: Date.now,
    at: (instant: number, fire: () => void) => void setCappedTimer(fire, instant - Date.now()),
  };
  const name = `region-${regions.size}`;
  regions.set(name, { service: createService(time), table: createMemoryTable(), code: new Map(), live: "" });
  return name;
}

/** A timer capped at Node's maximum; no test waits longer. */
const setCappedTimer = (fire: () => void, milliseconds: number) =>
  setTimeout(fire, Math.min(milliseconds, 2 ** 31 - 1)).unref();

const never = <T>(): Promise<T> => new Promise(() => undefined);

const module = () =>
  createLoader(runtimeFolder())("lambda.js") as {
    readonly durable: typeof durable;
    readonly receiving: typeof receiving;
  };

/**
 * Deploys a program and returns an engine that maps its methods to AWS requests: `start` invokes the function,
 * `deliver` puts an event on the bus, `show` and `list` read executions, `cancel` stops one and sends AWS's status
 * event. Executions proceed while the engine is open. `requested` is called after each request of the function; if it
 * returns true, the invocation is lost.
 */
export function deploy({ store, workflows, functions, send }: EngineOptions, requested = () => false): Engine {
  const region = regions.get(store)!;
  const { service, table, code } = region;
  let isOpen = true;
  const request = async <T>(send: () => Promise<T>): Promise<T> => {
    if (!isOpen) return never();
    const response = await send();
    if (requested()) isOpen = false;
    return isOpen ? response : never();
  };
  const hooks: Hooks = {
    client: {
      ...service.client,
      checkpoint: (input, logger) => request(() => service.client.checkpoint(input, logger)),
    },
    dynamodb: {
      getItem: (input) => request(() => table.client.getItem(input)),
      query: (input) => request(() => table.client.query(input)),
      transactWriteItems: (input) => request(() => table.client.transactWriteItems(input)),
    },
    send: (event) => send(event, { attempt: 1, signal: new AbortController().signal }),
    launch: async (started) => void invoke(started),
    wake: async (callback) => (isOpen ? service.completeCallback(callback, "") : never()),
  };
  const receives = workflows.some(({ events }) => events !== undefined);
  const version = JSON.stringify(workflows.map((workflow) => [workflow.id, workflow.version]));
  region.live = version;
  code.set(version, module().durable({ workflows, functions, receives }, hooks));
  const ingest = module().receiving({ workflows }, hooks);
  const invoke = (started: StartRequest) => {
    const { live } = region;
    return service.start((event, context) => code.get(live)!(event, context), executionOf(started.id!), started);
  };
  const found = (id: string) => service.executions().find(({ name }) => name === executionOf(id));
  const deliver = async (detail: CloudEvent) => {
    await ingest({ id: detail.id, source: detail.source, "detail-type": detail.type, time: "", detail });
    return { status: "accepted", started: [], delivered: [] } as const;
  };
  service.reinvoke();
  return {
    async start(workflow, input, { id = crypto.randomUUID() } = {}) {
      try {
        invoke({ workflow, input, id });
      } catch (error) {
        if ((error as Error).name !== "DurableExecutionAlreadyStartedException") throw error;
      }
      // Runs that start in one millisecond have no order.
      await new Promise((resolve) => setTimeout(resolve, 2));
      return summaryOf(found(id)!);
    },
    deliver,
    reportTask: async () => "unknown",
    takeTask: async () => undefined,
    awaitedTasks: async () => new Map(),
    async list({ status } = {}) {
      const runs = service
        .executions()
        .map((execution) => listedRun(summaryOf(execution)))
        .filter((each) => status === undefined || each.status === status)
        .toReversed();
      return { runs };
    },
    show: async (id) => detailOf(found(id)),
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
    unsent: async () => ({ unsent: 0, refused: 0 }),
    counts: () => Promise.reject(unsupported),
    steps: () => Promise.reject(unsupported),
    retry: () => Promise.reject(unsupported),
    prune: () => Promise.reject(unsupported),
    forget: () => Promise.reject(unsupported),
    compact: () => Promise.reject(unsupported),
    versions: async () => {
      throw unsupported;
    },
  };
}

const unsupported = new Error("AWS Lambda does not support that.");

function summaryOf(execution: DurableExecution): RunSummary {
  const { workflow, id = execution.name } = execution.payload as StartRequest;
  const outcome = execution.outcome();
  const time = new Date(execution.startedAt).toISOString();
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

function statusOf(execution: DurableExecution, outcome: DurableExecutionResult | undefined): RunStatus {
  if (!outcome) return execution.isInvoked() ? "running" : "waiting";
  return "isStopped" in outcome ? "cancelled" : "result" in outcome ? "succeeded" : "failed";
}

const errorOf = ({
  ErrorType: name = "",
  ErrorMessage: message = "",
}: Extract<DurableExecutionResult, { error: unknown }>["error"]) => ({
  name,
  message,
});

function detailOf(execution: DurableExecution | undefined): RunDetail | undefined {
  if (!execution) return undefined;
  const { input = {} } = execution.payload as StartRequest;
  const steps = execution.operations().flatMap(({ Type, Name, Status, StartTimestamp }) => {
    const status = Status === "SUCCEEDED" ? "done" : Status === "FAILED" ? "failed" : "waiting";
    return Type === "EXECUTION" ? [] : [{ key: Name ?? "", status, at: String(StartTimestamp) } as const];
  });
  return { ...summaryOf(execution), input, steps, unsent: [], waitingFor: { events: [] } };
}
