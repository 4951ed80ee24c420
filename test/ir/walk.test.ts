import { expect, test } from "vitest";
import { member, object, variable } from "../../src/expressions/core/build.ts";
import { printExpression } from "../../src/expressions/core/print.ts";
import {
  assignedVariables,
  exits,
  expressionsOf,
  namesRead,
  reachableSteps,
  scopesOf,
  stepsOf,
  successors,
} from "../../src/ir/walk.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  error,
  forEach,
  fork,
  handler,
  invoke,
  pattern,
  receive,
  retry,
  scope,
  until,
  workflow,
} from "../reference/build.ts";

const value = (name: string) => member(variable("v"), name);
const names = (references: readonly { readonly name: string }[]): readonly string[] =>
  references.map(({ name }) => name);

const asked = call("Ask", "ask", value("argument"), "Next", {
  bind: "result",
  retries: [retry(1, 1, { when: value("again") })],
  handlers: [handler(value("first"), "Mend", "error"), handler(error, "Drop")],
});
const route = choose(
  "Route",
  [
    [value("a"), "A"],
    [value("b"), "B"],
  ],
  "Otherwise",
);

test("the exits and successors of steps", () => {
  expect(names(exits(asked))).toEqual(["Next"]);
  expect(names(successors(asked))).toEqual(["Next", "Mend", "Drop"]);
  expect(names(successors(route))).toEqual(["A", "B", "Otherwise"]);
  expect(names(successors(choose("Last", [[data, "A"]])))).toEqual(["A"]);
  expect(successors(end("End", data))).toEqual([]);
});

test.each([
  [asked, ["$v.argument", "$v.again", "$v.first", "$error"]],
  [route, ["$v.a", "$v.b"]],
  [assign("S", { x: value("x"), y: value("y") }, "End"), ["$v.x", "$v.y"]],
  [delay("S", value("seconds"), "End"), ["$v.seconds"]],
  [until("S", value("instant"), "End"), ["$v.instant"]],
  [
    receive(
      "S",
      [{ ...allOf(), all: [[pattern("e", value("all")), pattern("e")]], none: [pattern("e", value("none"))] }],
      "got",
      "End",
    ),
    ["$v.all", "$v.none"],
  ],
  [receive("S", [allOf("e")], "got", "End", "keep", [{ key: "k", value: value("key") }]), ["$v.key"]],
  [emit("S", "e", value("event"), "End"), ["$v.event"]],
  [emit("S", "e", value("event"), "End", {}, value("key")), ["$v.event", "$v.key"]],
  [invoke("S", "w", value("input"), "End"), ["$v.input"]],
  [end("S", value("value")), ["$v.value"]],
  [
    forEach("S", value("items"), scope([["x", value("initial")], "y"], end("In", value("inner"))), "End"),
    ["$v.items", "$v.initial"],
  ],
  [fork("S", [branch("b", scope([["x", value("initial")]], end("In", value("inner"))))], "End"), ["$v.initial"]],
  [
    attempt("S", scope([], end("In", value("inner"))), "End", { handlers: [handler(value("when"), "End")] }),
    ["$v.when"],
  ],
])("the expressions of a step: $0.kind", (step, expected) => {
  expect(expressionsOf(step).map(printExpression)).toEqual(expected);
});

test("the variables that a step reads and assigns", () => {
  expect([...namesRead(asked)]).toEqual(["v", "error"]);
  expect(assignedVariables(asked)).toEqual(["result", "error"]);
  expect(assignedVariables(assign("S", { x: data, y: object([["z", variable("z")]]) }, "End"))).toEqual(["x", "y"]);
  expect([...namesRead(assign("S", { x: data, y: object([["z", variable("z")]]) }, "End"))]).toEqual(["data", "z"]);
  expect(assignedVariables(receive("S", [], "got", "End"))).toEqual(["got"]);
  expect(assignedVariables(route)).toEqual([]);
});

const nested = workflow(
  scope(
    ["data"],
    fork(
      "Both",
      [
        branch("l", scope([], forEach("Each", data, scope([], end("Inmost", data)), "L"), end("L", data))),
        branch("r", scope([], end("R", data))),
      ],
      "Try",
    ),
    attempt("Try", scope([], end("Tried", data)), "End"),
    end("End", data),
    end("Lost", data),
  ),
);

test("scopes with their owners, outer scopes first", () => {
  const described = scopesOf(nested).map(
    ({ scope: at, owner, parent }) => `${at.entry.name} in ${owner?.id} in ${parent?.scope.entry.name}`,
  );
  expect(described).toEqual([
    "Both in undefined in undefined",
    "Each in Both in Both",
    "R in Both in Both",
    "Tried in Try in Both",
    "Inmost in Each in Each",
  ]);
  expect(stepsOf(nested).map(({ id }) => id)).toEqual([
    "Both",
    "Try",
    "End",
    "Lost",
    "Each",
    "L",
    "R",
    "Tried",
    "Inmost",
  ]);
});

test("the reachable steps of a scope", () => {
  expect([...reachableSteps(nested.body)]).toEqual(["Both", "Try", "End"]);
});
