import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { validateOutput } from "./emitted.ts";

/** Creates a folder for the output of the programs of a test file, and removes it after the tests. */
export function keepOutput(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-emitted-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Adds the last test of a file: the output of all programs is valid. One run, because the validators start slowly. */
export const testKeptOutput = (folder: string): void =>
  test("the output of all these programs is valid", { timeout: 300_000 }, async () => {
    expect(await validateOutput(folder)).toEqual([]);
  });
