import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { supportsColor } from "../../src/cli/terminal.ts";
import { languages } from "../languages.ts";
import { broken, doubtful, folderWith, greeting, waybill } from "./command.ts";

const located = (text: string): readonly string[] => text.match(/^\S+:\d+:\d+: \w+ WB\d{4}/gm) ?? [];

describe("output", () => {
  test("a valid definition prints nothing", async () => {
    expect(await waybill(folderWith({ "a.yaml": greeting() }), ["check", "a.yaml"])).toEqual({
      status: 0,
      out: "",
      err: "",
    });
  });

  test("an error prints its location and a summary", async () => {
    const { status, out, err } = await waybill(
      folderWith({ "a.yaml": broken, "b.yaml": doubtful.replace("greet", "b") }),
      ["check", "a.yaml", "b.yaml"],
    );
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(located(err)).toEqual(["a.yaml:9:28: error WB2001", "b.yaml:3:1: warning WB1002"]);
    expect(err).toMatch(/\n\n1 error, 1 warning\n$/);
  });

  test("color depends on the terminal, --color and --no-color", async () => {
    const folder = folderWith({ "a.yaml": broken });
    expect((await waybill(folder, ["check", "a.yaml"], "", true)).err).toContain("\u001b[");
    expect((await waybill(folder, ["check", "a.yaml", "--no-color"], "", true)).err).not.toContain("\u001b[");
    expect((await waybill(folder, ["check", "a.yaml", "--color"])).err).toContain("\u001b[");
    expect((await waybill(folder, ["check", "a.yaml"])).err).not.toContain("\u001b[");
  });

  test("warnings fail the command only with --strict", async () => {
    const folder = folderWith({ "a.yaml": doubtful });
    expect((await waybill(folder, ["check", "a.yaml"])).status).toBe(0);
    expect((await waybill(folder, ["check", "a.yaml", "--strict"])).status).toBe(1);
  });

  test("JSON is an array on standard output", async () => {
    const { out, err } = await waybill(folderWith({ "a.yaml": broken }), ["check", "a.yaml", "--format", "json"]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual([
      {
        code: "WB2001",
        severity: "error",
        message: expect.any(String),
        hint: "Did you mean `Greet`?",
        file: "a.yaml",
        line: 9,
        column: 28,
        endLine: 9,
        endColumn: 32,
        notes: [],
      },
    ]);
    expect((await waybill(folderWith({ "a.yaml": greeting() }), ["check", "a.yaml", "--format", "json"])).out).toBe(
      "[]\n",
    );
  });

  test("SARIF and GitHub Actions commands", async () => {
    const folder = folderWith({ "a.yaml": broken });
    const { out } = await waybill(folder, ["check", "a.yaml", "--format", "sarif"]);
    expect(JSON.parse(out)).toMatchObject({
      runs: [{ tool: { driver: { rules: [{ id: "WB2001" }] } }, results: [{ ruleId: "WB2001" }] }],
    });
    expect((await waybill(folder, ["check", "a.yaml", "--format", "github"])).out).toMatch(
      /^::error file=a.yaml,line=9,.*\n$/,
    );
  });

  test("the limits of a given target", async () => {
    const waits = greeting().replace(
      "end:",
      "transition: { nextState: Wait }\n- name: Wait\n  type: delay\n  timeDelay: PT0.5S\n  end:",
    );
    const folder = folderWith({ "a.yaml": waits });
    expect(await waybill(folder, ["check", "a.yaml"])).toMatchObject({ status: 0 });
    const { status, err } = await waybill(folder, ["check", "a.yaml", "--target", "asl"]);
    expect(status).toBe(1);
    expect(err).toMatch(/^a\.yaml:\d+:\d+: error WB51\d\d/);
  });
});

describe("input", () => {
  test("standard input is read once", async () => {
    const { err } = await waybill(folderWith({}), ["check", "-", "-"], broken);
    expect(located(err)).toEqual(["<stdin>:9:28: error WB2001"]);
  });

  test("the definitions in a folder are read by name, and other files are skipped", async () => {
    const folder = folderWith({
      "flows/b.yml": greeting().replace("{ hello: world }", "hello"),
      "flows/a/deep.json": JSON.stringify({ id: "x", states: [{ name: "A", type: "inject", data: 1 }] }),
      "flows/scenarios.yaml": "workflow: ./b.yml\nscenarios: []\n",
      "flows/values.yaml": "replicas: 3\n",
      "flows/empty.yaml": "",
      "flows/readme.md": broken,
      "flows/node_modules/m/c.yaml": broken,
      "flows/.hidden/d.yaml": broken,
      "flows/z.json": "{ broken",
      "flows/y.json": '{ "states": [ broken',
      "flows/helm.yaml": "{{ if .Values.on }}\nreplicas: 3\n{{ end }}\n",
    });
    symlinkSync("..", join(folder, "flows/loop"));
    const { status, err } = await waybill(folder, ["check", "flows/"]);
    expect(status).toBe(1);
    const files = located(err).map((line) => line.split(":")[0]);
    expect([...new Set(files)]).toEqual(["flows/a/deep.json", "flows/b.yml", "flows/y.json"]);
    expect(err).toMatch(
      /^Skipped 5 files that are not workflow definitions; invalid YAML or JSON: flows\/helm.yaml, flows\/z.json\.\n/,
    );
    const { err: here } = await waybill(join(folder, "flows/a"), ["check", "."]);
    expect(here).toMatch(/^deep\.json:/);
  });

  test("patterns match each file once", async () => {
    const folder = folderWith({
      "x/a.yaml": doubtful,
      "y/b.yaml": doubtful.replace("greet", "b"),
      "y/c[1].yaml": doubtful.replace("greet", "c"),
    });
    const { err } = await waybill(folder, ["check", "y/b.yaml", "*/*.yaml", "y/c[1].yaml"]);
    expect(located(err).map((line) => line.split(":")[0])).toEqual(["y/b.yaml", "x/a.yaml", "y/c[1].yaml"]);
    expect(await waybill(folder, ["check", "*.json"])).toEqual({
      status: 1,
      out: "",
      err: "No files match `*.json`.\n",
    });
  });

  test("all sources form one program", async () => {
    const parent = greeting("parent")
      .replace("type: inject", "type: subflow\n  workflowId: child\n  waitForCompletion: true")
      .replace("  data: { hello: world }\n", "");
    const folder = folderWith({ "parent.yaml": parent, "child.yaml": greeting("child") });
    const { out } = await waybill(folder, ["compile", "parent.yaml", "child.yaml", "--emit", "ir"]);
    expect(out).toContain("workflow parent");
    expect(out).toContain("workflow child");
  });

  test.each([
    [
      "a file that is not there",
      "nope.yaml",
      "nope.yaml:1:1: error WB0016: Cannot read this file: no such file or folder.\n\n1 error\n",
    ],
    ["a folder without definitions", "empty", "No workflow definition found in `empty`.\n"],
  ])("%s is reported in one line", async (_, path, err) => {
    const folder = folderWith({ "empty/notes.md": "" });
    expect(await waybill(folder, ["check", path])).toEqual({ status: 1, out: "", err });
  });

  test("a file over the limit is rejected before parsing, including from standard input", async () => {
    const long = `${greeting()}# ${"é".repeat(100)}\n`;
    const folder = folderWith({ "a.yaml": long, "big.yaml": `# ${"x".repeat(5_000_000)}\n${greeting()}` });
    expect((await waybill(folder, ["check", "a.yaml", "--max-bytes", "300"])).err).toContain(
      "larger than 300 bytes and was not read",
    );
    expect((await waybill(folder, ["check", "-", "--max-bytes", "300"], long)).err).toContain(
      "larger than 300 bytes and was not read",
    );
    expect((await waybill(folder, ["check", "a.yaml", "--max-bytes", "400"])).status).toBe(0);
    expect((await waybill(folder, ["check", "big.yaml"])).err).toMatch(
      /^big\.yaml:1:1: error WB0001: The file is larger than 4 MiB/,
    );
    expect((await waybill(folder, ["check", "big.yaml", "--max-bytes", "6000000"])).status).toBe(0);
  });

  test("byte order marks and line endings do not change positions", async () => {
    const folder = folderWith({ "a.yaml": `\uFEFF${broken.replaceAll("\n", "\r\n")}` });
    expect(located((await waybill(folder, ["check", "a.yaml"])).err)).toEqual(["a.yaml:9:28: error WB2001"]);
  });
});

describe("flags", () => {
  test.each([
    ["--option", "timeuot=fail", "--option timeuot=fail: Unknown option `timeuot`. Did you mean `timeout`?\n"],
    [
      "--option",
      "timeout=fial",
      "--option timeout=fial: Option `timeout` must be `proceed` or `fail`, not `fial`. Did you mean `fail`?\n",
    ],
    ["--option", "timeout", "--option must have the form `key=value`, not `timeout`.\n"],
    [
      "--from",
      "severless-workflow",
      `--from must be one of ${languages.map(({ name }) => name).join(", ")}, not \`severless-workflow\`. Did you mean \`serverless-workflow\`?\n`,
    ],
    ["--format", "xml", "--format must be one of text, json, github, sarif, not `xml`.\n"],
    ["--max-bytes", "1k", "--max-bytes must be a positive integer, not `1k`.\n"],
    ["--max-bytes", "0", "--max-bytes must be a positive integer, not `0`.\n"],
  ])("%s %s is a usage error", async (option, value, err) => {
    expect(await waybill(folderWith({ "a.yaml": greeting() }), ["check", "a.yaml", option, value])).toEqual({
      status: 2,
      out: "",
      err,
    });
  });

  test("--from selects a language", async () => {
    const folder = folderWith({ "a.yaml": "hello: world\n" });
    expect((await waybill(folder, ["check", "a.yaml"])).err).toContain("WB0102");
    expect((await waybill(folder, ["check", "a.yaml", "--from", "serverless-workflow"])).err).toContain("WB1001");
  });
});

describe("waybill.config.yaml", () => {
  const call = `id: w
name: W
version: '1.0'
functions: [{ name: say, resource: say }]
states:
- name: Say
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: say, parameters: { text: Dear $.name } } }]
  end: { kind: default }
`;
  const irOf = async (folder: string, cwd: string, ...more: readonly string[]) =>
    (await waybill(join(folder, cwd), ["compile", "w.yaml", "--emit", "ir", ...more])).out;

  test("the nearest one to a definition applies, and the command line takes precedence", async () => {
    const folder = folderWith({
      "waybill.config.yaml": "options: { interpolate: true }\n",
      "a/w.yaml": call,
      "b/w.yaml": call,
      "b/waybill.config.yaml": "# nothing is set\n",
    });
    const [inA, inB] = [await irOf(folder, "a"), await irOf(folder, "b")];
    expect(inA).not.toBe(inB);
    expect(await irOf(folder, "a", "--option", "interpolate=false")).toBe(inB);
    expect(await irOf(folder, "b", "--option", "interpolate=true")).toBe(inA);
  });

  test("errors in it are reported at their location, and nothing is compiled", async () => {
    const folder = folderWith({ "a/w.yaml": call, "waybill.config.yaml": "options:\n  interpolate: yes\n" });
    const { status, out, err } = await waybill(join(folder, "a"), ["compile", "w.yaml", "--emit", "ir"]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(/waybill\.config\.yaml:2:16: error WB0504: /);
  });
});

test.each<[environment: { readonly [name: string]: string }, isTerminal: boolean, colors: boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "", NO_COLOR: "1", TERM: "dumb" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ CLICOLOR_FORCE: "1", TERM: "dumb" }, false, true],
  [{ CLICOLOR_FORCE: "0" }, false, false],
  [{ CLICOLOR_FORCE: "1", NO_COLOR: "1" }, true, false],
  [{ CLICOLOR: "0" }, true, false],
])("with %j and a terminal (%j), color is %j", (environment, isTerminal, colors) => {
  expect(supportsColor(environment, isTerminal)).toBe(colors);
});

test("annotations and SARIF logs have paths relative to the GitHub workspace", async () => {
  const folder = folderWith({ "repository/svc/flows/a.yaml": broken });
  const [cwd, workspace] = [join(folder, "repository/svc"), join(folder, "repository")];
  const outputOf = async (...args: readonly string[]) =>
    (await waybill(cwd, ["check", ...args], "", false, workspace)).out;
  expect(await outputOf("flows", "--format", "github")).toMatch(/^::error file=svc\/flows\/a\.yaml,line=9,/);
  const sarif = JSON.parse(await outputOf("flows/a.yaml", "--format", "sarif"));
  expect(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("svc/flows/a.yaml");
  expect(JSON.parse(await outputOf("flows", "--format", "json"))).toMatchObject([{ file: "flows/a.yaml" }]);
});
