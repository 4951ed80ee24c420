import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { main } from "../src/cli/main.ts";
import { blocksOf, pages, root, wordsOf } from "./readme.ts";

// The examples of the pages are real: files behind `<!-- name -->`, behind `<!-- $ command -->` what the command prints, and commands in blocks of a
// console, which have to succeed. UPDATE_GOLDEN=1 writes what is printed now. What other programs do is run by the test of the package.

/** Commands of other programs: of the package manager, of the emitted program, and of the project itself. */
const others = /^(?:npm |node |git config |\.ci\/run)/;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(pages)("%s", (page) => {
  const path = join(root, page);
  const text = readFileSync(path, "utf8");

  test("its examples are what the commands print, and its commands succeed", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-readme-"));
    folders.push(folder);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    let made = text;
    const failed: string[] = [];
    for (const { whole, title, language, content } of blocksOf(text)) {
      if (title?.startsWith("$ waybill ")) {
        const { printed } = await run(title.slice("$ waybill ".length), folder);
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

  test("its links lead somewhere", () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);
    const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(dirname(path), link)));
    expect(broken).toEqual([]);
  });
});

async function run(command: string, cwd: string): Promise<{ readonly status: number; readonly printed: string }> {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const terminal = { cwd, stdin: Readable.from([]), out: print, err: print, color: false, debug: false };
  return { status: await main(wordsOf(command), terminal), printed };
}
