import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../src/compile.ts";
import { literal, object, variable } from "../../src/expressions/core/build.ts";
import { printWorkflow } from "../../src/ir/print.ts";
import type { BuiltIn, Protocol } from "../../src/ir/protocols.ts";
import { assertWellFormed, verify } from "../../src/ir/verify.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";
import type { Language } from "../../src/language.ts";
import { interpret } from "../../src/reference/index.ts";
import { onReference, onTarget, type Result, runScenarios } from "../../src/scenario/run.ts";
import { simulate } from "../../src/scenario/simulation.ts";
import type { Target } from "../../src/target/contract.ts";
import type { Simulator } from "../../src/target/simulator.ts";
import { positionOf } from "../../src/text/source.ts";
import { asl } from "../../targets/asl/index.ts";
import { typescript } from "../../targets/typescript/index.ts";
import {
  assign,
  branch,
  call,
  data,
  delay,
  end,
  fork,
  handler,
  scope,
  span,
  workflow,
  yes,
} from "../reference/build.ts";
import { callsOf, outcomeOf } from "../reference/interpreting.ts";
import { readScenarios } from "../scenario/reading.ts";
import { typeErrorsOf } from "../targets/typescript/emit/emitting.ts";

const executors = new Map<Target, Promise<Simulator>>();
const executorOf = (target: Target): Promise<Simulator> => {
  const made = executors.get(target) ?? target.loadSimulator!();
  executors.set(target, made);
  return made;
};
afterAll(async () => {
  for (const executor of executors.values()) (await executor).close();
});

/** Replaces the protocols of functions. */
function defining(main: Workflow, protocols: { readonly [name: string]: Protocol }): Workflow {
  return {
    ...main,
    functions: main.functions.map((each) => ({ ...each, protocol: protocols[each.name] })),
  };
}

const builtIns: { readonly [name: string]: BuiltIn } = {
  now: { kind: "clock" },
  dice: { kind: "random" },
  name: { kind: "id" },
};

const onlyId = "00000000-0000-4000-8000-000000000000";
const ask = (id: string, name: string, bind: string, next: string): Step =>
  call(id, name, literal(null), next, { bind });

const variables = ["data", "began", "ended", "chance", "token", "both"];
const main = defining(
  workflow(
    scope(
      variables,
      ask("Begin", "now", "began", "Wait"),
      delay("Wait", literal(90), "End"),
      ask("End", "now", "ended", "Roll"),
      ask("Roll", "dice", "chance", "Name"),
      ask("Name", "name", "token", "Keep"),
      assign(
        "Keep",
        {
          data: object([
            ["first", variable("token")],
            ["second", variable("token")],
          ]),
        },
        "Tell",
      ),
      call("Tell", "tell", data, "Both", { bind: "data" }),
      fork(
        "Both",
        [
          branch("a", scope(["at"], ask("A", "now", "at", "A/end"), end("A/end", variable("at")))),
          branch(
            "b",
            scope(["at"], call("B", "tell", literal(1), "B/end", { bind: "at" }), end("B/end", variable("at"))),
          ),
        ],
        "Done",
        { bind: "both" },
      ),
      end("Done", object(["began", "ended", "chance", "both"].map((name) => [name, variable(name)] as const))),
    ),
  ),
  builtIns,
);

const start = Date.parse("2026-01-01T00:00:00.250Z");
const setup = {
  clock: start,
  events: [],
  builtIns: new Map(Object.entries(builtIns)),
  reply: async () => ({ takes: 2, answer: { kind: "returns", value: "told" } }) as const,
};

const filesOf = async (target: Target, made: Workflow) =>
  (await generate(programOf([made]), target, { verify: assertWellFormed })).files;

describe("the clock, random numbers and ids are equal everywhere and are not calls of a scenario", () => {
  const expected = {
    outcome: {
      output: { began: start / 1000, ended: start / 1000 + 90, chance: 0.5, both: { a: start / 1000 + 92, b: "told" } },
    },
    calls: [`tell(${JSON.stringify({ first: onlyId, second: onlyId })})`, "tell(1)"],
    elapsed: 94,
  };

  test("reference", async () => {
    const request = { program: programOf([main]), workflow: main, input: {} };
    const seen = await simulate(setup, (environment) => interpret({ ...request, environment }));
    expect({ outcome: outcomeOf(seen), calls: callsOf(seen), elapsed: seen.elapsed }).toEqual(expected);
  });

  test.each([asl, typescript])("$name", async (target) => {
    const [files, executor] = [await filesOf(target, main), await executorOf(target)];
    const seen = await simulate(setup, (environment) =>
      executor.run(files, { workflow: "main", input: {}, environment }),
    );
    expect({ outcome: outcomeOf(seen), calls: callsOf(seen), elapsed: seen.elapsed }).toEqual(expected);
  });
});

test("asl creates an id once, even if it is used repeatedly", async () => {
  const [machine] = await filesOf(asl, main);
  expect(machine!.text.match(/\$uuid\(\)/g)).toHaveLength(1);
});

test("the emitted program includes built-in functions and requires no bindings for them", async () => {
  const files = await filesOf(typescript, main);
  const functions = files.find(({ path }) => path === "functions.ts")!.text;
  expect(functions).toMatch(/now: clock,\n\s+dice: random,\n\s+name: id,/);
  expect(functions).toContain('import { WorkflowError, clock, id, random } from "./runtime.js";');
  expect(await typeErrorsOf(files)).toBe("");
}, 30_000);

test("targets without secrets report them", async () => {
  const asking = { ...ask("Ask", "f", "data", "End"), span: { ...span, end: 3 } };
  const made = defining(workflow(scope(["data"], asking, end("End", data))), { f: { kind: "secret" } });
  for (const [target, end] of [
    [asl, 3],
    [typescript, span.end],
  ] as const) {
    const { files, diagnostics } = await generate(programOf([made]), target);
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", span: { start: 0, end } }]);
    expect(diagnostics[0]!.message).toContain("secret");
  }
});

test("built-in functions are waited for", () => {
  const fired = call("Ask", "now", literal(null), "End", { wait: false });
  const limited = call("Ask", "now", literal(null), "End", { timeout: 3 });
  for (const step of [fired, limited]) {
    const made = defining(workflow(scope(["data"], step, end("End", data))), { now: { kind: "clock" } });
    expect(verify(made)).toEqual(["Step Ask must wait for the built-in function `now`."]);
  }
});

describe("the printed IR includes protocols", () => {
  test.each<[Protocol, string]>([
    [{ kind: "http" }, "http"],
    [
      {
        kind: "http",
        operation: {
          method: "GET",
          server: "https://a",
          path: "/{id}",
          parameters: [
            { name: "id", place: "path" },
            { name: "q", place: "query" },
          ],
        },
        failure: "HTTP_CALL_",
        authorized: true,
      },
      'http GET "https://a/{id}" with id in path, q in query failing as HTTP_CALL_ authorized',
    ],
    [
      { kind: "grpc", method: { endpoint: "a:443", service: "o.v1.Orders", name: "Get", definition: "o.proto" } },
      'grpc o.v1.Orders/Get at "a:443" defined by "o.proto"',
    ],
    [
      { kind: "cloudFunction", provider: "yandex", type: "function", id: "d4e", tag: "live" },
      'yandex function "d4e" tag "live"',
    ],
    [{ kind: "workflow", id: "audit" }, 'workflow "audit"'],
    [
      {
        kind: "script",
        language: "javascript",
        text: 'x => "y"',
        variables: ["m", "n"],
        changes: ["n"],
        isPure: true,
      },
      'javascript "x => \\"y\\"" using m, n changing n and pure',
    ],
    [{ kind: "clock" }, "built-in clock"],
  ])("%j", (protocol, text) => {
    const made = defining(workflow(scope(["data"], ask("Ask", "f", "data", "End"), end("End", data))), { f: protocol });
    expect(printWorkflow(made)).toContain(`\n  function f by ${text}\n`);
  });
});

describe("secrets of a scenario", () => {
  const secret = (id: string, key: string) => literal({ id, key });
  const reading = defining(
    workflow(
      scope(
        ["data", "error"],
        call("Read", "secretOf", secret("bank", "token"), "Use", {
          bind: "data",
          handlers: [handler(yes, "Failed", "error")],
        }),
        call("Use", "charge", data, "End", { bind: "data" }),
        end("Failed", variable("error")),
        end("End", data),
      ),
    ),
    { secretOf: { kind: "secret" } },
  );
  const toy: Language = {
    name: "toy",
    summary: "",
    terminology: { step: "step", functions: "functions", events: "events" },
    options: [],
    detect: () => ({ score: 1, evidence: [] }),
    canonicalize: (document) => document,
    validator: () => () => true,
    lower: () => reading,
  };

  async function run(scenario: string, on = onReference): Promise<readonly Result[]> {
    const { file, findings } = readScenarios(`workflow: ./toy.yaml\nscenarios:\n- name: one\n${scenario}`);
    if (!file) throw new Error(findings.join("\n"));
    return runScenarios(file, { sources: [{ path: "toy.yaml", text: "a: 1" }] }, on, [toy]);
  }
  const said = ([result]: readonly Result[]): readonly string[] =>
    result!.diagnostics.map(
      ({ code, message, span: { source, start } }) => `${positionOf(source, start).line} ${code} ${message}`,
    );

  test("are read by the workflow but not recorded as calls", async () => {
    const [result] = await run(`  secrets: { bank: { token: s3cret } }
  functions: { charge: { computes: "length" } }
  expect: { status: succeeded, output: 6, calls: [{ charge: s3cret }] }`);
    expect(result).toMatchObject({ outcome: "passed", diagnostics: [] });
  });

  test("are reported and fail the scenario if they are missing", async () => {
    const expected = "  expect: { status: succeeded }";
    const results = await run(expected);
    expect(said(results)).toEqual(["3 WB6002 Missing key `bank` in `secrets`."]);
    expect(results[0]!.isFailure).toBe(true);
    expect(said(await run(`  secrets: { bank: { tokn: a } }\n${expected}`))).toEqual([
      "4 WB6009 No workflow reads the key `tokn` of the secret `bank`.",
      "3 WB6002 Missing key `token` in `secrets`.",
    ]);
  });

  test("are null if they are meant to be missing", async () => {
    const error: JsonObject = {
      origin: "function",
      name: "SecretNotFound",
      message: "There is no secret bank with a key token.",
    };
    const results = await run(`  secrets: { bank: { token: null } }
  expect: { status: succeeded, output: ${JSON.stringify(error)}, calls: [] }`);
    expect(results).toMatchObject([{ outcome: "passed", diagnostics: [] }]);
  });

  test("reject targets that store results", async () => {
    const runner = await onTarget(asl);
    const results = await run("  expect: { status: succeeded }", runner);
    runner.executor!.close();
    expect(results).toMatchObject([{ outcome: "refused", diagnostics: [{ code: "WB5108" }] }]);
  });
});
