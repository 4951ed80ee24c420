import { expect, test } from "vitest";
import { changeValues, type ValueChange } from "../../src/documents/edits.ts";
import { readDocuments } from "../../src/documents/index.ts";

function change(text: string, changes: readonly ValueChange[], path = "file.yaml"): string | undefined {
  const [document] = readDocuments({ path, text }, (found) => expect.fail(found.message));
  return changeValues(document!, changes);
}

test("keeps comments and the formatting of what stays the same", () => {
  const text = `# top
list:
- name: one # first
  expect:
    # the status
    status: succeeded
    output: # all
      a: 1   # a
      b: |
        lines
      c: [1,   2]
`;
  const value = { status: "succeeded", output: { a: 2, b: "yes", c: [1, 3], d: { e: [true, null] } } };
  expect(change(text, [{ path: ["list", 0, "expect"], value }])).toBe(`# top
list:
- name: one # first
  expect:
    # the status
    status: succeeded
    output: # all
      a: 2   # a
      b: "yes"
      c: [1,   3]
      d: { e: [true, null] }
`);
});

test.each([
  ["a first member of a block", "e:\n- a: 1\n  b: 2\n", { b: 2 }, "e:\n- b: 2\n"],
  ["the last members of a block", "e:\n- a: 1 # a\n  b: 2\n  c: 3\n", { a: 1 }, "e:\n- a: 1 # a\n"],
  ["a first member of a flow", "e: [{ a: 1, b: 2 }]\n", { b: 2 }, "e: [{ b: 2 }]\n"],
  ["the last members of a flow", "e: [{ a: 1, b: 2, c: 3 }] # c\n", { a: 1 }, "e: [{ a: 1 }] # c\n"],
  ["and adds others", "e: [{ a: 1, b: 2 }]\n", { a: 1, c: "x y" }, "e: [{ a: 1, c: x y }]\n"],
  ["all members", "e: [{ a: 1 }]\n", { c: 1 }, "e: [{ c: 1 }]\n"],
])("removes %s", (_, text, value, after) => {
  expect(change(text, [{ path: ["e", 0], value }])).toBe(after);
});

test("adds a missing property behind the others", () => {
  expect(change("a: [x] # x\n\nz:\n", [{ path: ["e"], value: { s: "a: b" } }])).toBe(
    'a: [x] # x\n\nz:\ne: { s: "a: b" }\n',
  );
});

test("keeps quotes", () => {
  const text = `e: { a: "x", b: 'y', c: z, d: "1" }\n`;
  const value = { a: "p", b: "it's", c: "true", d: 2 };
  expect(change(text, [{ path: ["e"], value }])).toBe(`e: { a: "p", b: 'it''s', c: "true", d: 2 }\n`);
});

test("breaks long lines", () => {
  const long = "word ".repeat(20).trim();
  expect(change("e: 1\n", [{ path: ["e"], value: { a: long, b: [long] } }])).toBe(
    `e: {\n  a: ${long},\n  b: [${long}]\n}\n`,
  );
});

test("long values in a flow are indented like its line", () => {
  const long = "word ".repeat(20).trim();
  expect(change("e:\n- { a: 1, b: { c: 2 } } # d\n", [{ path: ["e", 0], value: { a: 1, b: { c: long } } }])).toBe(
    `e:\n- { a: 1, b: { c: ${long} } } # d\n`,
  );
  const both = { a: 1, b: { c: long, d: [long] } };
  expect(change("e:\n- { a: 1 } # d\n", [{ path: ["e", 0], value: both }])).toBe(
    `e:\n- { a: 1, b: {\n    c: ${long},\n    d: [${long}]\n  } } # d\n`,
  );
});

test("writes JSON into JSON", () => {
  const text = '{\n  "e": { "a": 1 },\n  "f": true\n}\n';
  const value = { a: "x", b: { c: [] } };
  expect(change(text, [{ path: ["e"], value }], "file.json")).toBe(
    '{\n  "e": { "a": "x", "b": { "c": [] } },\n  "f": true\n}\n',
  );
});

test("does not write what would read otherwise", () => {
  expect(change("a: &x { b: 1 }\ne: *x\n", [{ path: ["e", "b"], value: 2 }])).toBeUndefined();
});
