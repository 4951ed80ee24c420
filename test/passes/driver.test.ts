import { expect, test } from "vitest";
import { literal } from "../../src/expressions/core/build.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import { forEachWorkflow, forWorkflow, type Pass, type PassRun, renamed, runPasses } from "../../src/passes/index.ts";
import { assign, data, end, scope, workflow } from "../reference/build.ts";

const given = workflow(scope(["data"], assign("A", { data: literal(1) }, "B"), end("B", data)));

/** A pass that appends its name to the name of the workflow. */
const appending = (name: string): Pass<Workflow> => ({
  name,
  run: (before) => ({ ...before, name: `${before.name} ${name}` }),
});

/** A pass that removes the last step, although another step leads to it. */
const breaking: Pass<Workflow> = {
  name: "break",
  run: (before) => ({ ...before, body: { ...before.body, steps: before.body.steps.slice(0, -1) } }),
};

test("passes run in the order of the list", () => {
  const after = runPasses([appending("a"), appending("b")], { ...given, name: "w" }, undefined, {});
  expect(after.name).toBe("w a b");
});

test("passes receive the info", () => {
  const pass: Pass<Workflow, string> = { name: "rename", run: (before, name) => ({ ...before, name }) };
  expect(runPasses([pass], given, "x", {}).name).toBe("x");
});

test("the workflow is verified after each pass, and the error names the pass that broke it", () => {
  const verified: string[] = [];
  const verify = (after: Workflow, pass: string): void => {
    verified.push(pass);
    assertWellFormed(after, pass);
  };
  const passes = [appending("a"), breaking, appending("b")];
  expect(() => runPasses(passes, given, undefined, { verify })).toThrow("After break, workflow main:");
  expect(verified).toEqual(["a", "break"]);
  expect(() => runPasses(passes, given, undefined, {})).not.toThrow();
});

test("each pass reports its time and the workflows after it", () => {
  const runs: PassRun[] = [];
  const slow: Pass<Workflow> = {
    name: "slow",
    run: (before) => {
      for (const start = performance.now(); performance.now() < start + 5; );
      return { ...before, name: "changed" };
    },
  };
  runPasses([appending("fast"), slow], { ...given, name: "w" }, undefined, { afterPass: (run) => runs.push(run) });
  expect(runs.map(({ pass, workflows }) => [pass, workflows.map(({ name }) => name)])).toEqual([
    ["fast", ["w fast"]],
    ["slow", ["changed"]],
  ]);
  expect(runs[1]!.milliseconds).toBeGreaterThanOrEqual(5);
  expect(runs[0]!.milliseconds).toBeLessThan(runs[1]!.milliseconds);
});

test("a pass of workflows runs on each workflow of a program, and on the workflow of a larger subject", () => {
  const program = programOf([given, { ...given, id: "other", name: "other" }]);
  const after = runPasses([forEachWorkflow(appending("a"))], program, undefined, { verify: assertWellFormed });
  expect(after.workflows.map(({ name }) => name)).toEqual([`${given.name} a`, "other a"]);
  expect(after.byId.get("other")).toBe(after.workflows[1]);
  const subject = { workflow: given, kept: 7 };
  expect(runPasses([forWorkflow(appending("a"))], subject, undefined, {})).toMatchObject({
    workflow: { name: `${given.name} a` },
    kept: 7,
  });
});

test("a pass can run twice in a list under two names", () => {
  const runs: string[] = [];
  const again = renamed(appending("a"), "a-2");
  runPasses([appending("a"), again], given, undefined, { afterPass: ({ pass }) => runs.push(pass) });
  expect(runs).toEqual(["a", "a-2"]);
});
