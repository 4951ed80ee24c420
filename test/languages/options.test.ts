import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { wrongConfigurationValue } from "../../src/diagnostics/configuration.ts";
import { readDocuments } from "../../src/documents/index.ts";
import type { JsonObject } from "../../src/json.ts";
import { mergeOptions, optionsFor, parseOption, readOptions } from "../../src/languages/options.ts";
import type { OptionDefinition } from "../../src/options.ts";
import { positionOf } from "../../src/text/source.ts";

const option = (name: string, ...values: readonly string[]): OptionDefinition => ({ name, values, summary: "" });
const stitches = { noun: "number", wanted: "a number of stitches", accepts: (text: string) => /^\d+$/.test(text) };
const languages = [
  { name: "knit", options: [option("edge", "open", "closed"), option("wool", "thick", "thin")] },
  { name: "purl", options: [option("edge", "round", "open"), { name: "size", text: stitches, summary: "" }] },
];

/** The options of a file, and their diagnostics. */
function read(text: string, from?: string) {
  const findings: string[] = [];
  const [document] = readDocuments({ path: "a.yaml", text }, () => {});
  const options = readOptions(document!.value as JsonObject, {
    document: document!,
    languages,
    from,
    report: ({ code, message, hint, span: { source, start } }) => {
      const { line, column } = positionOf(source, start);
      findings.push(`${line}:${column} ${code} ${message}${hint === undefined ? "" : ` ${hint}`}`);
    },
    invalid: (span, name, wanted) => wrongConfigurationValue(span, { name: `\`${name}\``, wanted }),
  });
  return { options, findings };
}

describe("options in a file", () => {
  test.each<[string, string | undefined, object]>([
    ["wool: thin", undefined, { knit: { wool: "thin" } }],
    ["knit: { edge: closed }\npurl: { edge: round }", undefined, { knit: { edge: "closed" }, purl: { edge: "round" } }],
    ["wool: thin\nknit: { edge: open }", undefined, { knit: { wool: "thin", edge: "open" } }],
    ["edge: round", "purl", { purl: { edge: "round" } }],
    ["edge: open\npurl: { edge: round }", "knit", { knit: { edge: "open" }, purl: { edge: "round" } }],
  ])("%j", (text, from, options) => expect(read(text, from)).toEqual({ options, findings: [] }));

  test.each([
    [
      "edge: open",
      "1:1 WB0516 `edge` is an option of several languages: `knit`, `purl`. Qualify it: `knit: { edge: … }` in a file, or `knit.edge=…` on the command line.",
    ],
    ["knit:\n  wol: thin", "2:3 WB0503 Unknown option `wol`. Did you mean `wool`?"],
    ["purl: { wool: thin }", "1:9 WB0503 Unknown option `wool`. Available options: `edge`, `size`."],
    ["knit: { edge: round }", "1:15 WB0504 Option `edge` must be `open` or `closed`, not `round`."],
    ["knt: { edge: open }", "1:1 WB0101 Unknown language `knt`; Waybill supports `knit`, `purl`. Did you mean `knit`?"],
    ["knit: open", "1:7 WB0502 `knit` must be an object of options."],
    ["purl: { size: big }", "1:15 WB0504 Option `size` must be a number of stitches, not `big`."],
    ["wool: [thin]", "1:7 WB0502 `wool` must be a text, a number or a boolean."],
    ["__proto__: { edge: open }", "1:1 WB0101 Unknown language `__proto__`; Waybill supports `knit`, `purl`."],
  ])("rejects %j", (text, findings) => expect(read(text)).toEqual({ options: {}, findings: [findings] }));

  test("report repeated options", () => {
    expect(read("wool: thin\nknit: { wool: thin, edge: open }")).toEqual({
      options: { knit: { wool: "thin", edge: "open" } },
      findings: ["2:9 WB0514 Option `wool` is already set. Remove one of the two."],
    });
  });
});

describe("options on the command line", () => {
  test.each([
    ["wool=thin", undefined, { knit: { wool: "thin" } }],
    ["purl.edge=round", undefined, { purl: { edge: "round" } }],
    ["edge=round", "purl", { purl: { edge: "round" } }],
  ])("%s", (text, from, options) => expect(parseOption(text, languages, from)).toEqual({ options }));

  test.each([
    ["edge=open", "`edge` is an option of several languages: `knit`, `purl`."],
    ["knot.edge=open", "Unknown language `knot`; Waybill supports `knit`, `purl`."],
    ["purl.wool=thin", "Unknown option `wool`."],
    ["knit.wool=a=b", "Option `wool` must be `thick` or `thin`, not `a=b`."],
  ])("rejects %s", (text, message) => expect(parseOption(text, languages)).toMatchObject({ fault: { message } }));

  test("are listed in their command-line form", async () => {
    let printed = "";
    const print = (text: string) => {
      printed += text;
    };
    const terminology = { step: "row", functions: "yarns", events: "sounds" };
    const made = languages.map((language) => ({
      ...language,
      summary: "",
      terminology,
      detect: () => ({ score: 0, evidence: [] }),
      canonicalize: <Document>(document: Document) => document,
      validator: () => () => true,
      lower: () => undefined,
    }));
    const terminal = { stdin: [], out: print, err: print, color: false, cwd: "/" };
    await main(["list"], terminal as never, { languages: made, targets: [] });
    expect(printed).toContain("--option knit.edge=open | closed\n");
    expect(printed).toContain("--option wool=thick | thin\n");
    expect(printed).toContain("--option purl.edge=round | open\n");
    expect(printed).toContain("--option size=<number>\n");
  });
});

test("the last value of an option wins, for each language", () => {
  const merged = mergeOptions(
    { edge: "open" },
    { knit: { wool: "thin" } },
    { knit: { edge: "closed" }, wool: "thick" },
  );
  expect(merged).toEqual({ edge: "open", knit: { wool: "thin", edge: "closed" }, wool: "thick" });
  expect(languages.map((language) => optionsFor(language, merged))).toEqual([
    { edge: "closed", wool: "thin" },
    { edge: "open" },
  ]);
});
