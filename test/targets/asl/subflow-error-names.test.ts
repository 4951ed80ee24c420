import { describe, expect, test } from "vitest";
import { generate } from "../../../src/compile.ts";
import { member } from "../../../src/expressions/core/build.ts";
import type { ErrorNames, Workflow } from "../../../src/ir/workflow.ts";
import { programOf } from "../../../src/ir/workflow.ts";
import { asl } from "../../../targets/asl/index.ts";
import { branch, call, data, end, error, fork, handler, invoke, scope, workflow, yes } from "../../reference/build.ts";
import { outcomeOf, returns } from "../../reference/interpreting.ts";
import { compareWithReference, part } from "./reference-comparison.ts";

// Unnamed errors have the names of the language of their subflow.

const ours: ErrorNames = { timeout: "LATE", expression: "BAD" };
const theirs: ErrorNames = { timeout: "STEP_TIMEOUT", expression: "STEP_INVALID" };

/** A workflow in a language: one step exceeds its timeout, or its expression fails. */
const failing = (id: string, errorNames: ErrorNames | undefined): Workflow => ({
  ...workflow(scope(["data", "r"], call("Call", "f", part("n"), "End", { bind: "r", timeout: 2 }), end("End", data)), {
    id,
  }),
  errorNames,
});

const passing = (id: string, to: string, errorNames: ErrorNames | undefined): Workflow => ({
  ...workflow(scope(["data"], invoke("Down", to, data, "End"), end("End", data)), { id }),
  errorNames,
});

const taking = (to: string, errorNames: ErrorNames | undefined): Workflow => ({
  ...workflow(
    scope(
      ["data", "error"],
      invoke("Pay", to, data, "End", { handlers: [handler(yes, "Taken", "error")] }),
      end("End", data),
      end("Taken", member(error, "name")),
    ),
  ),
  errorNames,
});

const late = { input: { n: 1 }, functions: { f: [returns(1, 9)] } };

describe.each([
  ["no names", undefined],
  ["names of its own", ours],
] as const)("a workflow with %s", (_, own) => {
  test.each([
    ["none", undefined, own?.timeout ?? "Timeout"],
    ["others", theirs, "STEP_TIMEOUT"],
  ] as const)("handles the error of a subflow with %s", async (_, names, name) => {
    const seen = await compareWithReference(taking("child", own), { ...late, others: [failing("child", names)] });
    expect(outcomeOf(seen)).toEqual({ output: name });
    await compareWithReference(taking("child", own), { input: {}, others: [failing("child", names)] });
  });

  test("fails with the error of a subflow", async () => {
    const seen = await compareWithReference(passing("main", "child", own), {
      ...late,
      others: [failing("child", theirs)],
    });
    expect(outcomeOf(seen)).toMatchObject({ error: "STEP_TIMEOUT" });
    await compareWithReference(passing("main", "child", own), { input: {}, others: [failing("child", theirs)] });
  });

  test("handles the error of a subflow's subflow with the same names", async () => {
    const others = [passing("child", "below", theirs), failing("below", theirs)];
    expect(outcomeOf(await compareWithReference(taking("child", own), { ...late, others }))).toEqual({
      output: "STEP_TIMEOUT",
    });
  });
});

test("an own timeout has its own name next to that of a subflow", async () => {
  const flow = taking("child", ours);
  const steps = flow.body.steps.map((step) => (step.kind === "invoke" ? { ...step, timeout: 1 } : step));
  const hurried = { ...flow, body: { ...flow.body, steps } };
  const seen = await compareWithReference(hurried, { ...late, others: [failing("child", theirs)] });
  expect(outcomeOf(seen)).toEqual({ output: "LATE" });
});

const refused = async (main: Workflow, ...others: readonly Workflow[]): Promise<readonly string[]> => {
  const { diagnostics } = await generate(programOf([main, ...others]), asl);
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
};

test("the origin of errors is unknown if subflows name them differently", async () => {
  const both = workflow(
    scope(
      ["data", "error"],
      fork(
        "Both",
        [
          branch("a", scope([], invoke("A", "one", data, "Aend"), end("Aend", data))),
          branch("b", scope([], invoke("B", "two", data, "Bend"), end("Bend", data))),
        ],
        "End",
        { handlers: [handler(yes, "Taken", "error")] },
      ),
      end("End", data),
      end("Taken", member(error, "name")),
    ),
  );
  const mixed = [
    "WB5108 Amazon States Language has no exact form for errors of subflows whose languages name a timeout differently: an execution's error does not say which language it is from.",
  ];
  expect(await refused(both, failing("one", ours), failing("two", theirs))).toEqual(mixed);
  expect(await refused(both, failing("one", theirs), failing("two", theirs))).toEqual([]);
  expect(await refused(taking("one", ours), passing("one", "two", theirs), failing("two", undefined))).toEqual([]);
  expect(await refused(taking("one", ours), passing("one", "two", undefined), failing("two", theirs))).toEqual(mixed);
});
