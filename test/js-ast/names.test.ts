import { expect, test } from "vitest";
import {
  assigns,
  completes,
  freeNames,
  importsOf,
  js,
  mentions,
  namesIn,
  negated,
  printCode,
  printProgram,
  sameCode,
  typeNames,
} from "../../src/js-ast/index.ts";

const [a, b, c] = [js.name("a"), js.name("b"), js.name("c")];

test("what a block declares, its parameters, loops and handlers are not free in it", () => {
  const free = (...nodes: Parameters<typeof freeNames>[0] extends Iterable<infer N> ? N[] : never) => [
    ...freeNames(nodes),
  ];
  expect(free(js.statement(js.call("f", [a])), js.constant("a", b))).toEqual(["f", "b"]);
  expect(free(js.when(a, [js.constant("b", c)]), js.give(b))).toEqual(["a", "c", "b"]);
  expect(free(js.arrow([js.parameter(js.membersPattern(["a"]))], js.and(a, b)))).toEqual(["b"]);
  expect(free(js.functionDeclaration("f", ["a"], [js.give(js.call("f", [a, c]))]))).toEqual(["c"]);
  expect(free(js.forOf("a", a, [js.statement(b)]))).toEqual(["a", "b"]);
  expect(free(js.attempt([js.statement(a)], "a", [js.raise(a), js.raise(b)]))).toEqual(["a", "b"]);
  expect(free(js.object([js.property("a", b), js.property(c, js.member(b, "d"))]))).toEqual(["b", "c"]);
  expect(free(js.labelled("l", [js.leave("l")]))).toEqual([]);
});

test("what is imported is no variable, though it be called like one until the module is printed", () => {
  expect(mentions([js.statement(js.call("fn", [a]))], "fn")).toBe(true);
  expect(mentions([js.statement(js.call(js.imported("fn", "./order.functions.js"), [a]))], "fn")).toBe(false);
});

test("a variable is assigned where it is the one around", () => {
  expect(assigns([js.assign(a, b)], "a")).toBe(true);
  expect(assigns([js.assign(a, b)], "b")).toBe(false);
  expect(assigns([js.assign(js.membersPattern(["c", "a"]), b)], "a")).toBe(true);
  expect(assigns([js.assign(js.member(a, "x"), b)], "a")).toBe(false);
  expect(assigns([js.statement(js.arrow(["a"], js.assignment(a, b)))], "a")).toBe(false);
  expect(assigns([js.statement(js.arrow([], js.assignment(a, b)))], "a")).toBe(true);
});

test("all names that occur are found, those of types too", () => {
  const nodes = [js.constant("a", js.arrow(["b"], c), { type: js.type("T", [js.type("U")]) })];
  expect([...namesIn(nodes)].sort()).toEqual(["T", "U", "a", "b", "c"]);
  expect([...typeNames(nodes)]).toEqual(["T", "U"]);
});

test("imports are made from where names come from", () => {
  const m = "./m.ts";
  const nodes = [
    js.constant("x", js.call(js.imported("run", m)), { type: js.importedType("Json", m) }),
    js.constant("y", js.imported("other", "./a.ts", "mine"), { type: js.importedType("Only", "./b.ts") }),
    js.constant("z", js.imported("Both", m), { type: js.importedType("Both", m) }),
  ];
  expect(printProgram(importsOf(nodes), { types: true })).toBe(`import { other as mine } from "./a.ts";
import type { Only } from "./b.ts";
import { Both, type Json, run } from "./m.ts";
`);
});

test("conditions are turned round where that is the same", () => {
  const text = (tree: Parameters<typeof negated>[0]) => printCode(negated(tree), { types: false });
  expect(text(js.binary(a, "===", b))).toBe("a !== b");
  expect(text(js.unary("!", js.and(a, b)))).toBe("a && b");
  expect(text(js.binary(a, "<", b))).toBe("!(a < b)");
  expect(text(js.literal(true))).toBe("false");
});

test("same trees are the same code, and statements tell whether they end", () => {
  expect(sameCode(js.call("f", [a]), js.call("f", [js.name("a")]))).toBe(true);
  expect(sameCode(js.call("f", [a]), js.call("f", [b]))).toBe(false);
  expect(completes(js.when(a, [js.give()], [js.raise(b)]))).toBe(false);
  expect(completes(js.when(a, [js.give()]))).toBe(true);
  expect(completes(js.attempt([js.give()], "e", []))).toBe(true);
});
