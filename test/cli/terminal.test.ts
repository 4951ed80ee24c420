import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { silentTerminal, type Terminal } from "../../src/cli/terminal.ts";
import { broken, doubtful, folderWith, greeting } from "./command.ts";

/** Runs the command on a terminal of 80 columns, whose standard output may go elsewhere. */
async function onTerminal(
  files: { readonly [path: string]: string },
  args: readonly string[],
  more: Partial<Terminal> = {},
): Promise<{ readonly status: number; readonly out: string; readonly err: string }> {
  let [out, err] = ["", ""];
  const status = await main(args, {
    ...silentTerminal(folderWith(files)),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    progressColumns: 80,
    ...more,
  });
  return { status, out, err };
}

describe("check", () => {
  const files = { "a.yaml": greeting("a"), "b.yaml": greeting("b") };

  test("reports what it checked", async () => {
    const { status, out, err } = await onTerminal(files, ["check", "."]);
    expect({ status, out }).toEqual({ status: 0, out: "" });
    expect(err).toMatch(/^Checked 2 definitions in \d+\.\d\d s\.\n$/);
  });

  test("reports what it checked of projects", async () => {
    const { err } = await onTerminal({ ...files, "waybill.config.yaml": "sources: [a.yaml]\n" }, ["check"]);
    expect(err).toMatch(/^Checked 1 definition in \d+\.\d\d s\.\n$/);
  });

  test("counts the definitions of a file, not the file", async () => {
    const machine = `Type: AWS::StepFunctions::StateMachine
    Properties: { Definition: { StartAt: A, States: { A: { Type: Pass, End: true } } } }`;
    const template = `Resources:\n  One:\n    ${machine}\n  Two:\n    ${machine}\n`;
    const { err } = await onTerminal({ "template.yaml": template }, ["check", "template.yaml"]);
    expect(err).toMatch(/^Checked 2 definitions in \d+\.\d\d s\.\n$/);
    const project = { "template.yaml": template, "waybill.config.yaml": "sources: [template.yaml]\n" };
    expect((await onTerminal(project, ["check"])).err).toMatch(/^Checked 2 definitions in /);
  });

  test("does so after warnings, and not after errors", async () => {
    expect((await onTerminal({ "a.yaml": doubtful }, ["check", "a.yaml"])).err).toMatch(
      /\n\n1 warning\nChecked 1 definition in \d+\.\d\d s\.\n$/,
    );
    expect((await onTerminal({ "a.yaml": doubtful }, ["check", "a.yaml", "--strict"])).err).toMatch(/\n\n1 warning\n$/);
    expect((await onTerminal({ "a.yaml": broken }, ["check", "a.yaml"])).err).toMatch(/\n\n1 error\n$/);
  });

  test.each([[["--quiet"]], [["--format", "json"]], [["--format", "sarif"]]])("is silent with %j", async (flags) => {
    expect((await onTerminal(files, ["check", ".", ...flags])).err).toBe("");
  });
});

const scenarios = "workflow: ./a.yaml\nscenarios:\n- { name: one, expect: { status: failed } }\n";

test("output that is redirected to a file has no colors, unless it must", async () => {
  const files = { "a.yaml": greeting("a"), "scenarios.yaml": scenarios };
  const colors = async (args: readonly string[], more: Partial<Terminal>) =>
    (await onTerminal(files, ["test", "scenarios.yaml", ...args], more)).out.includes("\u001b[");
  expect(await colors([], { color: true })).toBe(true);
  expect(await colors([], { color: true, outputColor: false })).toBe(false);
  expect(await colors([], { color: false, outputColor: true })).toBe(true);
  expect(await colors(["--color"], { color: false, outputColor: false })).toBe(true);
  expect(await colors(["--no-color"], { color: true, outputColor: true })).toBe(false);
});
