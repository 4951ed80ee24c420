import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { graphRequest } from "../../src/lsp/preview.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "src/lsp/vscode");
const read = (path: string): string => readFileSync(path, "utf8");
const manifest = JSON.parse(read(join(folder, "package.json"))) as {
  readonly version: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: object };
  };
};
const source = read(join(folder, "extension.ts"));

test("the extension has the version of the command, which its release requires", () => {
  expect(manifest.version).toBe(JSON.parse(read(join(root, "package.json"))).version);
  expect(read(join(root, ".github/workflows/release.yml"))).toContain("working-directory: src/lsp/vscode");
});

test("its commands, settings and requests are those that it declares and the server has", async () => {
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map(([, name]) => name);
  expect(registered.sort()).toEqual(manifest.contributes.commands.map(({ command }) => command).sort());
  const settings = [...source.matchAll(/\.get<\w+>\("([^"]+)"\)/g)].map(([, name]) => `waybill.${name}`);
  expect([...new Set(settings)].sort()).toEqual(Object.keys(manifest.contributes.configuration.properties).sort());
  expect(source).toContain(`"${graphRequest}"`);
  expect((await transform(source, { loader: "ts" })).warnings).toEqual([]);
});

test("its dependencies are locked", () => {
  const lock = JSON.parse(read(join(folder, "package-lock.json"))) as { readonly packages: { readonly "": object } };
  const { dependencies, devDependencies } = JSON.parse(read(join(folder, "package.json")));
  expect(lock.packages[""]).toMatchObject({ dependencies, devDependencies });
});
