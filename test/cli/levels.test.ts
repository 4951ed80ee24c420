import { describe, expect, test } from "vitest";
import { broken, doubtful, folderWith, waybill } from "./command.ts";

/** The diagnostics and the exit status of a definition with an unknown property (WB1002, in line 3). */
async function checkYaml(configuration: string, definition: string = doubtful, ...args: readonly string[]) {
  const folder = folderWith({ "a.yaml": definition, "waybill.config.yaml": configuration });
  const { status, err } = await waybill(folder, ["compile", "a.yaml", "--target", "asl", ...args]);
  return { status, found: err.match(/^\S+:\d+:\d+: \w+ WB\d{4}/gm) ?? [] };
}

describe("the configuration sets levels of diagnostics", () => {
  test.each<[grade: string, status: number, found: readonly string[]]>([
    ["{}", 0, ["a.yaml:3:1: warning WB1002"]],
    ["{ WB1002: off }", 0, []],
    ["{ WB1002: info }", 0, ["a.yaml:3:1: info WB1002"]],
    ["{ WB1002: error }", 1, ["a.yaml:3:1: error WB1002"]],
    ["{ WB1002: loud }", 1, ["a.yaml:3:1: warning WB1002", "waybill.config.yaml:1:24: error WB0520"]],
    ["{ WB12: off }", 1, ["a.yaml:3:1: warning WB1002", "waybill.config.yaml:1:16: error WB0520"]],
    ["{ WB9999: off }", 1, ["a.yaml:3:1: warning WB1002", "waybill.config.yaml:1:16: error WB0520"]],
    ["{ WB2001: warning }", 1, ["a.yaml:3:1: warning WB1002", "waybill.config.yaml:1:16: error WB0520"]],
    ["{ WB2001: error }", 0, ["a.yaml:3:1: warning WB1002"]],
  ])("%s", async (grades, status, found) => {
    expect(await checkYaml(`diagnostics: ${grades}\n`)).toEqual({ status, found });
  });

  test("a diagnostic with level error prevents output", async () => {
    const folder = folderWith({ "a.yaml": doubtful, "waybill.config.yaml": "diagnostics: { WB1002: error }\n" });
    expect((await waybill(folder, ["compile", "a.yaml", "--target", "asl"])).out).toBe("");
  });

  test("a warning with level info does not fail --strict", async () => {
    expect((await checkYaml("diagnostics: { WB1002: info }\n", doubtful, "--strict")).status).toBe(0);
    expect((await checkYaml("", doubtful, "--strict")).status).toBe(1);
  });

  test("errors cannot be downgraded", async () => {
    expect(await checkYaml("diagnostics: { WB2001: off }\n", broken)).toEqual({
      status: 1,
      found: ["a.yaml:9:28: error WB2001", "waybill.config.yaml:1:16: error WB0520"],
    });
  });
});

describe("a comment suppresses diagnostics of the next line", () => {
  const above = (comment: string): string => doubtful.replace("owner", `${comment}\nowner`);

  test.each<[comment: string, found: readonly string[]]>([
    ["# waybill-ignore WB1002: it is for another tool", []],
    ["# waybill-ignore WB1002", []],
    ["# waybill-ignore WB4103, WB1002: both", ["a.yaml:3:18: warning WB0521"]],
    ["# waybill-ignore WB4103: WB1002", ["a.yaml:3:18: warning WB0521", "a.yaml:4:1: warning WB1002"]],
    ["# waybill-ignore WB5301: of another target", ["a.yaml:4:1: warning WB1002"]],
    ["# waybill-ignore WB1002\n", ["a.yaml:3:18: warning WB0521", "a.yaml:5:1: warning WB1002"]],
  ])("%j", async (comment, found) => {
    expect((await checkYaml("", above(comment))).found).toEqual(found);
  });

  test("but not errors", async () => {
    const definition = broken.replace("  transition:", "  # waybill-ignore WB2001: no\n  transition:");
    expect((await checkYaml("", definition)).found).toEqual(["a.yaml:10:28: error WB2001"]);
  });
});

describe("metadata suppresses diagnostics of its object", () => {
  /** The diagnostics of a JSON definition with `inputPath` for `dataOutputPath` (WB2102) in the second state. */
  async function checkJson(workflow: object, state: object): Promise<readonly string[]> {
    const [start, end] = [{ kind: "default" }, { kind: "default" }];
    const data = { a: { b: 1 } };
    const states = [
      { name: "A", type: "inject", start, data, transition: { nextState: "B" } },
      { name: "B", type: "inject", data, stateDataFilter: { dataInputPath: "$.a" }, end, ...state },
    ];
    const definition = { id: "a", name: "A", version: "1.0", states, ...workflow };
    const folder = folderWith({ "a.json": JSON.stringify(definition) });
    const { err } = await waybill(folder, ["check", "a.json"]);
    return [...err.matchAll(/(?:error|warning|info) WB\d{4}.*/g)].map(([line]) => line);
  }
  const ignoring = (codes: object) => ({ metadata: { "waybill-ignore": codes } });

  test("of the state, and of the document", async () => {
    expect(await checkJson({}, {})).toEqual([expect.stringContaining("info WB4103")]);
    expect(await checkJson({}, ignoring({ WB4103: "it is always there" }))).toEqual([]);
    expect(await checkJson(ignoring({ WB4103: "they are always there" }), {})).toEqual([]);
  });

  test("an unused suppression is reported", async () => {
    const unused = "warning WB0521: Unused suppression: the object with this `metadata` does not produce WB2004.";
    expect(await checkJson({}, ignoring({ WB4103: "why", WB2004: "why" }))).toEqual([unused]);
  });

  test("but not errors", async () => {
    const found = await checkJson(ignoring({ WB2001: "no" }), { transition: { nextState: "C" }, end: undefined });
    expect(found).toContainEqual(expect.stringContaining("error WB2001"));
  });
});
