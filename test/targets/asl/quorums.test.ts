import { describe, expect, test } from "vitest";
import { binary, literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import type { Step } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { createJoinTable } from "../../../targets/asl/simulator/join-table.ts";
import { wrap } from "../../equivalence/wrapping.ts";
import {
  assign,
  branch,
  call,
  choose,
  data,
  delay,
  end,
  forEach,
  fork,
  handler,
  retry,
  scope,
  workflow,
  yes,
} from "../../reference/build.ts";
import { outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { compareWithReference, part, runOnAsl, x } from "./reference-comparison.ts";

// A join on several, but not all branches: a table counts them.

const asks = (name: string) =>
  branch(name, scope(["x"], call(`${name}Call`, name, data, `${name}End`, { bind: "x" }), end(`${name}End`, x)));
const names = ["a", "b", "c", "d"];
const vote = (count: number, rest: Parameters<typeof fork>[3] = {}, next = "End", bind = "r") =>
  fork("Vote", names.map(asks), next, { join: { kind: "some", count }, bind, ...rest });
const voting = (count: number, rest: Parameters<typeof fork>[3] = {}, after: readonly Step[] = []) =>
  workflow(
    scope(
      ["data", "r", "e"],
      vote(count, rest),
      end(
        "End",
        object([
          ["r", variable("r")],
          ["e", variable("e")],
        ]),
      ),
      ...after,
    ),
  );
const exact: readonly Json[] = [0.1 + 0.2, 1e21, 2 ** 60, 'ä\u2028"', [[1]], [], null, { a: { b: [{}] } }, [1]];

describe("a join on some branches", () => {
  test.each(exact.map((value) => [JSON.stringify(value), value] as const))("gives %s as it is", async (_, value) => {
    const functions = { a: [returns(value, 1)], b: [returns(1, 9)], c: [returns(value, 2)], d: [returns(value, 3)] };
    for (const failure of ["fatal", "spare"] as const) {
      const two = await compareWithReference(voting(2, { failure }), { input: {}, functions });
      expect([outcomeOf(two), two.elapsed]).toEqual([{ output: { r: { a: value, c: value }, e: null } }, 2]);
      const three = await compareWithReference(voting(3, { failure }), { input: {}, functions });
      expect([outcomeOf(three), three.elapsed]).toEqual([
        { output: { r: { a: value, c: value, d: value }, e: null } },
        3,
      ]);
    }
  });

  test("returns a value that only a function can compute", async () => {
    const computing = names.map((name) =>
      branch(
        name,
        scope(["x"], call(`${name}Call`, name, data, `${name}End`, { bind: "x" }), end(`${name}End`, wrap(x))),
      ),
    );
    for (const failure of ["fatal", "spare"] as const) {
      const join = fork("Vote", computing, "End", { join: { kind: "some", count: 2 }, bind: "r", failure });
      const seen = await compareWithReference(workflow(scope(["data", "r"], join, end("End", variable("r")))), {
        input: {},
        functions: { a: [returns({ n: 1 }, 1)], b: [returns(1, 9)], c: [returns([2], 2)], d: [returns(3, 3)] },
      });
      expect(outcomeOf(seen)).toEqual({ output: { a: { n: 1 }, c: [2] } });
    }
  });

  test("on all branches is a plain Parallel", async () => {
    const functions = { a: [returns(1, 1)], b: [returns(2, 9)], c: [returns(3, 2)], d: [throws("D", "", 3)] };
    expect(outcomeOf(await compareWithReference(voting(4, { failure: "spare" }), { input: {}, functions }))).toEqual({
      error: "D",
      message: "",
    });
  });

  test.each([2, 3])("on %d of 4 fails with the failure that leaves too few branches, or the first", async (count) => {
    const functions = {
      a: [throws("A", "m", 4)],
      b: [throws("B", "m", 2)],
      c: [returns(1, 9)],
      d: [throws("D", "m", 3)],
    };
    const lost = await compareWithReference(voting(count, { failure: "spare" }), { input: {}, functions });
    expect(outcomeOf(lost)).toEqual({ error: count === 2 ? "A" : "D", message: "m" });
    const first = await compareWithReference(voting(count, { failure: "fatal" }), { input: {}, functions });
    expect(outcomeOf(first)).toEqual({ error: "B", message: "m" });
  });

  test("at the same instant follows the order of branches, as failures do", async () => {
    const functions = { a: [returns(1)], b: [throws("B")], c: [returns(3)], d: [returns(4)] };
    await compareWithReference(voting(2, { failure: "spare" }), { input: {}, functions });
    await compareWithReference(voting(3, { failure: "spare" }), { input: {}, functions });
    await compareWithReference(voting(2, { failure: "fatal" }), { input: {}, functions });
    const late = { a: [throws("A", "", 1)], b: [returns(2, 1)], c: [returns(3, 1)], d: [throws("D", "", 1)] };
    for (const failure of ["fatal", "spare"] as const)
      for (const count of [2, 3])
        await compareWithReference(voting(count, { failure }), { input: {}, functions: late });
  });

  test("is not retried, but its failure is retried and handled", async () => {
    const rest = { failure: "spare", retries: [retry(2, 1)], handlers: [handler(yes, "Note", "e")] } as const;
    const note = assign("Note", { e: member(variable("e"), "name") }, "End");
    const won = { a: [throws("A"), returns(5)], b: [throws("B"), returns(7)], c: [throws("C")], d: [returns(1, 3)] };
    expect(outcomeOf(await compareWithReference(voting(3, rest, [note]), { input: {}, functions: won }))).toMatchObject(
      {
        output: { r: { a: 5, b: 7, d: 1 } },
      },
    );
    const lost = { a: [throws("A")], b: [throws("B")], c: [throws("C")], d: [returns(1)] };
    expect(
      outcomeOf(await compareWithReference(voting(3, rest, [note]), { input: {}, functions: lost })),
    ).toMatchObject({
      output: { r: null },
    });
  });

  test("counts anew in each round of a loop, even at the same instant", async () => {
    const again = workflow(
      scope(
        ["data", "r", "first"],
        vote(2, {}, "Ask"),
        choose("Ask", [[binary("==", variable("first"), literal(null)), "Keep"]], "End"),
        assign("Keep", { first: variable("r") }, "Vote"),
        end(
          "End",
          object([
            ["r", variable("r")],
            ["first", variable("first")],
          ]),
        ),
      ),
    );
    const functions = {
      a: [returns(true), returns(5, 1)],
      b: [returns(2), returns(6)],
      c: [returns(3, 4), returns(7)],
      d: [returns(4, 4)],
    };
    expect(outcomeOf(await compareWithReference(again, { input: {}, functions }))).toEqual({
      output: { r: { b: 6, c: 7 }, first: { a: true, b: 2 } },
    });
  });

  test("counts separately in each iteration and in nested forks", async () => {
    const inner = scope(["r"], vote(2), end("End", variable("r")));
    const each = workflow(
      scope(
        ["data", "all"],
        forEach("Each", part("list"), inner, "Done", { bind: "all" }),
        end("Done", variable("all")),
      ),
    );
    const functions = {
      a: () => returns(1, 2),
      b: () => returns(2, 1),
      c: () => returns(3, 3),
      d: () => throws("D", "", 9),
    };
    await compareWithReference(each, { input: { list: [1, 2, 3] }, functions });
    const nested = workflow(
      scope(
        ["data", "s"],
        fork(
          "Outer",
          [
            branch("l", scope(["r"], vote(2), end("End", variable("r")))),
            branch("m", scope([], delay("Rest", literal(5), "MEnd"), end("MEnd", literal("m")))),
            branch("n", scope([], delay("More", literal(7), "NEnd"), end("NEnd", literal("n")))),
          ],
          "Done",
          { join: { kind: "some", count: 2 }, bind: "s" },
        ),
        end("Done", variable("s")),
      ),
    );
    expect(outcomeOf(await compareWithReference(nested, { input: {}, functions }))).toEqual({
      output: { l: { a: 1, b: 2 }, m: "m" },
    });
  });

  test("fails the run if a branch's result is larger than the last branch could carry", async () => {
    const functions = { a: [returns("x".repeat(40_000))], b: [returns(1, 5)], c: [returns(1, 5)], d: [returns(1)] };
    const seen = await runOnAsl(voting(2), { input: {}, functions });
    expect(outcomeOf(seen)).toMatchObject({ error: "LimitError" });
  });
});

describe("the table of the simulator", () => {
  const resource = "arn:aws:states:::dynamodb:updateItem";
  const update = (name: string, rest = {}) => ({
    TableName: "t",
    Key: { pk: { S: "k" }, sk: { S: "join" } },
    UpdateExpression: "ADD done :names SET #ttl = :ttl",
    ConditionExpression: "attribute_not_exists(done) OR contains(done, :name) OR size(done) <= :most",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":name": { S: name },
      ":names": { SS: [name] },
      ":most": { N: "0" },
      ":ttl": { N: "1" },
    },
    ...rest,
  });

  test("accepts a repeated request and rejects one too many", () => {
    const table = createJoinTable();
    const ask = (given: Json) => table.query({ resource, arguments: given });
    expect(ask(update("a"))).toEqual({});
    expect(ask(update("a"))).toEqual({});
    expect(() => ask(update("b"))).toThrow("The conditional request failed");
    const read = { TableName: "t", Key: { pk: { S: "k" }, sk: { S: "join" } }, ConsistentRead: true };
    expect(table.query({ resource: "arn:aws:states:::dynamodb:getItem", arguments: read })).toEqual({
      Item: { ...read.Key, ttl: { N: "1" }, done: { SS: ["a"] } },
    });
  });

  test.each([
    ["an unused value", { ExpressionAttributeNames: { "#ttl": "ttl", "#x": "x" } }],
    ["a missing value", { UpdateExpression: "ADD done :others SET #ttl = :ttl" }],
    ["an unknown expression", { UpdateExpression: "REMOVE done" }],
    ["an unknown condition", { ConditionExpression: "done = :name" }],
    [
      "an invalid number",
      { ExpressionAttributeValues: { ...update("a").ExpressionAttributeValues, ":ttl": { N: 1 } } },
    ],
    ["an unknown field", { ReturnValue: "ALL_NEW" }],
  ])("refuses %s", (_, rest) => {
    expect(() => createJoinTable().query({ resource, arguments: update("a", rest) })).toThrow();
  });
});
