import { describe, expect, test } from "vitest";
import { compile } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/json.ts";
import { called, calling, ends, machinesOf, starts, statesOf, substitution, workflow } from "./compiled.ts";

/** The merge of a function's result into the data. */
const merging = expect.stringMatching(
  /^\{% \(\$r := \$states\.result; \$merge\(\[\$states\.input, .*\$r != null \? .*\]\)\) %\}$/,
);

describe("a call of a function", () => {
  test("is one Task, which merges its result and ends the machine", async () => {
    const states = await statesOf(`- { name: Charge, type: operation, ${starts}, ${calling("f")}, ${ends} }`);
    expect(states).toEqual({
      Charge: { Type: "Task", ...called("f"), Output: merging, End: true },
    });
  });

  test("has its timeout", async () => {
    const actions = "actions: [{ functionRef: { refName: f, parameters: { n: 1 } }, timeout: PT90S }]";
    const { Charge } = await statesOf(`- { name: Charge, type: operation, ${starts}, ${actions}, ${ends} }`, {
      timeout: "fail",
    });
    expect(Charge).toEqual({
      Type: "Task",
      ...called("f"),
      TimeoutSeconds: 90,
      Output: merging,
      End: true,
    });
  });

  test("keeps strings that look like substitutions, which then get other names", async () => {
    const actions = `actions: [{ functionRef: { refName: f, parameters: { text: 'Use \${FFunctionArn}, \${AWS::Region} or \${' } } }]`;
    const source = workflow(`- { name: '\${F2FunctionArn}', type: operation, ${starts}, ${actions}, ${ends} }`);
    const { files } = await compile({ sources: [{ path: "w.yaml", text: source }], target: "asl" });
    const { text } = files[0]!;
    expect(text.match(/\$\{\w*\}?/g)).toEqual([substitution("F3FunctionArn")]);
    const { States } = JSON.parse(text) as { readonly States: JsonObject };
    expect(States).toMatchObject({
      [substitution("F2FunctionArn")]: {
        Arguments: { text: `Use ${substitution("FFunctionArn")}, \${AWS::Region} or \${` },
      },
    });
  });

  test("with a string of hundreds of interpolations is one expression", async () => {
    const paths = Array.from({ length: 1000 }, (_, i) => `$.n${i}`).join(" ");
    const actions = `actions: [{ functionRef: { refName: f, parameters: { text: '${paths}' } } }]`;
    const { A } = await statesOf(`- { name: A, type: operation, ${starts}, ${actions}, ${ends} }`, {
      interpolate: "true",
    });
    expect((A!["Arguments"] as JsonObject)["text"]).toMatch(/^\{% .* %\}$/);
  });

  test("passes the data without parameters, or the values that paths in parameters select", async () => {
    const states = await statesOf(
      `- { name: A, type: operation, ${starts}, actions: [{ functionRef: { refName: f } }], transition: { nextState: B } }
- { name: B, type: operation, actions: [{ functionRef: { refName: f, parameters: { to: $.who, deep: [{ n: 1 }], text: "{% 1 %}" } } }], ${ends} }`,
    );
    expect(states["A"]!["Arguments"]).toBe("{% $states.input %}");
    expect(states["B"]!["Arguments"]).toEqual({
      to: "{% $exists($states.input.who) ? $states.input.who : null %}",
      deep: [{ n: 1 }],
      text: '{% "{\\u0025 1 \\u0025}" %}',
    });
  });

  test("calls an ARN directly, and anything else by a substitution", async () => {
    const arn = "arn:aws:lambda:eu-west-1:123456789012:function:charge:live";
    const resources = ["f", "chargeCard", "charge-card", "chargeCardFunction", "Function", "§"];
    const functions = [
      { name: "arn", resource: arn },
      ...resources.map((name) => ({ name, resource: "https://example.org/" })),
    ];
    const states = functions.map(({ name }, i) => ({
      name: `S${i}`,
      type: "operation",
      ...(i === 0 ? { start: { kind: "default" } } : {}),
      actions: [{ functionRef: { refName: name } }],
      ...(i < resources.length ? { transition: { nextState: `S${i + 1}` } } : { end: { kind: "default" } }),
    }));
    const machines = await machinesOf([JSON.stringify({ id: "main", name: "Main", version: "1", functions, states })]);
    const made = machines.get("main.asl.json")!["States"] as { [name: string]: { Resource: string } };
    expect(Object.values(made).map(({ Resource }) => Resource)).toEqual([
      arn,
      substitution("FFunctionArn"),
      substitution("ChargeCardFunctionArn"),
      substitution("ChargeCard2FunctionArn"),
      substitution("ChargeCard3FunctionArn"),
      substitution("FunctionFunctionArn"),
      substitution("UnnamedFunctionArn"),
    ]);
  });
});

test("sequential actions are consecutive Tasks, parallel actions a Parallel", async () => {
  const both =
    "actions: [{ functionRef: { refName: f, parameters: { n: 1 } } }, { functionRef: { refName: g, parameters: { n: 1 } } }]";
  const row = await statesOf(`- { name: A, type: operation, ${starts}, actionMode: sequential, ${both}, ${ends} }`);
  expect(row).toEqual({
    A: { Type: "Task", ...called("f"), Output: merging, Next: "A: g" },
    "A: g": { Type: "Task", Comment: "operation state A", ...called("g"), Output: merging, End: true },
  });
  const { A } = await statesOf(`- { name: A, type: operation, ${starts}, actionMode: parallel, ${both}, ${ends} }`);
  expect(A).toMatchObject({ Type: "Parallel", Branches: [{ StartAt: "A: f" }, { StartAt: "A: g" }], End: true });
});

describe("a subflow", () => {
  test("with waiting returns its output", async () => {
    const { A } = await statesOf(
      `- { name: A, type: subflow, ${starts}, workflowId: archive, waitForCompletion: true, ${ends} }`,
    );
    expect(A).toEqual({
      Type: "Task",
      Resource: "arn:aws:states:::states:startExecution.sync:2",
      Arguments: { StateMachineArn: substitution("ArchiveStateMachineArn"), Input: "{% $states.input %}" },
      Output: expect.stringContaining("$r.Output"),
      End: true,
    });
  });

  test("without waiting leaves the data unchanged", async () => {
    const { A } = await statesOf(
      `- { name: A, type: subflow, ${starts}, workflowId: archive, waitForCompletion: false, ${ends} }`,
    );
    expect(A).toEqual({
      Type: "Task",
      Resource: "arn:aws:states:::states:startExecution",
      Arguments: { StateMachineArn: substitution("ArchiveStateMachineArn"), Input: "{% $states.input %}" },
      Output: "{% $states.input %}",
      End: true,
    });
  });

  test("among the sources gets its own machine, under the same substitution", async () => {
    const parent = workflow(
      `- { name: A, type: subflow, ${starts}, workflowId: the-child, waitForCompletion: true, ${ends} }`,
    );
    const child = workflow(`- { name: A, type: delay, ${starts}, timeDelay: PT1S, ${ends} }`, "the-child");
    const machines = await machinesOf([parent, child]);
    expect([...machines.keys()]).toEqual([
      "main.asl.json",
      "main.asl.map.json",
      "the-child.asl.json",
      "the-child.asl.map.json",
    ]);
    expect(JSON.stringify(machines.get("main.asl.json"))).toContain(substitution("TheChildStateMachineArn"));
  });

  test.each([
    ["child-called", "ChildCalled2StateMachineArn", "ChildCalledStateMachineArn", "child-called-2.asl.json"],
    ["childCalled", "ChildCalledStateMachineArn", "ChildCalled2StateMachineArn", "child-called.asl.json"],
  ])("in another program, %s, is not an added workflow", async (elsewhere, added, asked, file) => {
    const sub = (name: string, id: string, rest: string) =>
      `- { name: ${name}, type: subflow, workflowId: ${id}, waitForCompletion: true, ${rest} }`;
    const parent = workflow(`${sub("A", "child", `${starts}, transition: { nextState: B }`)}
${sub("B", elsewhere, ends)}`);
    const child = workflow(`- { name: A, type: delay, ${starts}, timeDelay: PT1S, end: { kind: terminate } }`, "child");
    const machines = await machinesOf([parent, child]);
    const { A, B } = machines.get("main.asl.json")!["States"] as { readonly [name: string]: JsonObject };
    const called = [A, B].map((state) => (state!["Arguments"] as JsonObject)["StateMachineArn"]);
    expect(called).toEqual([substitution(added), substitution(asked)]);
    const paths = [...machines.keys()].filter((path) => path.endsWith(".asl.json"));
    expect(paths).toEqual(["child.asl.json", "main.asl.json", file]);
  });
});

test("an event's source and type are plain strings, even if they look like expressions", async () => {
  const states = `- { name: A, type: delay, ${starts}, timeDelay: PT1S, end: { kind: event, produceEvent: { eventRef: Told } } }`;
  const odd = workflow(states).replace("type: told, source: /here", 'type: "{% 1 %}", source: "/a\\nb"');
  const machine = (await machinesOf([odd])).get("main.asl.json")!;
  expect(JSON.stringify(machine)).toContain(
    String.raw`"Source":"{% \"/a\\nb\" %}","DetailType":"{% \"{\\u0025 1 \\u0025}\" %}"`,
  );
});

test("a produced event is put on the default bus as a CloudEvent", async () => {
  const told = "{ eventRef: Told, data: { x: $.a, y: 1 } }";
  const states = await statesOf(
    `- { name: A, type: delay, ${starts}, timeDelay: PT1S, end: { kind: event, produceEvent: ${told} } }`,
  );
  expect(states).toEqual({
    A: { Type: "Wait", Seconds: 1, Next: "A: emit" },
    "A: emit": {
      Type: "Task",
      Comment: "delay state A",
      Resource: "arn:aws:states:::events:putEvents",
      Arguments: {
        Entries: [
          {
            Source: "/here",
            DetailType: "told",
            Detail: {
              specversion: "1.0",
              id: "{% $uuid() %}",
              source: "/here",
              type: "told",
              time: "{% $now() %}",
              datacontenttype: "application/json",
              data: {
                x: "{% $exists($states.input.a) ? $states.input.a : null %}",
                y: 1,
              },
            },
          },
        ],
      },
      Output: "{% $states.input %}",
      End: true,
    },
  });
});
