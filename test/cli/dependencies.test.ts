import { join } from "node:path";
import { expect, test } from "vitest";
import { findDependencies } from "../../src/cli/dependencies.ts";
import { folderWith } from "./command.ts";

/** The dependencies of a module; `app` is the program. */
const needed = (files: { readonly [path: string]: string }, module = "./functions/a.ts", from = "flows") => {
  const folder = folderWith({ ...files, "flows/x.yaml": "" });
  return findDependencies(join(folder, from), module, join(folder, "app"));
};

test("a module needs the files that it references by relative paths, transitively, except for the program", () => {
  const files = {
    "functions/a.ts": `import { b } from '../lib/b.mts';
export * from "./c.js";
const d = await import("./d.json", { with: { type: "json" } });
const e = new URL("./e.txt", import.meta.url);
import "./gone.ts";
import { Json } from "../app/runtime.js";`,
    "lib/b.mts": 'import "../functions/a.ts";',
    "functions/c.js": 'require("./f"); require ("./g");',
    "functions/d.json": "{}",
    "functions/e.txt": 'import "./h.ts"',
    "functions/f.cjs": "",
    "functions/g/index.js": "",
    "functions/h.ts": "",
    "app/runtime.js": 'import "./x.js"',
  };
  expect(needed(files, "../functions/a.ts")).toEqual({
    files: [
      "./../functions/a.ts",
      "./../lib/b.mts",
      "./../functions/c.js",
      "./../functions/f.cjs",
      "./../functions/g/index.js",
      "./../functions/d.json",
      "./../functions/e.txt",
    ],
    installs: [],
  });
});

test("a module needs the surrounding package and the packages that depend on its imports", () => {
  const files = {
    "functions/a.ts":
      'import "one/deep"; import "@its/two"; import "three"; import "node:fs"; import "fs"; import "#inner"; import "tool";',
    "functions/package.json": '{ "type": "module" }',
    "package.json": '{ "dependencies": { "one": "1" }, "devDependencies": { "tool": "1" } }',
    "package-lock.json": "{}",
    "functions/b/package.json": "{",
  };
  expect(needed(files, "../functions/a.ts")).toEqual({
    files: ["./../functions/a.ts", "./../functions/package.json", "./../package.json", "./../package-lock.json"],
    installs: [{ folder: "./..", isLocked: true }],
  });
});

test("a bound package is installed with the configuration's package that depends on it", () => {
  const files = { "package.json": '{ "optionalDependencies": { "@its/two": "1" } }' };
  const install = { files: ["./package.json"], installs: [{ folder: "./", isLocked: false }] };
  expect(needed(files, "@its/two/sub", ".")).toEqual(install);
  expect(needed(files, "other", ".")).toEqual({ files: [], installs: [] });
});

test("a missing module needs nothing", () => {
  expect(needed({}, "../functions/a.ts")).toEqual({ files: [], installs: [] });
});
