import { expect, test } from "vitest";
import { literal, member, variable } from "../../src/expressions/core/build.ts";
import { verify } from "../../src/ir/verify.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Step } from "../../src/ir/workflow.ts";
import { separateErrors } from "../../src/passes/index.ts";
import { assign, attempt, call, choose, data, end, handler, scope, workflow, yes } from "../reference/build.ts";

const problem = variable("problem");
const ask = call("Ask", "ask", data, "Asked");
const trying = (next: string) =>
  attempt("Try", scope([], ask, end("Asked", literal(null))), "End", { handlers: [handler(yes, next, "problem")] });
const caught = assign("Caught", { problem: member(problem, "data"), data: problem }, "End");
const finished = end("End", problem);

const separated = (...steps: readonly Step[]) => separateErrors.run(workflow(scope(["data", "problem"], ...steps)));

const boundIn = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === "attempt" ? step.handlers.map(({ bind }) => bind) : []));

test("the error gets a variable of its own, which the next step reads", () => {
  const result = separated(trying("Caught"), caught, finished);
  expect(verify(result)).toEqual([]);
  expect(boundIn(stepsOf(result))).toEqual(["caught"]);
  const own = variable("caught");
  expect(stepsOf(result).find(({ id }) => id === "Caught")).toMatchObject({
    values: [
      { variable: "problem", value: member(own, "data") },
      { variable: "data", value: own },
    ],
  });
});

test("a step that is reached in another way reads the same variable", () => {
  const choice = choose("Choose", [[yes, "Caught"]], "Try");
  expect(boundIn(stepsOf(separated(choice, trying("Caught"), caught, finished)))).toEqual(["problem"]);
});

test("an error that stays in its variable keeps it", () => {
  const other = assign("Caught", { data: problem }, "End");
  expect(boundIn(stepsOf(separated(trying("Caught"), other, finished)))).toEqual(["problem"]);
});
