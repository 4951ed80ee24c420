import { Script } from "node:vm";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compile, runScenarios } from "../../../../src/index.ts";
import type { Json } from "../../../../src/json.ts";
import { hostileNames } from "../../../equivalence/hostile.ts";

// Names of a definition are arbitrary strings: entities must still have valid, distinct names, and runs must work.

const names = [...new Set(hostileNames)].filter((name) => name.isWellFormed() && !name.startsWith("$."));
const end = { kind: "default" };
const start = { kind: "default" };
const produced = (name: string) => ({ name, type: name, source: name, kind: "produced" });
const definition = {
  id: "*/ throw new Error() /*",
  name: `\`$(reboot)\` $\{HOME} {{x}} "\n  - __proto__: 1`,
  version: "1.0",
  functions: names.map((name) => ({ name, resource: name })),
  events: names.map(produced),
  states: names.map((name, i) => ({
    name,
    type: "operation",
    ...(i === 0 && { start }),
    actions: [{ functionRef: { refName: name, parameters: { of: "$.who", [name]: name } } }],
    ...(i + 1 < names.length
      ? { transition: { nextState: names[i + 1], produceEvent: { eventRef: name, data: "$" } } }
      : { end }),
  })),
};
const source = { path: "workflow.json", text: JSON.stringify(definition) };

/** Valid entity names of OpenWhisk. */
const entity = /^(?:\w|\w[\w@ .&-]*[\w@.&-]+)$/;

test("entities have valid, distinct names, and the emitted files can be parsed", async () => {
  const { files, diagnostics } = await compile({ sources: [source], target: "openwhisk" });
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const [path, text] of texts) if (path.endsWith(".js")) new Script(text, { filename: path });
  const manifest = texts.get("manifest.yaml")!;
  expect(manifest).not.toMatch(/\$[{(]/);
  const { actions, triggers } = (parse(manifest) as { packages: { [name: string]: { [kind: string]: object } } })
    .packages["waybill"]!;
  const map = JSON.parse(texts.get("waybill.map.json")!) as { functions: { [action: string]: { function: string } } };
  const called = Object.keys(map.functions).map((action) => action.replace("/_/waybill/", ""));
  const entities = [...Object.keys(actions!), ...Object.keys(triggers!), ...called];
  expect(entities.filter((name) => !entity.test(name) || name.length > 256)).toEqual([]);
  expect(Object.values(map.functions).map((each) => each.function)).toEqual(names);
  expect(new Set([...called, ...Object.keys(actions!)]).size).toBe(called.length + Object.keys(actions!).length);
  expect(Object.keys(triggers!).length).toBeGreaterThanOrEqual(names.length);
});

test("runs call functions and emit events by their names", { timeout: 60_000 }, async () => {
  const scenario = {
    name: "all",
    input: { who: "Ann" },
    expect: {
      status: "succeeded",
      calls: names.map((name): Json => ({ [name]: { of: "Ann", [name]: name } })),
      emitted: names.slice(0, -1).map((name) => ({ type: name, source: name, data: { who: "Ann" } })),
    },
  };
  const text = JSON.stringify({ workflow: "workflow.json", scenarios: [scenario] });
  const { results } = await runScenarios({
    sources: [source],
    scenarios: [{ path: "scenarios.json", text }],
    on: "openwhisk",
  });
  expect(results.map(({ outcome, differences }) => ({ outcome, differences }))).toEqual([
    { outcome: "passed", differences: [] },
  ]);
});
