import { expect, test } from "vitest";
import {
  binary,
  call as builtin,
  type Expression,
  firstOr,
  literal,
  member,
  variable,
} from "../../../../src/expressions/index.ts";
import { type EventCombination, programOf, type Step } from "../../../../src/ir/workflow.ts";
import {
  allOf,
  assign,
  branch,
  data,
  end,
  event,
  forEach,
  fork,
  pattern,
  receive,
  scope,
  workflow,
} from "../../../reference/build.ts";
import { filesOf, typeErrorsOf } from "./emitting.ts";

const given = variable("event");

const when = (condition: Expression): EventCombination => ({ ...paid, all: [[pattern("paid", condition)]] });

const paid = allOf("paid");

const orNull = (source: typeof data, name: string) => firstOr(member(source, name), literal(null));

async function textOf(
  steps: readonly Step[],
  more: object = {},
  variables: readonly string[] = ["received"],
): Promise<string> {
  const program = programOf([workflow(scope(variables, ...steps), { events: [event("paid")], ...more })]);
  const files = await filesOf(program);
  expect(await typeErrorsOf(files)).toBe("");
  return files[0]!.text;
}

test("conditions that read members of one variable get only those", { timeout: 30_000 }, async () => {
  const condition = binary("==", orNull(given, "order"), orNull(data, "id"));
  const text = await textOf([receive("Wait", [when(condition)], "received", "End"), end("End", data)]);
  expect(text).toContain("when: (event, data) => equalValues(event.order ?? null, data.id ?? null)");
  expect(text).toContain('await flow.receive("Wait", { variables: { id: data?.id } })');
});

test("conditions that read a variable as a whole get it", { timeout: 30_000 }, async () => {
  const condition = binary("==", orNull(given, "order"), data);
  const text = await textOf([receive("Wait", [when(condition)], "received", "End"), end("End", data)]);
  expect(text).toMatch(/when: \(event, \{ data \}: \{ readonly data: \w+ \}\) =>/);
  expect(text).toContain('await flow.receive("Wait", { variables: { data } })');
});

test("conditions that read several variables get all of them, with their types", { timeout: 30_000 }, async () => {
  const index = orNull(variable("received"), "alternative");
  const condition = binary("==", orNull(given, "order"), binary("+", index, binary("+", variable("count"), data)));
  const steps = [
    assign("Count", { count: literal(1) }, "More"),
    assign("More", { count: binary("+", variable("count"), literal(1)) }, "First"),
    receive("First", [paid], "received", "Second"),
    receive("Second", [when(condition)], "again", "End"),
    end("End", variable("again")),
  ];
  const text = await textOf(steps, {}, ["received", "again", "count"]);
  expect(text).toContain("}: { readonly count: number; readonly data: Json; readonly received: Received }");
  expect(text).toContain("variables: { count, data, received: firstReceived }");
});

test("conditions without a readable form are compiled", { timeout: 30_000 }, async () => {
  const condition = binary("==", builtin("ltrimstr", orNull(given, "order"), literal("a")), orNull(data, "id"));
  const text = await textOf([receive("Wait", [when(condition)], "received", "End"), end("End", data)]);
  expect(text).toContain("flow.receive(");
});

test("waits of branches and iterations with one name are told apart", { timeout: 30_000 }, async () => {
  const inner = (prefix: string) =>
    scope(
      ["received"],
      receive(`${prefix}Wait`, [paid], "received", `${prefix}End`),
      end(`${prefix}End`, literal(null)),
    );
  const text = await textOf([
    fork("Both", [branch("a", inner("Both/a/")), branch("b", inner("Both/b/"))], "Each"),
    forEach("Each", data, inner("Each/"), "Wait"),
    receive("Wait", [paid], "received", "End"),
    end("End", data),
  ]);
  const waits = [...text.matchAll(/flow\.receive\(\s*"([^"]*)"/g)].map(([, name]) => name!);
  expect(waits).toHaveLength(4);
  expect(new Set(waits).size).toBe(4);
  for (const name of waits) expect(text).toMatch(new RegExp(`"?${name}"?: \\{ alternatives`));
});

test("correlation values are passed by name", { timeout: 30_000 }, async () => {
  const correlated = event("paid", {
    correlation: orNull(given, "order"),
    correlationKey: "order",
    correlationAttribute: "order",
  });
  const correlation = [{ key: "order", value: orNull(data, "order") }];
  const steps = [receive("Wait", [paid], "received", "End", "drop", correlation), end("End", data)];
  const text = await textOf(steps, { events: [correlated] });
  expect(text).toContain('waits: { Wait: { alternatives: [{ all: [["paid"]] }], unused: "drop" } }');
  expect(text).toContain('await flow.receive("Wait", { correlation: { order: data?.order } })');
});
