import { expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { readerOf } from "../../../src/text/uris.ts";
import { languages } from "../../languages.ts";

const compiled = (text: string, files: { readonly [path: string]: string } = {}) => {
  const sources = [{ path: "machines/m.yaml", text }];
  const read = readerOf(Object.entries(files).map(([path, content]) => ({ path, text: content })));
  const { program, diagnostics } = check({ sources, options: {}, read }, languages);
  const found = diagnostics.map(({ code, span }) => `${code} ${span.source.text.slice(span.start, span.end)}`);
  return { workflow: program?.workflows[0], found };
};

test("blank attributes are absent, and marked where they are, in every action too", () => {
  const { found, workflow } = compiled(`
name: m
version: 1.10
states:
- name: A
  start: true
  enterAction:
    type: sequence
    actions:
    - { type: injectData, expression: "\${ 1 }", errorHandlers: [{ condition: "" }] }
  transitions:
  - { Condition: "", NextState: B }
- { name: B }
`);
  expect(found.filter((each) => !each.startsWith("WB2101"))).toEqual(["WB2413 condition", "WB2413 Condition"]);
  expect(workflow?.version).toBe("1.10");
});

test.each([
  ['start: "true"', ['WB1004 "true"']],
  ["start: yes please", ["WB3401 states", "WB1004 yes please"]],
  ["", ["WB3401 states"]],
])("a machine with %j is recognized", (start, expected) => {
  expect(compiled(`name: m\nversion: "1"\nstates:\n- name: A\n  ${start}\n`).found).toEqual(expected);
});

test("`file://dir/doc.json` is a path", () => {
  const api = `{ "openapi": "3.1.0", "info": { "title": "a", "version": "1" }, "servers": [{ "url": "https://example.org" }],
    "paths": { "/greet": { "post": { "operationId": "greeting", "responses": {} } } } }`;
  const text = `
name: m
version: "1"
functions: [{ name: greet, operation: "file://apis/greet.json#greeting" }]
states:
- { name: A, start: true, enterAction: { type: invokeFunction, functionName: greet } }
`;
  const { found, workflow } = compiled(text, { "machines/apis/greet.json": api });
  expect(found).toEqual([]);
  expect(workflow?.functions[0]?.protocol?.kind).toBe("http");
});
