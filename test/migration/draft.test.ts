import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { waybill } from "../cli/command.ts";
import { root } from "../readme.ts";

// Definitions of the draft of 2020 migrate to definitions with the same calls, events and outcomes in the scenarios of the goldens. Those that migrate
// without errors or warnings but differ are listed with the reason, which the messages name as an assumption.

const folder = join(root, "golden/serverless-workflow");
const names = readdirSync(folder).filter((name) =>
  ["scenarios.yaml", "workflow.yaml"].every((file) => existsSync(join(folder, name, file))),
);

const differing: { readonly [name: string]: string } = {
  "all-filters": "the run is called, and an event arrives",
  "bound-for-asl": "a result is not an object",
  "correlation-from-a-branch": "an event has no value of the token",
  "event-named-like-a-member": "the member of the token changes",
  "event-start-on-lambda": "the member of the token changes",
  "event-starts-or-called": "the run is called, though events start it",
  "event-starts-two": "the run is called, though events start it",
  "event-wait-for-all": "an event arrives twice",
  "filter-selects-nothing": "a filter selects nothing",
  "function-without-parameters": "a result is not an object",
  "merged-deeply": "a result is not an object",
  "merged-shallowly-elsewhere": "branches and results that are not objects",
  "several-runs": "the value of a token is not text",
  "start-only-by-an-event": "a payload is not an object",
  "subflow-inherits": "a subflow has the events of its parent",
  "subflow-terminates": "a subflow terminates the run",
  "switch-operators": "text is compared with a number",
  "switch-patterns": "text that is not ASCII",
  "where-results-go": "a path of two members selects a part of a result",
};

/** Their scenarios cannot run without the options of a deployment. */
const notRun: ReadonlySet<string> = new Set(["schedule-since-deployment"]);

describe("migrations of the draft", () => {
  test.each(names.filter((name) => !notRun.has(name)))("%s", async (name) => {
    const { isComplete, agrees } = await migrateGolden(name);
    if (isComplete) expect(agrees).toBe(differing[name] === undefined);
    else expect(differing[name]).toBeUndefined();
  });
});

async function migrateGolden(name: string): Promise<{ readonly isComplete: boolean; readonly agrees: boolean }> {
  const cwd = mkdtempSync(join(tmpdir(), "waybill-test-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const outputs = ["asl", "openwhisk", "typescript"];
  cpSync(join(folder, name), cwd, {
    recursive: true,
    filter: (path) => !outputs.some((each) => path.endsWith(`/${each}`)),
  });
  const { options = {} } = parse(readFileSync(join(cwd, "scenarios.yaml"), "utf8")) as {
    readonly options?: { readonly [name: string]: string };
  };
  const flags = Object.entries(options).flatMap(([key, value]) => ["--option", `${key}=${value}`]);
  const { err } = await waybill(cwd, ["migrate", "workflow.yaml", "--out", "new.yaml", ...flags]);
  const { out, err: problems } = await waybill(cwd, [
    ...["diff", "workflow.yaml", "new.yaml"],
    ...["--scenarios", "scenarios.yaml"],
  ]);
  expect(problems).toBe("");
  const [, count, of] = /scenarios: (\d+) of (\d+) have/.exec(out)!;
  return { isComplete: !/: (?:error|warning) WB/.test(err), agrees: count === of };
}
