import { describe, expect, it } from "vitest";
import { renderPage } from "../../src/diagnostics/renderers/catalog.ts";
import { sortDiagnostics } from "../../src/diagnostics/renderers/sort.ts";
import { renderGithub, renderJson, renderSarif } from "../../src/diagnostics/renderers/structured.ts";
import { renderText } from "../../src/diagnostics/renderers/text.ts";
import { type Diagnostic, defineError, defineInfo, defineWarning } from "../../src/text/diagnostics.ts";
import type { Source } from "../../src/text/source.ts";

const wrong = defineError("WB9001", (message: string) => ({ message }));
const odd = defineWarning("WB9002", (message: string) => ({ message, hint: "Look twice." }));
const news = defineInfo("WB9003", (message: string) => ({ message }));

const source: Source = { path: "flows/greet.yaml", text: "name: greet\n\tend: here\r\nlast: line\n" };
const span = (start: number, end: number, of = source) => ({ source: of, start, end });
const at = (part: string, of = source) => span(of.text.indexOf(part), of.text.indexOf(part) + part.length, of);

const error = wrong(at("greet"), "No `greet` here.", [{ message: "See this.", span: at("last") }]);
const warning = odd(at("end"), "An end.");
const info = news(span(0, source.text.length), "All of it.");

describe("renderText", () => {
  it("shows location, severity, message, excerpt, hint and notes", () => {
    expect(renderText([error, warning])).toBe(
      [
        "flows/greet.yaml:1:7: error WB9001: No `greet` here.",
        "  1 | name: greet",
        "    |       ^^^^^",
        "  flows/greet.yaml:3:1: See this.",
        "  3 | last: line",
        "    | ^^^^",
        "",
        "flows/greet.yaml:2:2: warning WB9002: An end.",
        "  2 |   end: here",
        "    |   ^^^",
        "  hint: Look twice.",
        "",
      ].join("\n"),
    );
  });

  it("is empty without diagnostics", () => {
    expect(renderText([])).toBe("");
  });

  it("underlines the first line of a multi-line span, and at least one column", () => {
    expect(renderText([info])).toContain("  1 | name: greet\n    | ^^^^^^^^^^^\n");
    expect(renderText([wrong(span(5, 5), "x")])).toContain("    |      ^\n");
    expect(renderText([wrong(span(source.text.length, source.text.length), "x")])).toBe(
      "flows/greet.yaml:4:1: error WB9001: x\n  4 |\n    | ^\n",
    );
  });

  it("cuts long lines around the span", () => {
    const wide: Source = { path: "w.json", text: `${"a".repeat(500)}NAME${"b".repeat(500)}` };
    const [, line, underline] = renderText([wrong(at("NAME", wide), "x")]).split("\n");
    expect(line).toBe(`  1 | …${"a".repeat(98)}NAME${"b".repeat(98)}…`);
    expect(underline).toBe(`    | ${" ".repeat(99)}^^^^`);
    const [, all, whole] = renderText([wrong(span(0, 1004, wide), "x")]).split("\n");
    expect(all).toBe(`  1 | ${"a".repeat(200)}…`);
    expect(whole).toBe(`    | ${"^".repeat(200)}`);
  });

  it("escapes control characters", () => {
    const hostile: Source = { path: "a\u001b[2Jb.yaml", text: "x: \u001b[31m\u0007 \u202egreet \u{1f600}\n" };
    const text = renderText([wrong(at("greet", hostile), "A\u001b]0;title\u0007 \u009b.")]);
    expect(text).toBe(
      [
        "a\\x1b[2Jb.yaml:1:12: error WB9001: A\\x1b]0;title\\x07 \\x9b.",
        "  1 | x: \\x1b[31m\\x07 \\u202egreet \u{1f600}",
        `    | ${" ".repeat(22)}^^^^^`,
        "",
      ].join("\n"),
    );
  });

  it("colors the severity, the location and the underline", () => {
    const [head, line, underline, , , , hint] = renderText([warning], { color: true }).split("\n");
    expect(head).toBe("\u001b[1mflows/greet.yaml:2:2\u001b[0m: \u001b[1;33mwarning WB9002\u001b[0m: An end.");
    expect(line).toBe("  2 |   end: here");
    expect(underline).toBe("\u001b[1;33m    |   ^^^\u001b[0m");
    expect(hint).toBeUndefined();
  });
});

describe("renderJson", () => {
  it("is an array with one-based positions", () => {
    expect(JSON.parse(renderJson([error, warning]))).toEqual([
      {
        code: "WB9001",
        severity: "error",
        message: "No `greet` here.",
        hint: null,
        file: "flows/greet.yaml",
        line: 1,
        column: 7,
        endLine: 1,
        endColumn: 12,
        notes: [{ message: "See this.", file: "flows/greet.yaml", line: 3, column: 1, endLine: 3, endColumn: 5 }],
      },
      {
        code: "WB9002",
        severity: "warning",
        message: "An end.",
        hint: "Look twice.",
        file: "flows/greet.yaml",
        line: 2,
        column: 2,
        endLine: 2,
        endColumn: 5,
        notes: [],
      },
    ]);
    expect(renderJson([])).toBe("[]\n");
  });
});

describe("renderGithub", () => {
  it("prints one command per diagnostic", () => {
    expect(renderGithub([error, warning, info])).toBe(
      [
        "::error file=flows/greet.yaml,line=1,endLine=1,col=7,endColumn=12,title=WB9001::No `greet` here.%0Aflows/greet.yaml:3:1: See this.",
        "::warning file=flows/greet.yaml,line=2,endLine=2,col=2,endColumn=5,title=WB9002::An end.%0ALook twice.",
        "::notice file=flows/greet.yaml,line=1,endLine=4,title=WB9003::All of it.",
        "",
      ].join("\n"),
    );
  });

  it("escapes the ends of commands and properties", () => {
    const hostile: Source = { path: "a,b:c%.yaml", text: "x" };
    expect(renderGithub([wrong(span(0, 1, hostile), "50%\r\n::error::x")])).toBe(
      "::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=1,endColumn=2,title=WB9001::50%25%0D%0A::error::x\n",
    );
  });
});

describe("renderSarif", () => {
  const entry = ({ code, severity }: Pick<Diagnostic, "code" | "severity">, summary: string) => ({
    code,
    severity,
    summary,
    path: `src/diagnostics/${code}.md`,
    page: `# ${code}: ${summary}\n\nIt is so.\n\n## Why\n\n\`\`\`yaml a.yaml bad\nname:\n  first: Ann\n\`\`\`\n`,
  });
  const tool = { name: "waybill", version: "1.2.3", home: "https://example.com/waybill" };
  const kinds = [
    entry(news, "Something is new."),
    entry(odd, "Something is odd."),
    entry(wrong, "Something is wrong."),
  ];
  const help = (head: string) => ({
    text: "It is so.\n\nWhy:\n\n    name:\n      first: Ann\n",
    markdown: `# ${head}\n\nIt is so.\n\n## Why\n\n\`\`\`yaml a.yaml bad\nname:\n  first: Ann\n\`\`\`\n`,
  });

  it("lists used rules, and results with regions", () => {
    expect(JSON.parse(renderSarif([error, warning], kinds, tool))).toEqual({
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "waybill",
              semanticVersion: "1.2.3",
              informationUri: "https://example.com/waybill",
              rules: [
                {
                  id: "WB9001",
                  helpUri: "https://example.com/waybill/blob/v1.2.3/src/diagnostics/WB9001.md",
                  shortDescription: { text: "Something is wrong." },
                  help: help("WB9001: Something is wrong."),
                  defaultConfiguration: { level: "error" },
                },
                {
                  id: "WB9002",
                  helpUri: "https://example.com/waybill/blob/v1.2.3/src/diagnostics/WB9002.md",
                  shortDescription: { text: "Something is odd." },
                  help: help("WB9002: Something is odd."),
                  defaultConfiguration: { level: "warning" },
                },
              ],
            },
          },
          columnKind: "utf16CodeUnits",
          results: [
            {
              ruleId: "WB9001",
              ruleIndex: 0,
              level: "error",
              message: { text: "No `greet` here." },
              locations: [location("flows/greet.yaml", 1, 7, 1, 12)],
              relatedLocations: [
                { id: 0, message: { text: "See this." }, ...location("flows/greet.yaml", 3, 1, 3, 5) },
              ],
            },
            {
              ruleId: "WB9002",
              ruleIndex: 1,
              level: "warning",
              message: { text: "An end. Look twice." },
              locations: [location("flows/greet.yaml", 2, 2, 2, 5)],
            },
          ],
        },
      ],
    });
  });

  it("maps infos to notes", () => {
    expect(JSON.parse(renderSarif([info], kinds, tool)).runs[0].results[0].level).toBe("note");
  });

  it.each([
    ["a b/ü#?.yaml", "a%20b/%C3%BC%23%3F.yaml"],
    ["/srv/a b.yaml", "file:///srv/a%20b.yaml"],
    ["C:\\flows\\a b.yaml", "file:///C:/flows/a%20b.yaml"],
    ["flows\\a.yaml", "flows/a.yaml"],
    ["<stdin>", "%3Cstdin%3E"],
    ["a\ud800.yaml", "a%EF%BF%BD.yaml"],
  ])("writes the path %s as the URI %s", (path, uri) => {
    const log = JSON.parse(renderSarif([wrong(span(0, 1, { path, text: "x" }), "x")], kinds, tool));
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });

  function location(uri: string, startLine: number, startColumn: number, endLine: number, endColumn: number) {
    return { physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn, endLine, endColumn } } };
  }
});

describe("renderPage", () => {
  it("omits the title and Markdown markers, and indents code", () => {
    const page = [
      "# WB9001: Something is wrong",
      "It is so\nin two lines.",
      "## Why",
      "Some `code` here.",
      "```yaml a.yaml bad\n# not a heading\n\n- name: Ann\n```",
      "```text\n$ waybill check a.yaml\n```",
    ];
    expect(renderPage(`${page.join("\n\n")}\n`)).toBe(
      [
        "It is so\nin two lines.",
        "Why:",
        "Some `code` here.",
        "    # not a heading\n\n    - name: Ann",
        "    $ waybill check a.yaml\n",
      ].join("\n\n"),
    );
  });
});

describe("sortDiagnostics", () => {
  const other: Source = { path: "a.yaml", text: "abc" };
  const list = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.map(({ code, span: { source: of, start } }) => `${of.path} ${start} ${code}`);

  it("sorts by source, position and code", () => {
    const found = [
      wrong(span(1, 2, other), "x"),
      odd(span(3, 4), "x"),
      wrong(span(3, 4), "x"),
      wrong(span(0, 1), "x"),
      wrong(span(0, 1, other), "x"),
    ];
    expect(list(sortDiagnostics(found, [source, other]))).toEqual([
      "flows/greet.yaml 0 WB9001",
      "flows/greet.yaml 3 WB9001",
      "flows/greet.yaml 3 WB9002",
      "a.yaml 0 WB9001",
      "a.yaml 1 WB9001",
    ]);
    expect(list(sortDiagnostics(found))[0]).toBe("a.yaml 0 WB9001");
  });

  it("drops only duplicates", () => {
    const found = [
      wrong(span(0, 1), "x"),
      wrong(span(0, 1), "y"),
      wrong(span(0, 1), "x"),
      wrong(span(0, 2), "x"),
      wrong(span(0, 1, other), "x"),
    ];
    expect(sortDiagnostics(found, [source, other]).map(({ message, span: { end } }) => `${message} ${end}`)).toEqual([
      "x 1",
      "y 1",
      "x 2",
      "x 1",
    ]);
  });
});
