import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createStaticInspector } from "../../../src/cli/modules.ts";
import { check } from "../../../src/compile.ts";
import { configurationForTarget, readConfiguration } from "../../../src/configuration/index.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { languages } from "../../languages.ts";

const definition = (id: string): string => `
id: ${id}
name: ${id}
version: '1.0'
states:
- name: Note
  type: inject
  start: { kind: default }
  data: { note: visible }
  end: { kind: default }
`;

const codec = `
export const encode = (data: Uint8Array): Uint8Array => data.map((byte) => byte ^ 0x5a);
export const decode = encode;
`;

/** Compiles workflows, each with its own configuration in the folder of the same name. */
async function compiled(
  configurations: { readonly [folder: string]: string },
  modules: { readonly [path: string]: string } = { "codec.ts": codec },
) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-codec-"));
  for (const [path, text] of Object.entries(modules)) writeFileSync(join(folder, path), text);
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const ids = Object.keys(configurations);
  const sources = ids.map((id) => ({ path: `${id}/workflow.yaml`, text: definition(id) }));
  const { program } = check({ sources, options: {} }, languages);
  const configured = new Map(
    ids.map((id) => {
      const source = { path: `${id}/waybill.config.yaml`, text: `targets:\n  typescript: ${configurations[id]}\n` };
      return [id, configurationForTarget("typescript", readConfiguration(source, [], [typescript], report))];
    }),
  );
  const files = await typescript.generate(
    program!,
    {
      configurationOf: ({ id }) => configured.get(id)!,
      moduleBase: ({ path }) => `../${path.replace(/[^/]*$/, "")}`,
      inspectModule: (path) => createStaticInspector(folder)(path),
    },
    report,
  );
  const texts = new Map((files ?? []).map(({ path, text }) => [path, text]));
  return { texts, found: found.map(({ code, span }) => `${code} ${span.source.path} ${span.start}`) };
}

describe("the setting codec", () => {
  test("makes the module a part of the program, its types and its image", async () => {
    const { texts, found } = await compiled({ a: "{ codec: ../codec.ts }" });
    expect(found).toEqual([]);
    expect(texts.get("functions.ts")).toContain('import { decode, encode } from "../codec.ts";');
    expect(texts.get("functions.ts")).toContain("export const codec: Codec = { encode, decode };");
    expect(texts.get("main.ts")).toContain('const { functions, codec } = await import("./functions.ts");');
    expect(texts.get("main.ts")).toMatch(/main\(\{ workflows: \[a\], functions, codec, open: openEngine/);
  });

  test("does not change programs without it", async () => {
    const { texts } = await compiled({ a: "{ runtime: vendored }" });
    expect(texts.get("functions.ts")).not.toContain("odec");
    expect(texts.get("main.ts")).not.toContain("odec");
  });

  test("is relative to each configuration", async () => {
    const { texts, found } = await compiled({ a: "{ codec: ../codec.ts }", b: "{ codec: ./../codec.ts }" });
    expect(found).toEqual([]);
    expect(texts.get("functions.ts")).toContain('from "../codec.ts"');
  });

  test.each<[string, { readonly [folder: string]: string }, { readonly [path: string]: string }, readonly string[]]>([
    ["a missing module", { a: "{ codec: ../none.ts }" }, {}, ["WB5311 a/waybill.config.yaml 25"]],
    [
      "a missing export, and one that is not a function",
      { a: "{ codec: ../codec.ts }" },
      { "codec.ts": "export const encode = 3;" },
      ["WB5310 a/waybill.config.yaml 25", "WB5309 a/waybill.config.yaml 25"],
    ],
    [
      "a workflow without it",
      { a: "{ codec: ../codec.ts }", b: "{ runtime: vendored }" },
      { "codec.ts": codec },
      ["WB5320 a/waybill.config.yaml 25"],
    ],
    [
      "another one for another workflow",
      { a: "{ codec: ../codec.ts }", b: "{ codec: ./codec.ts }" },
      { "codec.ts": codec },
      ["WB5320 b/waybill.config.yaml 25"],
    ],
    [
      "Restate",
      { a: "{ codec: ../codec.ts, host: restate }" },
      { "codec.ts": codec },
      ["WB5321 a/waybill.config.yaml 25"],
    ],
    [
      "AWS Lambda",
      { a: "{ codec: ../codec.ts, host: lambda }" },
      { "codec.ts": codec },
      ["WB5321 a/waybill.config.yaml 25"],
    ],
    ["a file of the program", { a: "{ codec: ../../main.ts }" }, {}, ["WB5311 a/waybill.config.yaml 25"]],
  ])("is refused with %s", async (_, configurations, modules, expected) => {
    expect((await compiled(configurations, modules)).found).toEqual(expected);
  });

  test("cannot inject code", async () => {
    const { texts } = await compiled({ a: `{ codec: 'x";process.exit();"' }` });
    expect(texts.get("functions.ts")).toContain(String.raw`from "x\";process.exit();\""`);
  });
});
