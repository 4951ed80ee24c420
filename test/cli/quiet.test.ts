import { describe, expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

// Accepted configuration takes effect or is reported at its location.

const workflow = (id: string) => `id: ${id}
name: Greet
version: '1.0'
functions: [{ name: greet }]
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet } }]
  end: { kind: default }
`;

const bound = `functions: { greet: { asl: { lambda: "\${GreetArn}" }, typescript: { module: ./a.ts#b } } }\n`;

/** The first lines of diagnostics. */
async function diagnosticsOf(
  files: { readonly [path: string]: string },
  args: readonly string[],
): Promise<readonly string[]> {
  const { err } = await waybill(folderWith(files), args);
  return err.split("\n").filter((line) => /^\S.* WB\d{4}: |^--/.test(line));
}

test("a function that the configuration binds needs no resource in the definition", async () => {
  const check = ["check", "a.yaml", "--strict"];
  expect(await diagnosticsOf({ "a.yaml": workflow("a"), "waybill.config.yaml": bound }, check)).toEqual([]);
  expect(await diagnosticsOf({ "a.yaml": workflow("a") }, check)).toEqual([
    "a.yaml:4:21: warning WB2113: Function `greet` has no `resource`; its location must be supplied at deployment.",
  ]);
});

describe("settings on the command line", () => {
  test.each([
    [["--target", "typescript"], "This is a setting of target asl. The selected target is typescript."],
    [[], "This is a setting of target asl. Add `--target asl`."],
  ])("for another target: %j", async (args, message) => {
    const set = "asl.partition=aws-cn";
    const { status, err } = await waybill(folderWith({ "a.yaml": workflow("a"), "waybill.config.yaml": bound }), [
      "check",
      "a.yaml",
      ...args,
      "--set",
      set,
    ]);
    expect({ status, err }).toEqual({ status: 2, err: `--set ${set}: ${message}\n` });
  });

  test("a name with dots is a path, and keeps the other members", async () => {
    const bound = "targets: { asl: { template: sam, eventsTable: { deletionProtection: true, keepEvents: 60 } } }\n";
    const files = { "a.yaml": workflow("a"), "waybill.config.yaml": bound };
    const check = ["check", "a.yaml", "--target", "asl", "--set"];
    expect(await diagnosticsOf(files, [...check, "asl.eventsTable.keepEvents=120"])).toEqual(
      await diagnosticsOf(files, ["check", "a.yaml"]),
    );
    const { status, err } = await waybill(folderWith(files), [...check, "asl.eventsTable.keepEvents=soon"]);
    const message = "`keepEvents` must be an integer, not a string. Write a number, such as `3`.";
    expect({ status, err }).toEqual({ status: 2, err: `--set asl.eventsTable.keepEvents=soon: ${message}\n` });
  });

  test.each([
    [[], "waybill.config.yaml:1:19", "remove `tags`"],
    [["--set", "asl.tags.stage=test"], "waybill.config.yaml:1:19", "remove `tags`"],
    [["--set", "asl.kmsKey=arn:aws:kms:eu-west-1:123456789012:key/k"], "a.yaml:1:5", "remove `--set asl.kmsKey`"],
  ])("a setting without effect is located in the configuration unless it is a flag: %j", async (set, place, hint) => {
    const files = { "a.yaml": workflow("a"), "waybill.config.yaml": "targets: { asl: { tags: { team: orders } } }\n" };
    const { err } = await waybill(folderWith(files), ["check", "a.yaml", "--target", "asl", ...set]);
    const found = err.split("\n\n").filter((each) => each.includes("WB5132"));
    expect(found.filter((each) => each.startsWith(`${place}: warning WB5132`) && each.includes(hint))).toHaveLength(1);
    expect(found).toHaveLength(place.startsWith("a.yaml") ? 2 : 1);
  });
});

describe("scenarios", () => {
  const scenarios = (file: string, scenario: string) => ({
    "a.yaml": workflow("a"),
    "s.yaml": `workflow: ./a.yaml\n${file}scenarios:\n- { name: one, input: {}, ${scenario}, functions: { greet: { returns: null } } }\n`,
  });
  const testDiagnostics = async (file: string, scenario: string) => {
    const { out, err } = await waybill(folderWith(scenarios(file, scenario)), ["test", "s.yaml"]);
    return (out + err).split("\n").flatMap((line) => line.trim().match(/^s\.yaml:.*/) ?? []);
  };

  test.each([
    ["language: yaml\n", "expect: { status: succeeded }", "2:11: error WB0101"],
    ["secrets: { a: { b: c } }\n", "expect: { status: succeeded }", "2:17: warning WB6009"],
    ["subflows: { b: ./a.yaml }\n", "expect: { status: succeeded }", "2:13: warning WB6010"],
    ["", "secrets: { a: { b: c } }, expect: { status: succeeded }", "3:43: warning WB6009"],
    ["", "expect: { status: succeeded, maybe: [{ gret: {} }] }", "3:66: warning WB6008"],
  ])("%j %j", async (file, scenario, place) => {
    const lines = await testDiagnostics(file, scenario);
    expect(lines.map((line) => line.slice("s.yaml:".length, "s.yaml:".length + place.length))).toEqual([place]);
  });
});
