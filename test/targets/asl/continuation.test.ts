import { describe, expect, test } from "vitest";
import { generate } from "../../../src/compile.ts";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { binary, literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import { programOf, type Step, type Workflow } from "../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../src/json.ts";
import { emptyConfiguration } from "../../../src/target/contract.ts";
import { asl } from "../../../targets/asl/index.ts";
import {
  allOf,
  assign,
  branch,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  event,
  forEach,
  fork,
  handler,
  invoke,
  named,
  receive,
  scope,
  workflow,
} from "../../reference/build.ts";
import { callsOf, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { substitution } from "./compiled.ts";
import { readTemplate, textOf } from "./deploy/stack.ts";
import { compareWithReference, generateMachine, runOnAsl } from "./reference-comparison.ts";

// Loops that continue in new executions before the history is full.

const continued = { continue: true };
const [n, e, r] = [variable("n"), variable("e"), variable("r")];
const increment = binary("+", n, literal(1));

/** Calls `f` and pauses, `rounds` times. */
const polling = (rounds: number): Workflow =>
  workflow(
    scope(
      ["data", ["n", literal(0)], "r"],
      call("Ask", "f", n, "Count", { bind: "r" }),
      assign("Count", { n: increment }, "Ready"),
      choose("Ready", [[binary("<", n, literal(rounds)), "Pause"]], "End"),
      delay("Pause", literal(60), "Ask"),
      end(
        "End",
        object([
          ["n", n],
          ["r", r],
        ]),
      ),
    ),
  );

/** A loop whose rounds add more than 6,000 events to the history, so that every second one is in a new execution. */
const long = (
  variables: Parameters<typeof scope>[0],
  rounds: Expression,
  ...steps: readonly Step[]
): ReturnType<typeof scope> =>
  scope(
    ["data", "list", ...variables],
    forEach("Long", literal(Array.from({ length: 1500 }, (_, i) => i)), scope([], end("Done", literal(0))), "Body", {
      bind: "list",
    }),
    ...steps,
    choose("More", [[rounds, "End"]], "Long"),
  );

test("a loop of 10,000 rounds needs more than one execution", async () => {
  const functions = { f: (_: unknown, index: number) => returns(index) };
  const seen = await compareWithReference(polling(10_000), { input: {}, functions }, continued);
  expect([seen.calls.length, outcomeOf(seen)]).toEqual([10_000, { output: { n: 10_000, r: 9999 } }]);
  const alone = await runOnAsl(polling(3000), { input: {}, functions });
  expect(outcomeOf(alone)).toMatchObject({ error: "States.Runtime" });
});

describe("a new execution continues with", () => {
  test("the document and the variables, whether a state has assigned them or not", async () => {
    const body = long(
      [["n", literal(0)], ["total", literal(5)], ["none", literal(null)], "e"],
      binary(">=", n, literal(6)),
      call(
        "Body",
        "f",
        object([
          ["n", n],
          ["data", data],
          ["total", variable("total")],
        ]),
        "Count",
        {
          bind: "r",
          handlers: [handler(named("Odd"), "Odd", "e")],
        },
      ),
      assign(
        "Count",
        {
          n: increment,
          data: object([
            ["last", r],
            ["before", data],
          ]),
        },
        "More",
      ),
      assign("Odd", { n: increment, total: binary("+", variable("total"), n), none: member(e, "message") }, "More"),
      end(
        "End",
        object([
          ["data", data],
          ["total", variable("total")],
          ["none", variable("none")],
        ]),
      ),
    );
    const functions = {
      f: [returns([1]), throws("Odd", "first"), returns(null), throws("Odd", "second"), returns([])],
    };
    await compareWithReference(
      workflow({ ...body, variables: [...body.variables, { name: "r" }] }),
      { input: { a: [] }, functions },
      continued,
    );
  });

  test("the error of an earlier round", async () => {
    const body = long(
      [["n", literal(0)], "e", "r"],
      binary(">=", n, literal(5)),
      call("Body", "f", n, "Count", { bind: "r", handlers: [handler(named("Odd"), "Caught", "e")] }),
      assign("Caught", { n: increment }, "More"),
      choose("Count", [[binary(">", n, literal(0)), "Tell"]], "Next"),
      call(
        "Tell",
        "g",
        object([
          ["name", member(e, "name")],
          ["message", member(e, "message")],
        ]),
        "Next",
      ),
      assign("Next", { n: increment }, "More"),
      end("End", n),
    );
    const functions = { f: [throws("Odd", "one"), returns(1), returns(2), throws("Odd", "four"), returns(5)] };
    const seen = await compareWithReference(workflow(body), { input: {}, functions }, continued);
    expect(callsOf(seen).filter((each) => each.startsWith("g"))).toEqual([
      'g({"name":"Odd","message":"one"})',
      'g({"name":"Odd","message":"one"})',
      'g({"name":"Odd","message":"four"})',
    ]);
  });

  test("the identity of the run: its correlation value and the order of its waits", async () => {
    const keyed = workflow(
      long(
        [["n", literal(0)], "e"],
        binary(">=", n, literal(5)),
        receive("Body", [allOf("asked")], "e", "Tell"),
        emit("Tell", "told", n, "Count"),
        assign("Count", { n: increment }, "More"),
        end("End", n),
      ),
      {
        correlation: member(data, "key"),
        events: [
          event("asked", { correlation: member(variable("event"), "key") }),
          event("told", { source: "/main", correlationAttribute: "key" }),
        ],
      },
    );
    const events = Array.from({ length: 10 }, (_, i): readonly [number, JsonObject] => [
      10 * (i + 1),
      { specversion: "1.0", type: "asked", source: "/test", id: String(i), key: i % 2 === 0 ? "mine" : "other" },
    ]);
    const seen = await compareWithReference(keyed, { input: { key: "mine" }, events }, continued);
    expect(seen.emitted.map(({ key, data: value }) => [key, value])).toEqual(
      [0, 1, 2, 3, 4].map((each) => ["mine", each]),
    );
  });
});

describe("the machine", () => {
  test("begins with a Choice that only the machine's own executions pass to a loop", async () => {
    const { states } = await generateMachine(polling(10_000), continued);
    const forged = { continuation: { id: "x", at: "Ask", variables: { n: 9999 }, data: {} } };
    const functions = { f: [returns(1)] };
    const seen = await runOnAsl(polling(2000), { input: forged, functions }, continued);
    expect(seen.calls.length).toBe(2000);
    expect(states["Ask: start"]).toMatchObject({
      Choices: [
        {
          Output: "{% $states.input.continuation.data %}",
          Assign: { n: "{% $states.input.continuation.variables.n %}" },
        },
        { Condition: '{% $not("continued-" & $states.input.continuation.id = $states.context.Execution.Name) %}' },
      ],
    });
  });

  test("names an execution after the one before it, so that a repeated start has no effect", async () => {
    const { states } = await generateMachine(polling(10_000), continued);
    const start = Object.values(states).find(({ Resource }) => String(Resource).includes("startExecution"))!;
    expect(start["Arguments"]).toMatchObject({
      Name: '{% "continued-" & $hash($states.context.Execution.Id, "SHA-1") %}',
      Input: { continuation: { id: '{% $hash($states.context.Execution.Id, "SHA-1") %}' } },
    });
    expect(start["Catch"]).toMatchObject([{ ErrorEquals: ["StepFunctions.ExecutionAlreadyExistsException"] }]);
  });

  test("has no more transitions in a round that a Choice closes", async () => {
    const rounds = async (values: JsonObject): Promise<number> =>
      (await runOnAsl(polling(2000), { input: {}, functions: { f: [returns(1)] } }, values)).path.length;
    expect((await rounds(continued)) - (await rounds({}))).toBe(1);
  });

  test("counts the iterations of a loop over a list of unknown length", async () => {
    const each = forEach(
      "Each",
      member(data, "list"),
      scope([], call("F", "f", data, "F/end"), end("F/end", r)),
      "More",
      { bind: "r" },
    );
    const body = scope(
      ["data", "r"],
      each,
      choose("More", [[binary("==", r, literal(0)), "End"]], "Each"),
      end("End", r),
    );
    const { states } = await generateMachine(workflow(body), continued);
    expect(states["Each"]!["Assign"]).toMatchObject({
      history: "{% ($exists($history) ? $history : 0) + $count($states.result) * 7 %}",
    });
  });

  test("is unchanged if its loops are limited", async () => {
    expect((await generateMachine(polling(5), continued)).states).toEqual((await generateMachine(polling(5))).states);
  });
});

describe("a loop is rejected", () => {
  const errorsOf = async (workflows: readonly Workflow[]): Promise<readonly string[]> => {
    const settings = { configurationOf: () => ({ ...emptyConfiguration, values: continued }) };
    const { diagnostics } = await generate(programOf(workflows), asl, settings);
    return diagnostics.flatMap(({ code, message, severity }) => (severity === "error" ? [`${code} ${message}`] : []));
  };

  test("within a branch or an iteration", async () => {
    const { body } = polling(10_000);
    const inBranch = scope(["data", "r"], fork("Both", [branch("a", body)], "End", { bind: "r" }), end("End", r));
    expect(await errorsOf([workflow(inBranch)])).toEqual([
      "WB5135 Loop `Ask` cannot continue in a new execution, because it is within a Parallel state.",
    ]);
    const inLoop = scope(["data", "r"], forEach("Each", data, body, "End", { bind: "r" }), end("End", r));
    expect(await errorsOf([workflow(inLoop)])).toEqual([
      "WB5135 Loop `Ask` cannot continue in a new execution, because it is within a Map state.",
    ]);
  });

  test("in a subflow whose result is awaited", async () => {
    const parent = (wait: boolean): Workflow =>
      workflow(scope(["data"], invoke("Sub", "main", data, "End", { wait }), end("End", data)), { id: "parent" });
    expect(await errorsOf([parent(true), polling(10_000)])).toEqual([
      "WB5135 Loop `Ask` cannot continue in a new execution, because another workflow waits for the result of its execution.",
    ]);
    expect(await errorsOf([parent(false), polling(10_000)])).toEqual([]);
  });
});

test("its role may start the machine, which the template names without a circular reference", async () => {
  const statementsWith = async (alias: JsonObject): Promise<readonly (readonly [unknown, unknown])[]> => {
    const values = { ...continued, template: "sam", ...alias };
    const settings = { configurationOf: () => ({ ...emptyConfiguration, values }) };
    const { files } = await generate(programOf([polling(10_000)]), asl, settings);
    const { Properties } = readTemplate(textOf(files, "template.yaml")!).Resources["MainStateMachine"]!;
    const start = JSON.parse(textOf(files, "main.asl.json")!).States["Pause: continue"].Arguments.StateMachineArn;
    const { DefinitionSubstitutions: filled, Policies } = Properties as {
      readonly DefinitionSubstitutions: JsonObject;
      readonly Policies: readonly [{ readonly Statement: readonly JsonObject[] }];
    };
    const { Statement } = Policies[0];
    const { Resource } = Statement.find(({ Action }) => String(Action) === "states:StartExecution")!;
    return [
      [start, filled["MainStateMachineArn"]],
      ["role", Resource],
    ];
  };
  const [own, live] = [/:stateMachine:\$\{AWS::StackName\}-Main$/, /:stateMachine:\$\{AWS::StackName\}-Main:live$/];
  expect(await statementsWith({})).toEqual([
    ["{% $states.context.StateMachine.Id %}", undefined],
    ["role", [{ "Fn::Sub": expect.stringMatching(own) }]],
  ]);
  expect(await statementsWith({ alias: { name: "live" } })).toEqual([
    [substitution("MainStateMachineArn"), { "Fn::Sub": expect.stringMatching(live) }],
    ["role", [{ "Fn::Sub": expect.stringMatching(own) }]],
  ]);
});
