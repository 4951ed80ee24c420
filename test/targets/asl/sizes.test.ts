import { expect, test } from "vitest";
import { binary, call as builtin, literal, object, variable } from "../../../src/expressions/core/build.ts";
import type { Scope, Workflow } from "../../../src/ir/workflow.ts";
import {
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  end,
  forEach,
  fork,
  scope,
  workflow,
} from "../../reference/build.ts";
import { generateMachine } from "./reference-comparison.ts";

// Results of branches and iterations that exceed 256 KiB in every run.

const text = (length: number) => literal("x".repeat(length));
const [r, x] = [variable("r"), variable("x")];
const elements = (count: number) => literal(Array.from({ length: count }, (_, i) => i));

async function refusalsOf(given: Workflow): Promise<readonly string[]> {
  // The analysis is skipped for a source that is too short to contain so much.
  const span = { ...given.span, source: { ...given.span.source, text: "x".repeat(300_000) } };
  const { diagnostics } = await generateMachine({ ...given, span });
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}

const loop = (count: number, body: Scope, bind: string | undefined = "r"): Workflow =>
  workflow(
    scope(
      ["data", "r", "x"],
      forEach("Each", elements(count), body, "End", bind === undefined ? {} : { bind }),
      end("End", r),
    ),
  );
const refused = (what: string, bytes: string): readonly string[] => [
  `Amazon States Language has no exact form for results of the ${what}, which have at least ${bytes} bytes.`,
];

test("iterations over a constant list", async () => {
  const body = scope([], end("Done", text(1000)));
  expect(await refusalsOf(loop(261, body))).toEqual([]);
  expect(await refusalsOf(loop(262, body))).toEqual(refused("iterations of `Each`", "262,787"));
  expect(await refusalsOf(loop(262, scope([], end("Done", data))))).toEqual([]);
});

test("branches, by what their steps surely leave in variables", async () => {
  const merged = builtin("merge", x, object([["text", text(140_000)]]));
  const body = (id: string, ...more: Parameters<typeof scope>[1][]): Scope =>
    scope(
      [["x", data]],
      assign(`${id}/merge`, { x: merged }, more.length > 0 ? "Next" : `${id}/done`),
      ...more,
      end(`${id}/done`, x),
    );
  const both = (other: Scope): Workflow =>
    workflow(
      scope(
        ["data", "r"],
        fork("Both", [branch("a", body("a")), branch("b", other)], "End", { bind: "r" }),
        end("End", r),
      ),
    );
  expect(await refusalsOf(both(body("b")))).toEqual(refused("branches of `Both`", "280,033"));
  expect(await refusalsOf(both(body("b", call("Next", "f", x, "b/done", { bind: "x" }))))).toEqual([]);
  const cleared = scope([], assign("Clear", { x: literal(1) }, "Cleared"), end("Cleared", literal(null)));
  expect(await refusalsOf(both(body("b", attempt("Next", cleared, "b/done"))))).toEqual([]);
  const choice = choose("Next", [[binary("==", x, literal(1)), "b/done"]], "b/done");
  expect(await refusalsOf(both(body("b", choice)))).toEqual(refused("branches of `Both`", "280,033"));
});

test("what a loop adds in each round is unknown", async () => {
  const grown = builtin("merge", x, object([["x", x]]));
  const body = scope(
    [["x", literal(1)]],
    assign("Grow", { x: grown }, "More"),
    choose("More", [[binary("==", data, literal(1)), "Done"]], "Grow"),
    end("Done", x),
  );
  expect(await refusalsOf(loop(300, body))).toEqual([]);
});
