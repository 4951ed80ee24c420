import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../src/diagnostics/catalogue.ts";
import { explanations } from "../src/diagnostics/explanations/index.ts";
import { filesOf, said } from "./golden/examples.ts";
import { textsIn, writeTexts } from "./golden/folder.ts";

// Each folder golden/diagnostics/<code> holds the example of a diagnostic, as `waybill explain` shows it, and what the command says of it. `npm run golden`
// writes what it says now; then read the diff.

const root = join(import.meta.dirname, "../golden/diagnostics");

test("every diagnostic has a folder, and nothing else has", () => {
  const stale = readdirSync(root).filter((code) => !catalogue.has(code));
  if (process.env["UPDATE_GOLDEN"]) for (const code of stale) rmSync(join(root, code), { recursive: true });
  else expect(readdirSync(root).sort()).toEqual([...catalogue.keys()].sort());
});

test.each([...catalogue.keys()])("%s", async (code) => {
  const folder = join(root, code);
  const { example } = explanations[code]!;
  const files = filesOf(example);
  if (process.env["UPDATE_GOLDEN"]) writeTexts(folder, textsIn(folder), files);
  const { "diagnostics.txt": kept, ...given } = textsIn(folder);
  expect(given).toEqual(files);
  const report = await said(example, folder);
  if (process.env["UPDATE_GOLDEN"]) writeTexts(folder, {}, { "diagnostics.txt": report });
  else expect(report).toBe(kept);
  expect(report).toContain(` ${code}: `);
});
