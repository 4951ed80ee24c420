import { expect, test } from "vitest";
import { literal, member, variable } from "../../src/expressions/core/build.ts";
import type { Expression } from "../../src/expressions/index.ts";
import { assertWellFormed, verify } from "../../src/ir/verify.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  data,
  emit,
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
  span,
  to,
  workflow,
  yes,
} from "../reference/build.ts";

const other = variable("other");
const main = (...steps: readonly Step[]): Workflow =>
  workflow(scope(["data", "other"], ...steps), { events: [event("paid")] });

test("variables of all kinds", () => {
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
  expect(verify(correlated)).toEqual([]);
});

const inBranch = (step: Step): Workflow =>
  main(fork("Both", [branch("one", scope(["own"], step, end("Done", data)))], "End"), end("End", data));

const uses = (step: string, name: string) => `Step ${step} uses the variable \`${name}\`, which is not in scope.`;

test.each<[string, Workflow, readonly string[]]>([
  [
    "reads what is not declared",
    main(assign("Set", { data: variable("lost") }, "End"), end("End", data)),
    [uses("Set", "lost")],
  ],
  ["sets what is not declared", main(assign("Set", { lost: data }, "End"), end("End", data)), [uses("Set", "lost")]],
  [
    "binds what is not declared",
    main(call("Ask", "ask", data, "End", { bind: "lost" }), end("End", data)),
    [uses("Ask", "lost")],
  ],
  [
    "sets a variable of the workflow in a branch",
    inBranch(assign("Set", { data: other }, "Done")),
    [uses("Set", "data")],
  ],
  [
    "reads the error where there is none",
    main(assign("Set", { data: error }, "End"), end("End", data)),
    [uses("Set", "error")],
  ],
  [
    "reads the error where only a condition of a handler may",
    main(call("Ask", "ask", error, "End", { handlers: [handler(error, "End")] }), end("End", data)),
    [uses("Ask", "error")],
  ],
  [
    "goes over what only an iteration has",
    main(forEach("Each", variable("element"), scope([], end("Done", data)), "End"), end("End", data)),
    [uses("Each", "element")],
  ],
  [
    "restores what is not declared",
    main(
      attempt("Try", scope([], end("In", data)), "End", { restore: ["lost"], handlers: [handler(yes, "End")] }),
      end("End", data),
    ),
    [uses("Try", "lost")],
  ],
  ["has no variable for its input", workflow(scope([], end("End", yes))), ["The input `data` is not a variable."]],
  ["has an id twice", main(end("End", data), end("End", data)), ["Several steps have the id `End`."]],
  [
    "has an id again in a branch",
    main(fork("Both", [branch("one", scope([], end("End", data)))], "End"), end("End", data)),
    ["Several steps have the id `End`."],
  ],
  [
    "leads out of a branch",
    inBranch(assign("Set", { own: data }, "End")),
    ["A scope of step Both leads from `Set` to `End`, which is not one of its steps."],
  ],
  [
    "begins nowhere",
    workflow({ ...scope(["data"], end("End", data)), entry: to("Start") }),
    ["The outermost scope begins at `Start`, which is not one of its steps."],
  ],
  [
    "declares a variable twice",
    workflow(scope(["data", "data"], end("End", data))),
    ["The outermost scope declares `data` twice."],
  ],
  [
    "has an attempt with variables of its own",
    main(attempt("Try", scope(["own"], end("In", data)), "End"), end("End", data)),
    ["The body of Step Try declares `own`."],
  ],
  [
    "begins a branch with what is not around it",
    main(fork("Both", [branch("one", scope([["own", variable("own")]], end("Done", data)))], "End"), end("End", data)),
    ["A scope of step Both initializes a variable with `own`, which is not in scope."],
  ],
  [
    "gives a variable two values",
    main(
      {
        ...assign("Set", { data: other }, "End"),
        values: [
          { variable: "data", value: other },
          { variable: "data", value: data },
        ],
      } as Step,
      end("End", data),
    ),
    ["Step Set has several values for `data`."],
  ],
  [
    "has branches of one name",
    main(
      fork("Both", [branch("one", scope([], end("1", data))), branch("one", scope([], end("2", data)))], "End"),
      end("End", data),
    ),
    ["Step Both has several branches `one`."],
  ],
  [
    "waits for more branches than there are",
    main(
      fork("Both", [branch("one", scope([], end("1", data)))], "End", { join: { kind: "some", count: 2 } }),
      end("End", data),
    ),
    ["Step Both joins on more branches than it has."],
  ],
  [
    "has one name for an element and its index",
    main(forEach("Each", data, scope([], end("Done", data)), "End", { index: "element" }), end("End", data)),
    ["Step Each has several variables `element`."],
  ],
  [
    "calls what is not defined",
    { ...main(call("Ask", "ask", data, "End"), end("End", data)), functions: [] },
    ["Step Ask calls `ask`, which is not defined."],
  ],
  [
    "defines a function twice",
    {
      ...main(end("End", data)),
      functions: [
        { name: "f", span },
        { name: "f", span },
      ],
    },
    ["Function `f` is defined twice."],
  ],
  [
    "defines an event twice",
    { ...main(end("End", data)), events: [event("paid"), event("paid")] },
    ["Event `paid` is defined twice."],
  ],
  [
    "correlates an event that has no attribute for the value",
    main(emit("Tell", "paid", data, "End", undefined, data), end("End", data)),
    ["Step Tell has a correlation value, but event `paid` has no attribute for it."],
  ],
  [
    "correlates a wait by a key that its events lack, and twice",
    main(
      receive("Wait", [allOf("paid")], "other", "End", "keep", [
        { key: "order", value: data },
        { key: "order", value: data },
      ]),
      end("End", data),
    ),
    [
      "Step Wait has several correlation values for `order`.",
      "Step Wait has a correlation value for `order`, which none of its events use.",
      "Step Wait has a correlation value for `order`, which none of its events use.",
    ],
  ],
  [
    "correlates a wait by a value that may be missing and that is not in scope",
    {
      ...main(
        receive("Wait", [allOf("paid")], "other", "End", "keep", [{ key: "order", value: member(variable("x"), "a") }]),
        end("End", data),
      ),
      events: [event("paid", { correlation: data, correlationKey: "order" })],
    },
    [
      "Event paid uses the variable `data`, which is not in scope.",
      "Step Wait has a correlation value that may fail or yields no single value.",
      uses("Wait", "x"),
    ],
  ],
  [
    "has an event with a correlation key only",
    { ...main(end("End", data)), events: [event("paid", { correlationKey: "order" })] },
    ["Event `paid` has a correlation key but no correlation."],
  ],
  [
    "emits and waits for what is not defined",
    main(emit("Tell", "said", data, "Wait"), receive("Wait", [allOf("heard")], "other", "End"), end("End", data)),
    ["Step Tell names event `said`, which is not defined.", "Step Wait names event `heard`, which is not defined."],
  ],
])("a workflow that %s violates an invariant", (_, broken, faults) => {
  expect(verify(broken)).toEqual(faults);
  expect(() => assertWellFormed(broken, "this test")).toThrow(`After this test, workflow main: ${faults[0]}`);
});

test("attributes of emitted events", () => {
  const emitting = (attributes: { readonly [name: string]: Expression }): Workflow =>
    workflow(scope(["data"], emit("Emit", "paid", data, "End", attributes), end("End", data)), {
      events: [event("paid")],
    });
  expect(verify(emitting({ type: member(data, "type"), size: data }))).toEqual([]);
  expect(verify(emitting({ specversion: literal("1.0"), data, size: other }))).toEqual([
    "Step Emit gives the attribute `specversion`, which every event has.",
    "Step Emit gives the attribute `data`, which every event has.",
    uses("Emit", "other"),
  ]);
});

test("a bound event has no correlation value", () => {
  const paid = { ...event("paid"), correlationAttribute: "order" };
  const emitting = { ...emit("Emit", "paid", data, "End"), bind: "other" } as Step;
  const steps = [emitting, end("End", data)];
  expect(verify(workflow(scope(["data", "other"], ...steps), { events: [event("paid")] }))).toEqual([]);
  expect(verify(workflow(scope(["data", "other"], ...steps), { events: [paid] }))).toEqual([
    "Step Emit binds an event with a correlation value.",
  ]);
});
