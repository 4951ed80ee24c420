import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

const flow = `id: parcel
name: Parcel
version: '1.0'
functions: [{ name: pack, resource: pack }, { name: send, resource: send }]
states:
- name: Decide
  type: switch
  start: { kind: default }
  dataConditions: [{ path: $.size, value: large, operator: Equals, transition: { nextState: Pack } }]
  default: { nextState: Send }
- name: Pack
  type: operation
  actions: [{ functionRef: { refName: pack } }]
  end: { kind: default }
- name: Send
  type: operation
  actions: [{ functionRef: { refName: send } }]
  end: { kind: default }
`;
const scenarios = `workflow: flow.yaml
scenarios:
- { name: small ones are sent, input: { size: small }, expect: { status: succeeded } }
`;
const folder = () => folderWith({ "flow.yaml": flow, "scenarios.yaml": scenarios });

test("draws a workflow as SVG on standard output", async () => {
  const { status, out, err } = await waybill(folder(), ["graph", "flow.yaml"]);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toMatch(/^<svg .*<\/svg>\n$/s);
});

test.each([
  [["--format", "mermaid"], "flowchart TD\n"],
  [["--format", "dot"], 'digraph "parcel" {\n'],
])("%j", async (flags, start) => {
  const { status, out } = await waybill(folder(), ["graph", "flow.yaml", ...flags]);
  expect(status).toBe(0);
  expect(out.startsWith(start)).toBe(true);
});

test.each([
  ["flow.svg", "<svg "],
  ["flow.mmd", "flowchart TD\n"],
  ["flow.gv", "digraph "],
])("the extension of %s is the format", async (path, start) => {
  const cwd = folder();
  expect(await waybill(cwd, ["graph", "flow.yaml", "--out", path])).toEqual({ status: 0, out: "", err: "" });
  expect(readFileSync(join(cwd, path), "utf8").startsWith(start)).toBe(true);
});

test("another extension requires a format", async () => {
  const cwd = folder();
  const { status, err } = await waybill(cwd, ["graph", "flow.yaml", "--out", "flow.png"]);
  const known = ".svg, .mmd, .mermaid, .dot, .gv";
  expect(err).toBe(`--out must end with one of ${known} if --format is omitted, not \`flow.png\`.\n`);
  expect(status).toBe(2);
  expect((await waybill(cwd, ["graph", "flow.yaml", "--out", "flow", "--format", "dot"])).status).toBe(0);
});

test("marks the path of a scenario and what no scenario reaches", async () => {
  const args = ["graph", "flow.yaml", "--scenario", "small ones are sent"];
  const { status, out, err } = await waybill(folder(), args);
  expect(status).toBe(0);
  expect(err).toBe("1 scenario covers 4 of 5 nodes, 3 of 5 transitions.\n");
  const classesOf = (id: string) => new RegExp(`class="([^"]*)"[^>]* data-(?:node|edge)="${id}"`).exec(out)?.[1];
  expect(classesOf("Send")).toBe("wb-node wb-call is-taken is-covered");
  expect(classesOf("Pack")).toBe("wb-node wb-call is-unreached");
  expect(classesOf("Decide→Send otherwise")).toBe("wb-edge wb-otherwise is-taken is-covered");
  expect(classesOf("Decide→Pack case")).toBe("wb-edge wb-case is-unreached");
  const mermaid = await waybill(folder(), [...args, "--format", "mermaid"]);
  expect(mermaid.out).toContain("  class n1,n2,n4,n5 mark0\n");
  expect(mermaid.out).toContain("  class n3 mark1\n");
});

test.each([
  [
    ["--scenario", "small ones are send"],
    "Unknown scenario `small ones are send`. Did you mean `small ones are sent`?\n",
  ],
  [["--workflow", "parcels"], "Unknown workflow `parcels`. Did you mean `parcel`?\n"],
  [["--format", "png"], "--format must be one of svg, mermaid, dot, not `png`.\n"],
  [["--scenarios", "scenarios.yaml"], "--scenarios requires --scenario.\n"],
])("%j is an error", async (flags, message) => {
  const { status, out, err } = await waybill(folder(), ["graph", "flow.yaml", ...flags]);
  expect({ status, out, err }).toEqual({ status: 2, out: "", err: message });
});

test("the scenarios of the project are found", async () => {
  const cwd = folderWith({
    "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: build }]\nscenarios: [runs]\n",
    "flows/flow.yaml": flow,
    "runs/parcel.yaml": scenarios.replace("flow.yaml", "../flows/flow.yaml"),
  });
  const { status, err } = await waybill(cwd, ["graph", "flows/flow.yaml", "--scenario", "small ones are sent"]);
  expect({ status, err }).toEqual({ status: 0, err: "1 scenario covers 4 of 5 nodes, 3 of 5 transitions.\n" });
});

test("a workflow without scenarios", async () => {
  const cwd = folderWith({ "flow.yaml": flow });
  const { status, err } = await waybill(cwd, ["graph", "flow.yaml", "--scenario", "any"]);
  const message =
    "There are no scenarios for workflow `parcel` next to its definition or in its project. Name their files with --scenarios.\n";
  expect({ status, err }).toEqual({ status: 2, err: message });
});

test("a definition with errors is reported and not drawn", async () => {
  const cwd = folderWith({ "flow.yaml": flow.replace("nextState: Send", "nextState: Sent") });
  const { status, out, err } = await waybill(cwd, ["graph", "flow.yaml"]);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("error WB2001: Unknown state `Sent`.");
});

test("a file that cannot be written", async () => {
  const { status, err } = await waybill(folder(), ["graph", "flow.yaml", "--out", "none/flow.svg"]);
  expect(status).toBe(1);
  expect(err).toMatch(/^Cannot write none\/flow\.svg: /);
});

test("the picture of the documentation is up to date", async () => {
  const root = join(import.meta.dirname, "../..");
  const definition = "golden/serverless-workflow/order-process/workflow.yaml";
  const { out } = await waybill(root, ["graph", definition, "--scenario", "two lines are shipped"]);
  const path = join(root, ".github/order-process.svg");
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, out);
  expect(out).toBe(readFileSync(path, "utf8"));
});
