import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn, folderWith, greeting, waybill } from "./command.ts";

/** A workflow with an action that times out after a minute, whose effect is an option. */
const timed = (id: string) => `id: ${id}
name: ${id}
version: '1.0'
functions: [{ name: greet, resource: greet }]
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet }, timeout: PT1M }]
  end: { kind: default }
`;

const fails = "options: { timeout: fail }\n";

/** The first lines of diagnostics. */
const lines = (err: string): readonly string[] => err.split("\n").filter((line) => /^\S.* WB\d{4}: /.test(line));

describe("each definition has its own configuration", () => {
  const files = { "a/a.yaml": timed("a"), "b/b.yaml": timed("b"), "b/waybill.config.yaml": fails };

  test.each([[["a", "b"]], [["b", "a"]], [["."]], [["b/b.yaml", "a/a.yaml"]], [["a/*.yaml", "b/*.yaml"]]])(
    "whatever the order: %j",
    async (paths) => {
      const folder = folderWith(files);
      const { err } = await waybill(folder, ["check", ...paths]);
      expect(lines(err).map((line) => line.split(":")[0])).toEqual(["a/a.yaml"]);
      await waybill(folder, ["compile", ...paths, "--target", "asl", "--out", "gen", "--quiet"]);
      const output = filesIn(folder);
      const isCaught = (id: string) => output[`gen/${id}.asl.json`]!.includes('"TimeoutSeconds": 60');
      expect([isCaught("a"), isCaught("b")]).toEqual([true, true]);
      expect(output["gen/a.asl.json"]!.includes("States.Timeout")).not.toBe(
        output["gen/b.asl.json"]!.includes("States.Timeout"),
      );
    },
  );

  test.each([
    ["waybill.config.yml", fails],
    ["waybill.config.json", JSON.stringify({ options: { timeout: "fail" } })],
  ])("including one called %s", async (name, text) => {
    const folder = folderWith({ "flows/a.yaml": timed("a"), [name]: text });
    expect(lines((await waybill(folder, ["check", "flows"])).err)).toEqual([]);
  });

  test("two configurations in a folder are an error", async () => {
    const folder = folderWith({ "a.yaml": greeting(), "waybill.config.yaml": "", "waybill.config.json": "{}" });
    expect(await waybill(folder, ["check", "."])).toEqual({
      status: 1,
      out: "",
      err: "waybill.config.json:1:1: error WB0517: This folder already has a configuration, `waybill.config.yaml`.\n  hint: Keep one of the two.\n\n1 error\n",
    });
  });

  test("a file that is not read is a warning", async () => {
    const folder = folderWith({ "a.yaml": greeting(), "waybill.config.ts": "export default {};", ".waybillrc": "" });
    const { status, err } = await waybill(folder, ["check", "."]);
    expect([status, lines(err).toSorted()]).toEqual([
      0,
      [
        ".waybillrc:1:1: warning WB0533: This file is not read: a configuration is YAML or JSON.",
        "waybill.config.ts:1:1: warning WB0533: This file is not read: a configuration is YAML or JSON.",
      ],
    ]);
    expect(await waybill(folder, ["build"])).toEqual({
      status: 2,
      out: "",
      err: "No project found in `.`: no waybill.config.yaml has `sources`. `waybill.config.ts` is not read: a configuration is YAML or JSON. Pass files, describe the project there, or create one with `waybill init`.\n",
    });
  });

  test("--config applies to all definitions", async () => {
    const folder = folderWith({ ...files, "ci/strict.yaml": fails });
    expect(lines((await waybill(folder, ["check", "a", "b", "--config", "ci/strict.yaml"])).err)).toEqual([]);
    expect(lines((await waybill(folder, ["check", "a", "--config", "ci/none.yaml"])).err)).toEqual([
      expect.stringContaining("a/a.yaml:9:57: info WB3108: "),
      "ci/none.yaml:1:1: error WB0016: Cannot read this file: no such file or folder.",
    ]);
  });

  test("scenarios use the configuration of the definition", async () => {
    const scenarios = `workflow: ../b/b.yaml
scenarios:
- name: slow
  input: {}
  functions: { greet: [{ returns: {}, takes: PT2M }] }
  expect: { status: failed }
`;
    const folder = folderWith({ ...files, "tests/s.yaml": scenarios });
    expect(await waybill(folder, ["test", "tests/s.yaml"])).toMatchObject({ status: 0 });
  });
});

describe("functions of one name in several configurations", () => {
  const binding = (target: string, text: string) => `functions: { greet: { ${target}: ${text} } }\n`;
  const files = { "a/a.yaml": timed("a"), "b/b.yaml": timed("b"), "waybill.config.yaml": fails };

  test("are different in different machines", async () => {
    const folder = folderWith({
      ...files,
      "a/waybill.config.yaml":
        fails + binding("asl", "{ lambda: 'arn:aws:lambda:eu-west-1:123456789012:function:one' }"),
      "b/waybill.config.yaml":
        fails + binding("asl", "{ lambda: 'arn:aws:lambda:eu-west-1:123456789012:function:two' }"),
    });
    expect(await waybill(folder, ["compile", "a", "b", "--target", "asl", "--out", "gen"])).toMatchObject({
      status: 0,
    });
    const output = filesIn(folder);
    expect(output["gen/a.asl.json"]).toContain("function:one");
    expect(output["gen/b.asl.json"]).toContain("function:two");
  });

  test("must be bound alike in a program", async () => {
    const module = "{ module: './greet.ts#greet' }";
    const folder = folderWith({
      ...files,
      "a/waybill.config.yaml": fails + binding("typescript", module),
      "b/waybill.config.yaml": fails + binding("typescript", module),
      "a/greet.ts": "export const greet = async () => ({});\n",
      "b/greet.ts": "export const greet = async () => ({});\n",
    });
    const together = await waybill(folder, ["check", "a", "b", "--target", "typescript"]);
    expect(together.status).toBe(1);
    expect(lines(together.err)).toEqual([
      "b/waybill.config.yaml:2:23: error WB0518: Another configuration of this program binds the function `greet` differently.",
    ]);
    expect(await waybill(folder, ["check", "a", "--target", "typescript"])).toMatchObject({ status: 0 });
  });
});

test("a configuration among the given definitions is skipped", async () => {
  const folder = folderWith({
    "a.yaml": greeting("a"),
    "b.yaml": greeting("b"),
    "waybill.config.yaml": "functions: {}\n",
  });
  const files = ["a.yaml", "b.yaml", "waybill.config.yaml"];
  const to = ["--target", "typescript", "--out", "app"];
  expect((await waybill(folder, ["compile", ...files, ...to])).status).toBe(0);
  expect(Object.keys(filesIn(join(folder, "app")))).toEqual(expect.arrayContaining(["a.ts", "b.ts"]));
});

test("bindings of a shared configuration for other definitions are not a warning", async () => {
  const folder = folderWith({
    "a.yaml": timed("a"),
    "waybill.config.yaml": `${fails}functions: { greet: { asl: { lambda: "\${X}" } }, greets: { asl: { lambda: "\${Y}" } } }\n`,
  });
  const { status, err } = await waybill(folder, ["check", "a.yaml", "--strict"]);
  expect(status).toBe(0);
  expect(lines(err)).toEqual([
    "waybill.config.yaml:2:50: info WB0519: These definitions have no `greets`; its binding is unused here.",
  ]);
});

test("the reader of a definition's secrets can be bound without a warning", async () => {
  const folder = folderWith({
    "a.yaml": `yawl: '0.1'
start: log
steps:
  log:
    httpCall:
      url: https://log.example
      headers: { Authorization: 'Bearer \\(lockboxPayload("id"; "key"))' }
`,
    "waybill.config.yaml": "functions: { lockboxPayload: { typescript: { module: ./secrets.ts#read } } }\n",
    "secrets.ts": "export const read = (): string => 'secret';\n",
  });
  expect(await waybill(folder, ["check", "a.yaml", "--strict"])).toMatchObject({ status: 0, err: "" });
});

describe("files in folders", () => {
  const files = {
    "flows/a.yaml": greeting("a"),
    "flows/old/b.yaml": greeting("b"),
    "vendor/c.yaml": greeting("c"),
    "dist/d.yaml": greeting("d"),
  };
  const taken = async (more: { readonly [path: string]: string }, ...args: readonly string[]) => {
    const { out } = await waybill(folderWith({ ...files, ...more }), ["compile", ".", "--emit", "ir", ...args]);
    const { err } = await waybill(folderWith({ ...files, ...more }), ["compile", ".", "--emit", "ir", ...args]);
    return (out + err).match(/(?<=^workflow )\w+/gm) ?? [];
  };

  test.each<[string, { readonly [path: string]: string }, readonly string[], readonly string[]]>([
    ["all definitions are taken", {}, [], ["d", "a", "b", "c"]],
    ["those that .gitignore excludes are skipped", { ".gitignore": "/dist/\nold\n" }, [], ["a", "c"]],
    ["a .gitignore counts for its folder", { "flows/.gitignore": "*.yaml\n!a.yaml\n" }, [], ["d", "a", "c"]],
    [
      "the configuration may exclude some",
      { "waybill.config.yaml": "exclude: [vendor, 'flows/o*']\n" },
      [],
      ["d", "a"],
    ],
    ["the configuration may take only some", { "waybill.config.yaml": "include: [flows/**]\n" }, [], ["a", "b"]],
    ["that of a folder starts there", { "flows/waybill.config.yaml": "exclude: [a.yaml]\n" }, [], ["d", "b", "c"]],
    ["so may the command line", {}, ["--exclude", "dist", "--exclude", "**/old"], ["a", "c"]],
    ["and take only some", {}, ["--include", "flows"], ["a", "b"]],
  ])("%s", async (_, more, args, expected) => {
    expect(await taken(more, ...args)).toEqual(expected);
  });

  test("a named file is always read", async () => {
    const folder = folderWith({ ...files, ".gitignore": "*\n", "waybill.config.yaml": "exclude: ['*']\n" });
    expect(await waybill(folder, ["check", "flows/a.yaml"])).toEqual({ status: 0, out: "", err: "" });
  });

  test("patterns must be an array of strings", async () => {
    const folder = folderWith({ ...files, "waybill.config.yaml": "exclude: vendor\n" });
    expect(lines((await waybill(folder, ["check", "."])).err)).toEqual([
      "waybill.config.yaml:1:10: error WB0502: `exclude` must be an array of patterns.",
    ]);
  });
});

test.each(["'[z-a].yaml'", "''", "'# notes'"])(
  "an unmatchable pattern is reported at its location: %s",
  async (pattern) => {
    const folder = folderWith({ "a.yaml": greeting("a"), "waybill.config.yaml": `exclude: ["b.yaml", ${pattern}]\n` });
    const { status, err } = await waybill(folder, ["check", "."]);
    expect(status).toBe(1);
    expect(err).toContain(
      "waybill.config.yaml:1:21: error WB0502: A pattern under `exclude` must be a `.gitignore` pattern",
    );
  },
);

test("an invalid pattern on the command line is a usage error", async () => {
  const { status, err } = await waybill(folderWith({ "a.yaml": greeting("a") }), ["check", ".", "--exclude", "[z-a]"]);
  expect([status, err]).toEqual([
    2,
    expect.stringContaining("--exclude must be a .gitignore pattern such as drafts/**, not `[z-a]`"),
  ]);
});
