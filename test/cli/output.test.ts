import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OutputFailure, outdatedFiles, writeFiles } from "../../src/cli/output.ts";
import { filesIn, folderWith } from "./command.ts";

const listing = (...files: readonly string[]): string => `${JSON.stringify({ format: 1, files }, null, 2)}\n`;
const file = (path: string, text = `text of ${path}`) => ({ path, text });

/** What an action was refused for. */
function refusal(act: () => unknown): { readonly path: string; readonly message: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof OutputFailure) return { path: error.path, message: error.message };
    throw error;
  }
}

describe("writing", () => {
  test("makes the folder and those in it, and leaves nothing else behind", () => {
    const folder = join(folderWith({}), "a/b");
    writeFiles(folder, [file("x.json"), file("deep/er/y.json")]);
    expect(filesIn(folder)).toEqual({
      ".waybill.json": listing("deep/er/y.json", "x.json"),
      "deep/er/y.json": "text of deep/er/y.json",
      "x.json": "text of x.json",
    });
    expect(readdirSync(folder).sort()).toEqual([".waybill.json", "deep", "x.json"]);
  });

  test("is refused where no folder can be made", () => {
    const folder = folderWith({ taken: "" });
    expect(refusal(() => writeFiles(join(folder, "taken"), [file("a")]))).toEqual({
      path: "",
      message: "is no folder",
    });
    expect(refusal(() => writeFiles(join(folder, "taken/in/it"), [file("a")]))?.message).toContain(
      "a part of the path is no folder",
    );
    symlinkSync("nowhere", join(folder, "link"));
    expect(refusal(() => writeFiles(join(folder, "link"), [file("a")]))).toEqual({
      path: "",
      message: "cannot be written: it exists already",
    });
    expect(filesIn(folder)).toEqual({ taken: "" });
  });

  test.skipIf(!existsSync("/proc/self"))("ends where the system keeps all folders for itself", () => {
    expect(refusal(() => writeFiles("/proc/waybill/out", [file("a")]))).toEqual({
      path: "",
      message: "cannot be written: no such file or folder",
    });
  });

  test("a second time replaces, adds and removes; folders that become empty go too", () => {
    const folder = folderWith({ "deep/mine.txt": "mine" });
    writeFiles(folder, [file("a"), file("b"), file("deep/c"), file("gone/d")]);
    writeFiles(folder, [file("b", "new"), file("e")]);
    expect(filesIn(folder)).toEqual({
      ".waybill.json": listing("b", "e"),
      b: "new",
      "deep/mine.txt": "mine",
      e: "text of e",
    });
    expect(readdirSync(folder)).not.toContain("gone");
  });

  test("takes a file of another over only if it is the same to the byte", () => {
    const folder = folderWith({ a: "text of a", b: "other" });
    writeFiles(folder, [file("a")]);
    expect(filesIn(folder)[".waybill.json"]).toBe(listing("a"));
    expect(refusal(() => writeFiles(folder, [file("a", "new"), file("b")]))).toEqual({
      path: "b",
      message: "was not written by Waybill; remove it, or choose another folder",
    });
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing("a"), a: "text of a", b: "other" });
  });

  test("goes on after a run that was cut off", () => {
    const folder = folderWith({ ".waybill.json": listing("a", "b", "c"), a: "old", b: "text of b" });
    writeFiles(folder, [file("b"), file("c")]);
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing("b", "c"), b: "text of b", c: "text of c" });
  });

  test("keeps a file whose name differs only in case from one that goes", () => {
    const folder = folderWith({});
    writeFiles(folder, [file("Name.json", "1")]);
    writeFiles(folder, [file("name.json", "2")]);
    expect(Object.values(filesIn(folder))).toContain("2");
    expect(outdatedFiles(folder, [file("name.json", "2")])).toEqual([]);
  });
});

describe("what is in the way", () => {
  test.each([
    ["no JSON", "{"],
    ["another format", '{ "format": 2, "files": [] }'],
    ["another shape", '{ "format": 1, "files": "a" }'],
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
      message: expect.stringMatching(/^is not a list of files that this version of Waybill understands/),
    };
    expect(refusal(() => writeFiles(join(root, "out"), [file("a")]))).toEqual(found);
    expect(refusal(() => outdatedFiles(join(root, "out"), [file("a")]))).toEqual(found);
    expect(filesIn(root)).toEqual(before);
  });

  test("a folder that is a link: neither written nor removed through", () => {
    const root = folderWith({ "elsewhere/old": "mine", "out/.waybill.json": listing("sub/old") });
    symlinkSync("../elsewhere", join(root, "out/sub"));
    expect(refusal(() => writeFiles(join(root, "out"), [file("sub/new")]))?.message).toContain(
      "does not write through links",
    );
    writeFiles(join(root, "out"), [file("a")]);
    expect(filesIn(join(root, "elsewhere"))).toEqual({ old: "mine" });
  });

  test("something else where a file of ours was: it stays", () => {
    const root = folderWith({ "out/.waybill.json": listing("was", "linked"), precious: "mine" });
    mkdirSync(join(root, "out/was"));
    symlinkSync("../precious", join(root, "out/linked"));
    writeFiles(join(root, "out"), [file("a")]);
    expect(readdirSync(join(root, "out")).sort()).toEqual([".waybill.json", "a", "linked", "was"]);
  });

  test("a name that the system does not take: nothing is written", () => {
    const folder = folderWith({ ".waybill.json": listing("a"), a: "old" });
    expect(refusal(() => writeFiles(folder, [file("a"), file("x".repeat(300))]))?.message).toBe(
      "cannot be read: its name is too long",
    );
    expect(filesIn(folder)).toEqual({ ".waybill.json": listing("a"), a: "old" });
  });

  test("a file where a folder is to be", () => {
    const folder = folderWith({ sub: "mine" });
    expect(refusal(() => writeFiles(folder, [file("a"), file("sub/b")]))?.message).toContain("is in the way");
    expect(filesIn(folder)).toEqual({ sub: "mine" });
  });
});

describe("comparing", () => {
  test("names every file that differs, and changes nothing", () => {
    const folder = folderWith({
      ".waybill.json": listing("same", "changed", "stale", "lost"),
      same: "text of same",
      changed: "?",
      stale: "?",
    });
    mkdirSync(join(folder, "blocked"));
    const before = filesIn(folder);
    expect(outdatedFiles(folder, [file("same"), file("changed"), file("new"), file("blocked")])).toEqual([
      { path: "changed", fault: "changed" },
      { path: "new", fault: "missing" },
      { path: "blocked", fault: "changed" },
      { path: "stale", fault: "stale" },
    ]);
    expect(filesIn(folder)).toEqual(before);
  });

  test("finds nothing after writing", () => {
    const folder = folderWith({});
    writeFileSync(join(folder, "mine"), "");
    writeFiles(folder, [file("a"), file("b/c")]);
    expect(outdatedFiles(folder, [file("b/c"), file("a")])).toEqual([]);
  });
});
