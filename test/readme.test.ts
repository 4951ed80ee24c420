import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { main } from "../src/cli/main.ts";

// The README's examples are real: files behind `<!-- name -->`, and behind `<!-- $ command -->` what the command prints.
// UPDATE_GOLDEN=1 writes what it prints now.

const path = join(import.meta.dirname, "../README.md");
const block = /<!-- (.+?) -->\n```(\w+)\n(.*?)```/gs;

test("the README's examples are what the command prints", async () => {
  const text = readFileSync(path, "utf8");
  const folder = mkdtempSync(join(tmpdir(), "waybill-readme-"));
  let made = text;
  for (const [whole, what, language, content] of text.matchAll(block)) {
    if (what!.startsWith("$ waybill ")) {
      const printed = await output(what!.slice("$ waybill ".length).split(" "), folder);
      made = made.replace(whole, () => `<!-- ${what} -->\n\`\`\`${language}\n${printed}\`\`\``);
    } else {
      mkdirSync(dirname(join(folder, what!)), { recursive: true });
      writeFileSync(join(folder, what!), content!);
    }
  }
  rmSync(folder, { recursive: true });
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, made);
  expect(readFileSync(path, "utf8")).toBe(made);
});

async function output(args: readonly string[], cwd: string): Promise<string> {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  await main(args, { cwd, stdin: Readable.from([]), out: print, err: print, color: false, debug: false });
  return printed;
}
