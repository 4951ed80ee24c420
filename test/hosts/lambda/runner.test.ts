import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { check, generate } from "../../../src/compile.ts";
import { emptyConfiguration } from "../../../src/target/contract.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { createLoader, writeFiles } from "../../../targets/typescript/load.ts";
import type { AnyWorkflow, WorkflowError } from "../../../targets/typescript/runtime/face.ts";
import type { Flow } from "../../../targets/typescript/runtime/flow.ts";
import type {
  durable,
  Hooks,
  receiving,
  StartRequest,
} from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import { readGolden } from "../../golden/folder.ts";
import { languages } from "../../languages.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { createMemoryTable } from "./table.ts";

// Executions in AWS's local test runner, which skips waits.

const { LocalDurableTestRunner } = await import("@aws/durable-execution-sdk-js-testing");
const module = createLoader(runtimeFolder())("lambda.js") as {
  readonly durable: typeof durable;
  readonly receiving: typeof receiving;
};
const runtime = createLoader(runtimeFolder())("runtime.js") as { readonly WorkflowError: typeof WorkflowError };

beforeAll(() => LocalDurableTestRunner.setupTestEnvironment({ skipTime: true }));
afterAll(() => LocalDurableTestRunner.teardownTestEnvironment());

/** The runner's times are not those of this process: events arrive after runs have begun. */
const clock = () => Date.now() + 3_600_000;

const workflowOf = (
  run: (flow: Flow, input: unknown) => Promise<unknown>,
  more: Partial<AnyWorkflow> = {},
): AnyWorkflow =>
  ({
    id: "W",
    version: "1",
    name: "W",
    anyInput: true,
    ...more,
    run: (flow: Flow, _: never, input: never) => run(flow, input),
  }) as never;

async function execute(workflow: AnyWorkflow, payload: unknown = { workflow: "W", input: {} }, hooks: Hooks = {}) {
  const handlerFunction = module.durable({ workflows: [workflow], functions: {} }, hooks);
  return new LocalDurableTestRunner({ handlerFunction: handlerFunction as never }).run({ payload });
}

test("a program refuses a codec, which AWS would not use", () => {
  process.env["WAYBILL_CODEC"] = "./codec.ts";
  try {
    expect(() => module.durable({ workflows: [], functions: {} })).toThrow("WAYBILL_CODEC cannot be used");
  } finally {
    delete process.env["WAYBILL_CODEC"];
  }
});

test("a run with calls, waits, branches and items returns its output", { timeout: 30_000 }, async () => {
  let calls = 0;
  const workflow = workflowOf(async (flow, input) => {
    const one = await flow.step("One", () => ++calls);
    await flow.sleep("Nap", 86_400);
    const both = await flow.fork("Both", {
      a: (inner) => inner.step("A", () => ++calls),
      b: async (inner) => {
        await inner.sleep("Doze", 60);
        return inner.step("B", () => ++calls);
      },
    });
    const each = await flow.forEach("Each", [1, 2, 3], (inner, n) => inner.step("Add", () => n + 1), { width: 2 });
    return { input, one, both, each };
  });
  const execution = await execute(workflow, { workflow: "W", input: { name: "Ada" } });
  expect(execution.getResult()).toEqual({ input: { name: "Ada" }, one: 1, both: { a: 2, b: 3 }, each: [2, 3, 4] });
  expect(calls).toBe(3);
  expect(execution.getInvocations().length).toBeGreaterThan(1);
});

test("the handler of an emitted program runs its workflow", { timeout: 60_000 }, async () => {
  const { sources } = readGolden("serverless-workflow/delay", (text) => parse(text));
  const { program } = check({ sources, options: {} }, languages);
  const configured = () => ({ ...emptyConfiguration, values: { host: "lambda" } });
  const { files } = await generate(program!, typescript, { configurationOf: configured });
  const folder = join(runtimeFolder(), "on-lambda");
  writeFiles(files, folder);
  const { handler } = await import(pathToFileURL(join(folder, "handler.mjs")).href);
  const payload = { workflow: program!.workflows[0]!.id, input: { a: 1 } };
  const execution = await new LocalDurableTestRunner({ handlerFunction: handler }).run({ payload });
  expect(execution.getResult()).toEqual({ a: 1 });
});

test("an event is delivered by a callback", { timeout: 30_000 }, async () => {
  const { client } = createMemoryTable();
  const workflow = {
    ...workflowOf(async (flow) => (await flow.receive("Wait")).events, {
      waits: { Wait: { alternatives: [{ all: [["Paid"]] }] } },
    }),
    events: { Paid: { type: "paid" } },
  } as AnyWorkflow;
  const program = { workflows: [workflow], functions: {}, receives: true };
  const woken: string[] = [];
  const runner = new LocalDurableTestRunner({
    handlerFunction: module.durable(program, { dynamodb: client, clock }) as never,
  });
  const ingest = module.receiving(program, {
    dynamodb: client,
    clock,
    wake: async (callback) => {
      if (woken.includes(callback)) return;
      woken.push(callback);
      await runner.getOperation("callback").sendCallbackSuccess("");
    },
  });
  const running = runner.run({ payload: { workflow: "W", input: {} } });
  await runner.getOperation("wait").waitForData();
  const detail = { specversion: "1.0", id: "1", source: "/till", type: "paid" };
  const delivered = { id: "1", source: "/till", "detail-type": "paid", time: "", detail };
  await ingest(delivered);
  await ingest(delivered);
  expect((await running).getResult()).toEqual([{ name: "Paid", event: detail }]);
  expect(woken).toHaveLength(1);
});

test("an event after a launch reaches the launched run although it starts later", {
  timeout: 30_000,
}, async () => {
  const { client } = createMemoryTable();
  const child = {
    ...workflowOf(
      async (flow) => {
        const { events } = await flow.receive("Wait");
        return events.map(({ event }) => event.id);
      },
      { waits: { Wait: { alternatives: [{ all: [["Paid"]], within: 60 }] } } },
    ),
    id: "C",
    events: { Paid: { type: "paid" } },
  } as AnyWorkflow;
  const detail = { specversion: "1.0", id: "1", source: "/till", type: "paid" };
  const launched: StartRequest[] = [];
  const parent = workflowOf(async (flow) => {
    await flow.launch("Go", child, { n: 1 });
    return flow.step("Ask", async () => {
      await ingest({ id: "1", source: "/till", "detail-type": "paid", time: "", detail });
      return null;
    });
  });
  const program = { workflows: [parent, child], functions: {}, receives: true };
  const launch = async (started: StartRequest) => void launched.push(started);
  const hooks: Hooks = { dynamodb: client, launch, clock };
  const ingest = module.receiving(program, hooks);
  const run = (payload: unknown) =>
    new LocalDurableTestRunner({ handlerFunction: module.durable(program, hooks) as never }).run({ payload });
  await run({ workflow: "W", input: {}, id: "a" });
  expect(launched).toEqual([
    { workflow: "C", input: { n: 1 }, id: "a/Go", since: expect.any(Number), root: expect.any(Number) },
  ]);
  expect((await run(launched[0])).getResult()).toEqual(["1"]);
});

test("a failed execution has the error's name and message", { timeout: 30_000 }, async () => {
  const execution = await execute(
    workflowOf((flow) =>
      flow.step("Break", () => {
        throw new runtime.WorkflowError("Broken", "It is broken.", { data: { part: 7 } });
      }),
    ),
  );
  expect(execution.getError()).toMatchObject({ errorType: "Broken", errorMessage: "It is broken." });
});

test("an unknown workflow is reported with the known ones", { timeout: 30_000 }, async () => {
  const execution = await execute(
    workflowOf(async () => null),
    { workflow: "V" },
  );
  expect(execution.getError()).toMatchObject({
    errorType: "NotFound",
    errorMessage: 'There is no workflow "V" here: "W" can be started.',
  });
});

test("an id with an unpaired surrogate is rejected", { timeout: 30_000 }, async () => {
  const execution = await execute(
    workflowOf(async () => null),
    { workflow: "W", id: "a\ud800" },
  );
  expect(execution.getError()).toMatchObject({
    errorMessage: 'A run cannot have the id "a\\ud800": it has half of a pair of surrogates.',
  });
});

test("an event that is too large for the bus fails the run and cannot be caught", {
  timeout: 30_000,
}, async () => {
  const sent: unknown[] = [];
  const emitting = {
    ...workflowOf(async (flow, length) => {
      try {
        await flow.emit("Tell", "told", "x".repeat(length as number));
      } catch (thrown) {
        return flow.failure(thrown);
      }
    }),
    events: { told: { type: "told" } },
  } as AnyWorkflow;
  const run = (input: number) =>
    execute(emitting, { workflow: "W", input }, { send: (event) => void sent.push(event) });
  expect((await run(258_000)).getError()).toMatchObject({
    errorType: "LimitError",
    errorMessage: expect.stringMatching(
      /^What is emitted has 258\d\d\d bytes as an event, and runs on AWS Lambda receive 258048 at most/,
    ),
  });
  expect(sent).toEqual([]);
  await run(257_000);
  expect(sent).toHaveLength(1);
});

test("an event whose type EventBridge does not accept is an error", { timeout: 30_000 }, async () => {
  const sent: unknown[] = [];
  const run = (length: number) => {
    const emitting = {
      ...workflowOf(async (flow) => flow.emit("Tell", "told", null)),
      events: { told: { type: "t".repeat(length) } },
    } as AnyWorkflow;
    return execute(emitting, undefined, { send: (event) => void sent.push(event) });
  };
  expect((await run(129)).getError()).toMatchObject({
    errorType: "LimitError",
    errorMessage: expect.stringMatching(/^The type of the event has 129 characters, and EventBridge accepts 128/),
  });
  expect(sent).toEqual([]);
  await run(128);
  expect(sent).toHaveLength(1);
});

test("an event of the maximum size is delivered", { timeout: 30_000 }, async () => {
  const { client } = createMemoryTable();
  const workflow = {
    ...workflowOf(
      async (flow) => {
        const { events } = await flow.receive("Wait");
        return String(events[0]!.event.data).length;
      },
      { waits: { Wait: { alternatives: [{ all: [["Paid"]] }] } } },
    ),
    events: { Paid: { type: "paid" } },
  } as AnyWorkflow;
  const program = { workflows: [workflow], functions: {}, receives: true };
  const runner = new LocalDurableTestRunner({
    handlerFunction: module.durable(program, { dynamodb: client, clock }) as never,
  });
  const wake = async () => void (await runner.getOperation("callback").sendCallbackSuccess(""));
  const running = runner.run({ payload: { workflow: "W", input: {} } });
  await runner.getOperation("wait").waitForData();
  const detail = { specversion: "1.0", id: "1", source: "/till", type: "paid", data: "x".repeat(257_970) };
  const delivered = { id: "1", source: "/till", "detail-type": "paid", time: "", detail };
  await module.receiving(program, { dynamodb: client, clock, wake })(delivered);
  expect((await running).getResult()).toBe(257_970);
});

const limits = { operations: 30, bytes: 1000, allBytes: 4000 };

test.each([
  [
    "a result that is too large for an operation",
    async (flow: Flow) => flow.step("Long", () => "x".repeat(2000)),
    /has 20\d\d bytes, and an operation takes 1000 at most/,
  ],
  [
    "results that are too large in total",
    async (flow: Flow) => {
      for (let i = 0; i < 10; i++) await flow.step(`Long ${i}`, () => "x".repeat(900));
    },
    /more than 4000 bytes in all/,
  ],
  [
    "results that are too large in total, over several invocations",
    async (flow: Flow) => {
      for (let i = 0; i < 10; i++) {
        await flow.step(`Long ${i}`, () => "x".repeat(900));
        await flow.sleep(`Nap ${i}`, 60);
      }
    },
    /more than 4000 bytes in all/,
  ],
  [
    "too many operations",
    async (flow: Flow) => {
      for (let i = 0; ; i++) await flow.step(`Step ${i}`, () => i);
    },
    /More than 30 operations are needed/,
  ],
  ["a wait of more than a year", async (flow: Flow) => flow.sleep("Nap", 40_000_000), /longer than .* a year/],
])("%s: the run fails and cannot catch the error", { timeout: 30_000 }, async (_, body, message) => {
  const workflow = workflowOf(async (flow) => {
    try {
      return await body(flow);
    } catch (thrown) {
      return flow.failure(thrown);
    }
  });
  const execution = await execute(workflow, undefined, { limits });
  expect(execution.getError()).toMatchObject({ errorType: "LimitError", errorMessage: expect.stringMatching(message) });
});
