import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createContext } from "../../src/index.ts";
import { folderWith, waybill } from "../cli/command.ts";

// The toy language and target as a plug-in of a project: every command treats them like those of Waybill. Commands that
// run scenarios are processes of their own, which share modules with the plug-in like the installed command does.

const root = join(import.meta.dirname, "../..");

/** From the folder of any test. */
const plugin = relative(join(tmpdir(), "folder"), join(import.meta.dirname, "plugin.ts")).replaceAll("\\", "/");

const project = {
  "waybill.config.yaml": `plugins: [${plugin}]
sources: [flows]
scenarios: [scenarios]
outputs: [{ target: sheets, out: sheets }, { target: asl, out: machines }]
functions:
  boil: { sheets: { tool: kettle }, asl: { activity: "arn:aws:states:eu-west-1:123456789012:activity:boil" } }
targets: { sheets: { title: Tea } }
`,
  "flows/tea.yaml": "recipe: tea\nsteps: [boil: { litres: 1 }, pour: { cup: red }]\n",
  "scenarios/tea.yaml": `workflow: ../flows/tea.yaml
scenarios:
- name: it is served
  functions: { boil: { returns: hot }, pour: { returns: { tea: 1 } } }
  expect: { status: succeeded, calls: [boil: { litres: 1 }, pour: { cup: red }], output: { tea: 1 } }
- name: the kettle is broken
  targets: [sheets]
  functions: { boil: { throws: { name: Broken, message: no } } }
  expect: { status: failed, error: { name: Broken, message: no }, calls: [boil: { litres: 1 }] }
`,
};

/** Runs the command in a process. */
function command(cwd: string, ...args: readonly string[]): { readonly status: number | null; readonly out: string } {
  const bin = join(root, "src/cli/bin.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", bin, ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status, out: stdout + stderr };
}

describe("a project with the plug-in", () => {
  test("is checked and built, for the new target and for others", { timeout: 60_000 }, async () => {
    const folder = folderWith(project);
    expect(await waybill(folder, ["check"])).toMatchObject({ status: 0 });
    expect(await waybill(folder, ["build"])).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, "sheets/tea.sheet.json"))).toBe(true);
    expect(existsSync(join(folder, "machines/tea.asl.json"))).toBe(true);
    expect(await waybill(folder, ["build", "--check"])).toMatchObject({ status: 0 });
    expect(await waybill(folder, ["build", "--target", "sheets"])).toMatchObject({ status: 0 });
  });

  test("passes its scenarios on all targets", { timeout: 60_000 }, () => {
    const { status, out } = command(folderWith(project), "test", "--on", "all");
    for (const runner of ["reference", "asl", "openwhisk", "typescript", "sheets"])
      expect(out).toContain(`✓ it is served (${runner})`);
    expect(out).toContain("✓ the kettle is broken (sheets)");
    expect(status).toBe(0);
  });

  test("has its names in options, lists and commands of targets", { timeout: 60_000 }, async () => {
    const folder = folderWith(project);
    const compiled = await waybill(folder, [
      ...["compile", "flows/tea.yaml", "--from", "recipes", "--target", "sheets"],
      ...["--option", "sugar=much", "--set", "sheets.title=Chai"],
    ]);
    expect(compiled.err).toBe("");
    expect(JSON.parse(compiled.out)).toMatchObject({
      title: "Chai",
      lines: [{ call: "boil", tool: "kettle" }, { call: "pour" }, { call: "sweeten" }],
    });
    expect((await waybill(folder, ["list"])).out).toMatch(/ {2}sheets +sheets of calls, for tests\n/);
    expect((await waybill(folder, ["sheets", "count", "a"])).out).toBe("1: a\n");
  });

  test("is built from a folder above it and by file, but is unknown elsewhere", { timeout: 60_000 }, async () => {
    const nested = Object.fromEntries(Object.entries(project).map(([path, text]) => [`team/${path}`, text]));
    nested["team/waybill.config.yaml"] = project["waybill.config.yaml"].replace(plugin, `../${plugin}`);
    const folder = folderWith({ ...nested, "tea.yaml": project["flows/tea.yaml"] });
    expect(await waybill(folder, ["build"])).toMatchObject({ status: 0 });
    expect(await waybill(folder, ["compile", "team/flows/tea.yaml", "--target", "sheets"])).toMatchObject({
      status: 0,
    });
    expect((await waybill(folder, ["check", "tea.yaml"])).err).toContain("WB0102");
  });

  test("may take the plug-in from a configuration that it extends", { timeout: 60_000 }, async () => {
    const { "waybill.config.yaml": own, ...others } = project;
    const [first = "", ...rest] = own.split("\n");
    const extending = `extends: shared/base.yaml\n${rest.join("\n")}`;
    const base = `${first.replace(plugin, `../${plugin}`)}\n`;
    const folder = folderWith({ ...others, "waybill.config.yaml": extending, "shared/base.yaml": base });
    expect(await waybill(folder, ["build"])).toMatchObject({ status: 0 });
    expect(await waybill(folder, ["check", "flows/tea.yaml", "--target", "sheets"])).toMatchObject({ status: 0 });
  });

  test("opens as a context", { timeout: 60_000 }, async () => {
    const context = await createContext({ cwd: folderWith(project) });
    const { ok, diagnostics, outputs } = await context.build();
    await context.dispose();
    expect([ok, diagnostics, outputs.map(({ target, changed }) => [target, changed[0]])]).toEqual([
      true,
      [],
      [
        ["sheets", "tea.sheet.json"],
        ["asl", "tea.asl.json"],
      ],
    ]);
  });
});

test.each<[text: string, reason: string]>([
  ["export default {};", "it is not an object with a `name`"],
  ["export default { name: 'a' };", "it has neither `languages` nor `targets`"],
  [
    "export default { name: 'a', targets: [{ name: 'b' }] };",
    "of its `targets`, one has no `summary` that is a string",
  ],
  [
    "export default { name: 'a', targets: [{ name: 'asl', summary: '', generate() {}, emit() {} }] };",
    "of its `targets`, the name `asl` exists already",
  ],
  ["export default { name: 'a', languages: [{ name: 'B' }] };", "of its `languages`, one has no `summary`"],
  ["throw new RangeError('no paper');", "it throws RangeError: no paper"],
  ["import 'no-such-package';", "cannot find package 'no-such-package'"],
  ["await 1; export default {};", "it has a top-level `await`"],
  ["export default {", "it throws SyntaxError"],
])("an unusable plug-in is reported at its entry: %s", async (text, reason) => {
  const folder = folderWith({
    "paper.mjs": text,
    "waybill.config.yaml": "plugins:\n- ./paper.mjs\n",
    "tea.yaml": "recipe: tea\n",
  });
  const { status, err } = await waybill(folder, ["check", "tea.yaml"]);
  expect(status).toBe(1);
  expect(err).toContain(`waybill.config.yaml:2:3: error WB0540: Cannot use the plug-in \`./paper.mjs\`: ${reason}`);
});

test("entries other than paths and packages are reported", async () => {
  const folder = folderWith({ "waybill.config.yaml": "plugins: [/etc/a.mjs, 7, '']\n", "tea.yaml": "recipe: tea\n" });
  const { err } = await waybill(folder, ["check", "tea.yaml"]);
  expect(err.match(/error WB0502: An entry of `plugins` must be a path that starts with/g)).toHaveLength(3);
});

describe("the schema of the configuration for editors", () => {
  const schema = JSON.parse(readFileSync(join(root, "schema/configuration.schema.json"), "utf8"));
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const configuration = {
    sources: ["flows"],
    outputs: [{ target: "sheets", out: "sheets", settings: { title: "Tea" } }],
    functions: { boil: { sheets: { tool: "kettle" } } },
    targets: { sheets: { title: "Tea" } },
  };

  test("accepts targets of plug-ins, and without plug-ins only those of Waybill", () => {
    expect(validate({ plugins: ["./paper.mjs"], ...configuration })).toBe(true);
    expect(validate(configuration)).toBe(false);
    expect(validate({ outputs: [{ target: "sheets", out: "a" }], sources: ["a"] })).toBe(false);
    expect(validate({ targets: { sheets: {} } })).toBe(false);
    expect(validate({ functions: { a: { sheets: {} } } })).toBe(false);
    expect(
      validate({ sources: ["a"], outputs: [{ target: "asl", out: "a" }], functions: { a: { trust: "types" } } }),
    ).toBe(true);
  });
});

test("commands that read no definitions do not run the code of plug-ins", async () => {
  const folder = folderWith({ "paper.mjs": "throw 1;", "waybill.config.yaml": "plugins: [./paper.mjs]\n" });
  expect(await waybill(folder, ["explain", "WB0540"])).toMatchObject({ status: 0, err: "" });
  expect(await waybill(folder, ["check", "--help"])).toMatchObject({ status: 0, err: "" });
});
