import { expect, test } from "vitest";
import { literal, object, variable } from "../../src/expressions/core/build.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { targets } from "../../targets/index.ts";
import { branch, call, data, end, fork, invoke, scope, workflow } from "../reference/build.ts";
import { type InterpretOptions, interpretWorkflow } from "../reference/interpreting.ts";
import { compareOn } from "./comparing.ts";

const withRunId = (made: Workflow): Workflow => ({
  ...made,
  functions: made.functions.map((each) => (each.name === "id" ? { ...each, protocol: { kind: "run" } } : each)),
});

const asked = call("Id", "id", literal(null), "Tell", { bind: "data" });
const told = call("Tell", "tell", data, "End", { bind: "data" });

const main = withRunId(workflow(scope(["data"], asked, told, end("End", data))));

const inside = withRunId(
  workflow(
    scope(
      ["data", "both"],
      fork(
        "Both",
        [
          branch(
            "a",
            scope(
              ["at"],
              call("A", "id", literal(null), "A/tell", { bind: "at" }),
              call("A/tell", "tell", variable("at"), "A/end"),
              end("A/end", variable("at")),
            ),
          ),
          branch("b", scope([], end("B", literal(1)))),
        ],
        "End",
        { bind: "both" },
      ),
      end("End", object([["both", variable("both")]])),
    ),
  ),
);

const child = { ...withRunId(workflow(scope(["data"], asked, told, end("End", data)))), id: "child" };
const parent = workflow(
  scope(["data"], invoke("Child", "child", literal({}), "End", { bind: "data" }), end("End", data)),
);

const options: InterpretOptions = {
  input: {},
  functions: { tell: (argument) => ({ takes: 0, answer: { kind: "returns", value: argument } }) },
};

test.each<[string, Workflow, readonly Workflow[]]>([
  ["a run", main, []],
  ["a branch", inside, []],
  ["a subflow", parent, [child]],
])("%s reads the id of the run", async (_, made, others) => {
  const expected = await interpretWorkflow(made, { ...options, others });
  expect(expected.outcome).toMatchObject({ status: "succeeded" });
  expect(JSON.stringify(expected.calls[0])).toMatch(/"argument":"[\w-]+"/);
  for (const target of targets) await compareOn(target, made, { ...options, others });
});
