import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { broken, folderWith, greeting, waybill } from "./command.ts";

const changed = greeting().replace("hello: world", "hello: moon");
const scenarios = `workflow: old.yaml
scenarios:
- { name: greets, expect: { status: succeeded, output: { hello: world } } }
`;

test("status 0 without differences, 1 with differences", async () => {
  const cwd = folderWith({ "old.yaml": greeting(), "same.yaml": `# same\n${greeting()}`, "new.yaml": changed });
  expect(await waybill(cwd, ["diff", "old.yaml", "same.yaml"])).toEqual({
    status: 0,
    out: "workflow greet (old.yaml → same.yaml): no differences\n",
    err: "",
  });
  const { status, out, err } = await waybill(cwd, ["diff", "old.yaml", "new.yaml"]);
  expect({ status, err }).toEqual({ status: 1, err: "" });
  expect(out).toBe(`workflow greet (old.yaml → new.yaml)
  ~ inject state Greet  old.yaml:5 → new.yaml:5
      data: assign($, {"hello":"world"}) → assign($, {"hello":"moon"})
  1 difference: 1 changed
`);
});

test.each([
  [["diff", "old.yaml", "broken.yaml"], /error WB/],
  [["diff", "old.yaml", "missing.yaml"], /missing\.yaml/],
  [["diff", "old.yaml"], /`waybill diff` requires the old and the new definitions\./],
  [["diff", "old.yaml", "old.yaml", "old.yaml"], /takes two arguments, not old\.yaml, old\.yaml, old\.yaml/],
  [["diff", "old.yaml", "old.yaml", "--format", "svg"], /--format must be one of text, json, markdown/],
  [["diff", "HEAD:old.yaml", "old.yaml"], /^Cannot read `HEAD:old\.yaml`: /],
])("%j: status 2", async (args, message) => {
  const cwd = folderWith({ "old.yaml": greeting(), "broken.yaml": broken });
  const { status, out, err } = await waybill(cwd, args);
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(err).toMatch(message);
});

test("JSON", async () => {
  const cwd = folderWith({ "old.yaml": greeting(), "new.yaml": changed });
  const { out } = await waybill(cwd, ["diff", "old.yaml", "new.yaml", "--format", "json"]);
  expect(JSON.parse(out)).toMatchObject({
    version: 1,
    isEqual: false,
    workflows: [
      {
        kind: "changed",
        old: { id: "greet", language: "serverless-workflow", at: { path: "old.yaml" } },
        changes: [
          {
            kind: "changed",
            noun: "inject state",
            name: "Greet",
            old: { path: "old.yaml", line: 5 },
            new: { path: "new.yaml", line: 5 },
            details: [{ aspect: "data", kind: "changed", text: "data" }],
          },
        ],
      },
    ],
    scenarios: [],
    stats: [],
  });
});

test("scenarios report changed outcomes, and --stats a table", async () => {
  const cwd = folderWith({ "old.yaml": greeting(), "new.yaml": changed, "s.yaml": scenarios });
  const { status, out } = await waybill(cwd, ["diff", "old.yaml", "new.yaml", "--scenarios", "s.yaml", "--stats"]);
  expect(status).toBe(1);
  expect(out).toContain(`scenarios: 0 of 1 have the same calls, events and outcome
  ~ greets
      output: {"hello":"world"} → {"hello":"moon"}
`);
  expect(out).toMatch(/^ +old +new +change\nstates +1 +1 +0\n/m);
  expect(out).toMatch(/^transitions: greets +1 +1 +0$/m);
});

test("--scenarios alone runs those of the definitions and of their project, which need not expect anything", async () => {
  const cwd = folderWith({
    "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: build }]\nscenarios: [runs]\n",
    "flows/old.yaml": greeting(),
    "new.yaml": changed,
    "runs/old.yaml": "workflow: ../flows/old.yaml\nscenarios:\n- name: greets\n",
    "runs/other.yaml": "workflow: ../flows/other.yaml\nscenarios:\n- name: other\n",
  });
  const { out, err } = await waybill(cwd, ["diff", "flows/old.yaml", "new.yaml", "--scenarios"]);
  expect(err).toBe("");
  expect(out).toContain("scenarios: 0 of 1 have the same calls, events and outcome\n  ~ greets\n");
  expect(await waybill(cwd, ["diff", "new.yaml", "new.yaml", "--scenarios"])).toEqual({
    status: 2,
    out: "",
    err: "There are no scenarios for these definitions. Name their files with --scenarios.\n",
  });
  const missing = await waybill(cwd, ["diff", "new.yaml", "new.yaml", "--scenarios", "none.yaml"]);
  expect(missing.status).toBe(2);
  expect(missing.err).toContain("none.yaml");
});

test("the options of scenarios apply to the definitions, unless flags say otherwise", async () => {
  const definition = (name: string) => `id: greet
specVersion: '0.8'
functions: [{ name: greet, type: custom, operation: greet }]
states:
- { name: Greet, type: operation, actions: [{ functionRef: { refName: greet, arguments: { name: ${name} } } }], end: true }
`;
  const cwd = folderWith({
    "old.yaml": definition(".name"),
    "new.yaml": definition(`"$\{ .name }"`),
    "s.yaml": `workflow: old.yaml
options: { dialect: sonataflow }
scenarios: [{ name: greets, input: { name: Ada }, functions: { greet: { returns: {} } } }]
`,
  });
  const compare = (...flags: readonly string[]) =>
    waybill(cwd, ["diff", "old.yaml", "new.yaml", "--scenarios", "s.yaml", ...flags]);
  const { out } = await compare();
  expect(out).toContain("no differences\n");
  expect(out).toContain("scenarios: 1 of 1 have the same calls, events and outcome");
  expect((await compare("--option", "dialect=spec")).out).toContain("scenarios: 0 of 1");
});

test("a workflow of neither program is the same with and without a namespace", async () => {
  const cwd = folderWith({
    "old.yaml": `id: order
specVersion: '0.8'
states: [{ name: Pay, type: operation, actions: [{ subFlowRef: payment }], end: true }]
`,
    "s.yaml": `workflow: old.yaml
scenarios: [{ name: pays, input: { id: 1 }, functions: { payment: { returns: { paid: true } } } }]
`,
  });
  await waybill(cwd, ["migrate", "old.yaml", "--namespace", "shop", "--out", "new.yaml"]);
  const { out } = await waybill(cwd, ["diff", "old.yaml", "new.yaml", "--scenarios", "s.yaml"]);
  expect(out).toContain("scenarios: 1 of 1 have the same calls, events and outcome");
});

test("--target requires --stats", async () => {
  const cwd = folderWith({ "old.yaml": greeting() });
  expect(await waybill(cwd, ["diff", "old.yaml", "old.yaml", "--target", "asl"])).toEqual({
    status: 2,
    out: "",
    err: "--target requires --stats.\n",
  });
});

test("Markdown contains a flowchart with marks", async () => {
  const cwd = folderWith({ "old.yaml": greeting(), "new.yaml": changed });
  const { out } = await waybill(cwd, ["diff", "old.yaml", "new.yaml", "--format", "markdown"]);
  expect(out).toContain("- changed: **inject state Greet** (`old.yaml:5 → new.yaml:5`)\n");
  expect(out).toMatch(/```mermaid\nflowchart TD\n[\s\S]* {2}class n2 mark4\n```\n$/);
});

test("revisions of a Git repository", async () => {
  const cwd = folderWith({ "flows/old.yaml": greeting(), "flows/other.json": "{}" });
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd });
  git("init", "--quiet", ".");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "first");
  writeFileSync(join(cwd, "flows/old.yaml"), changed);
  for (const old of ["HEAD:flows/old.yaml", "HEAD:./flows/old.yaml", "HEAD:flows", "HEAD:"]) {
    const { status, out } = await waybill(cwd, ["diff", old, "flows/old.yaml"]);
    expect({ status, title: out.split("\n")[0] }).toEqual({
      status: 1,
      title: "workflow greet (HEAD:flows/old.yaml → flows/old.yaml)",
    });
  }
  const alone = await waybill(join(cwd, "flows"), ["diff", "HEAD", "old.yaml"]);
  expect(alone.out.split("\n")[0]).toBe("workflow greet (HEAD:old.yaml → old.yaml)");
  expect((await waybill(cwd, ["diff", "HAED", "flows/old.yaml"])).err).toMatch(/Cannot read this file/);
  const option = "--output=stolen:flows/old.yaml";
  expect((await waybill(cwd, ["diff", option, "flows/old.yaml"])).err).toMatch(/^Unknown option/);
  expect(await waybill(cwd, ["diff", "--", option, "flows/old.yaml"])).toMatchObject({ status: 2, out: "" });
  expect(readdirSync(cwd)).not.toContain("stolen");
  expect(await waybill(cwd, ["diff", "HEAD:none.yaml", "flows/old.yaml"])).toMatchObject({ status: 2, out: "" });
});
