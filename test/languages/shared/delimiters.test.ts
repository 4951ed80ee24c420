import { describe, expect, test } from "vitest";
import { check, type Diagnostic } from "../../../src/index.ts";
import { findForeign, stringLanguages } from "../../../src/languages/shared/delimiters.ts";

type StringLanguageName = "serverlessWorkflow" | "functionWorkflow" | "sm4c" | "yawl";

/** A definition of each language with a string where the language evaluates expressions. */
const definitions: { readonly [language in StringLanguageName]: (text: string) => { path: string; text: string } } = {
  serverlessWorkflow: (text) => ({
    path: "workflow.json",
    text: JSON.stringify({
      id: "w",
      name: "W",
      version: "1.0",
      functions: [{ name: "f", resource: "f" }],
      states: [
        {
          name: "A",
          type: "operation",
          start: { kind: "default" },
          actions: [{ functionRef: { refName: "f", parameters: { text } } }],
          end: { kind: "default" },
        },
      ],
    }),
  }),
  functionWorkflow: (text) => ({
    path: "workflow.json",
    text: JSON.stringify({
      states: {
        A: {
          type: "OPERATION",
          start: true,
          actions: [{ function: { name: "f", parameters: { text } } }],
          "next-state": "B",
        },
        B: { type: "END" },
      },
    }),
  }),
  sm4c: (text) => ({
    path: "workflow.json",
    text: JSON.stringify({
      name: "w",
      version: "1.0",
      functions: [{ name: "f", type: "rest", operation: "openapi.yaml#f" }],
      states: [
        { name: "A", start: true, enterAction: { type: "invokeSubflow", subflowName: "s", arguments: { text } } },
      ],
    }),
  }),
  yawl: (text) => ({
    path: "workflow.json",
    text: JSON.stringify({ yawl: "0.1", start: "a", steps: { a: { httpCall: { url: text } } } }),
  }),
};

async function reported(language: StringLanguageName, text: string): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await check({ sources: [definitions[language](text)] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return diagnostics.filter(({ code }) => ["WB4005", "WB4116", "WB4117", "WB4202", "WB4504"].includes(code));
}

const own = "";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: expressions of other languages
// The code of the warning, and what the fix writes; `own`: the language's own delimiters.
type TableRow = readonly [language: StringLanguageName, code: string, fixed?: string];

const table: readonly (readonly [string, ...TableRow[]])[] = [
  [
    "${ .order.id }",
    ["serverlessWorkflow", "WB4116", "$.order.id"],
    ["functionWorkflow", "WB4117", "$.order.id"],
    ["sm4c", own],
    ["yawl", "WB4117", "\\(.order.id)"],
  ],
  [
    "{{ .order.id }}",
    ["serverlessWorkflow", "WB4116", "$.order.id"],
    ["functionWorkflow", "WB4117", "$.order.id"],
    ["sm4c", "WB4504"],
    ["yawl", "WB4202"],
  ],
  [
    "\\(.order.id)",
    ["serverlessWorkflow", "WB4117", "$.order.id"],
    ["functionWorkflow", "WB4117", "$.order.id"],
    ["sm4c", "WB4117", "${ .order.id }"],
    ["yawl", own],
  ],
  [
    "$.order.id",
    ["serverlessWorkflow", own],
    ["functionWorkflow", own],
    ["sm4c", "WB4117", "${ .order.id }"],
    ["yawl", "WB4117", "\\(.order.id)"],
  ],
  [".order.id", ...hinted("serverlessWorkflow", "functionWorkflow", "sm4c", "yawl")],
  ["$id", ...hinted("serverlessWorkflow", "functionWorkflow")],
  ["$counter", ["sm4c", own], ["yawl", "WB4117"]],
  [
    "for \\(.order.id) or ${ .a }",
    ["serverlessWorkflow", "WB4116"],
    ["functionWorkflow", "WB4117"],
    ["sm4c", "WB4504"],
    ["yawl", "WB4117", "for \\(.order.id) or \\(.a)"],
  ],
];

function hinted(...languages: readonly StringLanguageName[]): TableRow[] {
  return languages.map((language) => [language, "WB4117"]);
}

describe.each(table.map(([text, ...rows]) => ({ text, rows })))("$text", ({ text, rows }) => {
  test.each(rows.map(([language, code, fixed]) => ({ language, code, fixed })))(
    "in $language",
    async ({ language, code, fixed }) => {
      const diagnostics = await reported(language, text);
      expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(code === own ? [] : [code]);
      const fixes = diagnostics.flatMap(({ fix = [] }) => fix.map((edit) => JSON.parse(edit.text) as string));
      expect(fixes).toEqual(fixed === undefined ? [] : [fixed]);
    },
  );
});

describe("ordinary text", () => {
  test.each([
    "$5",
    "costs $5.20 or 5$",
    "$",
    "$HOME",
    "$USD",
    "${HOME}",
    "a $.b",
    "$.ajax('/x')",
    ".env",
    ".json",
    ".tar.gz",
    ".gitignore",
    "...",
    ". a",
    "^\\(.*\\)$",
    "\\(.a\\)",
    '{"a":{"b":{}}}',
    "{{",
    "if (a) {{ b }} else { c }",
    "`${name}`",
    "echo ${name} | sed 's/\\(.\\)/x/'",
    "https://example.com/{id}",
  ])("%s", (text) => {
    for (const language of Object.values(stringLanguages)) expect(findForeign(text, language)).toBeUndefined();
  });
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: expressions of other languages

test("long strings take linear time", () => {
  for (const text of ["${".repeat(100_000), "{{.a".repeat(50_000), `${".a".repeat(100_000)}!`, "\\(.a".repeat(50_000)])
    for (const language of Object.values(stringLanguages)) expect(findForeign(text, language)).toBeUndefined();
});
