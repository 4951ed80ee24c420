import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OutputError } from "../../src/output/disk.ts";
import { hashOf, parseManifest, printManifest } from "../../src/output/manifest.ts";
import type { OutputRequest } from "../../src/output/plan.ts";
import { writeOutput } from "../../src/output/write.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { filesIn, folderWith } from "../cli/command.ts";

const source = { path: "flow.yaml", text: "id: flow" };
const file = (path: string, text = `text of ${path}`): OutputFile => ({ path, text, workflow: "flow" });

/** A manifest with the outputs of workflow `flow`; each file has the text of `file` unless given. */
const manifest = (...files: readonly (string | readonly [string, string])[]): string =>
  printManifest(
    new Map([
      [
        "toy",
        {
          workflows: new Map([
            [
              "flow",
              {
                source: "flow.yaml",
                starts: [],
                files: new Map(
                  files.map((each) => {
                    const [path, text] = typeof each === "string" ? [each, `text of ${each}`] : each;
                    return [path, hashOf(text)];
                  }),
                ),
              },
            ],
          ]),
          files: new Map(),
          previous: new Map(),
        },
      ],
    ]),
  );

/** Writes files of workflow `flow` to a folder. */
const write = (folder: string, files: readonly OutputFile[], more: Partial<OutputRequest> = {}) =>
  writeOutput({
    folder,
    displayName: "out",
    target: "toy",
    workflows: [{ id: "flow", span: { source, start: 0, end: 8 }, source: "flow.yaml", starts: [] }],
    files,
    prune: false,
    force: false,
    check: false,
    keepVersions: 3,
    ...more,
  });

/** The messages of problems. */
const problemsOf = (...given: Parameters<typeof write>): readonly string[] =>
  write(...given).problems.map(({ code, message, span }) => `${span.source.path} ${code} ${message}`);

/** The path and message of the `OutputError` that a function throws. */
function outputError(act: () => unknown): { readonly path: string; readonly message: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof OutputError) return { path: error.path, message: error.message };
    throw error;
  }
}

/** The manifest during a change. */
const interrupted = (...files: readonly string[]): string => manifest(...files).replace(/"[0-9a-f]{16}"/g, '""');

describe("writing", () => {
  test("creates folders, and no other files", () => {
    const folder = join(folderWith({}), "a/b");
    write(folder, [file("x.json"), file("deep/er/y.json")]);
    expect(filesIn(folder)).toEqual({
      ".waybill.json": manifest("deep/er/y.json", "x.json"),
      "deep/er/y.json": "text of deep/er/y.json",
      "x.json": "text of x.json",
    });
    expect(readdirSync(folder).sort()).toEqual([".waybill.json", "deep", "x.json"]);
  });

  test("fails if the folder cannot be created", () => {
    const folder = folderWith({ taken: "" });
    expect(outputError(() => write(join(folder, "taken"), [file("a")]))).toEqual({
      path: "",
      message: "is not a folder",
    });
    expect(outputError(() => write(join(folder, "taken/in/it"), [file("a")]))?.message).toContain(
      "part of the path is not a folder",
    );
    symlinkSync("nowhere", join(folder, "link"));
    expect(outputError(() => write(join(folder, "link"), [file("a")]))).toEqual({
      path: "",
      message: "cannot be written: it already exists",
    });
    expect(filesIn(folder)).toEqual({ taken: "" });
  });

  test.skipIf(!existsSync("/proc/self"))("fails in folders that reject new folders", () => {
    expect(outputError(() => write("/proc/waybill/out", [file("a")]))).toEqual({
      path: "",
      message: "cannot be written: no such file or folder",
    });
  });

  test("replaces, adds and removes files the second time, and removes empty folders", () => {
    const folder = folderWith({ "deep/mine.txt": "mine" });
    write(folder, [file("a"), file("b"), file("deep/c"), file("gone/d")]);
    write(folder, [file("b", "new"), file("e")]);
    expect(filesIn(folder)).toEqual({
      ".waybill.json": manifest(["b", "new"], "e"),
      b: "new",
      "deep/mine.txt": "mine",
      e: "text of e",
    });
    expect(readdirSync(folder)).not.toContain("gone");
  });

  test("accepts a foreign file only if it is identical", () => {
    const folder = folderWith({ a: "text of a", b: "other" });
    write(folder, [file("a")]);
    expect(filesIn(folder)[".waybill.json"]).toBe(manifest("a"));
    expect(problemsOf(folder, [file("a", "new"), file("b")])).toEqual([
      "out/b WB0605 This file was not written by Waybill.",
    ]);
    expect(filesIn(folder)).toEqual({ ".waybill.json": manifest("a"), a: "text of a", b: "other" });
  });

  test("recovers from an interrupted run", () => {
    const folder = folderWith({ ".waybill.json": interrupted("a", "b", "c"), a: "old", b: "text of b" });
    write(folder, [file("b"), file("c")]);
    expect(filesIn(folder)).toEqual({ ".waybill.json": manifest("b", "c"), b: "text of b", c: "text of c" });
  });

  test("keeps a file whose name differs only in case from a removed one", () => {
    const folder = folderWith({});
    write(folder, [file("Name.json", "1")]);
    write(folder, [file("name.json", "2")]);
    expect(Object.values(filesIn(folder))).toContain("2");
    expect(problemsOf(folder, [file("name.json", "2")], { check: true })).toEqual([]);
  });
});

describe("obstacles", () => {
  test.each([
    ["invalid JSON", "{"],
    ["a line that is none of them", '{\n"format": 3,\n"outputs": [\nx,\nnull]\n}\n'],
    ["a path outside", '{\n"format": 3,\n"outputs": [\n{"target":"toy","file":"../x","hash":""},\nnull]\n}\n'],
    ["another format", '{ "format": 1, "files": [] }'],
    ["another shape", '{ "format": 2, "targets": { "toy": "a" } }'],
    ["an invalid workflow", '{ "format": 2, "targets": { "toy": { "workflows": { "flow": { "files": ["a"] } } } } }'],
    ["a path out of the folder", manifest("../precious")],
    ["a path through the folder above", manifest("a/../../precious")],
    ["an absolute path", manifest("/etc/hosts")],
    ["a path of another system", manifest("..\\precious")],
    ["a drive", manifest("c:x")],
    ["the manifest itself", manifest(".waybill.json")],
  ])("a manifest with %s changes nothing", (_, text) => {
    const root = folderWith({ precious: "mine", "out/.waybill.json": text });
    const before = filesIn(root);
    const found = {
      path: ".waybill.json",
      message: expect.stringMatching(/^is not a manifest that this version of Waybill supports/),
    };
    expect(outputError(() => write(join(root, "out"), [file("a")]))).toEqual(found);
    expect(outputError(() => write(join(root, "out"), [file("a")], { check: true }))).toEqual(found);
    expect(filesIn(root)).toEqual(before);
  });

  test("a linked folder is neither written nor removed", () => {
    const root = folderWith({ "elsewhere/old": "mine", "out/.waybill.json": manifest("sub/old") });
    symlinkSync("../elsewhere", join(root, "out/sub"));
    expect(problemsOf(join(root, "out"), [file("sub/new")])).toEqual([
      "out/sub/new WB0605 This path is or contains a link; Waybill does not write through links.",
    ]);
    write(join(root, "out"), [file("a")]);
    expect(filesIn(join(root, "elsewhere"))).toEqual({ old: "mine" });
  });

  test("another kind of file at the path of an output stays", () => {
    const root = folderWith({ "out/.waybill.json": manifest("was", "linked"), precious: "mine" });
    mkdirSync(join(root, "out/was"));
    symlinkSync("../precious", join(root, "out/linked"));
    write(join(root, "out"), [file("a")]);
    expect(readdirSync(join(root, "out")).sort()).toEqual([".waybill.json", "a", "linked", "was"]);
  });

  test("an invalid file name prevents all writing", () => {
    const folder = folderWith({ ".waybill.json": manifest(["a", "old"]), a: "old" });
    expect(outputError(() => write(folder, [file("a"), file("x".repeat(300))]))?.message).toBe(
      "cannot be read: its name is too long",
    );
    expect(filesIn(folder)).toEqual({ ".waybill.json": manifest(["a", "old"]), a: "old" });
  });

  test("a file at the path of a folder", () => {
    const folder = folderWith({ sub: "mine" });
    expect(problemsOf(folder, [file("a"), file("sub/b")])).toEqual([
      "out/sub/b WB0605 This is not a regular file, but Waybill must write a file here.",
    ]);
    expect(filesIn(folder)).toEqual({ sub: "mine" });
  });
});

describe("--check", () => {
  test("reports each difference and changes nothing", () => {
    const folder = folderWith({
      ".waybill.json": manifest("same", ["changed", "?"], "edited", ["stale", "?"], "lost", "ends"),
      same: "text of same",
      changed: "?",
      edited: "by hand",
      stale: "?",
      ends: "one\r\ntwo\r\n",
      theirs: "?",
    });
    mkdirSync(join(folder, "blocked"));
    const before = filesIn(folder);
    const files = [...["same", "changed", "edited", "new", "blocked", "theirs"].map((path) => file(path))];
    expect(problemsOf(folder, [...files, file("ends", "one\ntwo\n")], { check: true })).toEqual([
      "out/changed WB0602 This file is out of date.",
      "out/edited WB0604 This file was changed after Waybill wrote it and would be overwritten.",
      "out/new WB0601 This file is missing.",
      "out/blocked WB0605 This is a folder, but Waybill must write a file here.",
      "out/theirs WB0602 This file is out of date.",
      "out/ends WB0602 The line endings of this file have changed.",
      "out/stale WB0603 This file is no longer generated.",
    ]);
    expect(filesIn(folder)).toEqual(before);
  });

  test("reports nothing after writing", () => {
    const folder = folderWith({});
    writeFileSync(join(folder, "mine"), "");
    write(folder, [file("a"), file("b/c")]);
    expect(problemsOf(folder, [file("b/c"), file("a")], { check: true })).toEqual([]);
  });
});

describe("an edited file", () => {
  const edited = () => {
    const folder = folderWith({});
    write(folder, [file("a"), file("b")]);
    for (const path of ["a", "b"]) writeFileSync(join(folder, path), "by hand");
    return folder;
  };

  test("is neither overwritten nor removed", () => {
    const folder = edited();
    const before = filesIn(folder);
    expect(problemsOf(folder, [file("a", "new")])).toEqual([
      "out/a WB0604 This file was changed after Waybill wrote it and would be overwritten.",
      "out/b WB0604 This file was changed after Waybill wrote it and would be removed.",
    ]);
    expect(filesIn(folder)).toEqual(before);
  });

  test("is overwritten or removed with --force", () => {
    const folder = edited();
    expect(write(folder, [file("a", "new")], { force: true })).toMatchObject({ problems: [], removed: ["b"] });
    expect(filesIn(folder)).toEqual({ ".waybill.json": manifest(["a", "new"]), a: "new" });
  });

  test("that equals the new output is not edited", () => {
    const folder = edited();
    const files = [file("a", "by hand"), file("b", "by hand")];
    expect(write(folder, files)).toMatchObject({ problems: [], same: ["a", "b"] });
    expect(filesIn(folder)[".waybill.json"]).toBe(manifest(["a", "by hand"], ["b", "by hand"]));
  });

  test("that differs only in line endings, for example due to version control, is overwritten", () => {
    const folder = folderWith({});
    write(folder, [file("a", "one\ntwo\n")]);
    writeFileSync(join(folder, "a"), "one\r\ntwo\r\n");
    expect(write(folder, [file("a", "one\nthree\n")]).problems).toEqual([]);
    expect(filesIn(folder)["a"]).toBe("one\nthree\n");
  });
});

test("several processes that write to a folder wait for each other", async () => {
  const folder = folderWith({});
  const script = (id: number) => `
    import { writeOutput } from ${JSON.stringify(join(import.meta.dirname, "../../src/output/write.ts"))};
    const span = { source: { path: "", text: "" }, start: 0, end: 0 };
    writeOutput({ folder: ${JSON.stringify(folder)}, displayName: "out", target: "toy", prune: false, force: false, check: false,
      workflows: [{ id: "w${id}", span, source: "w${id}.yaml", starts: [] }],
      files: [{ path: "f${id}", text: "", workflow: "w${id}" }] });`;
  const ids = [0, 1, 2, 3];
  const run = (id: number) =>
    new Promise<number | null>((done) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script(id)], { stdio: "inherit" });
      child.on("close", done);
    });
  expect(await Promise.all(ids.map(run))).toEqual([0, 0, 0, 0]);
  const { workflows } = parseManifest(readFileSync(join(folder, ".waybill.json"), "utf8"))!.get("toy")!;
  expect([...workflows.keys()]).toEqual(["w0", "w1", "w2", "w3"]);
  expect(readdirSync(folder)).toEqual([".waybill.json", "f0", "f1", "f2", "f3"]);
}, 20_000);

test("a stale lock is ignored", () => {
  const folder = folderWith({ ".waybill.lock": "4194305" });
  expect(write(folder, [file("a")]).problems).toEqual([]);
  expect(Object.keys(filesIn(folder))).toEqual([".waybill.json", "a"]);
});
