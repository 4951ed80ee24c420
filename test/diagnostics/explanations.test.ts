import { expect, test } from "vitest";
import { compileWith } from "../../src/compile.ts";
import { catalogue } from "../../src/diagnostics/catalogue.ts";
import type { Example } from "../../src/diagnostics/explanations/explanation.ts";
import { explanations } from "../../src/diagnostics/explanations/index.ts";
import { languages } from "../../src/languages/index.ts";
import { targets } from "../../targets/index.ts";

// Examples of configurations, of scenario files and of files in folders are run in the tests of those.

const elsewhere = /^WB(0103|05|60|401|530[24-7])/;

test("every code is explained, and nothing else", () => {
  expect(Object.keys(explanations).sort()).toEqual([...catalogue.keys()]);
});

test.each(Object.entries(explanations).filter(([code]) => !elsewhere.test(code)))(
  "%s is shown by its example, and mended",
  async (code, { example }) => {
    expect(await codes(example, example.bad, example.from)).toContain(code);
    expect(await codes(example, example.good, undefined)).not.toContain(code);
  },
);

async function codes(
  { file, options, target, maximumBytes, beside = {} }: Example,
  text: string,
  from: string | undefined,
): Promise<readonly string[]> {
  const read = (path: string) =>
    Object.hasOwn(beside, path) ? { path, text: beside[path]! } : { path, reason: "no such file or folder" };
  const input = { sources: [{ path: file, text }], from, options: options ?? {}, maximumBytes, read };
  const { diagnostics } = await compileWith(
    input,
    languages,
    targets.find(({ name }) => name === target),
  );
  return diagnostics.map(({ code }) => code);
}
