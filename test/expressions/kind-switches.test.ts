import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { kindSwitches } from "./kind-switches.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A new kind of expression needs an edit in each of these files. */
const maxFiles = 8;

test(`at most ${maxFiles} files distinguish kinds of expressions`, { timeout: 60_000 }, () => {
  const found = kindSwitches(root);
  const list = found.map(({ file, kinds }) => `${file} (${kinds} kinds)`).join("\n");
  expect(found.length, list).toBeLessThanOrEqual(maxFiles);
});
