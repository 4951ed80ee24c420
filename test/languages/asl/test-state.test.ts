import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import { type Json, type JsonObject, own } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { openScenarios } from "../../../src/scenario/run.ts";
import type { Observed } from "../../../src/scenario/simulation.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { linesOf } from "./recordings.ts";
import { isRecorded, nameIn, runOf, stateIn, type TestState, unusableReason, type Variation } from "./test-state.ts";

// Answers of the TestState API that were recorded on AWS: a state alone, with the value after each stage of its data flow.

const path = fileURLToPath(new URL("../../../../shared/cases/asl/test-state.jsonl", import.meta.url));
const hasRecordings = existsSync(path);
const recorded = hasRecordings ? linesOf<TestState>(path) : [];
const usable = recorded.filter((each) => unusableReason(each) === undefined);

/** Fields that come behind a stage: without them, the output of the state is the value after it. */
const behind: { readonly [stage: string]: readonly string[] } = {
  result: ["ResultSelector", "ResultPath", "OutputPath"],
  afterResultSelector: ["ResultPath", "OutputPath"],
  afterResultPath: ["OutputPath"],
};

describe.skipIf(!hasRecordings)("TestState on AWS (skipped without ../shared/cases/asl)", () => {
  test("the reference gives the outcome and the value after each stage", async () => {
    const differing: string[] = [];
    let count = 0;
    for (const each of usable)
      for (const { stage, got, wanted } of await stagesOf(each)) {
        count += 1;
        const id = each.id.replace(/^.*::/, "");
        if (!isRecorded(got, wanted))
          differing.push(`${id} ${stage}: ${JSON.stringify(got)} not ${JSON.stringify(wanted)}`);
      }
    expect(differing).toEqual([]);
    expect({ recordings: recorded.length, usable: usable.length, stages: count }).toEqual({
      recordings: 90,
      usable: 78,
      stages: 245,
    });
  });
});

/** A value that the API reports, and what the reference gives. */
interface Stage {
  readonly stage: string;
  readonly got: Json;
  readonly wanted: Json;
}

async function stagesOf(recording: TestState): Promise<readonly Stage[]> {
  const { request, response } = recording;
  const { status, inspectionData: inspected = {} } = response;
  const name = nameIn(request);
  const { retrierRetryCount: retries = 0, mapIterationFailureCount: iterations } = request.stateConfiguration ?? {};
  const isThrown = request.mock?.errorOutput !== undefined;
  const failures = iterations ?? (isThrown ? retries + 1 : 0);
  const observe = (variation: Variation): Promise<Observed> => run(runOf(recording, variation));
  const main = await observe({ failures: status === "SUCCEEDED" ? 0 : failures });
  const stages: Stage[] = [];
  const compare = (stage: string, got: Json | undefined, wanted: Json | undefined): void => {
    if (wanted !== undefined) stages.push({ stage, got: got ?? null, wanted });
  };
  if (status !== "RETRIABLE") compare("status", statusOf(main, name, failures), status);
  if (status === "SUCCEEDED" && failures > 0)
    compare("status with failures", (await observe({ failures })).outcome.status, "succeeded");
  if (status === "RETRIABLE") {
    const before = status === "RETRIABLE" && retries > 0 ? (await observe({ failures: failures - 1 })).elapsed! : 0;
    const { errorDetails } = inspected;
    compare("interval", main.elapsed! - before, own((errorDetails ?? {}) as JsonObject, "retryBackoffIntervalSeconds"));
    return stages;
  }
  compare("output", outputOf(main), response.output);
  if (status === "FAILED") {
    compare("error", errorOf(main)?.name, response.error);
    if (response.error !== "States.Runtime") compare("cause", errorOf(main)?.message, response.cause);
  }
  compare(
    "nextState",
    main.recording.trace.filter((each) => each !== "Given" && !each.startsWith(name)).at(-1),
    response.nextState,
  );
  const state = stateIn(request);
  const calls = main.calls.filter((call) => call.function.startsWith(name));
  const selected = (...kept: readonly string[]): Promise<Observed> =>
    observe({
      change: (given) => ({
        Type: "Pass",
        ...Object.fromEntries(kept.flatMap((key) => (Object.hasOwn(given, key) ? [[key, given[key]!]] : []))),
        End: true,
      }),
    });
  for (const [stage, wanted] of Object.entries(inspected)) {
    if (stage === "afterInputPath") compare(stage, outputOf(await selected("InputPath")), wanted);
    else if (stage === "afterArguments" || (stage === "afterParameters" && state["Type"] === "Task"))
      compare(stage, calls[0]?.argument, wanted);
    else if (stage === "afterParameters") compare(stage, outputOf(await selected("InputPath", "Parameters")), wanted);
    else if (stage === "afterItemsPath")
      compare(
        stage,
        calls.map(({ argument }) => argument),
        wanted,
      );
    else if (
      behind[stage] &&
      own(state, "QueryLanguage") !== "JSONata" &&
      own(request.definition, "QueryLanguage") !== "JSONata"
    )
      compare(stage, outputOf(await observe({ change: (given) => without(given, behind[stage]!) })), wanted);
  }
  return stages;
}

const without = (state: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key)));

const outputOf = ({ outcome }: Observed): Json | undefined =>
  outcome.status === "succeeded" ? outcome.output : undefined;

const errorOf = ({ outcome }: Observed) => (outcome.status === "failed" ? outcome.error : undefined);

/** What the API calls the outcome: `failures` attempts or iterations failed. */
function statusOf({ outcome, recording, calls }: Observed, name: string, failures: number): string {
  if (outcome.status === "failed") return "FAILED";
  if (failures > 0 && recording.trace.at(-1) !== name && calls.length > 0) return "CAUGHT_ERROR";
  return "SUCCEEDED";
}

async function run({ definition, input, functions }: ReturnType<typeof runOf>): Promise<Observed> {
  const text = JSON.stringify({
    workflow: "machine.asl.json",
    scenarios: [{ name: "run", input, functions, expect: { status: "succeeded" } }],
  });
  const file = readScenarioFile({ path: "s.json", text }, { languages, targets: namesOf(targets) }, (each) => {
    throw new Error(each.message);
  })!;
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(definition) }];
  const session = openScenarios(file, { sources }, languages);
  try {
    const [observed] = await session.observations();
    const { seen } = observed!;
    if (!Array.isArray(seen)) throw new Error(`No run: ${JSON.stringify(definition)}`);
    return seen[0] as Observed;
  } finally {
    await session.close();
  }
}
