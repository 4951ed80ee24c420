import { stripTypeScriptTypes } from "node:module";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, type JsExpression, js, printCode, printProgram, printTypeCode } from "../../src/js-ast/index.ts";
import type { Json } from "../../src/json.ts";

const typescript = { types: true };
const javascript = { types: false };

const [a, b, c, f] = [js.name("a"), js.name("b"), js.name("c"), js.name("f")];

test("parentheses are printed only where they are needed", () => {
  const cases: readonly (readonly [JsExpression, string])[] = [
    [js.binary(js.binary(a, "+", b), "*", c), "(a + b) * c"],
    [js.binary(a, "+", js.binary(b, "*", c)), "a + b * c"],
    [js.binary(a, "-", js.binary(b, "-", c)), "a - (b - c)"],
    [js.binary(js.binary(a, "-", b), "-", c), "a - b - c"],
    [js.or(js.and(a, b), c), "(a && b) || c"],
    [js.and(js.or(a, b), c), "(a || b) && c"],
    [js.binary(js.or(a, b), "??", c), "(a || b) ?? c"],
    [js.or(js.binary(a, "??", b), c), "(a ?? b) || c"],
    [js.binary(js.binary(a, "??", b), "??", c), "a ?? b ?? c"],
    [js.binary(a, "??", js.binary(b, "??", c)), "a ?? b ?? c"],
    [js.unary("!", js.and(a, b)), "!(a && b)"],
    [js.unary("!", js.call(f)), "!f()"],
    [js.unary("-", js.literal(-1)), "-(-1)"],
    [js.unary("-", js.unary("-", a)), "-(-a)"],
    [js.unary("typeof", js.member(a, "b")), "typeof a.b"],
    [js.binary(js.literal(-1), "**", a), "(-1) ** a"],
    [js.binary(js.binary(a, "**", b), "**", c), "(a ** b) ** c"],
    [js.binary(a, "**", js.binary(b, "**", c)), "a ** b ** c"],
    [js.conditional(js.conditional(a, b, c), a, js.conditional(b, a, c)), "(a ? b : c) ? a : b ? a : c"],
    [js.member(js.literal(1), "x"), "(1).x"],
    [js.member(js.awaitExpression(a), "x"), "(await a).x"],
    [js.call(js.arrow(["a"], a), [b]), "((a) => a)(b)"],
    [js.or(js.arrow([], a), b), "(() => a) || b"],
    [js.newExpression(js.member(a, "B"), [b]), "new a.B(b)"],
    [js.newExpression(js.call(a), []), "new (a())()"],
    [js.call(js.newExpression("B")), "new B()()"],
    [js.assignment(a, js.assignment(b, c)), "a = b = c"],
    [js.and(a, js.assignment(b, c)), "a && (b = c)"],
    [js.array([js.spread(js.conditional(a, b, c))]), "[...(a ? b : c)]"],
    [js.as(js.as(a, js.type("T")), js.type("U")), "a as T as U"],
    [js.as(js.and(a, b), js.keyword("string")), "(a && b) as string"],
    [js.member(js.as(a, js.type("T")), "x"), "(a as T).x"],
    [js.binary(js.as(a, js.type("T")), "===", b), "(a as T) === b"],
    [js.member(js.nonNull(js.awaitExpression(a)), "x"), "(await a)!.x"],
    [js.arrow([], js.object([])), "() => ({})"],
    [js.arrow([], js.member(js.object([]), "x")), "() => ({}.x)"],
    [js.optionalMember(js.optionalMember(a, "b"), "c d"), 'a?.b?.["c d"]'],
  ];
  for (const [tree, text] of cases) expect(printCode(tree, typescript)).toBe(text);
});

test("types are erased in JavaScript", () => {
  const program: Block = [
    { kind: "import", module: "./m.ts", names: [{ name: "T", isType: true }] },
    {
      kind: "import",
      module: "./n.ts",
      names: [
        { name: "n", isType: false },
        { name: "N", isType: true },
      ],
    },
    { kind: "interface", name: "I", typeParameters: [], extends: [js.type("T")], members: [], exported: true },
    { kind: "typeDeclaration", name: "U", typeParameters: [], type: js.union([js.type("T"), js.keyword("null")]) },
    js.variable("x", undefined, { type: js.type("T"), definite: true }),
    js.functionDeclaration(
      "g",
      [js.parameter("a", js.keyword("string"), { optional: true })],
      [js.returnStatement(js.member(js.as(js.nonNull(js.name("a")), js.type("T")), "b"))],
      { async: true, returns: js.type("Promise", [js.type("T")]), exported: true },
    ),
  ];
  expect(printProgram(program, typescript)).toBe(`import type { T } from "./m.ts";
import { n, type N } from "./n.ts";

export interface I extends T {}

type U = T | null;

let x!: T;

export async function g(a?: string): Promise<T> {
  return (a! as T).b;
}
`);
  expect(printProgram(program, javascript)).toBe(`import { n } from "./n.ts";

let x;

export async function g(a) {
  return a.b;
}
`);
});

test("each statement has its own line, except a short one after its condition", () => {
  const program: Block = [
    js.ifStatement(a, [js.breakStatement("out")]),
    js.ifStatement(
      a,
      [js.expressionStatement(b)],
      [js.ifStatement(b, [js.expressionStatement(c)], [js.throwStatement(c)])],
    ),
    js.labeled("out", [js.whileStatement(js.literal(true), [js.continueStatement()])]),
    js.labeled("each", js.forOf(js.membersPattern(["a", "__proto__"]), b, [])),
    js.tryStatement([js.expressionStatement(js.call(f))], undefined, [js.returnStatement()]),
    { kind: "doWhile", body: [js.assign("a", js.literal(1), "+=")], test: js.binary(a, "<", js.literal(10_000)) },
    {
      kind: "switch",
      subject: a,
      cases: [
        { tests: [b, c], body: [js.breakStatement()] },
        { tests: [], body: [] },
      ],
    },
    js.expressionStatement(js.object([])),
    js.expressionStatement(js.assignment(js.membersPattern(["a"]), b)),
    js.expressionStatement(js.call(js.functionExpression([], []))),
    js.expressionStatement(js.literal("use strict")),
  ];
  expect(printProgram(program, javascript)).toBe(`if (a) break out;
if (a) {
  b;
} else if (b) {
  c;
} else {
  throw c;
}
out: {
  while (true) {
    continue;
  }
}
each: for (const { a, ["__proto__"]: __proto__ } of b) {}
try {
  f();
} catch {
  return;
}
do {
  a += 1;
} while (a < 10000);
switch (a) {
  case b:
  case c: {
    break;
  }
  default: {}
}
({});
({ a } = b);
(function () {})();
("use strict");
`);
});

test("long lines are broken", () => {
  const long = js.literal("x".repeat(50));
  const inner = js.arrow(["value"], [js.returnStatement(long)]);
  const program: Block = [
    js.constant("list", js.array([long, long, long])),
    js.expressionStatement(js.call(f, [a, js.object([js.property("key", long), js.property("inner", inner)])])),
    js.expressionStatement(js.call(f, [a, inner])),
    js.returnStatement(js.and(js.call(f, [long]), js.call(f, [long]), b)),
    js.returnStatement(js.conditional(a, long, js.call(f, [long]))),
  ];
  const x = `"${"x".repeat(50)}"`;
  expect(printProgram(program, javascript)).toBe(`const list = [
  ${x},
  ${x},
  ${x},
];
f(a, {
  key: ${x},
  inner: (value) => {
    return ${x};
  },
});
f(a, (value) => {
  return ${x};
});
return (
  f(${x}) &&
  f(${x}) &&
  b
);
return a
  ? ${x}
  : f(${x});
`);
});

test("types are printed with the parentheses they need", () => {
  const [text, nothing] = [js.keyword("string"), js.keyword("null")];
  expect(printTypeCode(js.arrayType(js.union([text, nothing])))).toBe("readonly (string | null)[]");
  expect(printTypeCode(js.arrayType(js.arrayType(text)))).toBe("readonly (readonly string[])[]");
  expect(printTypeCode(js.union([js.functionType([], text), nothing]))).toBe("(() => string) | null");
  expect(
    printTypeCode(
      js.objectType([js.propertySignature("a b", text, { optional: true }), js.indexSignature("key", nothing)]),
    ),
  ).toBe('{ readonly "a b"?: string; readonly [key: string]: null }');
});

test("the text of a comment cannot end it", () => {
  const program = [js.constant("a", js.literal(1), { doc: "One */ two" }), js.comment("a\u2028b\n*/ c")];
  expect(printProgram(program, javascript)).toBe("/** One *\\/ two */\nconst a = 1;\n\n// a\n// b\n// *\\/ c\n");
});

test("every JSON value prints as code for the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue() as fc.Arbitrary<Json>, fc.constantFrom("unicode", "ascii"), (value, charset) => {
      const text = printCode(js.value(value), { types: false, charset });
      expect(JSON.stringify(runInNewContext(`(${text})`))).toBe(JSON.stringify(value));
    }),
  );
  const own = JSON.parse(
    '{"__proto__": {"a": 1}, "constructor": 2, "a-b": "</script>\\u2028`$\\u007b1}\\ud800", "-0": -0}',
  );
  for (const charset of ["unicode", "ascii"] as const) {
    const text = printCode(js.value(own), { types: false, charset });
    expect(runInNewContext(`JSON.stringify(${text})`)).toBe(JSON.stringify(own));
    expect(text).not.toMatch(/<\/script|\$\{|\u2028|[\ud800-\udfff]/);
  }
});

test("every string is preserved in templates and regular expressions", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("`", "$", "{", "\\", "/", '"', "<", "[", "]", "\n", "a", "\ud83d", "\ude00") }),
  );
  fc.assert(
    fc.property(texts, texts, fc.constantFrom("unicode", "ascii"), (first, second, charset) => {
      const text = printCode(js.template([first, js.literal(1), second]), { types: false, charset });
      expect(runInNewContext(text)).toBe(`${first}1${second}`);
      const source = first.replace(/[\\/[\](){}^$.*+?|-]/g, "\\$&");
      const regex = printCode({ kind: "regex", source, flags: "" }, { types: false, charset });
      expect(runInNewContext(`${regex}.test(${JSON.stringify(first)})`)).toBe(true);
    }),
  );
});

test("random expressions evaluate like their trees", () => {
  fc.assert(
    fc.property(expressions(), fc.boolean(), (expression, types) => {
      const text = printCode(expression, { types });
      expect(runInNewContext(stripTypeScriptTypes(`(${text})`), { a: 3, b: 0 })).toEqual(meaning(expression));
    }),
    { numRuns: 1000 },
  );
});

function expressions(): fc.Arbitrary<JsExpression> {
  return fc.letrec<{ tree: JsExpression }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      fc.constantFrom<JsExpression>(
        a,
        b,
        js.literal(2),
        js.literal(-1),
        js.literal(-0),
        js.literal(true),
        js.literal("text long enough"),
      ),
      fc
        .tuple(tie("tree"), fc.constantFrom("??", "||", "&&", "===", "<", "+", "-", "*", "%", "|", "<<"), tie("tree"))
        .map(([left, operator, right]) => js.binary(left, operator, right)),
      fc
        .tuple(fc.constantFrom("!", "-", "+", "~", "typeof"), tie("tree"))
        .map(([operator, operand]) => js.unary(operator, operand)),
      fc
        .tuple(tie("tree"), tie("tree"), tie("tree"))
        .map(([test, then, otherwise]) => js.conditional(test, then, otherwise)),
      fc.tuple(tie("tree"), tie("tree")).map(([first, second]) => js.element(js.array([first, second]), js.literal(1))),
      tie("tree").map((body) => js.call(js.arrow(["c"], body), [js.literal(1)])),
      tie("tree").map((value) => js.member(js.object([js.property("key", value)]), "key")),
      tie("tree").map((operand) => js.as(operand, js.keyword("any"))),
    ),
  })).tree;
}

/** Evaluates an expression from its tree. */
function meaning(expression: JsExpression): unknown {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "identifier":
      return expression.name === "a" ? 3 : 0;
    case "binary": {
      const { operator, left, right } = expression;
      if (operator === "??") return meaning(left) ?? meaning(right);
      if (operator === "||") return meaning(left) || meaning(right);
      if (operator === "&&") return meaning(left) && meaning(right);
      return new Function("x", "y", `return x ${operator} y`)(meaning(left), meaning(right));
    }
    case "unary":
      return new Function("x", `return ${expression.operator} x`)(meaning(expression.operand));
    case "conditional":
      return meaning(expression.condition) ? meaning(expression.then) : meaning(expression.otherwise);
    case "element":
      return expression.object.kind === "array" ? meaning(expression.object.elements[1]!) : undefined;
    case "call":
      return expression.callee.kind === "function" && "kind" in expression.callee.body
        ? meaning(expression.callee.body)
        : undefined;
    case "member":
      return expression.object.kind === "object" && expression.object.members[0]!.kind === "property"
        ? meaning(expression.object.members[0]!.value)
        : undefined;
    case "assertion":
      return meaning(expression.operand);
    default:
      throw new Error(`Not made here: ${expression.kind}`);
  }
}
