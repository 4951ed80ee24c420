import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  binary,
  bind,
  call,
  collect,
  comma,
  identity,
  literal,
  member,
  object,
  pathsOf,
  pipe,
  query,
  variable,
} from "../../../src/expressions/core/build.ts";
import { compileJavaScript, isRefusal, javaScriptText, standaloneText } from "../../../src/expressions/js/compile.ts";
import { runtimeText } from "../../../src/expressions/js/runtime.ts";
import { simplify } from "../../../src/expressions/simplify/simplify.ts";
import { compiled, core, run, runJq } from "./running.ts";

const textOf = (program: string) => javaScriptText(compiled(core(program)));

describe("a generated program", () => {
  test("is a loop for `map` and `select`", () => {
    expect(textOf(".[] |= 1")).not.toContain("function*");
    expect(textOf("map(select(.[0]) | .[1])")).toBe(`function program(input) {
  const values = [];
  for (const item of elements(input)) {
    if (isTrue(valueAt(item, 0))) values.push(valueAt(item, 1));
  }
  return values;
}
`);
  });

  test("has one function for each ordinary key", () => {
    const text = textOf("[.a, .[].a]");
    expect(text.match(/const program_a = /g)).toHaveLength(1);
    expect(text).toContain('const program_a = (x) => (x !== null && x.a !== undefined ? x.a : absent(x, "a"));');
  });

  test("tries the next part of `first` only without an output", () => {
    expect(textOf("[first(.[], error)]")).toBe(`function program(input) {
  const values = [];
  let found;
  for (const item of elements(input)) {
    found = item;
    break;
  }
  if (found === undefined) found = raise(input);
  values.push(found);
  return values;
}
`);
  });

  test("changes one key of the state of a `reduce` in place", () => {
    expect(textOf("reduce .[] as $k ({}; .[$k] += 1)")).toContain(
      "state = putAt(state, k, plus(takeAt(state, k, owned), 1), owned);",
    );
    expect(runJq("reduce .[] as $k ({}; .[$k] += [1])", ["a", "b", "a"])).toEqual({
      outputs: [{ a: [1, 1], b: [1] }],
    });
    expect(runJq("[foreach .[] as $k ({}; .[$k] += 1)]", ["a", "a"])).toEqual({ outputs: [[{ a: 1 }, { a: 2 }]] });
  });

  test("is an expression if it has one output", () => {
    expect(textOf('"\\(. + 1)!"')).toContain("toText(plus(input, 1))");
  });

  test("includes only the helpers it calls, at most 1 KB for a typical expression", () => {
    const program = compiled(core(".items | map(select(.veg) | .id)"));
    expect(program.helpers).toEqual(["absent", "elements", "isTrue"]);
    expect(standaloneText(program).length - javaScriptText(program).length).toBeLessThanOrEqual(1024);
    expect(standaloneText(program)).toBe(`"use strict";\n${runtimeText(program.helpers)}${javaScriptText(program)}`);
  });

  test("returns the single output or an array of all", () => {
    expect(compiled(core(".a")).form).toBe("one");
    expect(compiled(core(".[]")).form).toBe("list");
    expect(compiled(core("first(.[], 1)")).form).toBe("one");
  });

  test("grows linearly with the expression", () => {
    const choice = "(if .[0] then .[] else .[1:][] end)";
    const sizes = [20, 40, 80].map((count) => textOf(Array(count).fill(choice).join(" | ")).length);
    expect(sizes[2]! / sizes[1]!).toBeLessThan(2.3);
    expect(sizes[1]! / sizes[0]!).toBeLessThan(2.3);
  });

  test("does not grow with function arguments", () => {
    const twice = (depth: number): string => (depth === 0 ? "." : `twice(${twice(depth - 1)})`);
    const text = textOf(`def twice(f): f | f; ${twice(30)}`);
    expect(text.length).toBeLessThan(10_000);
  });
});

describe("variables", () => {
  test("follow the input in the requested order", () => {
    const sum = call("_plus", literal(1), literal(1));
    expect(sum.kind).toBe("call");
    const both = collect(comma(variable("b"), variable("a"), identity));
    expect(run(both, 1, [2, 3], ["a", "b"])).toEqual({ outputs: [[3, 2, 1]] });
    expect(run(both, 1, [2, 3])).toEqual({ outputs: [[3, 2, 1]] });
  });

  test("of any name become valid identifiers", () => {
    const names = ["a b", "__proto__", "constructor", "let", "ü", ["x`$", "{1}"].join(""), "", "a".repeat(100)];
    const expression = collect(comma(...names.map(variable)));
    expect(run(expression, null, names, names)).toEqual({ outputs: [names] });
    expect(run(bind("</script>", literal(1), variable("</script>")), null)).toEqual({ outputs: [1] });
  });

  test("without a value are rejected", () => {
    expect(run(variable("x"), null, [], [])).toEqual({ refused: "The variable `$x` has no value." });
  });
});

describe("hostile text", () => {
  const texts = [
    "</script>",
    ["`$", "{x}`"].join(""),
    "a\u2028b\u2029c",
    "__proto__",
    "constructor",
    '"\\',
    "\0\x7f",
    "😀\ud800",
    "${",
    "*/",
    "<!--",
  ];

  test("is harmless in literals and keys", () => {
    for (const text of texts) {
      const expression = {
        kind: "object",
        entries: [{ key: literal(text), value: literal([text, { [text]: text }]) }],
      } as const;
      const code = standaloneText(compiled(expression));
      expect(code).not.toMatch(/<\/script|[\u2028\u2029]|<!--/);
      expect(javaScriptText(compiled(expression))).not.toMatch(/`|\$\{/);
      const outcome = run(expression, null);
      expect(JSON.stringify(outcome)).toBe(
        JSON.stringify({ outputs: [Object.fromEntries([[text, [text, Object.fromEntries([[text, text]])]]])] }),
      );
    }
  });

  test("is harmless in paths", () => {
    const input = JSON.parse('{"__proto__": {"a b": 1}, "constructor": 2, "toString": 3}');
    expect(runJq('[.["__proto__"]["a b"], .constructor, .toString, .valueOf, .hasOwnProperty]', input)).toEqual({
      outputs: [[1, 2, 3, null, null]],
    });
    expect(JSON.stringify(runJq('.["__proto__"]["x"] = 1', {}))).toBe('{"outputs":[{"__proto__":{"x":1}}]}');
    expect(JSON.stringify(runJq('{"__proto__": 1}'))).toBe('{"outputs":[{"__proto__":1}]}');
  });
});

describe("large and deep programs", () => {
  test("of jq's maximum depth are compiled", () => {
    expect(runJq(`${"[".repeat(450)}1${"]".repeat(450)} | flatten`)).toEqual({ outputs: [[1]] });
    expect(runJq(Array(400).fill(". + 1").join(" | "), 0)).toEqual({ outputs: [400] });
    expect(runJq(`${"if . then ".repeat(150)}1${" else 2 end".repeat(150)}`, true)).toEqual({ outputs: [1] });
  });

  test("of greater depth are rejected", () => {
    let expression = identity;
    for (let i = 0; i < 20_000; i++) expression = pipe(identity, collect(expression));
    expect(compileJavaScript(expression)).toMatchObject({ refused: "This expression is nested too deeply." });
  });

  test("that are compiled can be printed, however deep they are", () => {
    for (const depth of [200, 800, 1600, 3200]) {
      let expression: Expression = identity;
      for (let i = 0; i < depth; i++) expression = object([["a", expression]]);
      const program = compileJavaScript(expression);
      if (!isRefusal(program)) expect(() => javaScriptText(program)).not.toThrow();
      else expect(depth).toBeGreaterThan(800);
    }
  });

  test("loop without using the stack", () => {
    expect(runJq("last(range(100000))")).toEqual({ outputs: [99_999] });
    expect(runJq("0 | until(. >= 100000; . + 1)")).toEqual({ outputs: [100_000] });
    expect(runJq("[limit(100000; repeat(1))] | length")).toEqual({ outputs: [100_000] });
    expect(runJq("def f: if . < 100000 then . + 1 | f else . end; 0 | f")).toEqual({ outputs: [100_000] });
    expect(runJq("reduce range(100000) as $i ([]; [.]) | [..] | length")).toEqual({ outputs: [100_001] });
  });

  test("update many paths in linear time", () => {
    expect(runJq("[range(30000)] | (.[] |= . + 1) | map(select(. > 29999)) | .[0]")).toEqual({ outputs: [30_000] });
    expect(runJq("[range(30000)] | .[] = 1 | add")).toEqual({ outputs: [30_000] });
  });
});

describe("unsupported constructs are rejected", () => {
  test.each([
    ["[path(.a |= 1)]", "An assignment inside of a path is not supported."],
    ["[path(from_entries)]", "The function `from_entries` inside of a path is not supported."],
    ["[path(. as [$a] | .)]", "Taking a value apart inside of a path is not supported."],
    ["[path(. + 1)]", "An addition inside of a path is not supported."],
  ])("%s", (program, refused) => expect(runJq(program)).toEqual({ refused }));

  test("a break out of a try with a catch", () => {
    const attempt: Expression = { kind: "try", body: { kind: "break", name: "a" }, handler: { kind: "identity" } };
    expect(compileJavaScript({ kind: "label", name: "a", body: attempt })).toMatchObject({
      refused: "A `break` out of a `try` with a `catch` is not supported: jq gives the `catch` a value of its own.",
    });
  });

  test("with the position of the reason", () => {
    const span = { source: { name: "a", text: "b" }, start: 1, end: 2 } as never;
    const expression = pathsOf({ ...binary("+", identity, literal(1)), span });
    expect(compileJavaScript(expression)).toEqual({ refused: "An addition inside of a path is not supported.", span });
  });
});

describe("errors and breaks behave as in jq", () => {
  test.each([
    ['[.[] | try error("x") catch .]', [1, 2], [["x", "x"]]],
    ['try ((1, error("x")), 2) catch .', null, [1, "x"]],
    ['try (try 1 | error("x")) catch "outside"', null, ["outside"]],
    ["[(1, 2)? | if . == 2 then 3 else . end]", null, [[1, 3]]],
    ["[label $out | 1, break $out, 2]", null, [[1]]],
    ["[label $out | (1, 2, 3) | ., if . == 2 then break $out else empty end]", null, [[1, 2]]],
    ["def f(g): label $l | g | ., break $l; [f(1, 2), f(3)]", null, [[1, 3]]],
    ["[label $a | label $b | 1, break $a, 2]", null, [[1]]],
    ["def f(g): g, 9; [label $out | f(1, break $out)]", null, [[1]]],
    ["[label $a | ((break $a)?, 3)]", null, [[3]]],
    ["[.[]?, 5] // 6", null, [[5]]],
    ["[path(..)]", [[1]], [[[], [0], [0, 0]]]],
    ["def f: def g: .[]?; g, (g | f); [path(f)]", [[1]], [[[0], [0, 0]]]],
    ["def f(p): path(p); [f(.[], .[0][0])]", [[1]], [[[0], [0, 0]]]],
    ["first(range(10; 0; -3))", null, [10]],
  ])("%s", (program, input, outputs) => expect(runJq(program, input)).toEqual({ outputs }));

  test.each([
    ["1 | .a", 'Cannot index number with string ("a")'],
    [".[]", "Cannot iterate over null (null)"],
    [
      '"0123456789012345678901234567890" | .[]',
      'Cannot iterate over string ("01234567890123456789012345...")'.replace("345...", "3..."),
    ],
    ["path(1)", "Invalid path expression with result 1"],
  ])("%s", (program, failed) =>
    expect(runJq(program)).toMatchObject({
      failed: expect.stringMatching(failed.slice(0, 40).replace(/[()[\].]/g, "\\$&")),
    }),
  );
});

describe("JSONPath", () => {
  test("missing names do not fail", () => {
    expect(run(member(identity, "a", "b"), { a: { b: 1 } })).toEqual({ outputs: [1] });
    expect(run(member(identity, "a", "b"), { a: 1 })).toEqual({ outputs: [] });
  });

  test("several selectors apply in order", () => {
    const segments = [
      {
        descend: true,
        selectors: [
          { kind: "index", index: 0 },
          { kind: "slice", step: -1 },
        ],
      },
    ] as const;
    expect(run(query(identity, segments), [[1, 2], 3])).toEqual({ outputs: [[1, 2], 3, [1, 2], 1, 2, 1] });
  });
});

describe("a growing accumulator", () => {
  test("is not copied for each value", () => {
    expect(runJq("reduce range(100000) as $i ([]; . + [$i]) | length")).toEqual({ outputs: [100_000] });
    expect(runJq('reduce range(50000) as $i ({}; .["k\\($i % 5000)"] += 1) | length')).toEqual({ outputs: [5000] });
    expect(runJq("reduce range(50000) as $i ([]; .[$i] = $i) | add")).toEqual({ outputs: [1_249_975_000] });
    expect(runJq('reduce range(30000) as $i ({}; . + {"k\\($i)": $i}) | length')).toEqual({ outputs: [30_000] });
  });

  test("is never observed changing", () => {
    expect(runJq("[[1], [2]] as $all | reduce (1, 2) as $i ($all[0]; . + $all[1]), $all")).toEqual({
      outputs: [
        [1, 2, 2],
        [[1], [2]],
      ],
    });
    expect(runJq("reduce (1, 2, 3) as $i ({}; .b = .a | .a[0] = $i)")).toEqual({ outputs: [{ b: [2], a: [3] }] });
    expect(runJq("reduce (1, 2, 3) as $i ({a: []}; .a += [.a])")).toEqual({ outputs: [{ a: [[], [[]], [[], [[]]]] }] });
    expect(runJq("reduce (1, 2) as $i ({}; .a.b |= [., .])")).toEqual({
      outputs: [
        {
          a: {
            b: [
              [null, null],
              [null, null],
            ],
          },
        },
      ],
    });
    expect(runJq("reduce (1, 2, 3) as $i ({}; .a[0] = $i | .c += [.a])")).toEqual({
      outputs: [{ a: [3], c: [[1], [2], [3]] }],
    });
    expect(runJq("reduce (1, 2, 3) as $i ({}; .a |= (.x = $i | .y += [$i]))")).toEqual({
      outputs: [{ a: { x: 3, y: [1, 2, 3] } }],
    });
  });
});

describe("the functions of JSONPath", () => {
  const all = query(identity, [{ descend: false, selectors: [{ kind: "wildcard" }] }]);
  test.each([
    [call("nodeLength", all), ["a😀"], [2]],
    [call("nodeLength", all), [1], []],
    [call("nodeCount", all), [1, 2], [2]],
    [call("nodeValue", all), [1], [1]],
    [call("nodeValue", all), [1, 2], []],
    [call("nodeMatches", all, literal("a.")), ["ab"], [true]],
    [call("nodeSearches", all, literal("b")), ["abc"], [true]],
    [call("nodeMatches", all, literal("b")), ["abc"], [false]],
    [call("attribute", identity, literal("TYPE")), { type: "x" }, ["x"]],
  ])("%j", (expression, input, outputs) => expect(run(expression, input)).toEqual({ outputs }));
});

test("a loop may ignore both names of a pair", () => {
  expect(run(simplify(core("paths(null)")), [1])).toEqual({ outputs: [] });
});
