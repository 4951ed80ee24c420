import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn, folderWith, greeting, waybill } from "./command.ts";

// Several runs write to one folder, as the rules of a Makefile do. The result does not depend on their order.

const flows = { "flows/a.yaml": greeting("a"), "flows/b.yaml": greeting("b"), "flows/c.yaml": greeting("c") };

const to = (target: string, ...more: readonly string[]) => ["--target", target, "--out", "gen", ...more];

/** Compiles once for each array of arguments. Returns the statuses and the files in the output folder. */
async function compiled(folder: string, ...runs: readonly (readonly string[])[]) {
  const status: number[] = [];
  for (const args of runs) status.push((await waybill(folder, ["compile", ...args])).status);
  return { status, files: filesIn(join(folder, "gen")) };
}

const starting = (id: string, started: string): string => `id: ${id}
name: ${id}
version: '1.0'
states:
- { name: Sub, type: subflow, workflowId: ${started}, waitForCompletion: true, start: { kind: default }, end: { kind: default } }
`;

describe("one folder", () => {
  test("is the same after one run or several in any order", async () => {
    const atOnce = await compiled(folderWith(flows), ["flows", ...to("asl")]);
    const oneByOne = await compiled(
      folderWith(flows),
      ["flows/c.yaml", ...to("asl")],
      ["flows/a.yaml", ...to("asl")],
      ["flows/b.yaml", ...to("asl")],
      ["flows/a.yaml", ...to("asl")],
    );
    expect(Object.keys(atOnce.files)).toHaveLength(7);
    expect(oneByOne).toEqual({ status: [0, 0, 0, 0], files: atOnce.files });
  });

  test("machines with functions of similar names are the same together and separately", async () => {
    const calling = (id: string, name: string) => `id: ${id}
name: ${id}
version: '1.0'
functions: [{ name: ${name}, resource: x }]
states:
- { name: A, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: ${name} } }], end: { kind: default } }
`;
    const files = { "flows/a.yaml": calling("a", "charge-card"), "flows/b.yaml": calling("b", "charge card") };
    const atOnce = await compiled(folderWith(files), ["flows", ...to("asl")]);
    const apart = await compiled(folderWith(files), ["flows/a.yaml", ...to("asl")], ["flows/b.yaml", ...to("asl")]);
    expect(apart).toEqual({ status: [0, 0], files: atOnce.files });
  });

  test("holds the output of two targets", async () => {
    const first = await compiled(folderWith(flows), ["flows", ...to("asl")], ["flows", ...to("typescript")]);
    const second = await compiled(
      folderWith(flows),
      ["flows", ...to("typescript")],
      ["flows/a.yaml", ...to("asl")],
      ["flows/b.yaml", "flows/c.yaml", ...to("asl")],
      ["flows", ...to("typescript")],
    );
    expect(first.status).toEqual([0, 0]);
    expect(Object.keys(first.files)).toEqual(expect.arrayContaining(["a.asl.json", "a.ts", "main.ts"]));
    expect(second).toEqual({ status: [0, 0, 0, 0], files: first.files });
  });

  test("keeps the output of other definitions, unless --prune removes it", async () => {
    const folder = folderWith(flows);
    await compiled(folder, ["flows", ...to("asl")]);
    const kept = await waybill(folder, ["compile", "flows/b.yaml", ...to("asl")]);
    expect(kept).toEqual({ status: 0, out: "", err: "gen: 2 up to date, 4 of other definitions\n" });
    rmSync(join(folder, "flows/a.yaml"));
    expect((await waybill(folder, ["compile", "flows", ...to("asl")])).err).toBe(
      [
        "orphaned gen/a.asl.json: flows/a.yaml no longer exists; use --prune to remove it",
        "orphaned gen/a.asl.map.json: flows/a.yaml no longer exists; use --prune to remove it",
        "gen: 4 up to date, 2 of other definitions\n",
      ].join("\n"),
    );
    const unpruned = await waybill(folder, ["compile", "flows", ...to("asl", "--check")]);
    expect(unpruned.status).toBe(1);
    expect(unpruned.err).toContain(
      [
        "gen/a.asl.json:1:1: error WB0603: This file is no longer generated: its definition `flows/a.yaml` does not exist.",
        "  hint: Run the command again without `--check` and with `--prune`.",
      ].join("\n"),
    );
    const check = await waybill(folder, ["compile", "flows", ...to("asl", "--prune", "--check")]);
    expect(check.status).toBe(1);
    expect(check.err).toContain(
      "gen/a.asl.json:1:1: error WB0603: This file is no longer generated: its definition `flows/a.yaml`",
    );
    expect(await waybill(folder, ["compile", "flows", ...to("asl", "--prune")])).toEqual({
      status: 0,
      out: "",
      err: "removed  gen/a.asl.json\nremoved  gen/a.asl.map.json\ngen: 2 removed, 4 up to date\n",
    });
  });

  test("is silent with --quiet", async () => {
    const result = await waybill(folderWith(flows), ["compile", "flows", ...to("asl", "--quiet")]);
    expect(result).toEqual({ status: 0, out: "", err: "" });
  });
});

describe("a definition", () => {
  test("that moves keeps its files", async () => {
    const folder = folderWith({ ...flows, "other/x": "" });
    await compiled(folder, ["flows", ...to("asl")]);
    renameSync(join(folder, "flows/a.yaml"), join(folder, "other/a.yaml"));
    const { status, err } = await waybill(folder, ["compile", "other/a.yaml", ...to("asl")]);
    expect({ status, err }).toEqual({ status: 0, err: "gen: 2 up to date, 4 of other definitions\n" });
    expect((await waybill(folder, ["compile", "flows", "other", ...to("asl")])).err).toBe("gen: 6 up to date\n");
  });

  test("whose id changes loses the files of the old id", async () => {
    const folder = folderWith(flows);
    await compiled(folder, ["flows", ...to("asl")]);
    writeFileSync(join(folder, "flows/a.yaml"), greeting("z"));
    const { err } = await waybill(folder, ["compile", "flows/a.yaml", ...to("asl")]);
    expect(err).toBe(
      [
        ...["written  gen/z.asl.json", "written  gen/z.asl.map.json"],
        ...["removed  gen/a.asl.json", "removed  gen/a.asl.map.json"],
        "gen: 2 written, 2 removed, 4 of other definitions\n",
      ].join("\n"),
    );
  });

  test.each([
    ["the same id", "a", "`a.asl.json` is already generated from `flows/a.yaml`; workflow `a` would overwrite it."],
    [
      "an id that differs in case",
      "A",
      "`a.asl.json` is already generated from `flows/a.yaml`; workflow `A` would overwrite it.",
    ],
  ])("with %s as another one does not overwrite its files", async (_, id, message) => {
    const folder = folderWith({ ...flows, "more/x.yaml": greeting(id) });
    const { files } = await compiled(folder, ["flows", ...to("asl")]);
    const { status, err } = await waybill(folder, ["compile", "more/x.yaml", ...to("asl")]);
    expect(status).toBe(1);
    expect(err).toContain(`error WB0606: ${message}`);
    expect(filesIn(join(folder, "gen"))).toEqual(files);
  });

  test("from standard input replaces only its own workflow", async () => {
    const folder = folderWith({});
    for (const id of ["a", "b"]) await waybill(folder, ["compile", "-", ...to("asl", "--quiet")], greeting(id));
    expect(Object.keys(filesIn(join(folder, "gen")))).toContain("a.asl.json");
    expect((await waybill(folder, ["compile", "-", ...to("asl")], greeting("a"))).err).toBe(
      "gen: 2 up to date, 2 of other definitions\n",
    );
  });
});

describe("workflows that start each other", () => {
  const files = { "a.yaml": starting("a", "b"), "b.yaml": greeting("b") };

  test("are not compiled separately, in either order", async () => {
    const folder = folderWith(files);
    expect((await compiled(folder, ["b.yaml", ...to("asl")])).status).toEqual([0]);
    const apart = await waybill(folder, ["compile", "a.yaml", ...to("asl")]);
    expect(apart.status).toBe(1);
    expect(apart.err).toContain(
      "a.yaml:5:43: error WB0608: Workflow `b` (`b.yaml`), compiled into this folder earlier, is started here but is not among the sources.",
    );
    expect(apart.err).not.toContain("WB2004");
    expect((await compiled(folder, ["a.yaml", "b.yaml", ...to("asl")], ["b.yaml", ...to("asl")])).status).toEqual([
      0, 0,
    ]);
  });

  test("are reported even if the caller came first", async () => {
    const folder = folderWith(files);
    await compiled(folder, ["a.yaml", ...to("asl")]);
    const { status, err } = await waybill(folder, ["compile", "b.yaml", ...to("asl")]);
    expect(status).toBe(1);
    expect(err).toContain(
      "error WB0608: Workflow `a` (`a.yaml`), compiled into this folder earlier, starts this workflow but is not among the sources.",
    );
  });
});

test("a program loses workflows only with --prune", async () => {
  const folder = folderWith(flows);
  const { files } = await compiled(folder, ["flows", ...to("typescript")]);
  const { status, err } = await waybill(folder, ["compile", "flows/a.yaml", ...to("typescript")]);
  expect(status).toBe(1);
  expect(err).toContain(
    "gen/.waybill.json:1:1: error WB0607: The program in this folder has workflows that are not among the sources: `b` (`flows/b.yaml`), `c` (`flows/c.yaml`).",
  );
  expect(filesIn(join(folder, "gen"))).toEqual(files);
  const pruned = await waybill(folder, [
    "compile",
    "flows/a.yaml",
    ...to("typescript", "--prune"),
    "--keep-versions",
    "0",
  ]);
  expect(pruned).toMatchObject({
    status: 0,
    err: expect.stringMatching(
      /^changed .*removed {2}gen\/b\.graph\.json\nremoved {2}gen\/b\.ts\n.*removed {2}gen\/c\.ts\ngen: /s,
    ),
  });
  const { files: alone } = await compiled(folderWith(flows), ["flows/a.yaml", ...to("typescript")]);
  expect(filesIn(join(folder, "gen"))).toEqual(alone);
});
