import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { isUnclosed, splitInterpolations } from "../../../src/languages/yawl/interpolations.ts";
import { positionOf } from "../../../src/text/source.ts";
import { languages } from "../../languages.ts";

/** The pieces of a template, with jq in angle brackets. */
function shown(text: string, braces = false): string {
  const pieces = splitInterpolations(text, braces);
  if (isUnclosed(pieces)) return `opens at ${pieces.openingOffset}`;
  for (const { text: piece, from } of pieces) expect(text.slice(from, from + piece.length)).toBe(piece);
  return pieces.map(({ kind, text }) => (kind === "jq" ? `<${text}>` : text)).join("");
}

describe("interpolations", () => {
  test.each([
    ["", ""],
    ["no hole", "no hole"],
    [String.raw`\(.a)`, "<.a>"],
    [String.raw`a \(.b) c\(.d)`, "a <.b> c<.d>"],
    [String.raw`\((.a | (.b)))!`, "<(.a | (.b))>!"],
    [String.raw`\(")")`, '<")">'],
    [String.raw`\("a\"\(")" + .b))c")`, String.raw`<"a\"\(")" + .b))c">`],
    [String.raw`\("a\"\(")" + .b)c")`, String.raw`<"a\"\(")" + .b)c">`],
    ["\\({\n  a: 1, # :)\n  b: 2\n})", "<{\n  a: 1, # :)\n  b: 2\n}>"],
    [String.raw`a\\(.b)`, "a\\<.b>"],
    [String.raw`Hello world\!`, String.raw`Hello world\!`],
    [String.raw`a \(.b`, "opens at 2"],
    [String.raw`\("`, "opens at 0"],
    [String.raw`\(# a)`, "opens at 0"],
    ["{{ .a }}", "{{ .a }}"],
  ])("%j", (text, pieces) => {
    expect(shown(text)).toBe(pieces);
  });

  test.each([
    ["{{ .a }}", "< .a >"],
    ['{{ {"a": {}} }}', '< {"a": {}} >'],
    ["{{{a: {b: 1}}}}", "<{a: {b: 1}}>"],
    [String.raw`{{ "}}" }} and \(.b)`, '< "}}" > and <.b>'],
    ["{{ .a }", "opens at 0"],
    ["{ a }", "{ a }"],
  ])("in braces: %j", (text, pieces) => {
    expect(shown(text, true)).toBe(pieces);
  });

  test("are found in one pass", () => {
    const text = String.raw`\(`.repeat(200_000);
    const started = performance.now();
    expect(shown(text)).toBe("opens at 0");
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

/** The diagnostics of a step: line, code and source at the span. */
function found(step: string): readonly string[] {
  const text = `yawl: "0.1"\nstart: a\nsteps:\n  a:\n${step.replaceAll(/^(?=.)/gm, "    ")}\n`;
  const source = { path: "a.yaml", text };
  const { diagnostics } = check({ sources: [source], options: {} }, languages);
  return diagnostics.map(({ code, span: { start, end } }) => {
    const { line } = positionOf(source, start);
    return `${line} ${code} ${text.slice(start, end)}`;
  });
}

describe("errors in jq have precise spans", () => {
  test.each<[string, string, readonly string[]]>([
    ["in a plain scalar", "httpCall:\n  url: a/\\(.b | lenght)", ["6 WB4011 lenght"]],
    ["in single quotes", "httpCall:\n  url: 'it''s \\(.b | lenght)'", ["6 WB4011 lenght"]],
    ["in double quotes", 'httpCall:\n  url: "\\u00e9 \\\\(.b | lenght)"', ["6 WB4011 lenght"]],
    ["in a literal block", "httpCall:\n  url: |\n    \\(\n      .b | lenght\n    )", ["8 WB4011 lenght"]],
    ["in a condition", "switch:\n  choices: [{ condition: .b | lenght, next: a }]", ["6 WB4011 lenght"]],
    [
      "in a condition in a hole",
      "switch:\n  choices: [{ condition: '\\(.b | lenght)', next: a }]",
      ["6 WB4011 lenght"],
    ],
    ["in each of several holes", "httpCall:\n  url: \\($a)\\($b)", ["6 WB4011 $a", "6 WB4011 $b"]],
    [
      "in a list",
      "postbox:\n  fromAddress: a\n  destination: { toAddresses: ['\\($a)'] }\n  raw: { data: b }",
      ["7 WB4011 $a"],
    ],
    ["in a header", "httpCall:\n  url: a\n  headers: { B: '\\($a)' }", ["7 WB4011 $a"]],
  ])("%s", (_, step, findings) => {
    expect(found(step).filter((finding) => !finding.includes("WB3201"))).toEqual(findings);
  });

  test("plain text has none", () => {
    expect(found("httpCall:\n  url: 'a\\!{b}'\n  body: '(( $c'")).toEqual([]);
  });

  test("is reported in fields without jq", () => {
    expect(found("functionCall:\n  functionId: '\\(never closed'\n  tag: t\\(.b)")).toEqual([
      "6 WB4208 \\(",
      "7 WB4208 \\(",
    ]);
    expect(found("workflow: { workflowId: 'a\\(.b)' }").filter((each) => !each.includes("WB2004"))).toEqual([
      "5 WB4208 \\(",
    ]);
  });
});

describe("unreadable steps keep their successors", () => {
  test.each<[string, string, readonly string[]]>([
    ["a kind that is misspelt", "htpCall:\n  url: b", ["5 WB1001 htpCall"]],
    ["two kinds", "noOp: {}\nwait: { duration: '1' }", ["6 WB1006 wait"]],
    ["a key that nothing has", "noOp: { outputs: '{}' }", ["5 WB1007 outputs"]],
    ["a number for a text", "wait: { duration: 5 }", ["5 WB1004 5"]],
    ["a value in place of a step", "wait: 5", ["5 WB1004 5"]],
    ["a key without value before the kind", "oops:\nfail: { errorMessage: x }", ["5 WB1007 oops"]],
  ])("%s", (_, step, findings) => {
    expect(found(step)).toEqual(findings);
  });

  test("are known to the steps before them", () => {
    const text = 'yawl: "0.2"\nstart: a\nsteps:\n  a: { noOp: { next: b } }\n  b: { wait: 5 }\n';
    const { diagnostics } = check({ sources: [{ path: "a.yaml", text }], options: {} }, languages);
    expect(diagnostics.map(({ code }) => code)).toEqual(["WB1004"]);
  });
});

test("the hint for text that is not JSON has the interpolations of the version", () => {
  const hintIn = (version: string): string | undefined => {
    const text = `yawl: "${version}"\nstart: a\nsteps:\n  a: { noOp: { output: '{"a": .b}' } }\n`;
    const { diagnostics } = check({ sources: [{ path: "a.yaml", text }], options: {} }, languages);
    return diagnostics.find(({ code }) => code === "WB4203")?.hint;
  };
  expect([hintIn("0.1"), hintIn("0.2")]).toEqual([
    "To compute it, write jq in `\\( … )`.",
    "To compute it, write jq in `{{ … }}`.",
  ]);
});
