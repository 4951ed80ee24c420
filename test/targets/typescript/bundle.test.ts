import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { check, generate } from "../../../src/compile.ts";
import { noSettings } from "../../../src/target/contract.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { readGolden, writeFiles } from "../../golden/folder.ts";
import { languages } from "../../languages.ts";

const { sources } = readGolden("serverless-workflow/delay", (text) => parse(text));

/** The files of a program by their paths. */
async function emit(): Promise<{ readonly [path: string]: string }> {
  const { program } = check({ sources, options: {} }, languages);
  const { files } = await generate(program!, typescript, noSettings);
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

test("a program can be bundled without the packages that it does not use, and runs from one file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, {}, await emit());
  const outfile = join(folder, "dist/program.mjs");
  const common = { bundle: true, platform: "node", format: "esm", logLevel: "silent" } as const;
  await build({ ...common, entryPoints: [join(folder, "main.ts")], outfile });
  const started = await promisify(execFile)(process.execPath, [outfile, "start", "--id", "r1"], { cwd: folder });
  expect(started.stdout).toContain("r1");
  const listed = await promisify(execFile)(process.execPath, [outfile, "list", "--json"], { cwd: folder });
  expect(listed.stdout).toContain('"pause"');
});

test("programs import nothing by name that only Node has, so that they start on Bun and Deno", async () => {
  const files = await emit();
  expect(files["main.ts"]).not.toMatch(/from "node:module"/);
  expect(files["runtime.js"]).not.toMatch(/from "node:module"/);
});
