import { describe, expect, test } from "vitest";
import { binary, collect, comma, literal, pathsOf, variable } from "../../../../src/expressions/core/build.ts";
import { wrap } from "../../../equivalence/wrapping.ts";
import {
  branch,
  call,
  data,
  end,
  error,
  fail,
  forEach,
  fork,
  handler,
  retry,
  scope,
  workflow,
  yes,
} from "../../../reference/build.ts";
import { callsOf, outcomeOf, returns } from "../../../reference/interpreting.ts";
import {
  bad,
  compareWithReference,
  element,
  generateMachine,
  good,
  index,
  part,
  risky,
  x,
  y,
} from "../reference-comparison.ts";

// Initial values of scopes that the generated function evaluates.

describe("scopes", () => {
  test("a branch's initial values read outer variables, including ones that it hides", async () => {
    const first = [["data", wrap(collect(comma(data, x)))], ["x", literal(8)], ["y", wrap(x)]] as const; // biome-ignore format: a table
    const left = branch("left", scope(first, call("L", "f", data, "L/end"), end("L/end", collect(comma(data, x, y)))));
    const right = branch("right", scope([], end("R", data)));
    const flow = workflow(
      scope(["data", ["x", literal(5)], "r"], fork("F", [left, right], "E", { bind: "r" }), end("E", variable("r"))),
    );
    expect(outcomeOf(await compareWithReference(flow, { input: 1 }))).toEqual({
      output: { left: [[1, 5], 8, 5], right: 1 },
    });
  });

  test("an iteration's initial values also read its element", async () => {
    const first = [["data", wrap(collect(comma(data, element, index)))], ["x", collect(comma(data, element))]] as const; // biome-ignore format: a table
    const inner = scope(first, call("L", "f", data, "L/end", { bind: "x" }), end("L/end", collect(comma(data, x))));
    const body = scope(
      ["data", "r"],
      forEach("F", wrap(part("list")), inner, "E", { bind: "r", index: "index" }),
      end("E", variable("r")),
    );
    const seen = await compareWithReference(workflow(body), {
      input: { list: [7, [8]] },
      functions: { f: (argument) => returns(argument) },
    });
    expect(callsOf(seen)).toEqual(['f([{"list":[7,[8]]},7,0])', 'f([{"list":[7,[8]]},[8],1])']);
  });

  test("an iteration's document is unchanged if only another variable is computed", async () => {
    const inner = scope(
      [["y", wrap(collect(comma(part("n"), element)))]],
      call("L", "f", y, "L/end"),
      end("L/end", collect(comma(data, y))),
    );
    const body = scope(
      ["data", "r"],
      forEach("F", part("list"), inner, "E", { bind: "r", width: 1 }),
      end("E", variable("r")),
    );
    const input = { list: [1, 2], n: 3 };
    expect(outcomeOf(await compareWithReference(workflow(body), { input }))).toEqual({ output: [[input, [3, 1]], [input, [3, 2]]] }); // biome-ignore format: a table
  });

  test("a run's initial values read its input", async () => {
    const flow = workflow(
      scope(["data", ["x", wrap(part("n"))], ["y", literal(2)]], end("E", collect(comma(x, y, data)))),
    );
    expect(outcomeOf(await compareWithReference(flow, { input: good }))).toEqual({ output: [1, 2, good] });
  });

  test("a collection that is not an array, or fails, fails the step", async () => {
    const inner = scope([], end("I", element));
    const rest = { bind: "r", retries: [retry(1, 4)], handlers: [handler(yes, "H", "error")] };
    const body = scope(
      ["data", "r", "error"],
      forEach("F", risky(part("list")), inner, "E", rest),
      end("E", variable("r")),
      end("H", error),
    );
    expect(await compareWithReference(workflow(body), { input: { bad: false, list: [1] } })).toMatchObject({
      outcome: { output: [1] },
    });
    const failed = scope(body.variables.map(({ name }) => name), ...body.steps.slice(0, 2), fail("H", "Gone")); // biome-ignore format: a table
    expect(await compareWithReference(workflow(failed), { input: bad })).toMatchObject({
      elapsed: 4,
      outcome: { error: { name: "Gone" } },
    });
  });
});

describe("generated code", () => {
  const flow = workflow(
    scope(["data", "x", "y"], call("Ask", "f", wrap(part("n")), "B", { bind: "x" }), end("B", wrap(x))),
    {
      id: "it",
    },
  );

  test("the machine calls one function by its substitution, with only the variables that an expression uses", async () => {
    const { states, diagnostics } = await generateMachine(flow);
    expect(Object.keys(states)).toEqual(["Ask: expressions", "Ask", "B"]);
    const [first, , last] = Object.values(states);
    expect(first).toMatchObject({ Resource: ["$", "{ItExpressionsFunctionArn}"].join("") });
    expect(first!["Arguments"]).toEqual({ expression: "Ask", variables: { data: "{% $states.input %}" } });
    expect(last!["Arguments"]).toEqual({ expression: "B", variables: { x: expect.any(String) } });
    expect(diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`)).toEqual(
      [0, 1].map(
        () =>
          "info WB5111 JSONata has no exact form for an object with the key `__proto__`: the Lambda function in `it-expressions.mjs` computes this, which costs one state transition.",
      ),
    );
  });

  test("the function is a self-contained module that returns values and errors", async () => {
    const { lambda } = await generateMachine(flow);
    const { handler: answer } = (await import(`data:text/javascript,${encodeURIComponent(lambda)}`)) as {
      handler: (event: object) => Promise<object>;
    };
    expect(await answer({ expression: "Ask", variables: { data: { n: 4 } } })).toEqual({ value: 4 });
    expect(await answer({ expression: "Ask", variables: { data: [] } })).toEqual({
      error: 'ExpressionError: Cannot index array with string ("n")',
    });
    await expect(answer({ expression: "constructor", variables: {} })).rejects.toThrow(
      "There is no expression constructor.",
    );
  });

  test("a function of the definition keeps its name", async () => {
    const named = workflow(scope(["data"], call("A", "main expressions", wrap(data), "B"), end("B", data)));
    const resources = Object.values((await generateMachine(named)).states).flatMap(({ Resource }) => Resource ?? []);
    expect(resources).toEqual([
      ["$", "{MainExpressions2FunctionArn}"].join(""),
      ["$", "{MainExpressionsFunctionArn}"].join(""),
    ]);
  });

  test("expressions without a JavaScript form are rejected with a reason", async () => {
    const path = pathsOf(binary("+", data, literal(1)));
    const { diagnostics } = await generateMachine(workflow(scope(["data"], end("A", wrap(collect(path))))));
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["WB5108", "Nor can a Lambda function compute it. An addition inside of a path is not supported."],
    ]);
  });
});
