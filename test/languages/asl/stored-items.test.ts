import { afterAll, describe, expect, test } from "vitest";
import { check, compileWith } from "../../../src/compile.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../../src/scenario/run.ts";
import { asl } from "../../../targets/asl/index.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { languages } from "../../languages.ts";

// Distributed Maps that read their items from Amazon S3, or write their results there.

const processor: JsonObject = {
  ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" },
  StartAt: "Pack",
  States: { Pack: { Type: "Task", Resource: "arn:aws:lambda:eu-west-1:123456789012:function:pack", End: true } },
};

const reader: JsonObject = {
  Resource: "arn:aws:states:::s3:getObject",
  ReaderConfig: { InputType: "JSON" },
  Parameters: { Bucket: "orders", "Key.$": "$.key" },
};

const machine = (fields: JsonObject, more: JsonObject = {}): JsonObject => ({
  StartAt: "Each",
  States: { Each: { Type: "Map", ItemReader: reader, ItemProcessor: processor, End: true, ...fields }, ...more },
});

const config = (fields: JsonObject): JsonObject => ({ ItemReader: { ...reader, ReaderConfig: fields } });

interface Run {
  readonly functions: JsonObject;
  readonly input?: JsonObject;
  readonly expect: JsonObject;
}

const program = await onTarget(typescript);
afterAll(() => program.executor?.close());

const onAll: readonly Runner[] = [onReference, await onTarget(asl)];

async function run(
  definition: JsonObject,
  { input = {}, ...scenario }: Run,
  runners: readonly Runner[] = [onReference],
): Promise<readonly Json[]> {
  const given = { name: "run", input: { key: "today.json", ...input }, ...scenario };
  const text = JSON.stringify({ workflow: "machine.asl.json", scenarios: [given] });
  const file = readScenarioFile(
    { path: "s.json", text },
    { languages, targets: ["asl", "typescript"] },
    ({ message }) => {
      throw new Error(message);
    },
  )!;
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(definition) }];
  const results: Json[] = [];
  for (const runner of runners)
    for (const { outcome, differences } of await runScenarios(file, { sources }, runner, languages))
      results.push(outcome === "passed" ? "passed" : JSON.stringify([runner.name, outcome, differences]));
  return results;
}

const passed = ["passed"];
const passedOnAll = ["passed", "passed"];
const three = { returns: [1, 2, 3] };
const echo = { computes: "." };

describe("the items of an ItemReader", () => {
  test("are what the function with the name of the Map returns", async () => {
    const calls = [
      { Each: { Bucket: "orders", Key: "today.json", ReaderConfig: { InputType: "JSON" } } },
      { Pack: 1 },
      { Pack: 2 },
      { Pack: 3 },
    ];
    const expected = { status: "succeeded", output: [1, 2, 3], calls };
    const scenario = { functions: { Each: three, Pack: echo }, expect: expected };
    expect(await run(machine({}), scenario, onAll)).toEqual(passedOnAll);
  });

  test.each<[string, JsonObject, Json]>([
    ["0", { MaxItems: 0 }, [1, 2, 3]],
    ["2", { MaxItems: 2 }, [1, 2]],
    ["a path to 2", { MaxItemsPath: "$.most" }, [1, 2]],
    ["a path to a number in a string", { MaxItemsPath: "$.text" }, [1]],
    ["a path to more than there are", { MaxItemsPath: "$.many" }, [1, 2, 3]],
  ])("are at most MaxItems: %s", async (_, fields, output) => {
    const input = { most: 2, text: "1", many: 100_000_001 };
    const functions = { Each: three, Pack: echo };
    expect(await run(machine(config(fields)), { functions, input, expect: { status: "succeeded", output } })).toEqual(
      passed,
    );
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      "the function fails",
      { Each: { throws: { error: "S3.NoSuchKey", cause: "no key" } } },
      { error: "States.ItemReaderFailed", cause: "no key" },
    ],
    ["they are no array", { Each: { returns: { a: 1 } } }, { error: "States.ItemReaderFailed" }],
    ["MaxItems is negative", { Each: three }, { error: "States.ItemReaderFailed" }],
  ])("fail the Map if %s", async (what, functions, error) => {
    const fields = what.startsWith("MaxItems") ? config({ MaxItemsPath: "$.most" }) : {};
    const expected = { status: "failed", error };
    expect(await run(machine(fields), { functions, input: { most: -1 }, expect: expected })).toEqual(passed);
  });

  test("are read again by the Retry of the Map, and a failure goes to its Catch", async () => {
    const recovery = {
      Retry: [{ ErrorEquals: ["States.ItemReaderFailed"], MaxAttempts: 1 }],
      Catch: [{ ErrorEquals: ["States.ItemReaderFailed"], ResultPath: "$.error", Next: "Caught" }],
    };
    const definition = machine(recovery, { Caught: { Type: "Pass", OutputPath: "$.error.Cause", End: true } });
    const fails = { throws: { error: "NoSuchKey", cause: "no key" } };
    const twice = {
      functions: { Each: [fails, fails] },
      expect: { status: "succeeded", output: "no key", elapsed: "PT1S" },
    };
    expect(await run(definition, twice)).toEqual(passed);
    const once = {
      functions: { Each: [fails, three], Pack: echo },
      expect: { status: "succeeded", output: [1, 2, 3] },
    };
    expect(await run(definition, once, onAll)).toEqual(passedOnAll);
  });

  test("a path of its parameters that finds nothing is no failure of the reader", async () => {
    const fields = {
      ItemReader: { ...reader, Parameters: { "Key.$": "$.absent" } },
      Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }],
    };
    const expected = { status: "failed", error: { name: "States.Runtime" } };
    const definition = machine(fields, { Caught: { Type: "Pass", End: true } });
    expect(await run(definition, { functions: { Each: three, Pack: echo }, expect: expected })).toEqual(passed);
  });

  test("are read with expressions of JSONata", async () => {
    const given = {
      Resource: reader["Resource"]!,
      ReaderConfig: { InputType: "CSV", MaxItems: "{% $states.input.most %}" },
      Arguments: { Bucket: "orders", Key: "{% $states.input.key %}" },
    };
    const selector = { n: "{% $states.context.Map.Item.Value %}" };
    const definition = machine({ QueryLanguage: "JSONata", ItemReader: given, ItemSelector: selector });
    const calls = [
      { Each: { Bucket: "orders", Key: "today.json", ReaderConfig: { InputType: "CSV" } } },
      { Pack: { n: 1 } },
    ];
    const expected = { status: "succeeded", output: [{ n: 1 }], calls };
    expect(
      await run(definition, { functions: { Each: three, Pack: echo }, input: { most: 1 }, expect: expected }),
    ).toEqual(passed);
  });
});

describe("batches", () => {
  test.each<[string, JsonObject, Json]>([
    ["a constant number of items", { MaxItemsPerBatch: 2 }, [{ Items: ["aa", "bb"] }, { Items: ["cc"] }]],
    ["a number of items at a path", { MaxItemsPerBatchPath: "$.size" }, [{ Items: ["aa", "bb"] }, { Items: ["cc"] }]],
    ["bytes", { MaxInputBytesPerBatch: 11 }, [{ Items: ["aa", "bb"] }, { Items: ["cc"] }]],
    ["fewer bytes", { MaxInputBytesPerBatch: 10 }, [{ Items: ["aa"] }, { Items: ["bb"] }, { Items: ["cc"] }]],
    [
      "both",
      { MaxItemsPerBatch: 1, MaxInputBytesPerBatch: 100 },
      [{ Items: ["aa"] }, { Items: ["bb"] }, { Items: ["cc"] }],
    ],
  ])("have %s", async (_, batcher, output) => {
    const definition = machine({ ItemBatcher: batcher });
    const functions = { Each: { returns: ["aa", "bb", "cc"] }, Pack: echo };
    expect(await run(definition, { functions, input: { size: 2 }, expect: { status: "succeeded", output } })).toEqual(
      passed,
    );
  });
});

describe("tolerated failures of batches", () => {
  // Batches of 2, 2 and 1 items.
  test.each<[string, JsonObject, number, boolean]>([
    ["a count below that of the items", { ToleratedFailureCount: 1 }, 0, false],
    ["their count", { ToleratedFailureCount: 2 }, 0, true],
    ["their count in a smaller batch", { ToleratedFailureCount: 1 }, 2, true],
    ["a share below that of the items", { ToleratedFailurePercentage: 39 }, 0, false],
    ["their share", { ToleratedFailurePercentage: 40 }, 0, true],
    ["their share in a smaller batch", { ToleratedFailurePercentage: 20 }, 2, true],
  ])("count the items: %s", async (_, limit, failed, isTolerated) => {
    const failing = { throws: { error: "Broken", cause: "no" } };
    const packs = [0, 1, 2].map((i) => (i === failed ? failing : { returns: i }));
    const definition = machine({ ItemBatcher: { MaxItemsPerBatch: 2 }, MaxConcurrency: 1, ...limit });
    const expected = isTolerated
      ? { status: "succeeded", output: [0, 1, 2].filter((i) => i !== failed) }
      : { status: "failed", error: { name: "States.ExceedToleratedFailureThreshold" } };
    const functions = { Each: { returns: [1, 2, 3, 4, 5] }, Pack: packs };
    expect(await run(definition, { functions, expect: expected }, [onReference, program])).toEqual(passedOnAll);
  });

  test.each<[number, readonly string[]]>([
    [0, []],
    [1, ["WB5139"]],
  ])("are counted by Step Functions itself: %d", async (ToleratedFailureCount, codes) => {
    const fields = { ItemReader: undefined!, ItemBatcher: { MaxItemsPerBatch: 2 }, ToleratedFailureCount };
    const text = JSON.stringify(machine(fields));
    const source = { sources: [{ path: "machine.asl.json", text }], options: {} };
    const { diagnostics } = await compileWith(source, languages, asl);
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});

describe("a ResultWriter", () => {
  const writer = { Resource: "arn:aws:states:::s3:putObject", Parameters: { Bucket: "packed" } };

  test("takes the results, and returns the result of the Map", async () => {
    const details = { ResultWriterDetails: { Bucket: "packed", Key: "manifest.json" } };
    const definition = machine({ ResultWriter: writer, ResultPath: "$.written" });
    const functions = { Each: three, Pack: echo, "Each ResultWriter": { returns: details } };
    const output = { key: "today.json", written: details };
    const scenario = { functions, expect: { status: "succeeded", output } };
    expect(await run(definition, scenario, onAll)).toEqual(passedOnAll);
  });

  test("fails the Map", async () => {
    const functions = { Each: three, Pack: echo, "Each ResultWriter": { throws: { error: "Denied", cause: "no" } } };
    const error = { error: "States.ResultWriterFailed", cause: "no" };
    expect(await run(machine({ ResultWriter: writer }), { functions, expect: { status: "failed", error } })).toEqual(
      passed,
    );
  });
});

test("the states of a distributed Map see the execution that runs them", async () => {
  const shown = { "input.$": "$$.Execution.Input", "machine.$": "$$.StateMachine.Name" };
  const states = { StartAt: "Show", States: { Show: { Type: "Pass", Parameters: shown, End: true } } };
  const definition = machine({ ItemProcessor: { ...processor, ...states } });
  const output = [1, 2, 3].map((input) => ({ input, machine: "machine/Each" }));
  expect(await run(definition, { functions: { Each: three }, expect: { status: "succeeded", output } })).toEqual(
    passed,
  );
});

describe("fields among the states", () => {
  const codes = (definition: JsonObject): readonly string[] =>
    check(
      { sources: [{ path: "machine.asl.json", text: JSON.stringify(definition) }], options: {} },
      languages,
    ).diagnostics.map(({ code }) => code);

  test("are one error, and the states are read in the language that is meant", () => {
    const pass = { Type: "Pass", Output: "{% $states.input.a %}", End: true };
    expect(codes({ StartAt: "A", States: { QueryLanguage: "JSONata", Comment: "Orders", A: pass } })).toEqual([
      "WB2839",
      "WB2839",
    ]);
  });

  test("may be names of states", () => {
    expect(codes({ StartAt: "Comment", States: { Comment: { Type: "Pass", End: true } } })).toEqual([]);
  });

  test("are reported in branches", () => {
    const branch = { StartAt: "B", States: { QueryLanguage: "JSONata", B: { Type: "Pass", End: true } } };
    expect(codes({ StartAt: "A", States: { A: { Type: "Parallel", Branches: [branch], End: true } } })).toEqual([
      "WB2839",
    ]);
  });
});
