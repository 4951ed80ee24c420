import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { Registry } from "../../src/cli/registry.ts";
import { compileWith } from "../../src/compile.ts";
import { hosts } from "../../src/generated/typescript-hosts.ts";
import { targets } from "../../targets/index.ts";
import { typescriptWith } from "../../targets/typescript/index.ts";
import { folderWith } from "../cli/command.ts";
import { languages } from "../languages.ts";
import { notebook } from "./host/index.ts";
import { recipes } from "./language.ts";
import { sheets } from "./target.ts";

// A new language or target is a folder and one line in a list, and a new host of TypeScript programs is a folder. These
// work like those of Waybill, and no file in `src` or `targets` knows them.

const registry: Registry = {
  languages: [...languages, recipes],
  targets: [...targets.filter(({ name }) => name !== "typescript"), typescriptWith([notebook]), sheets],
};

const tea = "recipe: tea\nsteps: [boil: { litres: 1 }, pour: { cup: red }]\n";

const scenarios = `workflow: tea.yaml
scenarios:
- name: it is served
  functions: { boil: { returns: hot }, pour: { returns: { tea: 1 } } }
  expect: { status: succeeded, calls: [boil: { litres: 1 }, pour: { cup: red }], output: { tea: 1 } }
- name: the kettle is broken
  targets: [sheets, typescript, asl]
  functions: { boil: { throws: { name: Broken, message: no } } }
  expect: { status: failed, error: { name: Broken, message: no }, calls: [boil: { litres: 1 }] }
`;

const configuration = `functions:
  boil: { sheets: { tool: kettle }, asl: { activity: "arn:aws:states:eu-west-1:123456789012:activity:boil" } }
targets: { sheets: { title: Tea } }
`;

const files = { "tea.yaml": tea, "scenarios.yaml": scenarios, "waybill.config.yaml": configuration };

/** Runs the command with the toys in a folder with files. */
async function waybill(
  args: readonly string[],
  contents: { readonly [path: string]: string } = files,
  cwd = folderWith(contents),
) {
  let [out, err] = ["", ""];
  const terminal = {
    stdin: Readable.from([""]),
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    color: false,
    cwd,
    debug: true,
  };
  return { status: await main(args, terminal, registry), out, err };
}

test("the library compiles the new language to the new target", async () => {
  const input = { sources: [{ path: "tea.yaml", text: tea }], options: { sugar: "much" } };
  const { files: made, diagnostics, metrics } = await compileWith(input, registry.languages, sheets);
  expect(diagnostics).toEqual([]);
  expect(made.map(({ path, text }) => [path, JSON.parse(text)])).toEqual([
    [
      "tea.sheet.json",
      {
        id: "tea",
        title: "tea",
        lines: [
          { call: "boil", argument: { litres: 1 } },
          { call: "pour", argument: { cup: "red" } },
          { call: "sweeten", argument: {} },
        ],
      },
    ],
  ]);
  expect(metrics).toEqual([{ workflow: "tea", name: "lines", value: 3 }]);
});

test("scenarios pass on the new target and, in the new language, on all others", { timeout: 60_000 }, async () => {
  const { status, out, err } = await waybill(["test", "scenarios.yaml", "--on", "all"]);
  expect([status, err]).toEqual([0, ""]);
  for (const runner of ["reference", "asl", "typescript", "sheets"]) {
    expect(out).toContain(`✓ it is served (${runner})`);
    expect(out).toContain(`✓ the kettle is broken (${runner})`);
  }
  expect(out).toContain("– the kettle is broken (openwhisk): skipped, not one of its targets");
});

test("an existing language compiles to the new target within its limits", async () => {
  const text =
    "id: w\nname: W\nversion: '1'\nfunctions: [{ name: f, resource: f }]\nstates:\n- { name: A, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }\n";
  const { status, err } = await waybill(["check", "w.yaml", "--target", "sheets"], { "w.yaml": text });
  expect([status, err]).toEqual([1, expect.stringContaining("w.yaml:6:11: error WB9802: A sheet cannot say `A`")]);
});

test("coverage uses the terminology of the language", async () => {
  const { status, out } = await waybill(["test", "scenarios.yaml", "--coverage"]);
  expect([status, out.slice(out.indexOf("coverage"))]).toEqual([
    0,
    "coverage\n  tea.yaml, workflow tea: 2 of 2 steps, 2 of 2 transitions\n",
  ]);
});

test("the command supports its bindings, settings and metrics", async () => {
  const { status, out, err } = await waybill(["compile", "tea.yaml", "--target", "sheets", "--stats"]);
  expect([status, err]).toEqual([0, "tea: 2 lines\ntotal: 1 file, 134 bytes\n"]);
  expect(JSON.parse(out)).toMatchObject({ title: "Tea", lines: [{ call: "boil", tool: "kettle" }, { call: "pour" }] });
  const result = await waybill(["compile", "tea.yaml", "--target", "sheets", "--set", "sheets.title=Chai"]);
  expect(JSON.parse(result.out)).toMatchObject({ title: "Chai" });
});

test.each<[string, string, RegExp]>([
  [
    "another's member",
    "functions: { boil: { asl: { tool: kettle } } }",
    /error WB0511: `tool` is a setting of target sheets/,
  ],
  [
    "no target",
    "functions: { boil: { tool: kettle } }",
    /warning WB0510: .*\n.*\n.*\n {2}hint: Nest it under its target: `sheets: \{ tool: … \}`\./,
  ],
  ["a setting that is none", "targets: { sheets: { tilte: Tea } }", /error WB1007: `tilte` /],
])("errors in its configuration are reported: %s", async (_, text, wanted) => {
  const { err } = await waybill(["check", "tea.yaml"], { ...files, "waybill.config.yaml": `${text}\n` });
  expect(err).toMatch(wanted);
});

test("the new target translates expressions and has a command", async () => {
  expect(await waybill(["eval", "12", "--as", "sheet"])).toEqual({ status: 0, out: "12\n", err: "" });
  expect((await waybill(["eval", ".a", "--as", "sheet"])).err).toContain("WB9802");
  expect(await waybill(["sheets", "count", "a", "--b", "c"])).toEqual({ status: 0, out: "3: a --b c\n", err: "" });
});

test("run uses the first target with an engine", async () => {
  let out = "";
  const terminal = {
    stdin: Readable.from([""]),
    out: (text: string) => {
      out += text;
    },
    err: () => {},
    color: false,
    cwd: folderWith(files),
    debug: true,
  };
  expect(await main(["run", "tea.yaml"], terminal, { languages: [recipes], targets: [sheets] })).toBe(0);
  expect(JSON.parse(out)).toEqual({ call: "pour", argument: { cup: "red" } });
});

test("list includes the new language and target", async () => {
  const { out } = await waybill(["list"]);
  expect(out).toMatch(/ {2}recipes +recipes, for tests\n {4}--option sugar=none \(default\) \| much\n/);
  expect(out).toMatch(/ {2}sheets +sheets of calls, for tests\n/);
});

test("a program on the new host runs, with the files and README of the host", { timeout: 60_000 }, async () => {
  const bound = "typescript: { module: ./kitchen.ts#make }";
  const contents = {
    "tea.yaml": tea,
    "kitchen.ts": "export const make = () => ({ tea: 1 });\n",
    "waybill.config.yaml": `functions: { boil: { ${bound} }, pour: { ${bound} }, sweeten: { ${bound} } }\n`,
  };
  const folder = folderWith(contents);
  const args = ["compile", "tea.yaml", "--target", "typescript", "--set", "typescript.host=notebook", "--out", "app"];
  expect((await waybill(args, contents, folder)).status).toBe(0);
  const app = join(folder, "app");
  const read = (path: string): string => readFileSync(join(app, path), "utf8");
  expect(read("cover.txt")).toContain("tea\n");
  expect(read("README.md")).toContain("Runs are kept in a notebook. The program can be killed");
  expect(JSON.parse(read("tsconfig.json")).exclude).toContain("pages");
  const started = spawnSync(process.execPath, ["main.ts", "start", "tea", "--input", "{}", "--wait"], {
    cwd: app,
    encoding: "utf8",
  });
  expect(JSON.parse(started.stdout)).toEqual({ tea: 1 });
  expect(existsSync(join(app, "runs.db"))).toBe(false);
  const bundled = join(folder, "bundled.mjs");
  const options = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
  await build({ ...options, entryPoints: [join(app, "main.ts")], outfile: bundled, logLevel: "silent" });
  const ran = spawnSync(process.execPath, [bundled, "start", "tea", "--input", "{}", "--wait"], { encoding: "utf8" });
  expect(JSON.parse(ran.stdout)).toEqual({ tea: 1 });
});

test("the setting of the host accepts the new host and reports other names", async () => {
  const { status, err } = await waybill([
    "check",
    "tea.yaml",
    "--target",
    "typescript",
    "--set",
    "typescript.host=slate",
  ]);
  expect([status, err]).toEqual([2, expect.stringContaining("`sqlite`, `dbos`, `lambda`, `restate` or `notebook`")]);
});

test("loops are reported on the new host, with the hosts that have no such limit", async () => {
  const text =
    "id: w\nname: W\nversion: '1'\nstates:\n- { name: A, type: delay, timeDelay: PT1S, start: { kind: default }, transition: { nextState: B } }\n- name: B\n  type: switch\n  dataConditions: [{ path: $.stop, value: 'yes', operator: equals, transition: { nextState: C } }]\n  default: { nextState: A }\n- { name: C, type: inject, end: { kind: default } }\n";
  const { err } = await waybill(["check", "w.yaml", "--target", "typescript", "--set", "typescript.host=notebook"], {
    "w.yaml": text,
  });
  expect(err).toContain(
    "warning WB5319: Every iteration of this loop extends the journal of the run, and a notebook has 80 pages.",
  );
  const unlimited = hosts.filter(({ limits }) => limits.journal === undefined).map(({ name }) => `\`${name}\``);
  expect(err).toContain(`use the host ${unlimited.join(" or ")}, which discard completed ones`);
});
