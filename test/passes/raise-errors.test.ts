import { describe, expect, test } from "vitest";
import { generate } from "../../src/compile.ts";
import { access, binary, call as call_, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import { problemDetails } from "../../src/ir/problems.ts";
import { verify } from "../../src/ir/verify.ts";
import { programOf, type Step, type Workflow } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { raiseErrors } from "../../src/passes/index.ts";
import type { Reply } from "../../src/scenario/simulation.ts";
import { emptyConfiguration } from "../../src/target/contract.ts";
import { targets } from "../../targets/index.ts";
import {
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  end,
  error,
  fail,
  fork,
  handler,
  invoke,
  raise,
  scope,
  to,
  workflow,
  yes,
} from "../reference/build.ts";
import { type InterpretOptions, interpretWorkflow, returns, throws } from "../reference/interpreting.ts";
import { compareOn } from "../targets/comparing.ts";

const raisedError = problemDetails({
  prefix: "https://a.example/errors/",
  errors: {
    communication: { status: 500, title: "Communication" },
    timeout: { status: 408, title: "Timeout" },
    expression: { status: 400, title: "Expression" },
    runtime: { status: 500, title: "Runtime" },
  },
  origins: {
    function: "communication",
    timeout: "timeout",
    heartbeat: "timeout",
    expression: "expression",
    denied: "runtime",
    noMatch: "runtime",
    limit: "runtime",
    fail: "runtime",
  },
});

const at = <S extends Step>(pointer: string, step: S): S => ({ ...step, origin: { ...step.origin, pointer } });

const raising = (...steps: readonly Step[]): Workflow => ({
  ...workflow(scope(["data", "x"], ...steps)),
  raisedError,
});

const x = variable("x");
/** Fails unless the data is an object. */
const part = (name: string) => access(data, literal(name));

const asked = at("/do/0/ask", call("Ask", "ask", data, "End", { bind: "x" }));
const finished = end("End", x);
const caught = (inner: Step): readonly Step[] => [
  at(
    "/do/1/try",
    attempt("Try", scope([], inner, end("Tried", literal(null))), "End", {
      handlers: [handler(yes, "Caught", "x")],
    }),
  ),
  end("Caught", member(x, "data")),
  finished,
];

const problem = (name: string, status: number, title: string, instance: string, more: JsonObject = {}): JsonObject => ({
  type: name.includes(":") ? name : `https://a.example/errors/${name}`,
  status,
  title,
  ...more,
  instance,
});
/** A run that fails with an error, whose message is the title. */
const failing = (name: string, details: JsonObject): JsonObject => ({
  name,
  message: details["title"]!,
  data: details,
});

const answers = (...list: readonly Reply[]): InterpretOptions => ({ input: {}, functions: { ask: list } });

const expressionFailed = (instance: string) =>
  failing("expression", problem("expression", 400, "Expression", instance));

const cases: readonly (readonly [string, Workflow, InterpretOptions, JsonObject])[] = [
  [
    "a function's error of a standard name",
    raising(asked, finished),
    answers(throws("communication", "Not Found", 0, { status: 404 })),
    failing("communication", problem("communication", 404, "Not Found", "/do/0/ask")),
  ],
  [
    "an error of a function that a URI names",
    raising(asked, finished),
    answers(throws("https://b.example/taken", "Taken", 0, { status: 409, detail: "by others" })),
    failing(
      "https://b.example/taken",
      problem("https://b.example/taken", 409, "Taken", "/do/0/ask", { detail: "by others" }),
    ),
  ],
  [
    "another error of a function",
    raising(asked, finished),
    answers(throws("Boom", "it broke")),
    failing("communication", problem("communication", 500, "Boom", "/do/0/ask", { detail: "it broke" })),
  ],
  [
    "an error of a function whose message looks like details",
    raising(asked, finished),
    answers(throws("Boom", '{"message":"a","status":404}')),
    failing(
      "communication",
      problem("communication", 500, "Boom", "/do/0/ask", { detail: '{"message":"a","status":404}' }),
    ),
  ],
  [
    "an error of a function with a message of special characters",
    raising(asked, finished),
    answers(throws("communication", 'a"\\\n\u0001{%} /é', 0, { status: 404, detail: '"b\\"' })),
    failing("communication", problem("communication", 404, 'a"\\\n\u0001{%} /é', "/do/0/ask", { detail: '"b\\"' })),
  ],
  [
    "an error of a function with other data",
    raising(asked, finished),
    answers(throws("Boom", "it broke", 0, { status: 404, list: [1, { a: null }] })),
    failing("communication", problem("communication", 404, "Boom", "/do/0/ask", { detail: "it broke" })),
  ],
  [
    "a function's error that an enclosing step catches",
    raising(...caught({ ...asked, next: to("Tried") })),
    answers(throws("Boom", "it broke")),
    { output: problem("communication", 500, "Boom", "/do/0/ask", { detail: "it broke" }) },
  ],
  [
    "a function's error that is caught by its status",
    raising(
      at(
        "/do/1/try",
        attempt("Try", scope([], { ...asked, next: to("Tried") }, end("Tried", literal(null))), "End", {
          handlers: [handler(binary("==", member(error, "data", "status"), literal(404)), "Caught", "x")],
        }),
      ),
      end("Caught", member(x, "data", "status")),
      finished,
    ),
    answers(throws("Boom", "it broke", 0, { status: 404 })),
    { output: 404 },
  ],
  [
    "a failed assignment",
    raising(at("/do/0/set", assign("Set", { x: part("a") }, "End")), finished),
    { input: [] },
    expressionFailed("/do/0/set"),
  ],
  [
    "a failed assignment that is caught",
    raising(...caught(at("/do/0/set", assign("Set", { x: part("a") }, "Tried")))),
    { input: [] },
    { output: problem("expression", 400, "Expression", "/do/0/set") },
  ],
  [
    "a failed condition",
    raising(at("/do/0/switch", choose("Switch", [[binary("==", part("a"), literal(1)), "End"]], "End")), finished),
    { input: [] },
    expressionFailed("/do/0/switch"),
  ],
  [
    "a condition that holds",
    raising(
      at("/do/0/switch", choose("Switch", [[binary("==", part("a"), literal(1)), "Other"]], "End")),
      finished,
      end("Other", literal("other")),
    ),
    { input: { a: 1 } },
    { output: "other" },
  ],
  [
    "a choice without a match",
    raising(at("/do/0/switch", choose("Switch", [[binary("==", data, literal(1)), "End"]])), finished),
    { input: {} },
    failing("runtime", {
      ...problem("runtime", 500, "Runtime", "/do/0/switch"),
      detail: "No condition of state Switch holds, and it has no default.",
    }),
  ],
  [
    "a failed delay",
    raising(at("/do/0/wait", delay("Wait", call_("floor", part("a")), "End")), finished),
    { input: [] },
    expressionFailed("/do/0/wait"),
  ],
  ["a failed output", raising(at("/do/0/end", end("End", part("a")))), { input: [] }, expressionFailed("/do/0/end")],
  [
    "an error that the workflow raises with its own details",
    raising(
      at(
        "/do/0/raise",
        raise(
          "Raise",
          object([
            ["name", literal("https://b.example/own")],
            ["message", literal("Own")],
            ["data", literal(problem("https://b.example/own", 418, "Own", "/do/0/raise"))],
          ]),
        ),
      ),
    ),
    { input: {} },
    failing("https://b.example/own", problem("https://b.example/own", 418, "Own", "/do/0/raise")),
  ],
  [
    "an error without details that the workflow raises",
    raising(at("/do/0/raise", fail("Raise", "Own", "it is"))),
    { input: {} },
    failing("runtime", problem("runtime", 500, "Own", "/do/0/raise", { detail: "it is" })),
  ],
  [
    "an error in a branch",
    raising(
      at(
        "/do/0/fork",
        fork(
          "Fork",
          [
            branch("a", scope(["y"], { ...asked, bind: "y", next: to("A") }, end("A", literal(1)))),
            branch("b", scope([], end("B", literal(2)))),
          ],
          "End",
        ),
      ),
      finished,
    ),
    answers(throws("Boom", "it broke", 0, { status: 503 })),
    failing("communication", problem("communication", 503, "Boom", "/do/0/ask", { detail: "it broke" })),
  ],
  [
    "an error in a branch that is caught",
    raising(
      at(
        "/do/0/fork",
        fork("Fork", [branch("a", scope(["y"], { ...asked, bind: "y", next: to("A") }, end("A", literal(1))))], "End", {
          handlers: [handler(yes, "Caught", "x")],
        }),
      ),
      end("Caught", member(x, "data")),
      finished,
    ),
    answers(throws("Boom", "it broke", 0, { status: 503 })),
    { output: problem("communication", 503, "Boom", "/do/0/ask", { detail: "it broke" }) },
  ],
  [
    "an error of a subflow",
    raising(at("/do/0/run", invoke("Run", "child", data, "End", { bind: "x" })), finished),
    {
      ...answers(throws("Boom", "it broke", 0, { status: 404 })),
      others: [{ ...raising(asked, finished), id: "child" }],
    },
    failing("communication", problem("communication", 404, "Boom", "/do/0/ask", { detail: "it broke" })),
  ],
  [
    "an error of a workflow outside of the program",
    raising(at("/do/0/run", invoke("Run", "other", data, "End", { bind: "x" })), finished),
    { input: {}, functions: { other: [throws("Boom", "it broke", 0, { status: 404 })] } },
    failing("communication", problem("communication", 404, "Boom", "/do/0/run", { detail: "it broke" })),
  ],
  [
    "a timeout",
    raising({ ...asked, timeout: 5 }, finished),
    answers(returns(1, 10)),
    failing("timeout", problem("timeout", 408, "Timeout", "/do/0/ask")),
  ],
  [
    "a step that fails in the second round of a loop, after others",
    raising(at("/do/0/take", assign("Take", { data: part("next") }, "Ask")), { ...asked, next: to("Take") }, finished),
    { ...answers(returns(1)), input: { next: 1 } },
    expressionFailed("/do/0/take"),
  ],
  [
    "a step after a caught error",
    raising(
      at(
        "/do/0/try",
        attempt("Try", scope([], { ...asked, next: to("Tried") }, end("Tried", literal(null))), "Set", {
          handlers: [handler(yes, "Set")],
        }),
      ),
      at("/do/1/set", assign("Set", { x: access(x, literal("a")) }, "End")),
      finished,
    ),
    { ...answers(throws("Boom", "it broke")), input: {} },
    { output: null },
  ],
];

describe.each(cases)("%s", (_, raised, options, expected) => {
  test("on the reference", async () => {
    const { outcome } = await interpretWorkflow(raised, options);
    expect(outcome.status === "failed" ? outcome.error : outcome).toMatchObject(expected);
  });
  test("as handlers", async () => {
    const lowered = raiseErrors(raised);
    expect(verify(lowered)).toEqual([]);
    const plain = await interpretWorkflow(raised, options);
    expect((await interpretWorkflow(lowered, options)).outcome).toEqual(plain.outcome);
  });
  test.each(targets.map((target) => [target.name, target] as const))("on %s", async (__, target) => {
    await compareOn(target, raised, options);
  });
});

/** Two assignments, a choice and a call in a row; each fails unless the data is an object with objects. */
const chain = raising(
  at("/do/0/set", assign("Set", { x: part("a") }, "Set2")),
  at("/do/1/set", assign("Set2", { data: access(x, literal("b")) }, "Choose")),
  at("/do/2/choose", choose("Choose", [[access(part("c"), literal("d")), "Ask"]], "Ask")),
  { ...asked, argument: access(access(x, literal("e")), literal("f")), origin: { ...asked.origin, pointer: "/do/3" } },
  finished,
);

const failingInputs: readonly (readonly [string, Json])[] = [
  ["/do/0/set", []],
  ["/do/1/set", { a: [] }],
  ["/do/2/choose", { a: { b: [] } }],
  ["/do/3", { a: { b: { c: {} }, e: [] } }],
];

describe.each(failingInputs)("a failed expression at %s", (pointer, input) => {
  test.each(targets.map((target) => [target.name, target] as const))("on %s", async (_, target) => {
    const workflow: Workflow = { ...chain, anyInput: true };
    const { outcome } = await compareOn(target, workflow, { input, functions: { ask: [returns(1)] } });
    expect(outcome).toMatchObject({ error: { data: { instance: pointer } } });
  });
});

test.each(targets.map((target) => [target.name, target] as const))(
  "data of errors that nothing raises again reach the end of the run on %s",
  async (_, target) => {
    const plain: Workflow = { ...raising(asked, finished), raisedError: undefined, detailedErrors: true };
    const { outcome } = await compareOn(target, plain, answers(throws("Boom", "it broke", 0, { status: 405 })));
    expect(outcome).toMatchObject({ error: { name: "Boom", message: "it broke", data: { status: 405 } } });
    await compareOn(target, plain, answers(throws("Boom", '{"message":"a"}')));
  },
);

test("a composition declares the standard errors once", async () => {
  const again = { ...asked, id: "Again", next: to("End"), origin: { ...asked.origin, pointer: "/do/1/again" } };
  const twice = raising({ ...asked, next: to("Again") }, again, finished);
  const openwhisk = targets.find(({ name }) => name === "openwhisk")!;
  const { files } = await generate(programOf([twice]), openwhisk, { configurationOf: () => emptyConfiguration });
  const { text } = files.find(({ path }) => path.endsWith(".composition.json"))!;
  expect(text.split("https://a.example/errors/")).toHaveLength(2);
  expect(text.split("/do/1/again")).toHaveLength(2);
});
