import { expect, test } from "vitest";
import { literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import type { Expression } from "../../../src/expressions/index.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { allOf, branch, data, end, event, fork, raise, receive, scope, workflow, yes } from "../../reference/build.ts";
import { generateMachine, part, x } from "./reference-comparison.ts";

// The IR allows more than today's languages use. The target rejects what has no exact form and accepts the rest.

async function refused(given: Workflow): Promise<readonly string[]> {
  const { diagnostics } = await generateMachine(given);
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code, message }) => `${code} ${message}`);
}

const noForm = (construct: string): string => `WB5108 Amazon States Language has no exact form for ${construct}.`;

const raising = (error: Expression): Workflow => workflow(scope(["data"], raise("Fail", error)));
const failure = (fatal: Expression): Expression =>
  object([
    ["name", literal("Broken")],
    ["message", literal("no")],
    ["fatal", fatal],
  ]);

test.each<readonly [string, Expression]>([
  ["diagnostics in a literal", literal({ name: "Broken", message: "no", fatal: true })],
  ["diagnostics in an object", failure(yes)],
  ["diagnostics by a value", failure(member(data, "bad"))],
  ["diagnostics by a key that is computed", { kind: "object", entries: [{ key: part("key"), value: yes }] }],
])("an uncatchable error is rejected: %s", async (_, error) => {
  expect(await refused(raising(error))).toEqual([noForm("an error that no handler may take")]);
});

test("a catchable error is accepted", async () => {
  expect(await refused(raising(failure(literal(false))))).toEqual([]);
  expect(await refused(raising(literal({ name: "Broken", message: "no", fatal: false })))).toEqual([]);
});

const beginning = (name: string, text: string) =>
  branch(name, scope([["v", literal(text)]], end(`${name}/End`, variable("v"))));

/** Two branches that run one at a time, with initial values of one name. */
const narrow = (texts: readonly [string, string], rest: Parameters<typeof fork>[3] = {}): Workflow =>
  workflow(
    scope(
      ["data", "x"],
      fork("F", [beginning("a", texts[0]), beginning("b", texts[1])], "End", { width: 1, bind: "x", ...rest }),
      end("End", x),
    ),
  );

test("branches with limited concurrency are rejected if iterations cannot start like them", async () => {
  const construct = noForm("branches of which only some run at once");
  expect(await refused(narrow(["same", "other"]))).toEqual([construct]);
  expect(await refused(narrow(["same", "same"]))).toEqual([]);
  expect(await refused(narrow(["same", "same"], { join: { kind: "some", count: 1 } }))).toEqual([construct]);
});

const correlated = (correlation: Expression): Workflow =>
  workflow(scope(["data", "x"], receive("R", [allOf("e")], "x", "End"), end("End", x)), {
    events: [event("e", { correlation })],
  });

test("a correlation that may fail is rejected, since no run exists yet", async () => {
  const key: Expression = { kind: "access", source: variable("event"), key: literal("key"), optional: false };
  expect(await refused(correlated(key))).toEqual([noForm("the correlation of `e`, which may fail")]);
  expect(await refused(correlated(member(variable("event"), "key")))).toEqual([]);
});
