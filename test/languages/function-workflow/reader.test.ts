import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { readWithDiagnostics } from "../../../src/documents/index.ts";
import type { Json } from "../../../src/json.ts";
import { functionWorkflow } from "../../../src/languages/function-workflow/index.ts";
import { readTolerantly } from "../../../src/languages/function-workflow/reader/index.ts";
import { applyFixes } from "../../../src/text/fix.ts";
import { positionOf } from "../../../src/text/source.ts";
import { filesIn, folderWith, waybill } from "../../cli/command.ts";
import { languages } from "../../languages.ts";

/** The value, the diagnostics (line, column and message), and the repaired source. */
function read(text: string) {
  const source = { path: "a.json", text };
  const { documents, diagnostics } = readTolerantly(source);
  const findings = diagnostics.map(({ code, message, span }) => {
    const { line, column } = positionOf(source, span.start);
    return `${line}:${column} ${code} ${message}`;
  });
  return { value: documents[0]?.value, findings, repaired: applyFixes(source, diagnostics).text };
}

test.each<[string, string, Json, string]>([
  ['{ "a": END }', '{ "a": "END" }', { a: "END" }, "1:8 WB0017 The string `END` is not quoted."],
  ['{ "a": function name 1 // x\n}', '{ "a": "function name 1"\n}', { a: "function name 1" }, ""],
  ["{ a: 1 }", '{ "a": 1 }', { a: 1 }, "1:3 WB0017 The key `a` is not quoted."],
  ['{ “a”: “b "c"” }', '{ "a": "b \\"c\\"" }', { a: 'b "c"' }, ""],
  ['{ "a”: “b" }', '{ "a": "b" }', { a: "b" }, ""],
  ["{ 'a': ‘b’ }", '{ "a": "b" }', { a: "b" }, ""],
  ['{ "a": "b\tc" }', '{ "a": "b\\tc" }', { a: "b\tc" }, ""],
  ['{ "a": 1\n"b": 2 }', '{ "a": 1,\n"b": 2 }', { a: 1, b: 2 }, "2:1 WB0017 Missing comma before this."],
  ['{ "a": 1, }', '{ "a": 1 }', { a: 1 }, "1:9 WB0017 Nothing follows this comma."],
  ['{ , "a": [1,, 2] }', '{  "a": [1, 2] }', { a: [1, 2] }, ""],
  ['{ "a" { "b": [] } }', '{ "a": { "b": [] } }', { a: { b: [] } }, "1:7 WB0017 Missing colon after the key `a`."],
  ['"a": 1, "b": 2', '{"a": 1, "b": 2}', { a: 1, b: 2 }, "1:1 WB0017 The definition is not enclosed in braces."],
  ['{ "a": { { "b": 1 } } }', '{ "a": {  "b": 1  } }', { a: { b: 1 } }, ""],
  [
    '{ "states": [ "A": {} ] }',
    '{ "states": { "A": {} } }',
    { states: { A: {} } },
    "1:13 WB0017 Named entries must be enclosed in braces, as an object.",
  ],
  ['{ "x": ["f": 1, "g": 2, "f": 3] }', '{ "x": [{"f": 1, "g": 2}, {"f": 3}] }', { x: [{ f: 1, g: 2 }, { f: 3 }] }, ""],
  ['{ /* a */ "a": 1 # b\n-- c\n, "b": TRUE }', '{ "a": 1\n\n, "b": true }', { a: 1, b: true }, ""],
  ['{ "a":\u00a0007, "b": .5 }', '{ "a": 7, "b": 0.5 }', { a: 7, b: 0.5 }, ""],
])("%s", (text, repaired, value, findings) => {
  const found = read(text);
  expect([found.value, found.repaired]).toEqual([value, repaired]);
  expect(JSON.parse(found.repaired)).toEqual(value);
  if (findings !== "") expect(found.findings).toEqual([findings]);
  expect(found.findings.length).toBeGreaterThan(0);
});

test.each([
  ['{ "a": 1', "1:9 WB0004 The file ends before the object is closed with `}`."],
  ['{ "a": [1 }', "1:11 WB0004 The array is closed with `}` instead of `]`."],
  ['{ "a": { "b": 1 ] }', "1:17 WB0004 The object is closed with `]` instead of `}`."],
  ['{ "a": "b\n}', "1:8 WB0004 This string has no closing quote on its line."],
  ['{ "a": }', "1:8 WB0004 Missing value."],
  ['{ "a" 5 }', "1:7 WB0004 Missing colon after the key `a`."],
  ['{ "a": 1, "a": 2 }', "1:11 WB0006 Duplicate key `a`."],
  ['{ "a": [1, "b": 2] }', "1:12 WB0004 This array mixes entries with and without keys."],
  ['{ "a": 1 } }', "1:12 WB0004 Unexpected text after the end of the definition."],
  ['"a": 1 }', "1:8 WB0004 Unexpected `}`."],
  ["hello", "1:1 WB0004 A definition must begin with `{`."],
  ['{ "a": 1e999 }', "1:8 WB0012 `1e999` is not a valid JSON number."],
  [`{ "a": ${"[".repeat(200)}`, "1:107 WB0003 Arrays and objects are nested more than 100 levels deep."],
  [`{ "a": [${"b, ".repeat(2000)}] }`, "1:3009 WB0004 This file needs more than 1000 repairs to be JSON."],
])("reports a single error for %s", (text, findings) => {
  expect(read(text)).toEqual({ value: undefined, findings: [findings], repaired: text });
});

/** A serialized value with random damage, as people write it. */
function damaged(value: Json, damage: () => number): string {
  const perhaps = (percent: number): boolean => damage() < percent;
  const quoted = (text: string): string => {
    if (perhaps(20) && !/["\\“”„\n\r\p{Cc}]/u.test(text)) return `“${text}”`;
    return perhaps(30) && /^[A-Za-z][A-Za-z -]*[A-Za-z]$/.test(text) && !/^(?:true|false|null)$/i.test(text)
      ? text
      : JSON.stringify(text);
  };
  const list = (parts: readonly string[]): string =>
    parts
      .map((part, i) => {
        const isLast = i === parts.length - 1;
        const comma = isLast ? perhaps(20) : !perhaps(15);
        return `${part}${comma ? "," : ""}${perhaps(15) ? ` ${["// c", "# c", "---- c"][damage() % 3]}` : ""}\n`;
      })
      .join("");
  const write = (part: Json): string => {
    if (typeof part === "string") return quoted(part);
    if (Array.isArray(part)) return `[\n${list(part.map(write))}]`;
    if (typeof part !== "object" || part === null) return JSON.stringify(part);
    return `{\n${list(Object.entries(part).map(([key, each]) => `${quoted(key)}: ${write(each)}`))}}`;
  };
  return write(value);
}

const word = fc.oneof(
  fc.constantFrom("STATE-END", "SEQUENTIAL", "function name", "a/b: c", "“", "x, y", "x // y", "-- z", "1", "true", ""),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const { value: anything } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    word,
    fc.constantFrom<Json>(1, -0.5, true, false, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(word, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const definitions = fc.dictionary(word, anything, { maxKeys: 5, noNullPrototype: true });

test("damaged JSON is read as the original; the repaired source is valid JSON without further repairs", () => {
  fc.assert(
    fc.property(definitions, fc.array(fc.nat(99), { minLength: 1, maxLength: 200 }), (definition, numbers) => {
      let at = 0;
      const text = damaged(definition, () => numbers[at++ % numbers.length]!);
      const found = read(text);
      expect({ text, value: found.value }).toEqual({ text, value: definition });
      expect(JSON.parse(found.repaired)).toEqual(definition);
      expect(read(found.repaired).findings).toEqual([]);
    }),
    { numRuns: 2000, seed: 20_180_801 },
  );
});

test("valid JSON keeps its values and positions", () => {
  fc.assert(
    fc.property(definitions, fc.nat(3), (definition, indent) => {
      const source = { path: "a.json", text: JSON.stringify(definition, undefined, indent) };
      const [plain, tolerant] = [readWithDiagnostics(source).documents[0]!, readTolerantly(source).documents[0]!];
      expect(tolerant.value).toEqual(plain.value);
      for (const key of Object.keys(definition))
        for (const part of ["key", "value"] as const)
          expect(tolerant.spanOf(tolerant.value, key, part)).toEqual(plain.spanOf(plain.value, key, part));
    }),
    { numRuns: 300, seed: 20_180_802 },
  );
});

describe("which sources are repaired", () => {
  const state = '"A": { "type": "OPERATION", "start": true, "next-state": "B" }, "B": { "type": "END" }';
  const isRead = (text: string, path = "a.json", isAsked = false): boolean => {
    const source = { path, text };
    return functionWorkflow.read?.(source, readWithDiagnostics(source), isAsked) !== undefined;
  };

  test.each<[string, boolean, string, string?]>([
    ["JSON", false, `{ "states": { ${state} } }`],
    ["a comma too many", true, `{ "states": { ${state}, } }`],
    ["without braces", true, `"states": { ${state} }`],
    ["JSON in which a key stands twice", false, `{ "states": { ${state}, ${state} } }`],
    ["nothing of the language", false, '{ "steps": { "a": 1, } }'],
    ["YAML in braces", false, "{ states: { A: { type: OPERATION, next-state: B } } }", "a.yaml"],
    [
      "curly quotes, which YAML takes for letters",
      true,
      "{ states: { A: { type: OPERATION, next-state: “B” } } }",
      "a.yaml",
    ],
    ["a list with keys, which YAML takes for objects", true, `{ "states": [ ${state} ] }`, "a.yaml"],
    ["YAML in lines", false, "states:\n  A: { type: OPERATION, next-state: “B” }", "a.yaml"],
  ])("%s: %s", (_, expected, text, path) => {
    expect(isRead(text, path)).toBe(expected);
  });

  test("all near-JSON if the language is requested", () => {
    expect([isRead('{ "a": 1, }'), isRead('{ "a": 1, }', "a.json", true)]).toEqual([false, true]);
  });
});

test("errors have their positions in the original source", () => {
  const text =
    '{\n"states": [\n"A": { "start": true, "type": OPERATION, “next-state”: “C” },\n"B": { "type": END },\n] }';
  const { diagnostics } = check({ sources: [{ path: "a.json", text }], options: {} }, languages);
  const [unknown] = diagnostics.filter(({ severity }) => severity === "error");
  expect([unknown?.message, text.slice(unknown!.span.start, unknown!.span.end)]).toEqual(["Unknown state `C`.", "“C”"]);
});

test("`check --fix` writes only the repaired file, and is idempotent", async () => {
  const text =
    '{\n  "states": [   \n\t"A":   { "start": true, "type": OPERATION,\n   “next-state”: "B", } -- on\n  "B": { "type": END }\n  ]\n}\n';
  const repaired =
    '{\n  "states": {   \n\t"A":   { "start": true, "type": "OPERATION",\n   "next-state": "B" },\n  "B": { "type": "END" }\n  }\n}\n';
  const folder = folderWith({ "a.json": text });
  expect((await waybill(folder, ["check", "--fix", "a.json"])).status).toBe(0);
  expect(filesIn(folder)).toEqual({ "a.json": repaired });
  const again = await waybill(folder, ["check", "--fix", "a.json"]);
  expect([again.status, again.err]).toEqual([0, "No problems fixed.\n"]);
  expect(filesIn(folder)).toEqual({ "a.json": repaired });
});
