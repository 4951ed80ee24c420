import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { collectPages } from "../.build/diagnostic-pages.ts";
import { main } from "../src/cli/main.ts";
import { type Registry, standardRegistry } from "../src/cli/registry.ts";
import { loadCatalog, type PageBlock, parsePage } from "../src/diagnostics/renderers/catalog.ts";
import type { FileContents } from "./golden/folder.ts";
import { recipes } from "./toy/language.ts";

// Every kind of diagnostic has a page, `<code>.md` next to its constructor. "Example" holds files and a command with its output; "Fix" holds the files
// that differ, and the command if that differs. The info string of a file's fence gives its path and role: bad, fixed or both. The example must produce
// the diagnostic; the fixed example must produce neither errors nor warnings. `npm run golden` writes the output of the commands; review the diff.

const root = join(import.meta.dirname, "..");
const pages = await collectPages(root, ["src", "targets"]);

/** Codes that need two languages with the same option, and a registry that has them. */
const takingTwo: ReadonlySet<string> = new Set(["WB0516"]);
const timeout = { name: "timeout", values: ["proceed", "fail"], summary: "Whether a timeout fails." };
const withRecipes: Registry = {
  ...standardRegistry,
  languages: [...standardRegistry.languages, { ...recipes, options: [...recipes.options, timeout] }],
};

test("the catalog has all pages, in the order of their codes", async () => {
  if (process.env["UPDATE_GOLDEN"]) return;
  expect([...(await loadCatalog()).values()], "`npm run generate` collects the pages").toEqual(pages);
});

test.each(pages)("$code", async ({ code, severity, page, path }) => {
  const { bad, fixed } = exampleOf(page);
  const registry = takingTwo.has(code) ? withRecipes : standardRegistry;
  const found = await ran(bad, registry);
  expect(found.printed).toContain(` ${severity} ${code}: `);
  const left = await ran(fixed, registry);
  expect(left.printed).not.toMatch(new RegExp(` (?:error|warning) WB| ${code}: `));
  expect(left.status).toBe(0);
  const told = [[bad, found] as const, ...(fixed.shown === undefined ? [] : [[fixed, left] as const])];
  const now = told.reduce((text, [{ shown }, { shows }]) => text.replace(fenced(shown!), () => fenced(shows)), page);
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(join(root, path), now);
  else expect(page).toBe(now);
});

test.each(pages)("$code has the standard sections and short lines", ({ page }) => {
  const blocks = parsePage(page);
  const headings = blocks.filter(({ kind }) => kind === "heading").map(({ text }) => text);
  expect(headings.slice(1)).toEqual(["What it means", "Example", "Fix"]);
  const prose = blocks.filter(({ kind }) => kind !== "code").flatMap(({ text }) => text.split("\n"));
  expect(prose.filter((line) => line.length > 80)).toEqual([]);
});

describe("collecting pages", () => {
  const kind = `import { defineError } from "${join(root, "src/text/diagnostics.ts")}";
export const wrong = defineError("WB9901", () => ({ message: "Wrong." }));
`;
  const page = "# WB9901: Something is wrong\n\nIt is.\n";
  const collected = (files: FileContents) => collectPages(folderWith(files), ["src"]);

  test("finds kinds and pages in any folder", async () => {
    const files = { "src/languages/toy/index.ts": kind, "src/languages/toy/WB9901.md": page };
    expect(await collected(files)).toEqual([
      {
        code: "WB9901",
        severity: "error",
        summary: "Something is wrong.",
        page,
        path: "src/languages/toy/WB9901.md",
      },
    ]);
  });

  test.each<[string, FileContents, string]>([
    ["a kind without a page", { "src/diagnostics/a.ts": kind }, "WB9901 has no page: write src/diagnostics/WB9901.md."],
    [
      "a page without a kind",
      { "src/diagnostics/WB9901.md": page },
      "No kind of diagnostic has the page src/diagnostics/WB9901.md.",
    ],
    [
      "a page in another folder than its kind",
      { "src/b/diagnostics/b.ts": kind, "src/a/diagnostics/WB9901.md": page },
      "No kind of diagnostic has the page src/a/diagnostics/WB9901.md.",
    ],
    [
      "two kinds with one code",
      Object.fromEntries(
        ["a", "b"].flatMap((owner) => [
          [`src/${owner}/diagnostics/a.ts`, kind],
          [`src/${owner}/diagnostics/WB9901.md`, page],
        ]),
      ),
      "Two kinds of diagnostics have the code WB9901, one of them in src/a/diagnostics/WB9901.md.",
    ],
    [
      "a page with another title",
      { "src/diagnostics/a.ts": kind, "src/diagnostics/WB9901.md": page.replace("9901", "9902") },
      "The page of WB9901 does not begin with `# WB9901: ` and a title.",
    ],
  ])("rejects %s", async (_, files, message) => {
    await expect(collected(files)).rejects.toThrow(message);
  });
});

/** An example: its files, the arguments of the command, and the block with the command and its output. */
interface Run {
  readonly files: FileContents;
  readonly args: readonly string[];
  readonly shown: string | undefined;
}

/** The example of a page, and its fixed form. */
function exampleOf(page: string): { readonly bad: Run; readonly fixed: Run } {
  const blocks = parsePage(page);
  const middle = blocks.findIndex(({ kind, text }) => kind === "heading" && text === "Fix");
  const call = callIn(blocks.slice(0, middle));
  if (call === undefined) throw new Error("`Example` has no block of text that begins with `$ waybill`.");
  const fixedCall = callIn(blocks.slice(middle));
  return {
    bad: { files: filesFor("bad", blocks), args: argumentsOf(call), shown: call },
    fixed: { files: filesFor("fixed", blocks), args: argumentsOf(fixedCall ?? call), shown: fixedCall },
  };
}

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

const prompt = "$ waybill ";

function callIn(blocks: readonly PageBlock[]): string | undefined {
  return blocks.find((block) => block.kind === "code" && block.info === "text" && block.text.startsWith(prompt))?.text;
}

/** The arguments on the first line of a console block, split like in a shell. */
function argumentsOf(call: string): readonly string[] {
  const line = call.slice(prompt.length).split("\n")[0]!;
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

function filesFor(role: "bad" | "fixed", blocks: readonly PageBlock[]): FileContents {
  const files = blocks.flatMap((block) => {
    const [, path, stands] = block.kind === "code" ? block.info.split(" ") : [];
    return path !== undefined && (stands === role || stands === "both") ? [[path, `${block.text}\n`]] : [];
  });
  return Object.fromEntries(files);
}

/** The output of the command, as is and as shown on a page, and its exit status. */
async function ran({ files, args, shown }: Run, registry: Registry) {
  const none = Readable.from([]);
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const terminal = { stdin: none, out: print, err: print, color: false, cwd: folderWith(files), debug: true };
  const status = await main(args, terminal, registry);
  return { printed, status, shows: `${shown?.split("\n")[0]}\n${printed}`.trimEnd() };
}

/** Creates a folder with files for the current test. */
function folderWith(files: FileContents): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-diagnostics-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
