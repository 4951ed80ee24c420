import { expect, test } from "vitest";
import { parse } from "yaml";
import { check, generate } from "../../../src/compile.ts";
import { emptyConfiguration } from "../../../src/target/contract.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { readGolden } from "../../golden/folder.ts";
import { languages } from "../../languages.ts";
import { programFolder, typeErrors } from "./program.ts";

test.each(["sqlite", "dbos", "restate", "lambda"])(
  "the declarations of a program on %s are complete and correct on their own",
  async (host) => {
    const { sources } = readGolden("serverless-workflow/event-wait", (text) => parse(text));
    const { program } = check({ sources, options: {} }, languages);
    const { files } = await generate(program!, typescript, {
      configurationOf: () => ({ ...emptyConfiguration, values: { host } }),
    });
    const declarations = files.filter(({ path }) => path.endsWith(".d.ts"));
    expect(declarations.map(({ path }) => path)).toContain("runtime.d.ts");
    const folder = programFolder(Object.fromEntries(declarations.map(({ path, text }) => [path, text])));
    expect(
      await typeErrors(
        folder,
        declarations.map(({ path }) => path),
      ),
    ).toBe("");
  },
);
