import { expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import { openwhisk } from "../../../targets/openwhisk/index.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { languages } from "../../languages.ts";

// Expressions that have a form of their own in JavaScript need no evaluator.

const machineOf = (expression: string): string =>
  JSON.stringify({
    QueryLanguage: "JSONata",
    StartAt: "Only",
    States: { Only: { Type: "Pass", Output: `{% ${expression} %}`, End: true } },
  });

async function filesOf(expression: string, target: typeof typescript | typeof openwhisk) {
  const input = { sources: [{ path: "machine.asl.json", text: machineOf(expression) }], options: {} };
  const { files } = await compileWith(input, languages, target as typeof typescript);
  return files;
}

test.each([
  ["1", []],
  ["$states.input", []],
  ["$states.input.total > 100", ["query.d.ts", "query.js"]],
  ["$contains($states.input, /a/)", ["jsonata.d.ts", "jsonata.js"]],
])("the modules of a TypeScript program with %s", async (expression, expected) => {
  const paths = (await filesOf(expression, typescript)).map(({ path }) => path);
  expect(paths.filter((path) => /^(?:query|jsonata)\./.test(path)).sort()).toEqual(expected);
});

test("an action contains the evaluator only if an expression needs it", async () => {
  const sizeOf = async (expression: string): Promise<number> =>
    (await filesOf(expression, openwhisk)).reduce((sum, { text }) => sum + text.length, 0);
  const [plain, evaluated] = [await sizeOf("$states.input.total > 100"), await sizeOf("$contains($states.input, /a/)")];
  expect(evaluated - plain).toBeGreaterThan(60_000);
});
