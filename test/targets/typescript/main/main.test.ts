import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../../../targets/typescript/runtime/main/main.ts";
import type { Program } from "../../../../targets/typescript/runtime/main/program.ts";
import type { Terminal } from "../../../../targets/typescript/runtime/main/terminal.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { type AnyWorkflow, defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";
import { functions, greet, orders } from "../workflows.ts";

/** Creates a folder with files; removed at the end of the test. */
function storeFolder(files: { readonly [name: string]: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-stores-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs a command with the store in a folder. */
async function run(
  folder: string,
  line: readonly string[],
  input = "",
  more: Partial<Terminal> = {},
  bound = functions,
  program: Program = { workflows: [greet, orders], functions: bound, open: openEngine },
) {
  let out = "";
  let err = "";
  const terminal: Terminal = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isInteractive: false,
    environment: { WAYBILL_STORE: join(folder, "runs.db") },
    readStandardInput: async () => input,
    readFile: (path) => readFile(join(folder, path), "utf8"),
    onStop: () => () => undefined,
    onReload: () => () => undefined,
    onRejection: () => undefined,
    onException: () => undefined,
    exit: () => undefined,
    ...more,
  };
  const status = await main(program, line, terminal);
  return { status, out, err };
}

describe("the command line", () => {
  test.each<[readonly string[], number, "out" | "err", string]>([
    [["--help"], 0, "out", "Runs workflows: greet, order/new"],
    [["start", "--help"], 0, "out", "--wait          wait until the run has ended"],
    [["serve", "-h"], 0, "out", "--no-token"],
    [[], 2, "err", "Usage: node main.ts COMMAND"],
    [["begin"], 2, "err", "There is no command begin."],
    [["list", "--stats", "x"], 2, "err", "Unknown option '--stats'"],
    [["list", "--status", "done"], 2, "err", "--status is one of running"],
    [["list", "--log-level", "all"], 2, "err", "--log-level is one of error"],
    [["show"], 2, "err", "An argument is missing."],
    [["show", "a", "b"], 2, "err", "b is one argument too many."],
    [["start"], 2, "err", "Which workflow? The workflows are greet, order/new."],
    [["start", "gret"], 2, "err", "Unknown workflow gret. The workflows are greet, order/new."],
    [["start", "greet", "--input", "{"], 2, "err", "The input is not JSON"],
    [["start", "greet", "--input", '{"a":1,"a":2}'], 2, "err", 'The input has the member "a" twice in one object.'],
    [["start", "greet", "--input", "1e999"], 2, "err", "The input contains a number that is larger than any double."],
    [["start", "order/new", "--input", "1"], 1, "err", "The input of a run has to be an object."],
    [["start", "greet", "--input", "@none.json"], 1, "err", "none.json cannot be read"],
    [["list"], 1, "err", "There is no store "],
    [["show", "none", "--store", "none.db"], 1, "err", "There is no store none.db."],
    [["cancel", "none"], 1, "err", "There is no store "],
    [["prune", "--older-than", "P1D"], 1, "err", "There is no store "],
    [["serve", "--keep", "a month"], 2, "err", "--keep needs an ISO 8601 duration"],
    [["serve", "--keep-events", "long"], 2, "err", "--keep-events needs an ISO 8601 duration"],
    [["prune", "--older-than", "30 days"], 2, "err", "--older-than needs an ISO 8601 duration"],
    [["serve", "--port", "x"], 2, "err", "--port is a whole number from 0 to 65535."],
    [["serve", "--no-token", "--host", "0.0.0.0"], 2, "err", "--no-token on 0.0.0.0 would admit anyone"],
    [["serve", "--no-token", "--token", "t"], 2, "err", "--token and --no-token exclude each other."],
  ])("%j", async (line, status, stream, words) => {
    const result = await run(storeFolder(), line);
    expect(result[stream]).toContain(words);
    expect(result.status).toBe(status);
  });
});

describe("runs", () => {
  test("can be awaited, and print their output", async () => {
    const folder = storeFolder({ "input.json": '"Bob"' });
    expect(await run(folder, ["start", "greet", "--input", '"Ada"', "--wait"])).toMatchObject({
      status: 0,
      out: '{\n  "greeting": "Hello Ada"\n}\n',
    });
    expect((await run(folder, ["start", "greet", "--input", "@input.json", "--wait"])).out).toContain("Hello Bob");
    expect((await run(folder, ["start", "greet", "--input", "-", "--wait"], '"Cid"')).out).toContain("Hello Cid");
    expect(existsSync(join(folder, "runs.db"))).toBe(true);
  });

  test("that fail are reported and can be retried", async () => {
    const folder = storeFolder();
    const failed = await run(folder, ["start", "greet", "--input", '"nobody"', "--id", "n", "--wait"]);
    expect([failed.status, failed.out]).toEqual([1, ""]);
    expect(failed.err).toContain("Run n failed: Nobody: There is nobody.");
    expect((await run(folder, ["retry", "n"])).status).toBe(0);
  });

  test("are started, listed, shown, canceled and pruned", async () => {
    const folder = storeFolder();
    const store = ["--store", join(folder, "other.db")];
    expect(await run(folder, ["start", "order/new", "--id", "o1", ...store])).toMatchObject({ status: 0, out: "o1\n" });
    const { out } = await run(folder, ["list", ...store]);
    expect(out.split("\n").map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ["RUN", "WORKFLOW"],
      ["o1", "order/new"],
      [""],
    ]);
    const shown = JSON.parse((await run(folder, ["show", "o1", ...store])).out);
    expect(shown).toMatchObject({ id: "o1", input: {} });
    expect((await run(folder, ["cancel", "o1", ...store])).status).toBe(0);
    expect(await run(folder, ["cancel", "o1", ...store])).toMatchObject({
      status: 1,
      err: "Run o1 has ended already.\n",
    });
    expect(JSON.parse((await run(folder, ["list", "--json", ...store])).out)).toMatchObject({
      id: "o1",
      status: "cancelled",
    });
    for (const command of ["show", "cancel", "retry"])
      expect(await run(folder, [command, "none", ...store])).toMatchObject({
        status: 1,
        err: "There is no run none.\n",
      });
    expect((await run(folder, ["prune", "--older-than", "P1D", ...store])).out).toBe("0\n");
    expect((await run(folder, ["prune", "--older-than", "PT0S", ...store])).out).toBe("1\n");
  });
});

test("a repeated id refers to the same run and is rejected with another input or workflow", async () => {
  const folder = storeFolder();
  const start = (workflow: string, ...more: string[]) => run(folder, ["start", workflow, "--id", "r", ...more]);
  expect((await start("greet", "--input", '"Ada"', "--wait")).out).toContain("Hello Ada");
  expect((await start("greet", "--input", '"Ada"')).status).toBe(0);
  expect((await start("greet", "--wait")).out).toContain("Hello Ada");
  const refused = { status: 1, out: "", err: "There is a run r that began with another workflow or another input.\n" };
  expect(await start("greet", "--input", '"Bob"')).toEqual(refused);
  expect(await start("order/new")).toEqual(refused);
});

test("commands other than `serve` and `--wait` execute no run", async () => {
  const folder = storeFolder();
  const called: unknown[] = [];
  const counting = { greet: (argument: unknown) => called.push(argument) };
  const command = (...line: string[]) => run(folder, line, "", {}, counting);
  await command("start", "greet", "--input", "1", "--id", "g");
  await command("start", "order/new", "--id", "o");
  await command("list");
  await command("show", "g");
  await command("cancel", "o");
  expect(called).toEqual([]);
  expect((await command("list")).out.match(/(?<=\d|g|o) +(?:greet|order\/new) +\w+/g)).toHaveLength(2);
  await command("start", "greet", "--input", "2", "--wait");
  await expect.poll(() => called).toEqual([1, 2]);
});

test("read-only commands do not change the store, even if a timer is due", async () => {
  const folder = storeFolder();
  const store = join(folder, "runs.db");
  const nap = defineWorkflow({
    id: "nap",
    version: "1",
    name: "Nap",
    anyInput: true,
    run: (flow) => flow.sleep("Nap", 0.05).then(() => 1),
  });
  const options = {
    store,
    workflows: [nap as unknown as AnyWorkflow],
    functions: {},
    send: () => undefined,
    log: () => undefined,
  };
  const engine = openEngine(options);
  await engine.start("nap", null, { id: "n" });
  await expect.poll(async () => (await engine.show("n"))?.status, { interval: 1 }).toBe("waiting");
  await engine.close();
  await new Promise((resolve) => setTimeout(resolve, 60));
  const program = { workflows: [nap as unknown as AnyWorkflow], functions: {}, open: openEngine };
  for (const line of [["list"], ["show", "n"], ["versions"], ["list"]])
    expect((await run(folder, line, "", {}, functions, program)).status).toBe(0);
  const before = readFileSync(store);
  expect((await run(folder, ["list"], "", {}, functions, program)).out).toMatch(/^n +nap +waiting /m);
  expect(readFileSync(store).equals(before)).toBe(true);
});

describe("an awaited run", () => {
  test("stays in the store when the program is stopped", async () => {
    const folder = storeFolder();
    const onStop = (stop: (signal: string) => void) => {
      const timer = setTimeout(stop, 300, "SIGINT");
      return () => clearTimeout(timer);
    };
    const stopped = await run(folder, ["start", "order/new", "--id", "o", "--wait"], "", { onStop });
    expect(stopped).toEqual({
      status: 130,
      out: "",
      err: expect.stringMatching(
        /The run begins\..*\nRun o has not ended; it continues when the program is started again\.\n$/,
      ),
    });
    expect((await run(folder, ["list"])).out).toMatch(/^o +order\/new +waiting /m);
  });

  test("shows its progress on a terminal", async () => {
    const onStop = (stop: (signal: string) => void) => {
      const timer = setTimeout(stop, 1300, "SIGINT");
      return () => clearTimeout(timer);
    };
    const { err } = await run(storeFolder(), ["start", "order/new", "--wait"], "", { onStop, isInteractive: true });
    expect(err).toContain("\r\u001b[K1 s · waiting · ");
    expect(err).toContain("waits for placed");
  });
});

test("start and versions print JSON", async () => {
  const folder = storeFolder();
  const started = await run(folder, ["start", "greet", "--input", '"Ada"', "--id", "a", "--wait", "--json"]);
  expect(started.status).toBe(0);
  expect(JSON.parse(started.out)).toMatchObject({ id: "a", status: "succeeded", output: { greeting: "Hello Ada" } });
  const failed = await run(folder, ["start", "greet", "--input", '"nobody"', "--wait", "--json"]);
  expect([failed.status, JSON.parse(failed.out).error.name]).toEqual([1, "Nobody"]);
  const resting = await run(folder, ["start", "order/new", "--id", "o", "--json"]);
  expect(JSON.parse(resting.out)).toMatchObject({ id: "o", status: "running" });
  const versions = (await run(folder, ["versions", "--json"])).out.trim().split("\n");
  expect(versions.map((line) => JSON.parse(line))).toContainEqual({
    workflow: "order/new",
    version: "1",
    runs: 1,
    code: "new",
  });
});
