import { expect, test } from "vitest";
import { assertVariables } from "../../src/analysis/variables.ts";
import { member, variable } from "../../src/expressions/core/build.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  data,
  end,
  error,
  event,
  forEach,
  fork,
  handler,
  pattern,
  receive,
  retry,
  scope,
  workflow,
  yes,
} from "../reference/build.ts";

/** What the check says of a good workflow; it throws for one that a front end got wrong. */
const findings = (checked: Workflow): readonly string[] => {
  assertVariables(checked);
  return [];
};

const other = variable("other");
const main = (...steps: readonly Step[]): Workflow =>
  workflow(scope(["data", "other"], ...steps), { events: [event("paid")] });

test("variables of all kinds, where they have values", () => {
  const each = scope(
    [["item", member(variable("element"), "x")], "own"],
    assign("Set", { own: variable("index") }, "Done"),
    end("Done", other),
  );
  const steps = main(
    call("Ask", "ask", data, "Try", {
      bind: "other",
      retries: [retry(1, 1, { when: error })],
      handlers: [handler(error, "Try", "other")],
    }),
    attempt("Try", scope([], assign("Inner", { other: data }, "InnerEnd"), end("InnerEnd", other)), "Each", {
      restore: ["data"],
    }),
    forEach("Each", data, each, "Wait", { index: "index" }),
    receive("Wait", [{ ...allOf(), all: [[pattern("paid", member(variable("event"), "x"))]] }], "other", "End"),
    end("End", data),
  );
  const correlated = { ...steps, correlation: member(variable("run"), "id") };
  expect(findings(correlated)).toEqual([]);
});

const inBranch = (step: Step): Workflow =>
  main(fork("Both", [branch("one", scope(["own"], step, end("Done", data)))], "End"), end("End", data));

test.each<[string, Workflow, string]>([
  [
    "reads what is not declared",
    main(assign("Set", { data: variable("lost") }, "End"), end("End", data)),
    "Step Set of workflow main uses a variable `lost`",
  ],
  [
    "sets what is not declared",
    main(assign("Set", { lost: data }, "End"), end("End", data)),
    "Step Set of workflow main uses a variable `lost`",
  ],
  [
    "binds what is not declared",
    main(call("Ask", "ask", data, "End", { bind: "lost" }), end("End", data)),
    "Step Ask of workflow main uses a variable `lost`",
  ],
  [
    "sets a variable of the workflow in a branch",
    inBranch(assign("Set", { data: other }, "Done")),
    "Step Set of workflow main uses a variable `data`",
  ],
  [
    "reads the error where there is none",
    main(assign("Set", { data: error }, "End"), end("End", data)),
    "Step Set of workflow main uses a variable `error`",
  ],
  [
    "restores what is not declared",
    main(
      attempt("Try", scope([], end("In", data)), "End", { restore: ["lost"], handlers: [handler(yes, "End")] }),
      end("End", data),
    ),
    "Step Try of workflow main uses a variable `lost`",
  ],
  ["has no variable for its input", workflow(scope([], end("End", yes))), "Workflow main uses a variable `data`"],
])("a front end's workflow that %s is a bug of ours", (_, broken, message) => {
  expect(() => findings(broken)).toThrow(`${message} that it does not have.`);
});
