import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { main } from "../src/cli/main.ts";
import { blocksOf, pages, root, wordsOf } from "./readme.ts";
import { supportTable } from "./support.ts";

// The examples in the documentation are real. A block below `<!-- name -->` is a file, a block below `<!-- $ command -->` is the output of the command, and
// commands in console blocks must succeed. UPDATE_GOLDEN=1 writes the current output. Commands of other programs are executed by the package test.

/** Commands of other programs: the package manager, generated programs, and the project itself. */
const others = /^(?:npm |node |git |cd |mkdir |chmod |\.ci\/run)/;

/** Pages with programs that use the library. */
const libraryPages: readonly string[] = ["src/library.md"];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(pages)("%s", (page) => {
  const path = join(root, page);
  const text = readFileSync(path, "utf8");

  test("its examples show what the commands print, and its commands succeed", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-readme-"));
    folders.push(folder);
    if (libraryPages.includes(page)) installLibrary(folder);
    else symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    let made = text;
    const failed: string[] = [];
    for (const { whole, title, language, content } of blocksOf(text)) {
      if (title?.startsWith("$ waybill ")) {
        const { printed } = await run(title.slice("$ waybill ".length), folder);
        made = made.replace(whole, () => `<!-- ${title} -->\n\`\`\`${language}\n${printed}\`\`\``);
      } else if (title?.startsWith("$ node ") && libraryPages.includes(page)) {
        const { status, printed } = runProgram(title.slice("$ node ".length), folder);
        if (status !== 0) failed.push(`${title}\n${printed}`);
        made = made.replace(whole, () => `<!-- ${title} -->\n\`\`\`${language}\n${printed}\`\`\``);
      } else if (title !== undefined && !title.startsWith("$ ")) {
        mkdirSync(dirname(join(folder, title)), { recursive: true });
        writeFileSync(join(folder, title), content);
      } else if (language === "console") {
        for (const command of content.split("\n").flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []))) {
          if (others.test(command)) continue;
          const { status, printed } = await run(command.replace(/^(?:npx )?waybill /, ""), folder);
          if (status !== 0) failed.push(`${command}\n${printed}`);
        }
      }
    }
    expect(failed).toEqual([]);
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, made);
    expect(readFileSync(path, "utf8")).toBe(made);
  });

  test("its links resolve", () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);
    const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(dirname(path), link)));
    expect(broken).toEqual([]);
  });
});

/** Installs a package `waybill` that consists of the sources. */
function installLibrary(folder: string): void {
  const installed = join(folder, "node_modules/waybill");
  mkdirSync(installed, { recursive: true });
  const entries = { ".": "src/index.ts", "./ir": "src/library/ir.ts" };
  const exports = Object.fromEntries(Object.keys(entries).map((name, i) => [name, `./${i}.mjs`]));
  writeFileSync(join(installed, "package.json"), JSON.stringify({ name: "waybill", exports }));
  for (const [i, path] of Object.values(entries).entries())
    writeFileSync(
      join(installed, `${i}.mjs`),
      `export * from ${JSON.stringify(pathToFileURL(join(root, path)).href)};\n`,
    );
}

/** The output of a program that uses the library. */
function runProgram(path: string, cwd: string): { readonly status: number | null; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", path], { cwd, encoding: "utf8" });
  return { status, printed: stdout + stderr };
}

async function run(command: string, cwd: string): Promise<{ readonly status: number; readonly printed: string }> {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const terminal = { cwd, stdin: Readable.from([]), out: print, err: print, color: false, debug: false };
  return { status: await main(wordsOf(command), terminal), printed };
}

test("the table of languages and targets lists what the goldens reach", () => {
  const path = join(root, "README.md");
  const text = readFileSync(path, "utf8");
  const now = text.replace(
    /(<!-- languages × targets -->\n)[\s\S]*?(\n<!-- end -->)/,
    (_, start, end) => `${start}${supportTable()}${end}`,
  );
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, now);
  expect(readFileSync(path, "utf8")).toBe(now);
});

test("README.md is a landing page", () => {
  expect(readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});
