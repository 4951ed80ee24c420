import { expect, test } from "vitest";
import { check, generate } from "../../../src/compile.ts";
import { asl } from "../../../targets/asl/index.ts";
import { languages } from "../../languages.ts";

const definition = (result: string): string => `
yawl: "0.1"
start: a
steps:
  a:
    noOp:
      output: ${JSON.stringify(result)}
`;

// Selection decides whether expressions must be outlined; only the passes of the attempt that is kept are observed.
test.each([
  ["legal", "\\({ b: .a })", 0],
  ["outlined", '\\({ b: .a | ltrimstr("x") | explode | implode | test("a+?b(c)") })', 1],
])("each pass of a workflow with %s expressions is observed once", async (_, result, functions) => {
  const sources = [{ path: "w.yaml", text: definition(result) }];
  const { program, diagnostics } = check({ sources, options: {} }, languages);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const passes: string[] = [];
  const { files } = await generate(program!, asl, { afterPass: ({ pass }) => void passes.push(pass) });
  expect(files.filter(({ path }) => path.endsWith("-expressions.mjs"))).toHaveLength(functions);
  expect(passes).toEqual(await asl.loadPasses!());
});
