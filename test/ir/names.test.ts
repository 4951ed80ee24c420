import { expect, test } from "vitest";
import { createNames, identifierStyle, workflowNames } from "../../src/ir/names.ts";
import { assign, branch, call, data, end, forEach, fork, scope, workflow } from "../reference/build.ts";

test("an unused name is returned unchanged", () => {
  const names = createNames(["A", "A/failed"]);
  expect(names.fresh("A/errors")).toBe("A/errors");
  expect(names.fresh("A/failed")).toBe("A/failed 2");
  expect(names.fresh("A/failed")).toBe("A/failed 3");
  expect(names.has("A/failed 3")).toBe(true);
  expect(names.has("A/failed 4")).toBe(false);
});

test("used numbers are skipped", () => {
  expect(createNames(["A", "A 2", "A 4"]).fresh("A")).toBe("A 3");
});

test("the first unused of several names is returned", () => {
  const names = createNames(["order"]);
  expect(names.fresh("order", "charge order")).toBe("charge order");
  expect(names.fresh("order", "charge order")).toBe("order 2");
});

test("identifiers are numbered without a space, and names may be compared without case", () => {
  expect(createNames(["value"], identifierStyle).fresh("value")).toBe("value2");
  const names = createNames(["Readme"], { fold: (name) => name.toLowerCase() });
  expect(names.fresh("README")).toBe("README 2");
  expect(names.has("readme 2")).toBe(true);
});

test("a scope sees outer names; sibling scopes may share names", () => {
  const outer = createNames(["a"]);
  const [left, right] = [outer.inner(["b"]), outer.inner()];
  expect(left.fresh("a")).toBe("a 2");
  expect(right.fresh("a")).toBe("a 2");
  expect(right.fresh("b")).toBe("b");
  expect(outer.fresh("a")).toBe("a 3");
  expect(outer.fresh("b")).toBe("b 2");
});

test("names of prototype members are ordinary names", () => {
  const names = createNames(["__proto__", "constructor"]);
  expect(names.fresh("__proto__")).toBe("__proto__ 2");
  expect(names.fresh("constructor")).toBe("constructor 2");
  expect(names.fresh("toString")).toBe("toString");
});

test("the names of nested steps, variables and functions are collected", () => {
  const deep = scope(["inner"], assign("deep", { inner: data }, "out"), end("out", data));
  const each = forEach("each", data, deep, "done", { element: "item", index: "place" });
  const left = branch("left", scope([], each, call("called", "f", data, "done"), end("done", data)));
  const names = workflowNames(workflow(scope([], fork("side", [left], "last"), end("last", data))));
  for (const id of ["side", "each", "called", "deep", "out", "done", "last"]) expect(names.steps.has(id)).toBe(true);
  for (const name of ["inner", "item", "place", "data", "event"]) expect(names.variables.has(name)).toBe(true);
  expect(names.variables.fresh("left")).toBe("left");
  expect(names.functions.fresh("f")).toBe("f 2");
});
