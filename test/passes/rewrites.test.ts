import { expect, test } from "vitest";
import { parse } from "yaml";
import { namesOf } from "../../src/cli/registry.ts";
import { binary, literal, member, object, variable } from "../../src/expressions/core/build.ts";
import { workflowNames as namesIn } from "../../src/ir/names.ts";
import { printWorkflow } from "../../src/ir/print.ts";
import { assertWellFormed, verify } from "../../src/ir/verify.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Retry, Step, Workflow } from "../../src/ir/workflow.ts";
import {
  flattenExceptions,
  fuseAssignments,
  type RecoverySupport,
  removeDeadStores,
  simplifyBranches,
  threadJumps,
} from "../../src/passes/index.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, runScenarios } from "../../src/scenario/run.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";
import { goldenNames, readGolden } from "../golden/folder.ts";
import { languages } from "../languages.ts";
import { assign, attempt, call, choose, data, end, handler, retry, scope, workflow, yes } from "../reference/build.ts";

const main = (...steps: readonly Step[]): Workflow => workflow(scope(["data", "a", "b"], ...steps));

/** The printed steps of a workflow after a rewrite. */
const stepsAfter = (rewrite: (workflow: Workflow) => Workflow, before: Workflow): readonly string[] => {
  const after = rewrite(before);
  assertWellFormed(after, "the rewrite");
  const lines = printWorkflow(after)
    .split("\n")
    .map((line) => line.replace(/ +# .*/, ""));
  return lines.slice(lines.findLastIndex((line) => line.startsWith("  var ")) + 1).flatMap((line) => line.trim() || []);
};

test("values that are never read, or read only for such values, are not computed", () => {
  const before = main(
    assign("Keep", { a: data }, "Copy"),
    assign("Copy", { b: variable("a") }, "Take"),
    assign("Take", { a: variable("b"), data: literal(1) }, "End"),
    end("End", data),
  );
  expect(stepsAfter(removeDeadStores.run, before)).toEqual([
    "Keep: assign",
    "Copy: assign",
    "Take: data := 1",
    "End: end with $data",
  ]);
});

test("passes return a workflow that they leave unchanged, so that its types need not be inferred again", () => {
  const before = main(
    choose("Open?", [[variable("a"), "Both"]], "End"),
    assign("Both", { data: variable("b") }, "End"),
    end("End", data),
  );
  expect(simplifyBranches.run(before)).toBe(before);
  expect(removeDeadStores.run(before)).toBe(before);
  const changed = main(assign("Lost", { a: data }, "End"), end("End", data));
  expect(removeDeadStores.run(changed)).not.toBe(changed);
});

const no = literal(false);
const open = member(data, "open");

test.each<[string, Workflow, readonly string[]]>([
  [
    "what never holds is left out",
    main(
      choose(
        "A",
        [
          [no, "B"],
          [open, "B"],
        ],
        "C",
      ),
      end("B", data),
      end("C", data),
    ),
    ["A: choose", "when $data.open then B", "else C", "B: end with $data", "C: end with $data"],
  ],
  [
    "what always holds ends the choice",
    main(
      choose("A", [
        [open, "B"],
        [yes, "C"],
        [open, "B"],
      ]),
      end("B", data),
      end("C", data),
    ),
    ["A: choose", "when $data.open then B", "else C", "B: end with $data", "C: end with $data"],
  ],
  [
    "a choice that is decided passes on",
    main(choose("A", [[binary("==", literal(1), literal(1)), "C"]], "B"), end("B", data), end("C", data)),
    ["A: assign", "then C", "B: end with $data", "C: end with $data"],
  ],
  [
    "a choice of nothing fails as before",
    main(choose("A", [[literal("true"), "B"]]), end("B", data)),
    ["A: choose", "else fail with NoChoiceMatched", "B: end with $data"],
  ],
  [
    "a handler that never takes anything, and those behind one that takes all, are left out",
    main(
      call("A", "f", data, "B", {
        handlers: [handler(no, "C"), handler(open, "B"), handler(yes, "C"), handler(open, "C")],
      }),
      end("B", data),
      end("C", data),
    ),
    [
      "A: call f($data)",
      "on error when $data.open then B",
      "on error when true then C",
      "B: end with $data",
      "C: end with $data",
    ],
  ],
  [
    "retries that allow nothing are left out where others do not stand behind them",
    main(
      call("A", "f", data, "B", { retries: [retry(0, 1, { when: open }), retry(2, 1), retry(1, 1)] }),
      call("B", "f", data, "C", { retries: [retry(0, 1)] }),
      end("C", data),
    ),
    [
      "A: call f($data)",
      "retry 0 times when $data.open after 1 s",
      "retry 2 times when true after 1 s",
      "B: call f($data)",
      "C: end with $data",
    ],
  ],
  [
    "an error is an object, and so is no truth value",
    main(
      call("A", "f", data, "B", { handlers: [handler(variable("error"), "B"), handler(yes, "C")] }),
      call("B", "f", data, "C", { handlers: [handler(binary("==", variable("error"), literal(true)), "C")] }),
      end("C", data),
    ),
    ["A: call f($data)", "on error when true then C", "B: call f($data)", "C: end with $data"],
  ],
])("simplified branches: %s", (_, before, after) => {
  expect(stepsAfter(simplifyBranches.run, before)).toEqual(after);
});

test.each<[string, Workflow, readonly string[]]>([
  [
    "ways go past steps that only pass on, and these go",
    main(
      assign("A", {}, "B"),
      assign("B", {}, "C"),
      call("C", "f", data, "B2", { handlers: [handler(yes, "B")] }),
      assign("B2", {}, "D"),
      end("D", data),
    ),
    ["C: call f($data)", "on error when true then C", "D: end with $data"],
  ],
  [
    "what nothing leads to goes",
    main(choose("A", [[open, "D"]], "D"), assign("B", { a: data }, "D"), end("D", data)),
    ["A: choose", "when $data.open then D", "else D", "D: end with $data"],
  ],
  [
    "a circle of such steps stays",
    main(choose("A", [[open, "B"]], "D"), assign("B", {}, "C"), assign("C", {}, "B"), end("D", data)),
    ["A: choose", "when $data.open then B", "else D", "B: assign", "C: assign", "then B", "D: end with $data"],
  ],
  [
    "in the scopes within too",
    main(attempt("T", scope([], assign("A", {}, "B"), end("B", data)), "D"), end("D", data)),
    ["T: attempt", "B: end with $data", "D: end with $data"],
  ],
])("threaded jumps: %s", (_, before, after) => {
  expect(stepsAfter(threadJumps.run, before)).toEqual(after);
});

const pair = object([
  ["x", variable("a")],
  ["y", variable("b")],
]);

test.each<[string, Workflow, readonly string[]]>([
  [
    "the second is over what the first has computed",
    main(assign("A", { a: data }, "B"), assign("B", { b: pair }, "D"), end("D", data)),
    ["A: assign", "a := $data", "b := { x: $data, y: $b }", "D: end with $data"],
  ],
  [
    "a value that is given another is gone",
    main(
      assign("A", { a: data }, "B"),
      assign("B", { a: pair }, "C"),
      assign("C", { b: literal(1) }, "D"),
      end("D", data),
    ),
    ["A: assign", "a := { x: $data, y: $b }", "b := 1", "D: end with $data"],
  ],
  [
    "what may fail stays apart",
    main(assign("A", { a: data }, "B"), assign("B", { b: binary("+", data, literal(1)) }, "D"), end("D", data)),
    ["A: a := $data", "B: b := $data + 1", "D: end with $data"],
  ],
  [
    "what something else leads to stays apart",
    main(choose("S", [[open, "B"]], "A"), assign("A", { a: data }, "B"), assign("B", { b: data }, "D"), end("D", data)),
    ["S: choose", "when $data.open then B", "else A", "A: a := $data", "B: b := $data", "D: end with $data"],
  ],
  [
    "nothing is computed twice",
    main(
      assign("A", { a: pair }, "B"),
      assign(
        "B",
        {
          b: object([
            ["x", variable("a")],
            ["y", variable("a")],
          ]),
        },
        "D",
      ),
      end("D", data),
    ),
    ["A: a := { x: $a, y: $b }", "B: b := { x: $a, y: $a }", "D: end with $data"],
  ],
])("fused assignments: %s", (_, before, after) => {
  expect(stepsAfter(fuseAssignments.run, before)).toEqual(after);
});

/** A platform without retries, and with one catch-all handler per step. */
const helpless: RecoverySupport = {
  supportsRetries: (_, retries) => retries.length === 0,
  supportsHandlers: () => false,
  catchesDataErrors: () => true,
};

/** A platform that retries every step natively. */
const retrying: RecoverySupport = {
  supportsRetries: () => true,
  supportsHandlers: () => true,
  catchesDataErrors: () => false,
};

test.each<[string, readonly Retry[], readonly string[]]>([
  [
    "become retries of the only step",
    [],
    ["A: assign", "B: call f($data)", "retry 3 times when true after 2 s", "D: assign", "C: end with $data"],
  ],
  [
    "become a loop around a step with retries of its own",
    [retry(1, 5)],
    [
      'A: "A retries 1" := 0',
      "B: call f($data)",
      "retry once when true after 5 s",
      "on error when true -> error then A/failed",
      "D: assign",
      "then C",
      "A/failed: choose",
      'when true and $A retries 1 < 3 then "A/again 1"',
      "else A/errors",
      '"A/again 1": "A retries 1" := $A retries 1 + 1',
      '"A/wait 1": wait for 2 s',
      "then B",
      "A/errors: assign",
      "A/errors/unhandled: fail with $error",
      "C: end with $data",
    ],
  ],
])("retries of an attempt %s", (_, own, after) => {
  const body = scope([], call("B", "f", data, "D", { retries: own }), end("D", data));
  const before = main(attempt("A", body, "C", { retries: [retry(3, 2)] }), end("C", data));
  const flatten = (workflow: Workflow) => flattenExceptions(workflow, retrying, namesIn(workflow)).workflow;
  expect(stepsAfter(flatten, before)).toEqual(after);
});

const rewritten = (workflow: Workflow): Workflow =>
  fuseAssignments.run(threadJumps.run(simplifyBranches.run(workflow)));

/**
 * Goldens that need attempts: their guards handle failing assignments, which the reference does not support after
 * flattening, they have timeouts of attempts, or conditions of these see errors as steps raise them.
 */
const needAttempts: ReadonlySet<string> = new Set([
  "yawl/bad-outputs-caught",
  "function-workflow/filter-errors-taken",
  "sm4c/errors-taken",
  "sm4c/claims-desk",
  "sm4c/execution-timeout",
  "sm4c/time-limit",
  "serverless-workflow-0.8/loops-and-branches",
  "serverless-workflow-0.8/timeouts-and-starts",
  "serverless-workflow-1.0/errors",
  "serverless-workflow-1.0/order-desk",
  "serverless-workflow-1.0/order-process",
]);

test("after all passes, scenarios of the goldens have the same outcomes in fewer steps", {
  timeout: 60_000,
}, async () => {
  let saved = 0;
  const rewriting = languages.map((language) => ({
    ...language,
    lower(...given: Parameters<typeof language.lower>) {
      const workflow = language.lower(...given);
      if (!workflow) return undefined;
      const { workflow: flat } = flattenExceptions(workflow, helpless, namesIn(workflow));
      expect(verify(flat)).toEqual(verify(workflow));
      const after = rewritten(flat);
      expect(verify(after)).toEqual(verify(workflow));
      saved += stepsOf(flat).length - stepsOf(after).length;
      return after;
    },
  }));
  for (const name of goldenNames().filter((each) => !needAttempts.has(each))) {
    const golden = readGolden(name, (text) => parse(text));
    const file =
      golden.scenarios && readScenarioFile(golden.scenarios, { languages, targets: namesOf(targets) }, () => {});
    if (!file) continue;
    const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
    const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
    const results = await runScenarios(file, { sources, read: readerOf(golden.schemas) }, onReference, rewriting);
    const failed = results.filter(({ outcome }) => outcome !== "passed");
    expect(failed.length === 0 ? "" : `${name}: ${renderResults(failed)}`).toBe("");
  }
  expect(saved).toBeGreaterThan(50);
});
