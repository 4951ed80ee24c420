import { afterAll, describe, expect, test } from "vitest";
import { check, compileWith } from "../../../src/compile.ts";
import { readConfiguration } from "../../../src/configuration/index.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../../src/scenario/run.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { readScenarios } from "../../scenario/reading.ts";

const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

const send = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";
const token = { "token.$": "$$.Task.Token" };
const ask = (fields: JsonObject = {}): JsonObject => ({
  Type: "Task",
  Resource: send,
  Parameters: token,
  End: true,
  ...fields,
});
const machine = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  StartAt: "Ask",
  States: { Ask: state, ...more },
});
const catching = (...names: readonly string[]): JsonObject => ({
  Catch: names.map((name) => ({ ErrorEquals: [name], ResultPath: "$.error", Next: name })),
});
const caught = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { Type: "Pass", Result: name, End: true }]));
const asked = (...numbers: readonly number[]): Json => numbers.map((n): Json => ({ Ask: { token: `token:Ask:${n}` } }));
const succeeded = (output: Json, more: JsonObject = {}): JsonObject => ({ status: "succeeded", output, ...more });

/** The outcomes of a scenario with what the task `Ask` does, by runner. */
async function outcomes(definition: JsonObject, answers: Json, expected: JsonObject): Promise<JsonObject> {
  const scenario = { name: "s", input: { id: 7 }, functions: { Ask: answers }, expect: expected };
  const text = JSON.stringify({ workflow: "machine.asl.json", scenarios: [scenario] });
  const names = targets.map(({ name }) => name);
  const { file, findings } = readScenarios(text, "machine.scenarios.yaml", names);
  expect(findings).toEqual([]);
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(definition) }];
  const seen: [string, Json][] = [];
  for (const runner of runners) {
    const [result] = await runScenarios(file!, { sources }, runner, languages);
    seen.push([runner.name, [result!.outcome, ...(result!.differences as unknown as readonly Json[])]]);
  }
  return Object.fromEntries(seen);
}

/** On targets with callbacks, the scenario holds; a composition has none. */
const holds = { reference: ["passed"], asl: ["passed"], openwhisk: ["refused"], typescript: ["passed"] };

const both = ["States.HeartbeatTimeout", "States.Timeout"];
const retried = { Retry: [{ ErrorEquals: ["States.ALL"], MaxAttempts: 1, IntervalSeconds: 2 }] };
const branch = (name: string): JsonObject => ({ StartAt: name, States: { [name]: ask() } });

describe("a task that waits for a callback", () => {
  test.each<readonly [string, JsonObject, Json, JsonObject]>([
    [
      "takes its output",
      machine(ask()),
      { returns: { ok: true }, takes: "PT3S" },
      succeeded({ ok: true }, { elapsed: "PT3S", calls: asked(1) }),
    ],
    [
      "has a new token for each attempt",
      machine(ask(retried)),
      [{ throws: { error: "Busy" } }, { returns: 1 }],
      succeeded(1, { calls: asked(1, 2), elapsed: "PT2S" }),
    ],
    [
      "ignores the callback of an attempt that has timed out",
      machine(ask({ ...retried, TimeoutSeconds: 5 })),
      [
        { returns: "late", takes: "PT8S" },
        { returns: "new", takes: "PT4S" },
      ],
      succeeded("new", { calls: asked(1, 2), elapsed: "PT11S" }),
    ],
    [
      "fails with the error of the callback",
      machine(ask()),
      { throws: { error: "Refused", cause: "no stock" } },
      { status: "failed", error: { error: "Refused", cause: "no stock" } },
    ],
    [
      "may fail without a name",
      machine(ask()),
      { throws: { error: null } },
      { status: "failed", error: { error: null } },
    ],
    [
      "gives a catcher null for what a callback omits",
      machine(ask(catching("States.ALL")), { "States.ALL": { Type: "Pass", End: true } }),
      { throws: { error: null } },
      succeeded({ id: 7, error: { Error: null, Cause: null } }),
    ],
    [
      "fails at once if the request fails",
      machine(ask({ ...catching("States.TaskFailed") }), caught("States.TaskFailed")),
      { fails: { error: "Sqs.QueueDoesNotExist" } },
      succeeded("States.TaskFailed", { elapsed: "PT0S" }),
    ],
    ["waits without a callback", machine(ask()), { never: true }, { status: "waiting", calls: asked(1) }],
    [
      "sends the whole context object with the token",
      machine(ask({ Parameters: { "token.$": "$$.Task.Token", "task.$": "$$.Task" } })),
      { computes: ".task.Token" },
      succeeded("token:Ask:1"),
    ],
    [
      "is a job that can be completed by its token",
      machine(ask({ Resource: "arn:aws:states:::batch:submitJob.sync" })),
      { returns: "done" },
      succeeded("done", { calls: asked(1) }),
    ],
    [
      "is an activity whose worker gets the input",
      machine(ask({ Resource: "arn:aws:states:eu-west-1:123456789012:activity:pack", Parameters: { "n.$": "$.id" } })),
      { returns: "packed", takes: "PT1M" },
      succeeded("packed", { calls: [{ Ask: { n: 7 } }] }),
    ],
    [
      "is one of several at the same time, whose tokens follow their order",
      {
        StartAt: "Both",
        States: {
          Both: { Type: "Parallel", Branches: [branch("Ask"), branch("Other")], Next: "Each" },
          Each: {
            Type: "Map",
            ItemProcessor: { StartAt: "Item", States: { Item: ask() } },
            End: true,
          },
        },
      },
      { returns: 1, takes: "PT5S" },
      succeeded([null, null], {
        calls: [
          { Ask: { token: "token:Ask:1" } },
          { Other: { token: "token:Other:1" } },
          { Item: { token: "token:Item:1" } },
          { Item: { token: "token:Item:2" } },
        ],
      }),
    ],
    [
      "computes in JSONata what it sends, and its limits",
      {
        QueryLanguage: "JSONata",
        ...machine(
          {
            Type: "Task",
            Resource: send,
            Arguments: { token: "{% $states.context.Task.Token & '!' %}", n: "{% $states.input.id %}" },
            TimeoutSeconds: "{% $states.input.id * 10 %}",
            HeartbeatSeconds: "{% $states.input.id %}",
            Catch: [{ ErrorEquals: ["States.Timeout"], Output: "{% $states.errorOutput.Error %}", Next: "Late" }],
            End: true,
          },
          { Late: { Type: "Pass", End: true } },
        ),
      },
      { never: true, heartbeats: ["PT6S"] },
      succeeded("States.Timeout", { calls: [{ Ask: { token: "token:Ask:1!", n: 7 } }], elapsed: "PT13S" }),
    ],
  ])("%s", { timeout: 60_000 }, async (_, definition, answers, expected) => {
    expect(await outcomes(definition, answers, expected)).toMatchObject(holds);
  });
});

describe("a missed heartbeat", () => {
  test.each<readonly [string, JsonObject, Json, JsonObject]>([
    [
      "is reported as a timeout",
      machine(ask({ HeartbeatSeconds: 5 })),
      { returns: 1, takes: "PT9S", heartbeats: ["PT3S"] },
      { status: "failed", error: { error: "States.Timeout" }, elapsed: "PT8S" },
    ],
    [
      "is caught by its own name",
      machine(ask({ HeartbeatSeconds: 5, ...catching(...both) }), caught(...both)),
      { never: true },
      succeeded("States.HeartbeatTimeout", { elapsed: "PT5S" }),
    ],
    [
      "is no other timeout",
      machine(ask({ HeartbeatSeconds: 5, TimeoutSeconds: 8, ...catching(...both) }), caught(...both)),
      { never: true, heartbeats: ["PT4S", "PT7S"] },
      succeeded("States.Timeout", { elapsed: "PT8S" }),
    ],
    [
      "is caught as a timeout",
      machine(
        ask({ HeartbeatSeconds: 5, ...catching("States.TaskFailed", "States.Timeout") }),
        caught("States.TaskFailed", "States.Timeout"),
      ),
      { never: true },
      succeeded("States.Timeout"),
    ],
    [
      "is caught by its name around a Parallel",
      {
        StartAt: "Both",
        States: {
          Both: {
            Type: "Parallel",
            Branches: [{ StartAt: "Ask", States: { Ask: ask({ HeartbeatSeconds: 5 }) } }],
            ...catching(...both),
            End: true,
          },
          ...caught(...both),
        },
      },
      { never: true },
      succeeded("States.HeartbeatTimeout"),
    ],
    [
      "is retried by its name",
      machine(
        ask({
          HeartbeatSeconds: 5,
          Retry: [{ ErrorEquals: ["States.HeartbeatTimeout"], MaxAttempts: 1, IntervalSeconds: 1 }],
        }),
      ),
      [{ never: true }, { returns: 2, takes: "PT5S", heartbeats: ["PT4S"] }],
      succeeded(2, { calls: asked(1, 2), elapsed: "PT11S" }),
    ],
    [
      "has a limit from the input",
      machine(ask({ HeartbeatSecondsPath: "$.id" })),
      { never: true },
      { status: "failed", error: { error: "States.Timeout" }, elapsed: "PT7S" },
    ],
    [
      "is that of an activity, if a placeholder stands for the resource",
      machine({ Type: "Task", Resource: `\${AskArn}`, HeartbeatSeconds: 5, End: true }),
      { returns: 1, takes: "PT9S", heartbeats: ["PT4S", "PT8S"] },
      succeeded(1, { elapsed: "PT9S" }),
    ],
    [
      "cannot occur without a callback",
      machine({
        Type: "Task",
        Resource: "arn:aws:lambda:eu-west-1:123456789012:function:ask",
        HeartbeatSeconds: 5,
        End: true,
      }),
      { returns: 1, takes: "PT9S" },
      succeeded(1, { elapsed: "PT9S" }),
    ],
  ])("%s", { timeout: 60_000 }, async (title, definition, answers, expected) => {
    const seen = await outcomes(definition, answers, expected);
    expect(seen).toMatchObject(title.includes("cannot") ? { reference: ["passed"], asl: ["passed"] } : holds);
  });
});

describe("on target asl", () => {
  const sources = (definition: JsonObject) => [{ path: "machine.asl.json", text: JSON.stringify(definition) }];
  const activity = `arn:aws:states:\${AWS::Region}:123456789012:activity:pack`;

  test("a task sends the token, and limits its heartbeats", async () => {
    const { files, diagnostics } = await compileWith(
      { sources: sources(machine(ask({ HeartbeatSeconds: 5, TimeoutSeconds: 60 }))), options: {} },
      languages,
      asl,
    );
    expect(diagnostics).toEqual([]);
    const { States } = JSON.parse(files.find(({ path }) => path.endsWith(".asl.json"))!.text) as JsonObject;
    expect(States).toEqual({
      Ask: {
        Type: "Task",
        Resource: send,
        Arguments: { token: "{% $states.context.Task.Token %}" },
        TimeoutSeconds: 60,
        HeartbeatSeconds: 5,
        End: true,
      },
    });
  });

  test("an activity keeps its resource", async () => {
    const { files, diagnostics } = await compileWith(
      { sources: sources(machine({ Type: "Task", Resource: activity, End: true })), options: {} },
      languages,
      asl,
    );
    expect(diagnostics).toEqual([]);
    expect(files.find(({ path }) => path.endsWith(".asl.json"))!.text).toContain(`"Resource": "${activity}"`);
  });

  test("a task whose placeholder may be an activity keeps its heartbeats", async () => {
    const task = { Type: "Task", Resource: `\${PackArn}`, TimeoutSeconds: 60, HeartbeatSeconds: 5, End: true };
    const { files } = await compileWith({ sources: sources(machine(task)), options: {} }, languages, asl);
    const text = files.find(({ path }) => path.endsWith(".asl.json"))!.text;
    expect(JSON.parse(text)).toMatchObject({ States: { Ask: { Resource: task.Resource, HeartbeatSeconds: 5 } } });
  });

  test("a task whose placeholder is named after a function has no heartbeats", async () => {
    const task = { Type: "Task", Resource: `\${ChargeFunctionArn}`, HeartbeatSeconds: 5, End: true };
    const { diagnostics } = await compileWith({ sources: sources(machine(task)), options: {} }, languages, asl);
    expect(diagnostics.map(({ code }) => code)).toContain("WB2836");
  });

  test.each(["keep", "jsonata"])("a machine stays as it is with `queryLanguage: %s`", async (queryLanguage) => {
    const state =
      queryLanguage === "keep"
        ? ask({ HeartbeatSecondsPath: "$.beat", TimeoutSeconds: 60, ...retried, ...catching(...both) })
        : {
            Type: "Task",
            Resource: send,
            Arguments: { token: "{% $states.context.Task.Token %}" },
            TimeoutSeconds: 60,
            HeartbeatSeconds: 5,
            End: true,
          };
    const definition = {
      ...(queryLanguage === "keep" ? {} : { Comment: "ours", QueryLanguage: "JSONata" }),
      ...machine(state, queryLanguage === "keep" ? caught(...both) : {}),
    };
    const text = `targets: { asl: { queryLanguage: ${queryLanguage} } }`;
    const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], targets, () => {});
    const input = { sources: sources(definition), options: {}, configurationOf: () => configuration };
    const { files } = await compileWith(input, languages, asl);
    expect(JSON.parse(files.find(({ path }) => path.endsWith(".asl.json"))!.text)).toEqual(definition);
  });
});

describe("checks", () => {
  const codes = (definition: JsonObject): readonly string[] =>
    check(
      { sources: [{ path: "machine.asl.json", text: JSON.stringify(definition) }], options: {} },
      languages,
    ).diagnostics.map(({ code }) => code);

  test.each<readonly [string, JsonObject, readonly string[]]>([
    ["a token that is sent", ask(), []],
    ["a token that is not sent", ask({ Parameters: { a: 1 } }), ["WB2835"]],
    ["no parameters", { Type: "Task", Resource: send, End: true }, ["WB2835"]],
    ["a job needs no token", ask({ Resource: "arn:aws:states:::batch:submitJob.sync", Parameters: {} }), []],
    ["the context object has the token", ask({ Parameters: { "all.$": "$$" } }), []],
    ["a token of a task without callback", ask({ Resource: "arn:aws:states:::sqs:sendMessage" }), ["WB3804"]],
    ["a token outside of what is sent", ask({ ResultSelector: token }), ["WB2814"]],
    ["heartbeats as rare as the timeout", ask({ TimeoutSeconds: 60, HeartbeatSeconds: 60 }), ["WB2837"]],
    ["heartbeats within the timeout", ask({ TimeoutSeconds: 60, HeartbeatSeconds: 59 }), []],
    ["heartbeats of a function", { Type: "Task", Resource: "F", HeartbeatSeconds: 5, End: true }, ["WB2836"]],
  ])("%s", (_, state, expected) => {
    expect(codes(machine(state))).toEqual(expected);
  });
});
