import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { silentTerminal } from "../../src/cli/terminal.ts";
import { performScenarioJob, type ScenarioJob, type TestRun } from "../../src/cli/test-run.ts";
import { runJobs } from "../../src/cli/workers.ts";
import { folderWith, waybill } from "./command.ts";

const definition = `id: pay
name: Pay
version: '1.0'
functions: [{ name: charge, resource: charge }]
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge, parameters: { order: $.order } } }]
  end: { kind: default }
`;

const scenario = (name: string, output: string): string => `- name: ${name}
  input: { order: A1 }
  functions: { charge: { returns: { receipt: R1 } } }
  expect: { status: succeeded, output: ${output} } # ${name}
`;

const right = "{ order: A1, receipt: R1 }";
const wrong = "{ order: A1, receipt: R2 }";

const file = (...scenarios: readonly string[]): string => `workflow: ./pay.yaml\nscenarios:\n${scenarios.join("")}`;

const twoFiles = () =>
  folderWith({
    "pay.yaml": definition,
    "a.scenarios.yaml": file(scenario("Cash is paid", right), scenario("card is paid", wrong)),
    "b.scenarios.yaml": file(scenario("nothing is paid", wrong)),
  });

const args = ["test", "a.scenarios.yaml", "b.scenarios.yaml"];

const marks = (out: string): readonly string[] => out.split("\n").filter((line) => /^ {2}[✓✗–] /.test(line));

test("--filter selects scenarios by parts of their names", async () => {
  const folder = twoFiles();
  const { status, out } = await waybill(folder, [...args, "--filter", "cash", "-f", "NOTHING"]);
  expect(marks(out)).toEqual(["  ✓ Cash is paid (reference)", "  ✗ nothing is paid (reference)"]);
  expect(status).toBe(1);
  expect(await waybill(folder, [...args, "--filter", "cheque"])).toEqual({
    status: 1,
    out: "",
    err: "No scenario has `cheque` in its name.\n",
  });
});

test("--bail stops after the first failure", async () => {
  const { status, out } = await waybill(twoFiles(), [...args, "--bail", "--on", "all"]);
  expect(marks(out)).toEqual(["  ✓ Cash is paid (reference)", "  ✗ card is paid (reference)"]);
  expect(status).toBe(1);
});

test("long values are compared by lines", async () => {
  const items = (count: number) =>
    `{ items: [{ sku: first, count: 1 }, { sku: second, count: ${count} }, { sku: third, count: 3 }] }`;
  const text = file(scenario("long", items(7)))
    .replace("{ order: A1 }", items(2))
    .replace("{ receipt: R1 }", "null");
  const { out } = await waybill(folderWith({ "pay.yaml": definition, "s.yaml": text }), ["test", "s.yaml"]);
  expect(out).toContain(`      output differs (- expected, + got)
        …
            {
              "sku": "second",
      -       "count": 7
      +       "count": 2
            },
            {
        …
      path      Charge`);
});

test("--update writes what the runs did, and keeps the rest of the file", async () => {
  const folder = twoFiles();
  const added = `${readFileSync(join(folder, "a.scenarios.yaml"), "utf8")}- name: new\n  functions: { charge: { throws: { name: Busy, message: later } } }\n`;
  writeFileSync(join(folder, "a.scenarios.yaml"), added);
  const { status, out } = await waybill(folder, [...args, "--update", "--filter", "card", "--filter", "new"]);
  expect(out).toContain('expected  {"order":"A1","receipt":"R2"}');
  expect(out).toContain("2 updated\n");
  expect(status).toBe(0);
  expect(readFileSync(join(folder, "a.scenarios.yaml"), "utf8")).toBe(
    `${file(scenario("Cash is paid", right), scenario("card is paid", right))}- name: new
  functions: { charge: { throws: { name: Busy, message: later } } }
  expect: { status: failed, error: { name: Busy, message: later }, calls: [{ charge: { order: null } }] }
`,
  );
  expect(readFileSync(join(folder, "b.scenarios.yaml"), "utf8")).toBe(file(scenario("nothing is paid", wrong)));
});

test("--update fails if no scenario has the name", async () => {
  expect(await waybill(twoFiles(), [...args, "--update", "--filter", "cheque"])).toEqual({
    status: 1,
    out: "",
    err: "No scenario has `cheque` in its name.\n",
  });
});

test("--update asks on a terminal", async () => {
  const folder = twoFiles();
  const questions: string[] = [];
  const answers = ["n", "y"];
  let out = "";
  const terminal = {
    ...silentTerminal(folder),
    out: (text: string) => {
      out += text;
    },
    async ask(question: string) {
      questions.push(question);
      return answers.shift();
    },
  };
  expect(await main([...args, "--update"], terminal)).toBe(1);
  expect(questions).toEqual(
    ["card is paid", "nothing is paid"].map((name) => `Expect this of "${name}"? [y]es, [n]o, [a]ll, [q]uit: `),
  );
  expect(out).toContain("1 updated, 1 not updated\n");
  expect(readFileSync(join(folder, "b.scenarios.yaml"), "utf8")).toBe(file(scenario("nothing is paid", right)));
});

test.each([
  [["--update", "--watch"], "--watch cannot be combined with --update.\n"],
  [["--update", "--on", "asl"], "--update requires --on reference, which defines what a run does.\n"],
  [["--watch", "--format", "json"], "--watch requires --format text.\n"],
  [["--update", "--format", "junit"], "--update requires --format text.\n"],
  [["--update", "--bail"], "--update cannot be combined with --bail.\n"],
  [["--watch", "--jobs", "2"], "--watch cannot be combined with --jobs.\n"],
  [["--filter", ""], "--filter must not be empty.\n"],
  [["--jobs", "0"], "--jobs must be a positive integer, not `0`.\n"],
])("%j is a usage error", async (flags, err) => {
  expect(await waybill(twoFiles(), [...args, ...flags])).toEqual({ status: 2, out: "", err });
});

test("--watch cannot watch standard input", async () => {
  expect(await waybill(".", ["test", "-", "--watch"])).toEqual({
    status: 2,
    out: "",
    err: "--watch cannot watch standard input.\n",
  });
});

test("--watch runs the scenarios that a change reaches", async () => {
  const folder = twoFiles();
  const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
  const command = spawn(process.execPath, ["--no-warnings", bin, ...args, "--watch"], { cwd: folder });
  onTestFinished(() => void command.kill("SIGKILL"));
  let printed = "";
  let wake = () => {};
  for (const stream of [command.stdout, command.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      wake();
    });
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(printed))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const found = printed;
    printed = "";
    return found;
  };
  expect(await until(/Watching for changes/)).toContain("1 passed, 2 failed\n");

  writeFileSync(
    join(folder, "a.scenarios.yaml"),
    file(scenario("Cash is paid", right), scenario("card is paid", right)),
  );
  expect(marks(await until(/2 unchanged/))).toEqual(["  ✓ card is paid (reference)"]);

  writeFileSync(join(folder, "pay.yaml"), definition.replace("$.order", "$.other"));
  expect(await until(/1 passed, 2 failed|2 passed, 1 failed/)).not.toContain("unchanged");

  command.kill("SIGTERM");
  expect(await once(command, "exit")).toEqual([0, null]);
});

test("workers return the same results", async () => {
  const folder = twoFiles();
  const options = { on: "all", isMeasured: true, isStrict: false, filters: [], bails: false, jobs: 2 };
  const jobs = ["a", "b"].map((name): ScenarioJob => {
    const path = `${name}.scenarios.yaml`;
    const source = { path, text: readFileSync(join(folder, path), "utf8") };
    return { kind: "scenarios", source, config: undefined, cwd: folder, options };
  });
  let count = 0;
  const results = await runJobs<"scenarios">(jobs, 2, () => {
    count += 1;
  });
  const here = await Promise.all(jobs.map(performScenarioJob));
  const timeless = (runs: readonly TestRun[]) =>
    runs.map((run) => ({ ...run, results: run.results.map((result) => ({ ...result, seconds: 0 })) }));
  expect(timeless(results)).toEqual(timeless(here));
  expect(count).toBe(2);
});
