import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { broken, doubtful, filesIn, folderWith, greeting, waybill } from "./command.ts";

const project = "sources: [flows/**/*.yaml]\noutputs: [{ target: asl, out: build }]\n";
const files = { "waybill.config.yaml": project, "flows/greet.yaml": greeting() };

const scenario = `workflow: ../flows/greet.yaml
scenarios:
- name: greets
  expect: { status: succeeded, output: { hello: world } }
`;

/** The first lines of diagnostics. */
const lines = (err: string): readonly string[] => err.split("\n").filter((line) => /^\S.* WB\d{4}: /.test(line));

const paths = (folder: string): readonly string[] => Object.keys(filesIn(folder));

describe("build", () => {
  test("writes every output of the project, and a summary", async () => {
    const outputs =
      "outputs:\n- { target: asl, out: build/asl }\n- { target: typescript, out: build/program }\n- { target: openwhisk, out: ../elsewhere }\n";
    const root = folderWith({
      "p/waybill.config.yaml": `sources: [flows]\n${outputs}`,
      "p/flows/greet.yaml": greeting(),
    });
    const { status, out, err } = await waybill(join(root, "p"), ["build"]);
    expect({ status, out }).toEqual({ status: 0, out: "" });
    expect(err).toContain("written  build/asl/greet.asl.json\n");
    expect(err).toMatch(/^1 definition, \d+ files, [\d,]+ bytes, \d+\.\d\d s\n$/m);
    expect(paths(root)).toEqual(
      expect.arrayContaining(["elsewhere/manifest.yaml", "p/build/asl/greet.asl.json", "p/build/program/greet.ts"]),
    );
  });

  test("writes what compile writes", async () => {
    const folder = folderWith(files);
    await waybill(folder, ["build"]);
    const built = filesIn(join(folder, "build"));
    rmSync(join(folder, "build"), { recursive: true });
    await waybill(folder, ["compile", "flows", "--target", "asl", "--out", "build"]);
    expect(filesIn(join(folder, "build"))).toEqual(built);
  });

  test("check takes the project of --config, and --set overrides its outputs", async () => {
    const other = "sources: [other]\noutputs: [{ target: asl, out: a, settings: { format: json } }]\n";
    const folder = folderWith({ ...files, "ci.config.yaml": other, "other/a.yaml": broken });
    expect((await waybill(folder, ["check"])).status).toBe(0);
    for (const fix of [[], ["--fix", "--dry-run"]])
      expect((await waybill(folder, ["check", "--config", "ci.config.yaml", ...fix])).err).toContain(
        "other/a.yaml:9:28",
      );
    expect(await waybill(folder, ["check", "--config", "none.yaml"])).toMatchObject({ status: 2 });
    const set = ["--set", "asl.partition=aws-cn"];
    expect(await waybill(folder, ["check", ...set])).toMatchObject({ status: 2 });
    expect(await waybill(folder, ["check", "--target", "asl", ...set])).toEqual({ status: 0, out: "", err: "" });
  });

  test("--force and --check exclude each other", async () => {
    expect(await waybill(folderWith(files), ["build", "--force", "--check"])).toEqual({
      status: 2,
      out: "",
      err: "--force cannot be combined with --check, which writes nothing.\n",
    });
  });

  test("--target selects outputs", async () => {
    const outputs = "outputs: [{ target: asl, out: a }, { target: typescript, out: t }]\n";
    const folder = folderWith({ ...files, "waybill.config.yaml": `sources: [flows]\n${outputs}` });
    expect((await waybill(folder, ["build", "--target", "asl"])).status).toBe(0);
    expect(paths(folder).filter((path) => /^[at]\//.test(path))).toContain("a/greet.asl.json");
    expect(paths(folder).filter((path) => path.startsWith("t/"))).toEqual([]);
    expect(await waybill(folder, ["build", "--target", "openwhisk"])).toEqual({
      status: 1,
      out: "",
      err: "The project in `.` has no output for target openwhisk, so there is nothing to build.\n",
    });
    expect((await waybill(folder, ["build", "--target", "als"])).err).toContain("Did you mean `asl`?");
  });

  test("settings of an output override those of its target", async () => {
    const configuration = `sources: [flows]
targets: { asl: { format: yaml, partition: aws-cn } }
outputs:
- { target: asl, out: a }
- { target: asl, out: b, settings: { format: json } }
`;
    const folder = folderWith({ ...files, "waybill.config.yaml": configuration });
    const { status, err } = await waybill(folder, ["build"]);
    expect(lines(err)).toEqual([]);
    expect(status).toBe(0);
    expect(paths(folder)).toEqual(expect.arrayContaining(["a/greet.asl.yaml", "b/greet.asl.json"]));
  });

  test("a project with an error writes nothing, and others are built", async () => {
    const folder = folderWith({
      "good/waybill.config.yaml": project,
      "good/flows/greet.yaml": greeting(),
      "bad/waybill.config.yaml": project,
      "bad/flows/greet.yaml": greeting(),
      "bad/flows/other.yaml": broken.replace("id: greet", "id: other"),
    });
    const { status, err } = await waybill(folder, ["build"]);
    expect(status).toBe(1);
    expect(lines(err)).toEqual([expect.stringMatching(/^bad\/flows\/other\.yaml:\d+:\d+: error WB2001: /)]);
    expect(paths(folder).filter((path) => path.includes("/build/"))).toContain("good/build/greet.asl.json");
    expect(paths(folder).filter((path) => path.startsWith("bad/build/"))).toEqual([]);
  });

  test("warnings are counted, and fail with --strict", async () => {
    const folder = folderWith({ ...files, "flows/greet.yaml": doubtful });
    const { status, err } = await waybill(folder, ["build"]);
    expect(status).toBe(0);
    expect(err).toMatch(/, 1 warning\n$/);
    expect((await waybill(folder, ["build", "--strict"])).status).toBe(1);
  });

  test("--check fails for missing, changed and deleted definitions, and writes nothing", async () => {
    const folder = folderWith({ ...files, "flows/other.yaml": greeting("other") });
    const check = async () => {
      const { status, err } = await waybill(folder, ["build", "--check"]);
      return [status, ...lines(err).map((line) => line.replace(/: error (WB\d+).*/, " $1"))];
    };
    expect((await check())[0]).toBe(1);
    expect(paths(folder).filter((path) => path.startsWith("build/"))).toEqual([]);
    await waybill(folder, ["build"]);
    expect(await check()).toEqual([0]);
    writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("hello: world", "hello: all"));
    expect(await check()).toEqual([1, "build/greet.asl.json:1:1 WB0602"]);
    await waybill(folder, ["build"]);
    rmSync(join(folder, "flows/other.yaml"));
    expect(await check()).toEqual([1, "build/other.asl.json:1:1 WB0603", "build/other.asl.map.json:1:1 WB0603"]);
    expect((await waybill(folder, ["build"])).err).toContain("removed  build/other.asl.json\n");
    expect(await check()).toEqual([0]);
  });

  test("--check with --format github annotates definitions, not generated files", async () => {
    const folder = folderWith({ ...files, "flows/other.yaml": greeting("other") });
    await waybill(folder, ["build"]);
    writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("hello: world", "hello: all"));
    rmSync(join(folder, "flows/other.yaml"));
    const { out } = await waybill(folder, ["build", "--check", "--format", "github"]);
    expect(out.split("\n").slice(0, 2)).toEqual([
      "::error file=flows/greet.yaml,line=1,endLine=1,col=5,endColumn=10,title=WB0602::build/greet.asl.json: This file is out of date.%0ARun the command again without `--check`.",
      "::error file=waybill.config.yaml,line=2,endLine=2,col=31,endColumn=36,title=WB0603::build/other.asl.json: This file is no longer generated: its definition `flows/other.yaml` does not exist.%0ARun the command again without `--check`.",
    ]);
  });

  test("--check --diff prints how outputs differ", async () => {
    const folder = folderWith({ ...files, "flows/other.yaml": greeting("other") });
    await waybill(folder, ["build"]);
    writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("hello: world", "hello: all"));
    rmSync(join(folder, "flows/other.yaml"));
    const { status, out } = await waybill(folder, ["build", "--check", "--diff"]);
    expect(status).toBe(1);
    const hunk =
      /^--- build\/greet\.asl\.json\n\+\+\+ build\/greet\.asl\.json\n@@ -\d+,\d+ \+\d+,\d+ @@\n(?: .*\n)+-.*world.*\n\+.*all.*\n/;
    expect(out).toMatch(hunk);
    expect(out).toContain("--- build/other.asl.json\n+++ /dev/null\n");
    expect(await waybill(folder, ["build", "--diff"])).toMatchObject({ status: 2, err: "--diff requires --check.\n" });
  });

  test("an edited output is kept, unless --force", async () => {
    const folder = folderWith(files);
    await waybill(folder, ["build"]);
    writeFileSync(join(folder, "build/greet.asl.json"), "{}");
    expect(lines((await waybill(folder, ["build"])).err)).toEqual([expect.stringContaining("WB0604")]);
    expect(readFileSync(join(folder, "build/greet.asl.json"), "utf8")).toBe("{}");
    expect((await waybill(folder, ["build", "--force"])).status).toBe(0);
  });
});

describe("projects are found", () => {
  const two = {
    "a/waybill.config.yaml": project,
    "a/flows/greet.yaml": greeting(),
    "b/waybill.config.yaml": project,
    "b/flows/greet.yaml": greeting(),
  };

  test("below a folder, with one id in both", async () => {
    const folder = folderWith(two);
    const { status, err } = await waybill(folder, ["build"]);
    expect(status).toBe(0);
    expect(err).toContain("2 projects, 2 definitions, 4 files, ");
    expect(paths(folder)).toEqual(expect.arrayContaining(["a/build/greet.asl.json", "b/build/greet.asl.json"]));
  });

  test.each([["a"], ["a/waybill.config.yaml"]])("by %s", async (path) => {
    const folder = folderWith(two);
    expect((await waybill(folder, ["build", path])).status).toBe(0);
    expect(paths(folder).filter((each) => each.endsWith("greet.asl.json"))).toEqual(["a/build/greet.asl.json"]);
  });

  test("above the current folder", async () => {
    const folder = folderWith(files);
    const { status, err } = await waybill(join(folder, "flows"), ["build"]);
    expect(status).toBe(0);
    expect(err).toContain("written  ../build/greet.asl.json\n");
  });

  test("but not in node_modules, folders with a dot, and what .gitignore excludes", async () => {
    const folder = folderWith({
      ...files,
      ".gitignore": "old\n",
      "node_modules/x/waybill.config.yaml": project,
      ".hidden/waybill.config.yaml": project,
      "old/waybill.config.yaml": project,
    });
    expect((await waybill(folder, ["build"])).err).toMatch(/^1 definition, 2 files/m);
  });

  test("a file belongs to the nearest project", async () => {
    const inner = "sources: ['*.yaml']\noutputs: [{ target: asl, out: build }]\n";
    const folder = folderWith({ ...files, "flows/own/waybill.config.yaml": inner, "flows/own/greet.yaml": greeting() });
    expect((await waybill(folder, ["build"])).status).toBe(0);
    expect(paths(folder)).toEqual(expect.arrayContaining(["build/greet.asl.json", "flows/own/build/greet.asl.json"]));
  });

  test.each([
    [
      [],
      "No project found in `.`: no waybill.config.yaml has `sources`. Pass files, describe the project there, or create one with `waybill init`.\n",
    ],
    [["x"], "`x` does not exist; a project is a folder or its configuration.\n"],
    [["flow.yaml"], "`flow.yaml` is not the configuration of a project: it has no `sources`.\n"],
  ])("%j without one is a usage error", async (args, err) => {
    const folder = folderWith({ "flow.yaml": greeting() });
    expect(await waybill(folder, ["build", ...args])).toEqual({ status: 2, out: "", err });
  });

  test("a configuration with a syntax error is reported", async () => {
    const folder = folderWith({ ...files, "waybill.config.yaml": "sources: [flows\noutputs: {}}\n" });
    const { status, err } = await waybill(folder, ["build"]);
    expect(status).toBe(1);
    expect(lines(err)[0]).toMatch(/^waybill\.config\.yaml:\d+:\d+: error /);
  });
});

describe("globs", () => {
  const built = async (sources: string, more: { readonly [path: string]: string }) => {
    const folder = folderWith({
      ...more,
      "waybill.config.yaml": `sources: ${sources}\noutputs: [{ target: asl, out: build }]\n`,
    });
    const { err } = await waybill(folder, ["build"]);
    return [...lines(err), ...paths(folder).flatMap((path) => /^build\/(\w+)\.asl\.json$/.exec(path)?.[1] ?? [])];
  };
  const several = {
    "flows/a.yaml": greeting("a"),
    "flows/deep/b.json": JSON.stringify({ yawl: "0.1", start: "x", steps: { x: { noOp: {} } } }),
    "flows/node_modules/c.yaml": greeting("c"),
    "flows/.d/d.yaml": greeting("d"),
    "flows/notes.md": "# Notes\n",
    "flows/test.yaml": "workflow: a.yaml\nscenarios: []\n",
  };

  test.each([
    ["[flows]", ["a", "b"]],
    ["['flows/**']", ["a", "b"]],
    ["['**/*.yaml', flows/a.yaml]", ["a"]],
    ["['flows/*.{yaml,json}']", ["a"]],
    ["[.]", ["a", "b"]],
  ])("%s", async (sources, expected) => {
    expect(await built(sources, several)).toEqual(expected);
  });

  test("exclude omits files", async () => {
    expect(await built("[flows]\nexclude: [deep]", several)).toEqual(["a"]);
  });

  test.each([
    ["['flows/*.yml']", "1:11: error WB0529: No workflow definition matches `flows/*.yml`."],
    ["[flows, 'flows/t*']", "1:18: error WB0529: No workflow definition matches `flows/t*`."],
    ["['../x/*.yaml']", "1:11: error WB0530: `../x/*.yaml` is outside of the project."],
    ["[/etc]", "1:11: error WB0530: `/etc` is outside of the project."],
    ["['*/../../x']", "1:11: error WB0530: `*/../../x` is outside of the project."],
  ])("%s is reported at its place", async (sources, message) => {
    expect(await built(sources, several)).toContain(`waybill.config.yaml:${message}`);
  });
});

describe("commands without files take the project", () => {
  test("check, also against the limits of its targets", async () => {
    const folder = folderWith({ ...files, "flows/greet.yaml": broken });
    const { status, err } = await waybill(folder, ["check"]);
    expect(status).toBe(1);
    expect(lines(err)).toEqual([expect.stringMatching(/^flows\/greet\.yaml:\d+:\d+: error WB2001/)]);
    writeFileSync(join(folder, "flows/greet.yaml"), greeting());
    expect(await waybill(folder, ["check"])).toEqual({ status: 0, out: "", err: "" });
    expect(paths(folder)).not.toContain("build/greet.asl.json");
  });

  test("test", async () => {
    const configuration = `${project}scenarios: [scenarios/*.yaml]\n`;
    const folder = folderWith({ ...files, "waybill.config.yaml": configuration, "scenarios/greet.yaml": scenario });
    const { status, out } = await waybill(folder, ["test"]);
    expect({ status, out }).toEqual({
      status: 0,
      out: "scenarios/greet.yaml\n  ✓ greets (reference)\n1 passed, 0 failed\n",
    });
    rmSync(join(folder, "scenarios/greet.yaml"));
    expect(lines((await waybill(folder, ["test"])).err)).toEqual([
      "waybill.config.yaml:3:13: error WB0529: No scenario file matches `scenarios/*.yaml`.",
    ]);
  });

  test("test fails for a project without scenarios", async () => {
    expect(await waybill(folderWith(files), ["test"])).toEqual({
      status: 2,
      out: "",
      err: "The project in `.` has no `scenarios`. Pass files, or add globs to it.\n",
    });
  });
});

test("as a process, in a folder above two projects", () => {
  const folder = folderWith({
    "a/waybill.config.yaml": project,
    "a/flows/greet.yaml": greeting(),
    "b/waybill.config.json": JSON.stringify({ sources: ["*.yaml"], outputs: [{ target: "asl", out: "../out" }] }),
    "b/greet.yaml": greeting(),
  });
  execFileSync(process.execPath, ["--no-warnings", join(import.meta.dirname, "../../src/cli/bin.ts"), "build"], {
    cwd: folder,
    stdio: "pipe",
  });
  expect(paths(folder)).toEqual(expect.arrayContaining(["a/build/greet.asl.json", "out/greet.asl.json"]));
});
