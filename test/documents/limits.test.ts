import { describe, expect, it } from "vitest";
import { cpuTime } from "../cpu.ts";
import { read } from "./reading.ts";

const tooDeep = "Arrays and objects are nested more than 100 levels deep.";
const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;

/** Sources with a given number of nesting levels. */
const types: readonly (readonly [name: string, path: string, (levels: number) => string])[] = [
  ["JSON lists", "w.json", (levels) => nested("[", "]", levels)],
  ["JSON objects", "w.json", (levels) => nested('{"a":', "}", levels)],
  ["JSON lists in standard input", "<stdin>", (levels) => nested("[", "]", levels)],
  ["JSON lists in a YAML file", "w.yaml", (levels) => nested("[", "]", levels)],
  ["flow lists", "w.yaml", (levels) => `# x\n${nested("[", "]", levels)}`],
  ["flow objects", "w.yaml", (levels) => `# x\n${nested("{a: ", "}", levels)}`],
  ["compact lists", "w.yaml", (levels) => `${"- ".repeat(levels)}x`],
];

/** Alternating arrays and objects, two levels each. */
function mixed(levels: number): string {
  return Array.from({ length: levels / 2 }, (_, i) => `${" ".repeat(i * 2)}- a:\n`).join("");
}

describe("nesting", () => {
  it.each(types)("of %s may have at most 100 levels", (_, path, text) => {
    expect(read(text(100), path)).toMatchObject({ findings: [], documents: [{}] });
    expect(read(text(101), path)).toMatchObject({ documents: [], diagnostics: [{ code: "WB0003", message: tooDeep }] });
  });

  it.each(types)("of %s is reported where it exceeds the limit, without delay", (_, path, text) => {
    const place = read(text(101), path).diagnostics[0]!.span.start;
    for (const levels of [5_000, path === "w.json" ? 500_000 : 800_000]) {
      const started = cpuTime();
      const { diagnostics, documents } = read(text(levels), path, { maximumBytes: 100_000_000 });
      expect({ documents, found: diagnostics.map(({ code, span }) => ({ code, start: span.start })) }).toEqual({
        documents: [],
        found: [{ code: "WB0003", start: place }],
      });
      expect(cpuTime() - started).toBeLessThan(5_000);
    }
  });

  it("of indented objects is bounded as well", () => {
    expect(read(mixed(100)).findings).toEqual([]);
    expect(read(mixed(102)).findings).toEqual([`WB0003 «-» ${tooDeep}`]);
    expect(read(mixed(3_000)).findings).toEqual([`WB0003 «-» ${tooDeep}`]);
  });

  it("counts what aliases repeat", () => {
    const chain = (levels: number) =>
      `- &a0 x\n${Array.from({ length: levels }, (_, i) => `- &a${i + 1} [*a${i}]\n`).join("")}`;
    expect(read(chain(99)).findings).toEqual([]);
    expect(read(chain(100)).findings).toEqual([`WB0003 «*a99» ${tooDeep}`]);
  });
});

describe("size", () => {
  it("is refused over the limit, in bytes of UTF-8", () => {
    expect(read("a: 1\n", "w.yaml", { maximumBytes: 5 }).findings).toEqual([]);
    expect(read("a: é\n", "w.yaml", { maximumBytes: 5 })).toMatchObject({
      documents: [],
      findings: [
        "WB0001 «» The file is larger than 5 bytes and was not read. | Split the definition into several workflows, or raise the limit with `--max-bytes`.",
      ],
    });
  });

  it("is 4 MiB when nothing is said", () => {
    expect(read(`a: ${"x".repeat(4 * 1024 * 1024 - 3)}`).findings).toEqual([]);
    expect(read(`a: ${"x".repeat(4 * 1024 * 1024 - 2)}`).diagnostics[0]!.message).toBe(
      "The file is larger than 4 MiB and was not read.",
    );
  });

  it("counts what aliases repeat, in proportion to the text", () => {
    const bomb = (levels: number) =>
      `a0: &a0 none\n${Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(10)}]\n`).join("")}`;
    expect(read(bomb(3)).findings).toEqual([]);
    expect(read(bomb(4)).findings).toEqual([
      `WB0009 «*a3» With all aliases expanded, the document has more than ${10_000 + bomb(4).length} values. | Use fewer aliases inside aliased values.`,
    ]);
    expect(read(bomb(50)).diagnostics.map(({ code }) => code)).toEqual(["WB0009"]);
  });

  it("counts what merge keys repeat", () => {
    const names = Array.from({ length: 1000 }, (_, i) => `k${i}: ${i}`).join(", ");
    const merges = (count: number) =>
      `a: &a {${names}}\n${Array.from({ length: count }, (_, i) => `m${i}: {<<: *a}\n`).join("")}`;
    expect(read(merges(5)).findings).toEqual([]);
    expect(read(merges(1000)).diagnostics.map(({ code }) => code)).toEqual(["WB0009"]);
  });
});

describe("emptiness", () => {
  it.each(["", "  \n\t\n", "\uFEFF", "# only a comment\n", "---\n---\n...\n"])("of %j is reported", (text) => {
    expect(read(text)).toMatchObject({
      documents: [],
      findings: ["WB0002 «» The file contains no document. | Add a definition, or remove the file."],
    });
  });

  it("of a JSON file is reported", () => {
    expect(read("\n", "w.json").findings).toEqual([
      "WB0002 «» The file contains no document. | Add a definition, or remove the file.",
    ]);
  });
});
