import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import { compileWith } from "../../../src/compile.ts";
import { readConfiguration } from "../../../src/configuration/index.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onReference, runScenarios } from "../../../src/scenario/run.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { isUsable, linesOf, type Recording, scenarioOf } from "./recordings.ts";

const shared = fileURLToPath(new URL("../../../../shared/", import.meta.url));
const hasShared = existsSync(`${shared}cases/asl`);

const settings = "targets: { asl: { queryLanguage: keep } }";

/** A machine as target asl prints it with `queryLanguage: keep`. */
async function kept(definition: Json, path = "machine.asl.json"): Promise<JsonObject | undefined> {
  const text = typeof definition === "string" ? definition : JSON.stringify(definition);
  const configuration = readConfiguration({ path: "waybill.config.yaml", text: settings }, [], targets, () => {});
  const input = { sources: [{ path, text }], options: {}, configurationOf: () => configuration };
  const { files } = await compileWith(input, languages, asl);
  const file = files.find((each) => each.path.endsWith(".asl.json"));
  return file && (JSON.parse(file.text) as JsonObject);
}

const pass = (fields: JsonObject): JsonObject => ({ Type: "Pass", ...fields });
const task = (fields: JsonObject): JsonObject => ({
  Type: "Task",
  Resource: "arn:aws:lambda:eu-west-1:123456789012:function:call",
  ...fields,
});
const machine = (States: JsonObject, StartAt = Object.keys(States)[0]!): JsonObject => ({ StartAt, States });

describe("Pass states are folded into their neighbors", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "a result behind a task",
      machine({ A: task({ Next: "B" }), B: pass({ Parameters: { "b.$": "$.b" }, End: true }) }),
      machine({ A: task({ ResultSelector: { "b.$": "$.b" }, End: true }) }),
    ],
    [
      "an argument before a task",
      machine({ A: pass({ Result: { a: 1 }, Next: "B" }), B: task({ End: true }) }),
      machine({ B: task({ Parameters: { a: 1 }, End: true }) }),
    ],
    [
      "nothing",
      machine({ A: pass({ Next: "B" }), B: task({ Next: "A2" }), A2: pass({ End: true }) }),
      machine({ B: task({ Next: "A2" }), A2: pass({ End: true }) }),
    ],
    [
      "variables behind a task",
      machine({ A: task({ Next: "B" }), B: pass({ Assign: { "x.$": "$.x" }, End: true }) }),
      machine({ A: task({ Assign: { "x.$": "$.x" }, End: true }) }),
    ],
  ])("%s", async (_, before, after) => {
    expect(await kept(before)).toEqual(after);
  });

  test.each<[string, JsonObject]>([
    [
      "the result is placed into the input",
      machine({ A: task({ ResultPath: "$.r", Next: "B" }), B: pass({ Parameters: { "b.$": "$.b" }, End: true }) }),
    ],
    [
      "the raw input is kept by a catcher",
      machine({
        A: pass({ Result: { a: 1 }, Next: "B" }),
        B: task({ Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.e", Next: "C" }], Next: "C" }),
        C: { Type: "Succeed" },
      }),
    ],
    [
      "two states lead to it",
      machine({
        A: { Type: "Choice", Choices: [{ Variable: "$.a", IsPresent: true, Next: "B" }], Default: "C" },
        B: task({ Next: "D" }),
        C: task({ Next: "D" }),
        D: pass({ Parameters: { "b.$": "$.b" }, End: true }),
      }),
    ],
    [
      "it reads its own name",
      machine({ A: task({ Next: "B" }), B: pass({ Parameters: { "n.$": "$$.State.Name" }, End: true }) }),
    ],
    [
      "the result is a literal with the keys of a template",
      machine({ A: task({ Next: "B" }), B: pass({ Result: { "b.$": "$.b" }, End: true }) }),
    ],
  ])("but not if %s", async (_, before) => {
    expect(await kept(before)).toEqual(before);
  });
});

test("what needs no change stays as it is", async () => {
  const given = {
    Comment: "orders",
    Version: "1.0",
    ...machine({
      Charge: task({
        Comment: "charges the card",
        Credentials: { RoleArn: "arn:aws:iam::123456789012:role/charge" },
        Retry: [{ ErrorEquals: ["Busy"], Comment: "again", BackoffRate: 1.5, JitterStrategy: "FULL" }],
        End: true,
      }),
    }),
  };
  expect(JSON.stringify(await kept(given))).toBe(JSON.stringify(given));
});

describe.skipIf(!hasShared)("machines that were recorded or published (skipped without ../shared)", () => {
  test("recordings that pass before pass after, and a second pass changes nothing", { timeout: 120_000 }, async () => {
    const recordings = linesOf<Recording>(`${shared}cases/asl/recordings.jsonl`).filter(isUsable);
    let compared = 0;
    for (const recording of recordings) {
      if ((await outcomeOf(recording.definition, recording)) !== "passed") continue;
      const once = await kept(recording.definition);
      expect(once, recording.id).toBeDefined();
      expect(await outcomeOf(once!, recording), recording.id).toBe("passed");
      expect(await kept(once!), recording.id).toEqual(once);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(200);
  });

  test("no example gets more states", async () => {
    const folder = `${shared}examples/asl/`;
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".asl.json"))) {
      const text = readFileSync(folder + name, "utf8");
      const after = await kept(text, name);
      if (after) expect(countOf(after), name).toBeLessThanOrEqual(countOf(JSON.parse(text) as Json));
    }
  });
});

async function outcomeOf(definition: JsonObject, recording: Recording): Promise<string | undefined> {
  const known = { languages, targets: namesOf(targets) };
  const file = readScenarioFile({ path: "s.json", text: scenarioOf(recording) }, known, () => undefined);
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(definition) }];
  const results = file ? await runScenarios(file, { sources }, onReference, languages) : [];
  return results[0]?.outcome;
}

const countOf = (value: Json): number => JSON.stringify(value).match(/"Type":/g)?.length ?? 0;
