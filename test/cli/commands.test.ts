import { describe, expect, test } from "vitest";
import { loadCatalog } from "../../src/diagnostics/renderers/catalog.ts";
import { languages } from "../languages.ts";
import { broken, folderWith, greeting, waybill } from "./command.ts";

describe("explain", () => {
  test("several codes, and words in titles and pages", async () => {
    const [both, one, other] = await Promise.all(
      [["wb2001", "2002"], ["WB2001"], ["WB2002"]].map((codes) => waybill(".", ["explain", ...codes])),
    );
    expect(both!.out).toBe(`${one!.out}\n${other!.out}`);
    const found = (await waybill(".", ["explain", "UNKNOWN", "state"])).out.trim().split("\n");
    expect(found[0]).toMatch(/^WB\d{4} \w+: .*[Uu]nknown.* state/);
    expect(found).toContain("WB2001 error: Unknown step in a transition.");
    expect(await waybill(".", ["explain", "zebra", "state"])).toEqual({
      status: 1,
      out: "",
      err: "No diagnostic is about `zebra` and `state`.\n",
    });
  });

  test("as JSON, the page of a code or a list", async () => {
    const page = JSON.parse((await waybill(".", ["explain", "WB2001", "--format", "json"])).out);
    expect(page).toMatchObject({ code: "WB2001", severity: "error", page: expect.stringContaining("# WB2001: ") });
    const list = JSON.parse((await waybill(".", ["explain", "unknown", "state", "--format", "json"])).out);
    expect(list).toContainEqual({ code: "WB2001", severity: "error", summary: "Unknown step in a transition." });
  });

  test("a code in any case prints its page", async () => {
    const { status, out, err } = await waybill(".", ["explain", "wb2001"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(
      /^WB2001 error: .+\n\nWhat it means:\n\n(?:[^ ].+\n)+\nExample:\n\n {4}id: [\s\S]+\n {4}\$ waybill check [\s\S]+\n\nFix:\n\n[^ ].+\n\n {4}id: [\s\S]+\n$/,
    );
  });

  test("without a code, all codes are listed in order", async () => {
    const { out } = await waybill(".", ["explain"]);
    const codes = out
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(0, 6));
    expect(codes).toEqual([...(await loadCatalog()).keys()]);
    expect(codes).toEqual([...codes].sort());
    expect(codes.length).toBeGreaterThan(60);
  });

  test("a code may omit its letters", async () => {
    expect(await waybill(".", ["explain", "2001"])).toEqual(await waybill(".", ["explain", "WB2001"]));
  });

  test("an unknown code is a usage error", async () => {
    expect(await waybill(".", ["explain", "WB20O1"])).toEqual({
      status: 2,
      out: "",
      err: "Unknown code `WB20O1`. Did you mean `WB2001`?\n",
    });
  });
});

describe("list", () => {
  test("text lists languages with their options, and targets", async () => {
    const { status, out } = await waybill(".", ["list"]);
    expect(status).toBe(0);
    expect(out).toMatch(/^ {2}serverless-workflow +CNCF/m);
    expect(out).toContain("--option timeout=proceed (default) | fail\n");
    expect(out).toMatch(/^ {2}asl +Amazon States Language/m);
    expect(out).toMatch(/^ {2}typescript +a standalone TypeScript program/m);
  });

  test("as JSON", async () => {
    const { out } = await waybill(".", ["list", "--format", "json"]);
    expect(JSON.parse(out)).toMatchObject({
      languages: languages.map(({ name }) => ({ name })),
      targets: [{ name: "asl" }, { name: "openwhisk" }, { name: "typescript" }],
    });
  });
});

describe("usage", () => {
  test.each([
    [
      ["compile"],
      "`waybill compile` requires a file, a folder or a pattern. Run `waybill compile --help` for details.\n",
    ],
    [["chek"], "Unknown command `chek`. Did you mean `check`?\n"],
    [["frobnicate"], "Unknown command `frobnicate`. Run `waybill --help` to list all.\n"],
    [["flows/a.yaml"], "Unknown command `flows/a.yaml`. To check a file, run `waybill check flows/a.yaml`.\n"],
    [["check", "--stirct", "a.yaml"], "Unknown option `--stirct`. Did you mean `--strict`?\n"],
    [["check", "-x\u001b[1m", "a.yaml"], "Unknown option `-x\\x1b[1m`. Run `waybill check --help` to list all.\n"],
    [["check", "a.yaml", "--target"], "`--target` requires a value: `--target <target>`.\n"],
    [["init", "a", "b"], "`waybill init` takes one argument, not a, b.\n"],
    [["list", "all"], "`waybill list` takes no arguments, not all.\n"],
    [
      ["compile", "a.yaml", "--target", "als"],
      "--target must be one of asl, openwhisk, typescript, not `als`. Did you mean `asl`?\n",
    ],
    [["compile", "a.yaml", "--target", "asl", "--out", ""], "--out must not be empty.\n"],
    [["check", ""], "A path is empty.\n"],
  ])("%j prints one line and exits with status 2", async (args, err) => {
    expect(await waybill(".", args)).toEqual({ status: 2, out: "", err });
  });

  test("no command prints the help", async () => {
    const { status, out, err } = await waybill(".", []);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(/^Usage: waybill/);
  });

  test("the help of a command lists the values of its options", async () => {
    const { out } = await waybill(".", ["compile", "--help"]);
    const words = out.replace(/\s+/g, " ");
    for (const part of [
      "the target: asl, openwhisk, typescript",
      "the source language: serverless-workflow",
      "see `waybill list`",
    ])
      expect(words).toContain(part);
  });

  test("the help of options contains their defaults as they are typed", async () => {
    expect((await waybill(".", ["eval", "--help"])).out).toMatch(/\(default:\s+jq\)/);
    expect((await waybill(".", ["init", "--help"])).out).toMatch(/\(default:\s+serverless-workflow-1\.0\)/);
  });

  test("the help lists the commands of a target once", async () => {
    const { out } = await waybill(".", ["--help"]);
    expect(out).toMatch(/^ {2}verify /m);
    expect(out).not.toMatch(/^ {2}asl/m);
    expect(await waybill(".", ["asl", "verify", "--help"])).toMatchObject({ status: 0 });
  });

  test.each([["--help"], ["--version"], ["-v"]])("%s succeeds", async (option) => {
    expect(await waybill(".", [option])).toMatchObject({ status: 0, err: "", out: expect.stringMatching(/\S/) });
  });
});

describe("test", () => {
  const scenarios = (output: string) => `workflow: ./flow.yaml
scenarios:
- name: says hello
  expect: { status: succeeded, output: ${output} }
`;
  const good = { "t/flow.yaml": greeting(), "t/scenarios.yaml": scenarios("{ hello: world }") };

  test("scenarios run on the reference by default, and paths are relative to the scenario file", async () => {
    expect(await waybill(folderWith(good), ["test", "t/scenarios.yaml"])).toEqual({
      status: 0,
      out: "t/scenarios.yaml\n  ✓ says hello (reference)\n1 passed, 0 failed\n",
      err: "",
    });
  });

  test("scenarios in folders run on a target or on all", async () => {
    expect((await waybill(folderWith(good), ["test", ".", "--on", "asl"])).out).toContain("✓ says hello (asl)");
    expect((await waybill(folderWith(good), ["test", "t", "--on", "all"])).out).toMatch(
      /\(reference\)[\s\S]*\(asl\)[\s\S]*\(typescript\)\n4 passed, 0 failed\n$/,
    );
    expect(await waybill(folderWith(good), ["test", "t", "--on", "alls"])).toMatchObject({ status: 2 });
  });

  test("a difference fails the command, including with JSON", async () => {
    const folder = folderWith({ ...good, "t/scenarios.yaml": scenarios("{ hello: moon }") });
    const { status, out } = await waybill(folder, ["test", "t/scenarios.yaml"]);
    expect(status).toBe(1);
    expect(out).toContain("✗ says hello (reference)");
    const json = await waybill(folder, ["test", "t/scenarios.yaml", "--format", "json"]);
    expect(json).toMatchObject({ status: 1, err: "" });
    const [result] = JSON.parse(json.out).results;
    expect(result).toMatchObject({
      file: "t/scenarios.yaml",
      scenario: "says hello",
      target: "reference",
      outcome: "failed",
      diagnostics: [],
    });
  });

  test("the scenario file takes precedence over the configuration", async () => {
    const flow = greeting()
      .replace("type: inject", "type: operation")
      .replace("  data: { hello: world }\n", "  actions: [{ functionRef: { refName: f }, timeout: PT1S }]\n");
    const file = (options: string) => `workflow: ./flow.yaml
${options}scenarios:
- name: late
  functions: { f: { returns: {}, takes: PT5S } }
  expect: { status: failed, error: { name: Timeout } }
`;
    const folder = folderWith({
      "waybill.config.yaml": "options: { timeout: fail }\n",
      "flow.yaml": flow.replace("states:", "functions: [{ name: f, resource: f }]\nstates:"),
      "as-configured.yaml": file(""),
      "as-drafted.yaml": file("options: { timeout: proceed }\n"),
    });
    expect(await waybill(folder, ["test", "as-configured.yaml"])).toMatchObject({ status: 0 });
    expect(await waybill(folder, ["test", "as-drafted.yaml"])).toMatchObject({ status: 1 });
  });

  describe("coverage", () => {
    const flow = greeting()
      .replace("  end:", "  transition: { nextState: Last }\n  end:")
      .replace(
        "  end: { kind: default }\n",
        "- { name: Last, type: inject, data: {}, end: { kind: default } }\n- { name: Never, type: inject, data: {}, end: { kind: default } }\n",
      );
    const folder = () =>
      folderWith({
        "flow.yaml": flow,
        "a.yaml": scenarios("{ hello: world }"),
        "b.yaml": scenarios("{ hello: world }"),
      });
    const expected = `coverage
  flow.yaml, workflow greet: 2 of 3 states, 2 of 3 transitions
    flow.yaml:11:11: Never, inject state
    flow.yaml:11:55: Never → end
`;

    test("is printed after the results, once for all files, and does not fail the command", async () => {
      const { status, out } = await waybill(folder(), ["test", "--coverage", "a.yaml", "b.yaml"]);
      expect({ status, end: out.slice(out.indexOf("2 passed")) }).toEqual({
        status: 0,
        end: `2 passed, 0 failed\n${expected}`,
      });
    });

    test.each([
      [["--coverage", "66"], 0],
      [["--coverage=67"], 1],
      [["--coverage", "66.7%"], 1],
      [["--coverage", "101"], 2],
      [["--coverage=most"], 2],
    ])("%j exits with status %i", async (options, status) => {
      expect(await waybill(folder(), ["test", ...options, "a.yaml"])).toMatchObject({ status });
    });

    test("is in the JSON document, next to the results", async () => {
      const { out } = await waybill(folder(), ["test", "a.yaml", "--coverage", "--format", "json"]);
      const json = JSON.parse(out);
      expect(Object.keys(json)).toEqual(["results", "coverage"]);
      expect(json.coverage).toMatchObject({ states: { reached: 2, total: 3 }, transitions: { reached: 2, total: 3 } });
    });

    test("goes to standard error with JUnit", async () => {
      const { out, err } = await waybill(folder(), ["test", "a.yaml", "--coverage", "--format", "junit"]);
      expect(err).toBe(expected);
      expect(out).not.toContain("coverage");
    });
  });

  test("JUnit lists the runs on each target, and the files that could not run", async () => {
    const folder = folderWith({ ...good, "t/wrong.yaml": scenarios("{}").replace("name:", "nmae:") });
    const { status, out, err } = await waybill(folder, ["test", "t", "--on", "all", "--format", "junit"]);
    expect(status).toBe(1);
    expect(err).toContain("error WB6001");
    expect(out).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="5" failures="0" errors="1" skipped="0" time="[\d.]+">\n/,
    );
    for (const runner of ["reference", "asl", "typescript"])
      expect(out).toContain(
        `<testsuite name="t/scenarios.yaml (${runner})" tests="1" failures="0" errors="0" skipped="0"`,
      );
    expect(out).toContain(`<testsuite name="t/wrong.yaml" tests="1" failures="0" errors="1"`);
  });

  test("the help lists runners and formats, and explains coverage", async () => {
    const words = (await waybill(".", ["test", "--help"])).out.replace(/\s+/g, " ");
    for (const part of [
      "reference, asl, openwhisk, typescript, or all",
      "text, json, junit",
      "--coverage [percent]",
      "differs from the reference",
    ])
      expect(words).toContain(part);
  });

  test("errors in a scenario file are reported at their location, and other files run", async () => {
    const folder = folderWith({ ...good, "t/wrong.yaml": scenarios("{}").replace("name:", "nmae:") });
    const { status, out, err } = await waybill(folder, ["test", "t"]);
    expect(status).toBe(1);
    expect(err).toMatch(/^t\/wrong\.yaml:3:3: error WB6001: /m);
    expect(out).toContain("1 passed, 0 failed");
  });

  test("an unreadable definition is reported where it is named", async () => {
    const folder = folderWith({
      ...good,
      "t/scenarios.yaml": scenarios("{}").replace("./flow.yaml", "./nope.yaml\nsubflows: { child: ../gone.yaml }"),
    });
    const { status, err } = await waybill(folder, ["test", "t/scenarios.yaml"]);
    expect(status).toBe(1);
    expect(err).toMatch(
      /^t\/scenarios\.yaml:1:11: error WB6007: Cannot read `\.\/nope\.yaml`: no such file or folder\./m,
    );
    expect(err).toMatch(/^t\/scenarios\.yaml:2:20: error WB6007: Cannot read `\.\.\/gone\.yaml`/m);
  });

  test("a workflow that does not compile is rejected with its diagnostics", async () => {
    const folder = folderWith({ ...good, "t/flow.yaml": broken });
    const { status, out } = await waybill(folder, ["test", "t/scenarios.yaml"]);
    expect(status).toBe(1);
    expect(out).toContain("refused by the compiler");
    expect(out).toContain("t/flow.yaml:9:28: error WB2001");
  });
});

test("a bug prints one line and exits with status 3", async () => {
  const expected = {
    status: 3,
    out: "",
    err: expect.stringMatching(/^Internal error in Waybill \d+\.\d+\.\d+: a bug \(please report it; .*\)\n$/),
  };
  expect(await waybill(".", ["check", "-"], new Error("a bug"))).toEqual(expected);
});
