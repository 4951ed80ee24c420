import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly [list: string]: { readonly [name: string]: string };
};
const [hosts, tools]: readonly (typeof manifest)[] = ["hosts", "tools"].map((name) =>
  JSON.parse(readFileSync(join(root, "test", name, "package.json"), "utf8")),
);
const extension = JSON.parse(readFileSync(join(root, "src/lsp/vscode/package.json"), "utf8")) as typeof manifest;
const architecture = readFileSync(join(root, "src/README.md"), "utf8");

/** The libraries that the project is built on, and the folders that use each. */
const used: readonly (readonly [library: string, ...folders: readonly string[]])[] = [
  ["yaml", "src"],
  ["commander", "src"],
  ["ajv", ".build"],
  ["ts-morph", ".build", "test"],
  ["handlebars", ".build"],
  ["prettier", ".build"],
  ["protobufjs", "targets"],
  ["jsonata", "targets"],
  ["jq-wasm", "src", "test"],
  ["vscode-languageserver", "src", "test"],
  ["vscode-languageserver-textdocument", "src"],
];

/** The packages that the sources in a folder import. */
function importsOf(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(".ts"),
  );
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  const pattern =
    /^(?:import .*|export .*|\} )from "([^".][^"]*)";$|\bimport\("([^".][^"]*)"\)|^import "([^".][^"]*)";$/gm;
  const specifiers = texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match.slice(1).find(Boolean)!));
  return new Set(specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]));
}

const folders = new Map(["src", "targets", ".build", "test"].map((folder) => [folder, importsOf(folder)]));

test.each(used)("%s is used, and src/README.md lists it", (library, ...places) => {
  expect(places.filter((folder) => folders.get(folder)!.has(library))).toEqual(places);
  expect(architecture).toMatch(new RegExp(`^\\| \`${library}\` \\|`, "m"));
});

test("dependencies and development dependencies have exact versions", () => {
  const lists = [
    manifest["dependencies"]!,
    manifest["devDependencies"]!,
    hosts!["dependencies"]!,
    tools!["dependencies"]!,
    extension["dependencies"]!,
    extension["devDependencies"]!,
  ];
  const versions = lists.flatMap((list) => Object.entries(list));
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))).toEqual([]);
});

test("peer dependencies are optional ranges, so that users keep their own versions", () => {
  const peers = Object.entries(manifest["peerDependencies"]!);
  const meta = manifest["peerDependenciesMeta"] as unknown as {
    readonly [name: string]: { readonly optional: boolean };
  };
  expect(peers.filter(([name, range]) => range !== "*" || !meta[name]?.optional)).toEqual([]);
});

test("imports of src and targets are dependencies, bundled, optional peers or hosts", () => {
  const lists = ["dependencies", "devDependencies", "peerDependencies"].map((name) => manifest[name]!);
  // The module of the editor itself.
  const ofExtension = [...Object.keys(extension["dependencies"]!), "vscode"];
  const known = [...[...lists, hosts!["dependencies"]!].flatMap((list) => Object.keys(list)), ...ofExtension];
  const imported = [...folders.get("src")!, ...folders.get("targets")!].filter((name) => !/^(?:node:|#)/.test(name));
  expect([...new Set(imported)].filter((name) => !known.includes(name))).toEqual([]);
});
