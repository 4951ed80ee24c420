import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { renderResults } from "../../../src/scenario/report/results.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../../src/scenario/run.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { type ConformanceScenario, readFeature, type Stub } from "./features.ts";

// The conformance kit of the specification: its features are read where they are, and its services are stubbed.

const folder = fileURLToPath(new URL("../../../../shared/cases/ctk/", import.meta.url));

const pet = { id: 1, name: "milou", status: "available" };
const response = { statusCode: 200, headers: { "Content-Type": "application/json" }, content: pet };
const notFound = { throws: { name: "communication", status: 404, message: "Not Found" } };
const stubs: { readonly [scenario: string]: Stub } = {
  "Call HTTP With Content Output": { functions: { findPet: { returns: [pet] } } },
  "Call HTTP With Response Output": { functions: { getPet: { returns: response } } },
  "Call HTTP Using Basic Authentication": {
    functions: { login: { returns: { authenticated: true } } },
    expect: {
      calls: [
        {
          login: {
            method: "get",
            url: "https://httpbin.org/basic-auth/serverless-workflow/conformance-test",
            headers: { authorization: "Basic c2VydmVybGVzcy13b3JrZmxvdzpjb25mb3JtYW5jZS10ZXN0" },
          },
        },
      ],
    },
  },
  "Call OpenAPI With Content Output": { functions: { findPet: { returns: [{ id: 1 }] } }, expect: { output: 1 } },
  "Call OpenAPI With Response Output": {
    functions: {
      getPet: {
        returns: { ...response, request: { method: "get", uri: "https://petstore.swagger.io/v2/pet/1", headers: {} } },
      },
    },
  },
  "Output Filtering": { functions: { getPet: { returns: { id: 1 } } } },
  "Use Non-object Output": {
    functions: { getPetById1: { returns: { id: 1 } }, getPetById2: { returns: { id: 2 } } },
  },
  "Try Handle Caught Error": { functions: { getPet: notFound } },
  "Try Raise Uncaught Error": { functions: { getPet: notFound } },
};

/** Scenarios that a target refuses. */
const refused: { readonly [target: string]: readonly string[] } = {};

const features = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".feature")) : [];
const scenarios = features.flatMap((file) => readFeature(readFileSync(folder + file, "utf8"), stubs));
const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

describe.skipIf(scenarios.length === 0)("the conformance kit (skipped without ../shared/cases/ctk)", () => {
  test("is whole", () => expect(scenarios).toHaveLength(21));

  describe.each(runners)("on $name", (runner) => {
    test.each(scenarios)("$name", async ({ name, ...scenario }) => {
      const results = await run({ name, ...scenario }, runner);
      const isRefused = refused[runner.name]?.includes(name) ?? false;
      expect(
        results.map(({ outcome }) => outcome),
        renderResults(results),
      ).toEqual([isRefused ? "refused" : "passed"]);
    });
  });
});

async function run({ definition, scenarios: text }: ConformanceScenario, runner: Runner) {
  const source = { path: "scenarios.yaml", text };
  const file = readScenarioFile(source, { languages, targets: namesOf(targets) }, ({ message }) => {
    throw new Error(message);
  });
  const definitions = { sources: [{ path: "workflow.yaml", text: definition }] };
  return runScenarios(file!, definitions, runner, languages);
}
