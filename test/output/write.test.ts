import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OutputError } from "../../src/output/disk.ts";
import { hashOf, printManifest } from "../../src/output/manifest.ts";
import type { OutputRequest } from "../../src/output/plan.ts";
import { writeOutput } from "../../src/output/write.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { filesIn, folderWith } from "../cli/command.ts";

const source = { path: "flow.yaml", text: "id: flow" };
const file = (path: string, text = `text of ${path}`): OutputFile => ({ path, text, workflow: "flow" });

/** A manifest in which workflow `flow` has been made to files, which have the text that `file` gives them where none is given. */
const listing = (...files: readonly (string | readonly [string, string])[]): string =>
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

/** Brings files of workflow `flow` to a folder. */
const bring = (folder: string, files: readonly OutputFile[], more: Partial<OutputRequest> = {}) =>
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

/** What is said, a line for each problem. */
const said = (...given: Parameters<typeof bring>): readonly string[] =>
  bring(...given).problems.map(({ code, message, span }) => `${span.source.path} ${code} ${message}`);

/** What an action was refused for. */
function refusal(act: () => unknown): { readonly path: string; readonly message: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof OutputError) return { path: error.path, message: error.message };
    throw error;
  }
}

/** The same, as it stands while files are written. */
const cutOff = (...files: readonly string[]): string => listing(...files).replace(/"[0-9a-f]{16}"/g, '""');

describe("writing", () => {
  test("makes the folder and those in it, and leaves nothing else behind", () => {
    const folder = join(folderWith({}), "a/b");
    bring(folder, [file("x.json"), file("deep/er/y.json")]);
    expect(filesIn(folder)).toEqual({
      ".waybill.json": listing("deep/er/y.json", "x.json"),
      "deep/er/y.json": "text of deep/er/y.json",
      "x.json": "text of x.json",
    });
    expect(readdirSync(folder).sort()).toEqual([".waybill.json", "deep", "x.json"]);
  });

  test("is refused where no folder can be made", () => {
    const folder = folderWith({ taken: "" });
    expect(refusal(() => bring(join(folder, "taken"), [file("a")]))).toEqual({
      path: "",
      message: "is no folder",
    });
    expect(refusal(() => bring(join(folder, "taken/in/it"), [file("a")]))?.message).toContain(
      "part of the path is not a folder",
    );
    symlinkSync("nowhere", join(folder, "link"));
    expect(refusal(() => bring(join(folder, "link"), [file("a")]))).toEqual({
      path: "",
      message: "cannot be written: it already exists",
    });
    expect(filesIn(folder)).toEqual({ taken: "" });
  });

  test.skipIf(!existsSync("/proc/self"))("ends where the system keeps all folders for itself", () => {
    expect(refusal(() => bring("/proc/waybill/out", [file("a")]))).toEqual({
      path: "",
      message: "cannot be written: no such file or folder",
    });
  });

  test("a second time replaces, adds and removes; folders that become empty go too", () => {
    const folder = folderWith({ "deep/mine.txt": "mine" });
    bring(folder, [file("a"), file("b"), file("deep/c"), file("gone/d")]);
    bring(folder, [file("b", "new"), file("e")]);
    expect(filesIn(folder)).toEqual({
      ".waybill.json": listing(["b", "new"], "e"),
      b: "new",
      "deep/mine.txt": "mine",
      e: "text of e",
    });
    expect(readdirSync(folder)).not.toContain("gone");
  });

  test("takes a file of another over only if it is the same to the byte", () => {
    const folder = folderWith({ a: "text of a", b: "other" });
    bring(folder, [file("a")]);
    expect(filesIn(folder)[".waybill.json"]).toBe(listing("a"));
    expect(said(folder, [file("a", "new"), file("b")])).toEqual(["out/b WB0605 This file was not written by Waybill."]);
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing("a"), a: "text of a", b: "other" });
  });

  test("goes on after a run that was cut off", () => {
    const folder = folderWith({ ".waybill.json": cutOff("a", "b", "c"), a: "old", b: "text of b" });
    bring(folder, [file("b"), file("c")]);
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing("b", "c"), b: "text of b", c: "text of c" });
  });

  test("keeps a file whose name differs only in case from one that goes", () => {
    const folder = folderWith({});
    bring(folder, [file("Name.json", "1")]);
    bring(folder, [file("name.json", "2")]);
    expect(Object.values(filesIn(folder))).toContain("2");
    expect(said(folder, [file("name.json", "2")], { check: true })).toEqual([]);
  });
});

describe("what is in the way", () => {
  test.each([
    ["no JSON", "{"],
    ["another format", '{ "format": 1, "files": [] }'],
    ["another shape", '{ "format": 2, "targets": { "toy": "a" } }'],
    [
      "a workflow of no shape",
      '{ "format": 2, "targets": { "toy": { "workflows": { "flow": { "files": ["a"] } } } } }',
    ],
    ["a path out of the folder", listing("../precious")],
    ["a path through the folder above", listing("a/../../precious")],
    ["an absolute path", listing("/etc/hosts")],
    ["a path of another system", listing("..\\precious")],
    ["a drive", listing("c:x")],
    ["the list itself", listing(".waybill.json")],
  ])("a list of files with %s: nothing is touched", (_, text) => {
    const root = folderWith({ precious: "mine", "out/.waybill.json": text });
    const before = filesIn(root);
    const found = {
      path: ".waybill.json",
      message: expect.stringMatching(/^is no list of files that this version of Waybill understands/),
    };
    expect(refusal(() => bring(join(root, "out"), [file("a")]))).toEqual(found);
    expect(refusal(() => bring(join(root, "out"), [file("a")], { check: true }))).toEqual(found);
    expect(filesIn(root)).toEqual(before);
  });

  test("a folder that is a link: neither written nor removed through", () => {
    const root = folderWith({ "elsewhere/old": "mine", "out/.waybill.json": listing("sub/old") });
    symlinkSync("../elsewhere", join(root, "out/sub"));
    expect(said(join(root, "out"), [file("sub/new")])).toEqual([
      "out/sub/new WB0605 This path is or contains a link; Waybill does not write through links.",
    ]);
    bring(join(root, "out"), [file("a")]);
    expect(filesIn(join(root, "elsewhere"))).toEqual({ old: "mine" });
  });

  test("something else where a file of ours was: it stays", () => {
    const root = folderWith({ "out/.waybill.json": listing("was", "linked"), precious: "mine" });
    mkdirSync(join(root, "out/was"));
    symlinkSync("../precious", join(root, "out/linked"));
    bring(join(root, "out"), [file("a")]);
    expect(readdirSync(join(root, "out")).sort()).toEqual([".waybill.json", "a", "linked", "was"]);
  });

  test("a name that the system does not take: nothing is written", () => {
    const folder = folderWith({ ".waybill.json": listing(["a", "old"]), a: "old" });
    expect(refusal(() => bring(folder, [file("a"), file("x".repeat(300))]))?.message).toBe(
      "cannot be read: its name is too long",
    );
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing(["a", "old"]), a: "old" });
  });

  test("a file where a folder is to be", () => {
    const folder = folderWith({ sub: "mine" });
    expect(said(folder, [file("a"), file("sub/b")])).toEqual([
      "out/sub/b WB0605 This is not a regular file, but Waybill must write a file here.",
    ]);
    expect(filesIn(folder)).toEqual({ sub: "mine" });
  });
});

describe("comparing", () => {
  test("names every file that differs, and changes nothing", () => {
    const folder = folderWith({
      ".waybill.json": listing("same", ["changed", "?"], "edited", ["stale", "?"], "lost", "ends"),
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
    expect(said(folder, [...files, file("ends", "one\ntwo\n")], { check: true })).toEqual([
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

  test("finds nothing after writing", () => {
    const folder = folderWith({});
    writeFileSync(join(folder, "mine"), "");
    bring(folder, [file("a"), file("b/c")]);
    expect(said(folder, [file("b/c"), file("a")], { check: true })).toEqual([]);
  });
});

describe("what was changed since it was written", () => {
  const edited = () => {
    const folder = folderWith({});
    bring(folder, [file("a"), file("b")]);
    for (const path of ["a", "b"]) writeFileSync(join(folder, path), "by hand");
    return folder;
  };

  test("is neither overwritten nor removed", () => {
    const folder = edited();
    const before = filesIn(folder);
    expect(said(folder, [file("a", "new")])).toEqual([
      "out/a WB0604 This file was changed after Waybill wrote it and would be overwritten.",
      "out/b WB0604 This file was changed after Waybill wrote it and would be removed.",
    ]);
    expect(filesIn(folder)).toEqual(before);
  });

  test("goes when that is said", () => {
    const folder = edited();
    expect(bring(folder, [file("a", "new")], { force: true })).toMatchObject({ problems: [], removed: ["b"] });
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing(["a", "new"]), a: "new" });
  });

  test("into what it is to be: it is that of Waybill again", () => {
    const folder = edited();
    const files = [file("a", "by hand"), file("b", "by hand")];
    expect(bring(folder, files)).toMatchObject({ problems: [], same: ["a", "b"] });
    expect(filesIn(folder)[".waybill.json"]).toBe(listing(["a", "by hand"], ["b", "by hand"]));
  });

  test("only in the ends of its lines, as by version control: it is written again", () => {
    const folder = folderWith({});
    bring(folder, [file("a", "one\ntwo\n")]);
    writeFileSync(join(folder, "a"), "one\r\ntwo\r\n");
    expect(bring(folder, [file("a", "one\nthree\n")]).problems).toEqual([]);
    expect(filesIn(folder)["a"]).toBe("one\nthree\n");
  });
});

test("several processes that write into one folder wait for each other", async () => {
  const folder = folderWith({});
  const script = (id: number) => `
    import { deliver } from ${JSON.stringify(join(import.meta.dirname, "../../src/output/write.ts"))};
    const span = { source: { path: "", text: "" }, start: 0, end: 0 };
    deliver({ folder: ${JSON.stringify(folder)}, shown: "out", target: "toy", prune: false, force: false, check: false,
      workflows: [{ id: "w${id}", span, source: "w${id}.yaml", starts: [] }],
      files: [{ path: "f${id}", text: "", workflow: "w${id}" }] });`;
  const ids = [0, 1, 2, 3];
  const run = (id: number) =>
    new Promise<number | null>((done) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script(id)], { stdio: "inherit" });
      child.on("close", done);
    });
  expect(await Promise.all(ids.map(run))).toEqual([0, 0, 0, 0]);
  const { targets } = JSON.parse(readFileSync(join(folder, ".waybill.json"), "utf8"));
  expect(Object.keys(targets.toy.workflows)).toEqual(["w0", "w1", "w2", "w3"]);
  expect(readdirSync(folder)).toEqual([".waybill.json", "f0", "f1", "f2", "f3"]);
}, 20_000);

test("a lock whose process is gone holds nobody up", () => {
  const folder = folderWith({ ".waybill.lock": "4194305" });
  expect(bring(folder, [file("a")]).problems).toEqual([]);
  expect(Object.keys(filesIn(folder))).toEqual([".waybill.json", "a"]);
});
