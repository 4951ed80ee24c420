import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type DurableContext, withDurableExecution } from "@aws/durable-execution-sdk-js";
import { createLoader } from "../../../targets/typescript/load.ts";
import type { Flow } from "../../../targets/typescript/runtime/flow.ts";
import type { durable, Hooks, receiving } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/workflow.ts";
import { createService, type LambdaService } from "../../hosts/lambda/service.ts";
import { createMemoryTable } from "../../hosts/lambda/table.ts";
import { runtimeFolder } from "../../hosts/runtime-folder.ts";
import { workflows } from "../durable/workflows.ts";
import { median, seconds } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";

type MeasuredHandler = ReturnType<typeof durable>;

const module = () =>
  createLoader(runtimeFolder())("lambda.js") as {
    readonly durable: typeof durable;
    readonly receiving: typeof receiving;
  };

/**
 * Emitted programs on the simulator of AWS Lambda compared with programs written with the SDK: requests to the service
 * and CPU time. The latency of the service is not measured.
 */
export const lambdaRows = async (): Promise<readonly BenchmarkRow[]> => [
  await byHandRow("one run", 1, 400),
  await byHandRow("1,000 runs", 1000, 5),
  ...(await constructs()),
  ...(await waiting()),
  startUp(),
];

/** A service with simulated time that counts checkpointed bytes. */
function simulateService() {
  let [now, bytes] = [Date.UTC(2026, 0, 1), 0];
  const at = (instant: number, fire: () => void) => {
    setImmediate(() => {
      now = Math.max(now, instant);
      fire();
    });
  };
  const service = createService({ now: () => now, at });
  const checkpoint: LambdaService["client"]["checkpoint"] = (request, logger) => {
    bytes += Buffer.byteLength(JSON.stringify(request.Updates ?? []));
    return service.client.checkpoint(request, logger);
  };
  const client = { ...service.client, checkpoint };
  return { service, client, clock: () => now, bytes: () => bytes };
}

type SimulatedService = ReturnType<typeof simulateService>;

const ours = (
  workflows: readonly AnyWorkflow[],
  { client, clock }: SimulatedService,
  functions: object = {},
): MeasuredHandler => module().durable({ workflows, functions }, { client, clock });

const byHand = (
  run: (input: never, context: DurableContext) => Promise<unknown>,
  { client }: SimulatedService,
): MeasuredHandler =>
  withDurableExecution((payload: { readonly input: never }, context: DurableContext) => run(payload.input, context), {
    durableExecutionClient: client,
  });

/** Responds in a later turn of the event loop, like any I/O. */
const next = (n: number): Promise<number> => new Promise((resolve) => setImmediate(() => resolve(n + 1)));

/** The hand-written equivalent of the workflow. */
async function sequence(count: number, context: DurableContext): Promise<number> {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const before = n;
    n = await context.step("Next", () => next(before));
  }
  return n;
}

/**
 * CPU time for consecutive runs, because a function instance handles one invocation at a time. A request to AWS takes
 * about a hundred times as long as a step here.
 */
async function byHandRow(name: string, runs: number, steps: number): Promise<BenchmarkRow> {
  const all = { ours: { times: [] as number[], requests: 0 }, byHand: { times: [] as number[], requests: 0 } };
  const handlers = {
    ours: (simulated: SimulatedService) => ours(workflows, simulated, { next }),
    byHand: (simulated: SimulatedService) => byHand(sequence, simulated),
  };
  for (let i = 0; i < 8; i++) {
    for (const who of ["ours", "byHand"] as const) {
      const simulated = simulateService();
      const handler = handlers[who](simulated);
      const before = process.cpuUsage();
      for (let k = 0; k < runs; k++) {
        const payload = { workflow: "sequence", input: steps, id: `run-${k}` };
        await simulated.service.start(handler, `run-${k}`, payload).ended;
      }
      const { user, system } = process.cpuUsage(before);
      all[who].requests = simulated.service.requestCount() / (runs * steps);
      if (i > 1) all[who].times.push((user + system) / 1000 / (runs * steps));
    }
  }
  const [emitted, hand] = [median(all.ours.times), median(all.byHand.times)];
  const parts = {
    "CPU ms per step": emitted,
    "by hand": hand,
    "requests per step": all.ours.requests,
    "by hand, requests": all.byHand.requests,
  };
  return { name: `lambda / by hand with the SDK, ${name}`, value: emitted / hand, limit: 1.5, unit: "×", parts };
}

const workflowOf = (run: (flow: Flow) => Promise<unknown>, more: object = {}): AnyWorkflow =>
  ({ id: "W", version: "1", name: "W", anyInput: true, ...more, run }) as unknown as AnyWorkflow;

/** The requests of each construct, as documented in `hosts/README.md`, and those of hand-written code. */
const constructCases: readonly {
  readonly name: string;
  readonly limit: number;
  readonly emitted: (flow: Flow) => Promise<unknown>;
  readonly hand: (context: DurableContext) => Promise<unknown>;
}[] = [
  {
    name: "a call",
    limit: 1,
    emitted: (flow) => flow.step("Call", () => 1),
    hand: (context) => context.step("Call", async () => 1),
  },
  {
    name: "a timer of a minute",
    limit: 2,
    emitted: (flow) => flow.sleep("Wait", 60),
    hand: (context) => context.wait("Wait", { seconds: 60 }),
  },
  {
    name: "three branches of a call",
    limit: 3,
    emitted: (flow) =>
      flow.fork(
        "All",
        Object.fromEntries(["a", "b", "c"].map((name) => [name, (inner: Flow) => inner.step(name, () => 1)])),
      ),
    hand: (context) =>
      context.parallel(
        "All",
        ["a", "b", "c"].map((name) => (inner: DurableContext) => inner.step(name, async () => 1)),
      ),
  },
  {
    name: "ten items with a call",
    limit: 10,
    emitted: (flow) =>
      flow.forEach("Each", [...Array(10).keys()], (inner, n) => inner.step("Add", () => n + 1), { width: 4 }),
    hand: (context) =>
      context.map("Each", [...Array(10).keys()], (inner, n) => inner.step("Add", async () => n + 1), {
        maxConcurrency: 4,
      }),
  },
];

async function constructs(): Promise<readonly BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const { name, limit, emitted, hand } of constructCases) {
    const cost = async (handlerOf: (simulated: SimulatedService) => MeasuredHandler) => {
      const simulated = simulateService();
      const execution = simulated.service.start(handlerOf(simulated), "run", { workflow: "W", input: {}, id: "run" });
      await execution.ended;
      return { operations: execution.operations().length - 1, bytes: simulated.bytes() };
    };
    const own = await cost((simulated) => ours([workflowOf(emitted)], simulated));
    const other = await cost((simulated) => byHand((_, context) => hand(context), simulated));
    const parts = { "by hand": other.operations, bytes: own.bytes, "by hand, bytes": other.bytes };
    rows.push({ name: `lambda, operations of ${name}`, value: own.operations, limit, unit: "operations", parts });
  }
  return rows;
}

/** An incompressible name. */
const nameOf = (kind: string, i: number): string => createHash("sha256").update(`${kind}-${i}`).digest("base64url");

/** Table size and event latency with many waiting runs. */
async function waiting(): Promise<readonly BenchmarkRow[]> {
  const [count, simulated, table] = [1000, simulateService(), createMemoryTable()];
  const wake = async (callback: string) => simulated.service.completeCallback(callback, "");
  let stepped: (time: number) => void = () => undefined;
  const tell = (n: number) => {
    stepped(performance.now());
    return n + 1;
  };
  const program = { workflows, functions: { next: tell }, receives: true };
  const hooks: Hooks = { client: simulated.client, clock: simulated.clock, dynamodb: table.client, wake };
  const handler = module().durable(program, hooks);
  const starting = await seconds(async () => {
    for (let i = 0; i < count; i++) {
      const run = simulated.service.start(handler, nameOf("run", i), {
        workflow: "waiting",
        input: nameOf("who", i),
        id: nameOf("run", i),
      });
      while (run.isInvoked()) await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const ingest = module().receiving(program, hooks);
  const largest = table.largest();
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const who = nameOf("who", (i * 79) % count);
    const step = new Promise<number>((resolve) => {
      stepped = resolve;
    });
    const began = performance.now();
    const detail = { specversion: "1.0", id: `e${i}`, source: "bench", type: "go", who };
    await ingest({ id: detail.id, source: detail.source, "detail-type": "go", time: "", detail });
    times.push((await step) - began);
  }
  const parts = {
    "start of one, ms": (starting / count) * 1000,
    "items of the largest transaction": largest.items,
    "its bytes": largest.bytes,
  };
  const name = `lambda, event in to next step, ${count} runs waiting`;
  return [{ name, value: median(times), limit: 50, unit: "ms", parts }];
}

/** The time to load a program's module, compared with the SDK alone. */
function startUp(): BenchmarkRow {
  const load = (what: string) => {
    const script = `const start = performance.now(); await import(${JSON.stringify(what)}); console.log(performance.now() - start)`;
    const once = () =>
      Number(
        execFileSync(process.execPath, ["--input-type=module", "-e", script], {
          cwd: runtimeFolder(),
          encoding: "utf8",
        }),
      );
    return median(Array.from({ length: 5 }, once));
  };
  const own = load(pathToFileURL(join(runtimeFolder(), "lambda.js")).href);
  const sdk = load("@aws/durable-execution-sdk-js");
  return { name: "lambda, load the module", value: own, limit: 1500, unit: "ms", parts: { "the SDK alone": sdk } };
}
