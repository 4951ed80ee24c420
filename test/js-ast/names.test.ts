import { expect, test } from "vitest";
import {
  allNames,
  assignsName,
  collectImports,
  equalNodes,
  freeNames,
  js,
  mayComplete,
  negate,
  printCode,
  printProgram,
  referencesName,
  typeNames,
} from "../../src/js-ast/index.ts";

const [a, b, c] = [js.name("a"), js.name("b"), js.name("c")];

test("declarations, parameters, loop variables and catch bindings are not free", () => {
  const free = (...nodes: Parameters<typeof freeNames>[0] extends Iterable<infer N> ? N[] : never) => [
    ...freeNames(nodes),
  ];
  expect(free(js.expressionStatement(js.call("f", [a])), js.constant("a", b))).toEqual(["f", "b"]);
  expect(free(js.ifStatement(a, [js.constant("b", c)]), js.returnStatement(b))).toEqual(["a", "c", "b"]);
  expect(free(js.arrow([js.parameter(js.membersPattern(["a"]))], js.and(a, b)))).toEqual(["b"]);
  expect(free(js.functionDeclaration("f", ["a"], [js.returnStatement(js.call("f", [a, c]))]))).toEqual(["c"]);
  expect(free(js.forOf("a", a, [js.expressionStatement(b)]))).toEqual(["a", "b"]);
  expect(free(js.tryStatement([js.expressionStatement(a)], "a", [js.throwStatement(a), js.throwStatement(b)]))).toEqual(
    ["a", "b"],
  );
  expect(free(js.object([js.property("a", b), js.property(c, js.member(b, "d"))]))).toEqual(["b", "c"]);
  expect(free(js.labeled("l", [js.breakStatement("l")]))).toEqual([]);
});

test("imports are not variables, even with the name of one", () => {
  expect(referencesName([js.expressionStatement(js.call("fn", [a]))], "fn")).toBe(true);
  expect(referencesName([js.expressionStatement(js.call(js.imported("fn", "./order.functions.js"), [a]))], "fn")).toBe(
    false,
  );
});

test("assignments to shadowing variables do not count", () => {
  expect(assignsName([js.assign(a, b)], "a")).toBe(true);
  expect(assignsName([js.assign(a, b)], "b")).toBe(false);
  expect(assignsName([js.assign(js.membersPattern(["c", "a"]), b)], "a")).toBe(true);
  expect(assignsName([js.assign(js.member(a, "x"), b)], "a")).toBe(false);
  expect(assignsName([js.expressionStatement(js.arrow(["a"], js.assignment(a, b)))], "a")).toBe(false);
  expect(assignsName([js.expressionStatement(js.arrow([], js.assignment(a, b)))], "a")).toBe(true);
});

test("allNames includes the names of types", () => {
  const nodes = [js.constant("a", js.arrow(["b"], c), { type: js.type("T", [js.type("U")]) })];
  expect([...allNames(nodes)].sort()).toEqual(["T", "U", "a", "b", "c"]);
  expect([...typeNames(nodes)]).toEqual(["T", "U"]);
});

test("imports are collected from names", () => {
  const m = "./m.ts";
  const nodes = [
    js.constant("x", js.call(js.imported("run", m)), { type: js.importedType("Json", m) }),
    js.constant("y", js.imported("other", "./a.ts", "mine"), { type: js.importedType("Only", "./b.ts") }),
    js.constant("z", js.imported("Both", m), { type: js.importedType("Both", m) }),
  ];
  expect(printProgram(collectImports(nodes), { types: true })).toBe(`import { other as mine } from "./a.ts";
import type { Only } from "./b.ts";
import { Both, type Json, run } from "./m.ts";
`);
});

test("conditions are negated only where that is equivalent", () => {
  const text = (tree: Parameters<typeof negate>[0]) => printCode(negate(tree), { types: false });
  expect(text(js.binary(a, "===", b))).toBe("a !== b");
  expect(text(js.unary("!", js.and(a, b)))).toBe("a && b");
  expect(text(js.binary(a, "<", b))).toBe("!(a < b)");
  expect(text(js.literal(true))).toBe("false");
});

test("equal trees are equal, and statements may or may not complete", () => {
  expect(equalNodes(js.call("f", [a]), js.call("f", [js.name("a")]))).toBe(true);
  expect(equalNodes(js.call("f", [a]), js.call("f", [b]))).toBe(false);
  expect(mayComplete(js.ifStatement(a, [js.returnStatement()], [js.throwStatement(b)]))).toBe(false);
  expect(mayComplete(js.ifStatement(a, [js.returnStatement()]))).toBe(true);
  expect(mayComplete(js.tryStatement([js.returnStatement()], "e", []))).toBe(true);
});
