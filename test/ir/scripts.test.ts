import { afterAll, describe, expect, test, vi } from "vitest";
import { generate } from "../../src/compile.ts";
import { literal, object } from "../../src/expressions/index.ts";
import { scriptModule } from "../../src/ir/scripts.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { interpret } from "../../src/reference/index.ts";
import { createComputer } from "../../src/scenario/computer.ts";
import { onReference, onTarget } from "../../src/scenario/run.ts";
import { simulate } from "../../src/scenario/simulation.ts";
import { runInWorker } from "../../src/worker.ts";
import { targets } from "../../targets/index.ts";
import { call, data, end, scope, span, workflow } from "../reference/build.ts";

// A script. The reference and all targets run the same code.

const script = (text: string, variables: readonly string[] = [], changes = variables) => {
  const protocol = { kind: "script", language: "javascript", text, variables, changes, isPure: false } as const;
  return { name: "f", span, protocol } as const;
};

/** The result of a script. */
function answer(text: string, argument: Json, variables: readonly string[] = [], changes = variables) {
  const { text: module, names } = scriptModule([script(text, variables, changes)]);
  const thread = runInWorker(module);
  try {
    return thread.call(names.get("f")!, argument);
  } finally {
    thread.close();
  }
}

describe("the result of a function", () => {
  test.each<[string, Json, Json]>([
    ["(p) => ({ n: p.n + 1 })", { n: 1 }, { n: 2 }],
    ["function (p) { p.n = 2; return p }", { n: 1 }, { n: 2 }],
    ["({ n }) => n", { n: [1] }, { value: [1] }],
    ["() => null", {}, { value: null }],
    ["() => {}", {}, {}],
    ["async (p) => p", { n: 1 }, {}],
    ["async () => { throw 1 }", {}, {}],
    [
      "() => ({ a: undefined, b: NaN, c: new Date(0), d: [undefined] })",
      {},
      { b: null, c: "1970-01-01T00:00:00.000Z", d: [null] },
    ],
    [
      "(p) => p.a.b",
      {},
      { error: "An error has occurred: TypeError: Cannot read properties of undefined (reading 'b')" },
    ],
    ["() => { throw 'no' }", {}, { error: "An error has occurred: no" }],
    ["(p) => { undeclared = p }", {}, { error: "An error has occurred: ReferenceError: undeclared is not defined" }],
    ["function () { return typeof this }", {}, { value: "undefined" }],
    [
      "() => typeof call + typeof resultOf + typeof copyOf + typeof f",
      {},
      { value: "undefinedundefinedundefinedundefined" },
    ],
    ["p => ({ ...p })", JSON.parse('{ "__proto__": { "a": 1 } }'), JSON.parse('{ "__proto__": { "a": 1 } }')],
    ["p => `</script>\u2028`", {}, { value: "</script>\u2028" }],
  ])("%s", (text, argument, value) => expect(answer(text, argument)).toEqual({ value }));
});

test.each([
  ['() => "f"', "f"],
  ["() => 'f' + \"it's\"", "f"],
  ["() => typeof f", "f2"],
  ["() => `f`", "f2"],
  ["() => /'/.test(typeof f + \"'\")", "f2"],
  ["() => eval('typeof f')", "f2"],
])("names in %s are not those of the module", (text, name) => {
  expect(scriptModule([script(text)]).names.get("f")).toBe(name);
});

describe("the variables after a function", () => {
  const given = { params: {}, variables: { n: 1, list: [1] } };
  test.each<[string, JsonObject]>([
    ["() => { n = 5; list.push(2) }", { params: {}, variables: { n: 5, list: [1, 2] } }],
    ["() => { n = 5; return { error: 'no' } }", { params: { error: "no" }, variables: { n: 5, list: [1] } }],
    ["() => { n = 5; throw 'no' }", { params: { error: "An error has occurred: no" }, variables: { n: 1, list: [1] } }],
    ["() => { const kept = list; list = []; return kept }", { params: { value: [1] }, variables: { n: 1, list: [] } }],
  ])("%s", (text, value) => expect(answer(text, given, ["list", "n"])).toEqual({ value }));

  test("only those that may change are returned", () => {
    expect(answer("() => { n = list.length }", given, ["list", "n"], ["n"])).toEqual({
      value: { params: {}, variables: { n: 1 } },
    });
    expect(answer("() => ({ n, list })", given, ["list", "n"], [])).toEqual({ value: given.variables });
  });

  test("undefined cannot be stored in a variable", () => {
    const { value } = answer("() => { n = undefined }", given, ["list", "n"]) as { readonly value: JsonObject };
    expect(value).toEqual({ params: { error: expect.stringContaining("SyntaxError") }, variables: given.variables });
  });
});

test.each(["() => () => 1", "() => 1n", "() => Symbol()", "() => { const a = {}; a.a = a; return a }"])(
  "%s gives no JSON",
  (text) => {
    expect(answer(text, {})).toMatchObject({ name: "InternalError" });
  },
);

test("a function that never answers is stopped, although the checks themselves take time", { timeout: 60_000 }, () => {
  let checks = 0;
  const cpuUsage = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 400 * checks++, system: 0 }));
  const thread = runInWorker("export const f = () => new Promise(() => {});");
  const start = performance.now();
  try {
    expect(thread.call("f", {})).toMatchObject({ name: "LimitError" });
    expect(performance.now() - start).toBeLessThan(20_000);
  } finally {
    cpuUsage.mockRestore();
    thread.close();
  }
});

test("endless functions are stopped", { timeout: 120_000 }, () => {
  expect(answer("() => { for (;;); }", {})).toMatchObject({ name: "LimitError" });
});

describe("all runners agree", async () => {
  // OpenWhisk emits scripts only inside the original composition.
  const others = targets.filter(({ name }) => name !== "openwhisk");
  const runners = [onReference, ...(await Promise.all(others.map(onTarget)))];
  const computer = createComputer();
  afterAll(async () => {
    for (const { executor } of runners) executor?.close();
    await computer.close();
  });
  const argument = object([
    ["params", data],
    ["variables", object([["n", literal(40)]])],
  ]);
  const steps = [
    call("First", "f", argument, "Second", { bind: "data" }),
    call("Second", "g", data, "End", { bind: "data" }),
  ];
  const made = workflow(scope(["data"], ...steps, end("End", data)));
  const functions = [script("({ by }) => { n += by; return [n] }", ["n"]), { name: "g", span }];
  const scripted: Workflow = { ...made, functions };

  test.each(runners)("on $name", async ({ target, executor }) => {
    const program = programOf([scripted]);
    const { files = [] } = target ? await generate(program, target) : {};
    const seen = await simulate(
      {
        clock: 0,
        events: [],
        reply: async (_, __, value) => ({ takes: 0, answer: { kind: "returns", value } }),
        script: (workflow, name, value) => computer.run(workflow, name, value),
      },
      (environment) => {
        const given = { workflow: scripted.id, input: { by: 2 }, environment };
        return executor ? executor.run(files, given) : interpret({ ...given, program, workflow: scripted });
      },
    );
    const output = { params: { value: [42] }, variables: { n: 42 } };
    expect(seen.outcome).toEqual({ status: "succeeded", output });
    expect(seen.calls).toEqual([{ function: "g", argument: output }]);
  });
});
