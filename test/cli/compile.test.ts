import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { broken, doubtful, filesIn, folderWith, greeting, waybill } from "./command.ts";

const asl = ["--target", "asl"];

const located = (text: string): readonly string[] => text.match(/^\S+:\d+:\d+: \w+ WB\d{4}/gm) ?? [];

describe("to standard output", () => {
  test("one workflow is printed like its file", async () => {
    const folder = folderWith({ "greet.yaml": greeting() });
    const printed = await waybill(folder, ["compile", "greet.yaml", ...asl]);
    expect(printed).toMatchObject({ status: 0, err: "" });
    await waybill(folder, ["compile", "greet.yaml", ...asl, "--out", "gen"]);
    expect(filesIn(join(folder, "gen"))["greet.asl.json"]).toBe(printed.out);
  });

  test("the output is the same from standard input and from another folder", async () => {
    const folder = folderWith({ "a/greet.yaml": greeting(), "b/c/other.yaml": greeting() });
    const printed = await waybill(folder, ["compile", "a/greet.yaml", ...asl]);
    expect(await waybill(folder, ["compile", "-", ...asl], greeting())).toEqual(printed);
    expect(await waybill(join(folder, "b"), ["compile", "c/other.yaml", ...asl])).toEqual(printed);
  });

  test("several workflows require a folder", async () => {
    const folder = folderWith({ "two.yaml": `${greeting("a")}---\n${greeting("b")}` });
    expect(await waybill(folder, ["compile", "two.yaml", ...asl])).toEqual({
      status: 2,
      out: "",
      err: "Standard output holds one workflow, but there are 2. Use --out to write them to a folder.\n",
    });
  });

  test("the IR needs no target", async () => {
    const { status, out } = await waybill(folderWith({ "greet.yaml": greeting() }), [
      "compile",
      "greet.yaml",
      "--emit",
      "ir",
    ]);
    expect(status).toBe(0);
    expect(out).toMatch(/^workflow greet "Greet" "1.0" from serverless-workflow\n/);
  });

  test("diagnostics as JSON go to standard error", async () => {
    const { status, out, err } = await waybill(folderWith({ "greet.yaml": broken }), [
      "compile",
      "greet.yaml",
      ...asl,
      "--format",
      "json",
    ]);
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(JSON.parse(err)).toMatchObject([{ code: "WB2001", file: "greet.yaml" }]);
  });
});

describe("to a folder", () => {
  test("files and a manifest are written", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), "b.yaml": greeting("b") });
    const files = ["a.asl.json", "a.asl.map.json", "b.asl.json", "b.asl.map.json"];
    expect(await waybill(folder, ["compile", "a.yaml", "b.yaml", ...asl, "-o", "gen/asl"])).toEqual({
      status: 0,
      out: "",
      err: `${files.map((path) => `written  gen/asl/${path}\n`).join("")}gen/asl: 4 written\n`,
    });
    expect(Object.keys(filesIn(join(folder, "gen/asl")))).toEqual([".waybill.json", ...files]);
    const entry = (id: string): readonly string[] => [
      `{"target":"asl","workflow":"${id}","source":"../../${id}.yaml"},`,
      ...["json", "map.json"].map((end) => `{"target":"asl","workflow":"${id}","file":"${id}.asl.${end}","hash":"…"},`),
    ];
    const manifest = filesIn(join(folder, "gen/asl"))[".waybill.json"]!.replace(/"[0-9a-f]{16}"/g, '"…"');
    expect(manifest.split("\n")).toEqual([
      ...["{", '"format": 3,', '"outputs": ['],
      ...[...entry("a"), ...entry("b")],
      ...["null]", "}", ""],
    ]);
    expect(JSON.parse(manifest)).toMatchObject({ format: 3 });
  });

  test("a file that is up to date is not written again", async () => {
    const folder = folderWith({ "a.yaml": greeting("a") });
    await waybill(folder, ["compile", "a.yaml", ...asl, "-o", "gen"]);
    const paths = readdirSync(join(folder, "gen")).map((name) => join(folder, "gen", name));
    for (const path of paths) utimesSync(path, 1, 1);
    await waybill(folder, ["compile", "a.yaml", ...asl, "-o", "gen"]);
    expect(paths.map((path) => statSync(path).mtimeMs)).toEqual([1000, 1000, 1000]);
  });

  test("files that are no longer generated are removed, and other files remain", async () => {
    const both = `${greeting("b")}---\n${greeting("a")}`;
    const folder = folderWith({ "all.yaml": both, "gen/notes.txt": "mine" });
    await waybill(folder, ["compile", "all.yaml", ...asl, "-o", "gen"]);
    writeFileSync(join(folder, "all.yaml"), greeting("b"));
    expect(await waybill(folder, ["compile", "all.yaml", ...asl, "-o", "gen"])).toEqual({
      status: 0,
      out: "",
      err: "removed  gen/a.asl.json\nremoved  gen/a.asl.map.json\ngen: 2 removed, 2 up to date\n",
    });
    expect(Object.keys(filesIn(join(folder, "gen")))).toEqual([
      ".waybill.json",
      "b.asl.json",
      "b.asl.map.json",
      "notes.txt",
    ]);
  });

  test("a foreign file prevents all writing", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), "b.yaml": greeting("b"), "gen/b.asl.json": "{}" });
    expect(await waybill(folder, ["compile", "a.yaml", "b.yaml", ...asl, "-o", "gen"])).toEqual({
      status: 1,
      out: "",
      err: "gen/b.asl.json:1:1: error WB0605: This file was not written by Waybill.\n  hint: Remove it, or choose another output folder.\n\n1 error\n",
    });
    expect(filesIn(join(folder, "gen"))).toEqual({ "b.asl.json": "{}" });
  });

  test("errors prevent all writing", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), "b.yaml": greeting("b") });
    await waybill(folder, ["compile", "a.yaml", ...asl, "-o", "gen"]);
    const before = filesIn(join(folder, "gen"));
    writeFileSync(join(folder, "b.yaml"), broken);
    expect(await waybill(folder, ["compile", "b.yaml", ...asl, "-o", "gen"])).toMatchObject({ status: 1, out: "" });
    expect(filesIn(join(folder, "gen"))).toEqual(before);
  });

  test("warnings prevent writing only with --strict", async () => {
    const folder = folderWith({ "a.yaml": doubtful });
    expect(await waybill(folder, ["compile", "a.yaml", ...asl, "-o", "gen", "--strict"])).toMatchObject({ status: 1 });
    expect(Object.keys(filesIn(folder))).toEqual(["a.yaml"]);
    expect(await waybill(folder, ["compile", "a.yaml", ...asl, "-o", "gen"])).toMatchObject({ status: 0 });
    expect(Object.keys(filesIn(folder))).toContain("gen/greet.asl.json");
  });

  test("ids never lead out of the folder or to the same file", async () => {
    const ids = ["../../x", "CON", "x".repeat(300), "Name", "name", "/etc/passwd", ".", "same", "same-"];
    const folder = folderWith({ "in/all.yaml": ids.map((id) => greeting(`"${id}"`)).join("---\n") });
    expect(await waybill(join(folder, "in"), ["compile", "all.yaml", ...asl, "-o", "gen"])).toMatchObject({
      status: 0,
    });
    const machines = Object.keys(filesIn(folder)).filter((path) => path.endsWith(".asl.json"));
    expect(machines.every((path) => /^in\/gen\/[\w-][\w.-]{0,120}$/.test(path))).toBe(true);
    expect(new Set(machines.map((path) => path.toLowerCase())).size).toBe(ids.length);
  });
});

describe("--check", () => {
  test("reports missing, changed and stale files, and writes nothing", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), "b.yaml": greeting("b"), "c.yaml": greeting("c") });
    await waybill(folder, ["compile", "a.yaml", "b.yaml", ...asl, "-o", "gen"]);
    expect(await waybill(folder, ["compile", "a.yaml", "b.yaml", ...asl, "-o", "gen", "--check"])).toEqual({
      status: 0,
      out: "",
      err: "",
    });
    rmSync(join(folder, "gen/b.asl.json"));
    writeFileSync(join(folder, "a.yaml"), greeting("c"));
    const before = filesIn(folder);
    const args = ["compile", "a.yaml", "b.yaml", ...asl, "-o", "gen/", "--check"];
    const { status, out, err } = await waybill(folder, args);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(located(err)).toEqual([
      "gen/b.asl.json:1:1: error WB0601",
      "gen/c.asl.json:1:1: error WB0601",
      "gen/c.asl.map.json:1:1: error WB0601",
      "gen/a.asl.json:1:1: error WB0603",
      "gen/a.asl.map.json:1:1: error WB0603",
    ]);
    expect(filesIn(folder)).toEqual(before);
    const json = JSON.parse((await waybill(folder, [...args, "--format", "json"])).out);
    expect(json.map(({ code, file }: { code: string; file: string }) => `${file} ${code}`)).toEqual([
      "gen/b.asl.json WB0601",
      "gen/c.asl.json WB0601",
      "gen/c.asl.map.json WB0601",
      "gen/a.asl.json WB0603",
      "gen/a.asl.map.json WB0603",
    ]);
    expect((await waybill(folder, [...args, "--format", "github"])).out).toContain(
      "::error file=b.yaml,line=1,endLine=1,col=5,endColumn=6,title=WB0601::gen/b.asl.json: This file is missing.",
    );
    const sarif = JSON.parse((await waybill(folder, [...args, "--format", "sarif"])).out);
    expect(sarif.runs[0].results).toHaveLength(5);
  });

  test("a missing folder is not created", async () => {
    const folder = folderWith({ "a.yaml": greeting("a") });
    expect(await waybill(folder, ["compile", "a.yaml", ...asl, "-o", "gen", "--check"])).toMatchObject({ status: 1 });
    expect(readdirSync(folder)).toEqual(["a.yaml"]);
  });

  test("requires a folder", async () => {
    const { status, err } = await waybill(folderWith({ "a.yaml": greeting() }), [
      "compile",
      "a.yaml",
      ...asl,
      "--check",
    ]);
    expect({ status, err }).toEqual({ status: 2, err: "--check requires --out.\n" });
  });
});

describe("obstacles to writing", () => {
  const compileTo = (folder: string, out: string) => waybill(folder, ["compile", "a.yaml", ...asl, "-o", out]);

  test("a file at the path of the folder", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), gen: "" });
    expect(await compileTo(folder, "gen")).toEqual({ status: 1, out: "", err: "`gen` is not a folder.\n" });
    expect(await compileTo(folder, "gen/deeper")).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^`gen\/deeper` cannot be read: part of the path is not a folder\.\n$/),
    });
  });

  test("a folder at the path of a file", async () => {
    const folder = folderWith({ "a.yaml": greeting("a") });
    mkdirSync(join(folder, "gen/a.asl.json"), { recursive: true });
    expect(await compileTo(folder, "gen")).toMatchObject({
      status: 1,
      err: expect.stringContaining("gen/a.asl.json:1:1: error WB0605: This is a folder"),
    });
    expect(readdirSync(join(folder, "gen"))).toEqual(["a.asl.json"]);
  });

  test("a link at the path of a file, whose target stays unchanged", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), precious: "mine", "gen/x": "" });
    symlinkSync("../precious", join(folder, "gen/a.asl.json"));
    expect(await compileTo(folder, "gen")).toMatchObject({
      status: 1,
      err: expect.stringContaining("does not write through links"),
    });
    expect(filesIn(folder)["precious"]).toBe("mine");
  });

  test.skipIf(process.getuid?.() === 0)("a read-only folder", async () => {
    const folder = folderWith({ "a.yaml": greeting("a"), "gen/x": "" });
    chmodSync(join(folder, "gen"), 0o500);
    const result = await compileTo(folder, "gen");
    chmodSync(join(folder, "gen"), 0o700);
    expect(result).toEqual({ status: 1, out: "", err: "`gen` cannot be written: permission denied.\n" });
  });
});

test("a target must be given and exist", async () => {
  const folder = folderWith({ "a.yaml": greeting() });
  expect(await waybill(folder, ["compile", "a.yaml"])).toMatchObject({
    status: 2,
    err: "--target is required: asl, openwhisk, typescript.\n",
  });
  expect(await waybill(folder, ["compile", "a.yaml", "-t", "als"])).toMatchObject({
    status: 2,
    err: "--target must be one of asl, openwhisk, typescript, not `als`. Did you mean `asl`?\n",
  });
});
