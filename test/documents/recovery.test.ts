import { describe, expect, it } from "vitest";
import { type Document, readDocuments } from "../../src/documents/index.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { applyFixes } from "../../src/text/fix.ts";
import { read, textOf } from "./reading.ts";

/** A source with several errors, their spans, and the recovered value; undefined if it is uncertain. */
type Case = readonly [text: string, faults: readonly string[], value: unknown];

const yaml: readonly Case[] = [
  ["name foo\nb: [1\nc: d\n", ["name foo", "["], { name: "foo", b: [1], c: "d" }],
  ["a: b: c\nd: {x: y\ne: 'it's'\nf: g\n", ["b: c", "{", "s'"], { a: "b: c", d: { x: "y" }, e: "it's", f: "g" }],
  ['a: "b\nc: @x\nd: {e: %y, f: z}\n', ['"', "@", "%"], { a: "b", c: "@x", d: { e: "%y", f: "z" } }],
  ["a: [1, 2]]\nb: {c: d e: f}\nc: [1,, 2]\n", ["]", "d e: f", ","], { a: [1, 2], b: { c: "d", e: "f" }, c: [1, 2] }],
  ["a: 'b'#c\nd:e\nf: \"\\q\"\n", ["#c", "d:e", "\\q"], { a: "b", d: "e", f: "\\q" }],
  ["a:\u00a0b\nk\uff1av\nc: 1\n", ["\u00a0", "\uff1a"], { a: "b", k: "v", c: 1 }],
  ["<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\nb c\n", ["<<<<<<< HEAD", "b c"], { a: 1, b: "c" }],
  ["a: x\n---\nb c\nd: [1\n", ["b c", "["], { a: "x" }],
  ["a: [\n  1, # one\n  2,\nb: c\nd: {e: f\n", ["[", "{"], { a: [1, 2], b: "c", d: { e: "f" } }],
  ["a: [\nb c\nd: e\n", ["[", "b c"], undefined],
  // Blanking an entry hides neither what follows nor that data is missing.
  ["a:\n\tb: 1\n\tc: 2\nd: 1\ne: [1\n", ["\t", "["], undefined],
  ["x:\n- a: 1\n   b: 2\n  c: 3\ny z\n", ["1", "y z"], undefined],
  ["a:\n  b: 1\n c: 2\n d: 3\ne: f\ng h\n", ["c", "g h"], undefined],
  ["a: 1\nb\nc: d\ne f\n", ["b", "e f"], undefined],
  ["a: *x\nb c\n", ["*x", "b c"], undefined],
];

const json: readonly Case[] = [
  ['{"a": 1\n"b": [1,], "c": True}', ['"', ",", "True"], { a: 1, b: [1], c: true }],
  [
    "{a: 'b', // c\n \"d\": None, e: hello world} // f",
    ["a", "'", "/", "None", "e", "hello"],
    { a: "b", d: null, e: "hello world" },
  ],
  [
    '{"a": ["b" "c"], "d" 1, "e": +1, "f": "\\x\\n\t"}',
    ['"', "1", "+1", "\\x", "\t"],
    { a: ["b", "c"], d: 1, e: 1, f: "\\x\n\t" },
  ],
  ['{"a": "b,\n"c": "d\n}', ['"b,', '"d'], { a: "b", c: "d" }],
  ['{"a": [1, 2}, "b": [3]', ["}"], { a: [1, 2] }],
  ['{"a": {"b": [1, 2}, "c": [3,]}', ["}", ","], { a: { b: [1, 2] }, c: [3] }],
  ['{"a": [{"b": 1}, "c": 2, "d": [1,]}', ['"c"', ","], { a: [{ b: 1 }], c: 2, d: [1] }],
  // Something unknown is missing here.
  ['{"a": , "b": True}', [",", "True"], undefined],
  ['{"a: "b", "c": True}', ["b"], undefined],
  ['{"a": "b" c, "d": True}', ["c"], undefined],
  ['{"a": [1,], "b": [1', [",", ""], undefined],
  ['{"a": 1, "a": 2, "b": True}', ['"a"', "True"], undefined],
];

describe.each([
  ["YAML", "w.yaml", yaml],
  ["JSON", "w.json", json],
])("all structure errors of %s are found", (_, path, cases) => {
  it.each(cases)("%j", (text, faults, value) => {
    const { diagnostics, documents } = read(text, path);
    const told = diagnostics.map(({ span }) => textOf(span));
    expect(told.toSorted()).toEqual(faults.toSorted());
    expect(documents.map((each) => each.isRecovered)).toEqual(documents.map(() => false));
    expect(recovered(text, path)[0]?.value).toEqual(value);
  });
});

it("places in a recovered document are those of its text", () => {
  const text = "name foo\nb: {x: y\nc: it: is\nd: [1, two]]\n";
  const [document] = recovered(text, "w.yaml");
  const { value } = document!;
  const object = value as { readonly b: object; readonly d: object };
  expect(document!.isRecovered).toBe(true);
  expect(textOf(document!.spanOf(value, "name", "key"))).toBe("name");
  expect(textOf(document!.spanOf(value, "name"))).toBe("foo");
  expect(textOf(document!.spanOf(object.b, "x"))).toBe("y");
  expect(textOf(document!.spanOf(value, "c"))).toBe("it: is");
  expect(textOf(document!.spanWithin(value, "c", 4, 6))).toBe("is");
  expect(textOf(document!.spanOf(object.d, 1))).toBe("two");
});

it("faults whose mend is certain are mended in JSON too", () => {
  const source = { path: "w.json", text: "{\"a\": 1\n 'b': True, c: [1,]}" };
  const found: Diagnostic[] = [];
  readDocuments(source, (fault) => found.push(fault));
  expect(applyFixes(source, found).text).toBe('{"a": 1,\n "b": true, "c": [1]}');
});

it("a text of many faults is given up after some", () => {
  expect(read("a b\n".repeat(200)).diagnostics.length).toBeLessThan(25);
});

function recovered(text: string, path: string): readonly Document[] {
  return readDocuments({ path, text }, () => {}, { recovers: true });
}
