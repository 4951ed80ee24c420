import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stepsOf } from "../../../src/ir/walk.ts";
import { differences } from "../../../src/scenario/compare.ts";
import { emitGoldens, type GoldenScenario, type Goldens } from "../goldens.ts";
import type { HostProgram } from "../program.ts";
import { type Losses, observe } from "./observe.ts";

// The goldens' scenarios as durable executions, with AWS's SDK on a simulated service, in virtual time.

/** All scenarios take a minute: `HOSTS=all` runs them. */
const every = process.env["HOSTS"] === "all" ? 1 : 10;

let goldens: Goldens;
beforeAll(async () => {
  goldens = await emitGoldens(every);
}, 120_000);
afterAll(() => goldens.close());

/** Runs scenarios; returns those that differ and those that are skipped. */
async function runAll(
  some: readonly GoldenScenario[],
  losses?: (i: number) => Losses,
): Promise<{ readonly failed: readonly unknown[]; readonly skipped: readonly string[] }> {
  const [failed, skipped]: [unknown[], string[]] = [[], []];
  for (const [i, { name, scenario, emitted }] of some.entries()) {
    const why = skipReasonFor(name, emitted);
    if (why !== undefined) {
      skipped.push(`${name}: ${why}`);
      continue;
    }
    const seen = await observe(scenario, emitted, goldens.computer, losses?.(i));
    const found = [scenario, ...scenario.runs].flatMap(({ expect }, run) =>
      differences(expect, seen[run]!, !untimed.has(name)),
    );
    if (found.length > 0) failed.push({ name, found });
  }
  return { failed, skipped: skipped.sort() };
}

function skipReasonFor(name: string, { program }: HostProgram): string | undefined {
  const steps = program.workflows.flatMap((workflow) => stepsOf(workflow));
  const isOutside = steps.some((step) => step.kind === "invoke" && !program.byId.has(step.workflow.name));
  if (isOutside) return "it calls a workflow that is not in the program";
  // Here, events only start runs of the first workflow.
  if (name.startsWith("serverless-workflow/produced-events-delivered: ")) return "it starts a run of another workflow";
  return unsupported.get(name);
}

const unsupported: ReadonlyMap<string, string> = new Map([
  ["serverless-workflow/asl-refuses-time: asks each host after four years", "an execution takes a year at most"],
  [
    "serverless-workflow/zero-timeout-at-the-start: an event at the instant at which the wait begins and ends, at the start",
    "a timer precedes an event of the same instant",
  ],
  [
    "sm4c/claims-desk: the run takes too long",
    "a call takes longer than an invocation, which is limited to 15 minutes",
  ],
  [
    "yawl/timeouts: no step takes longer than a quarter of an hour",
    "a call takes longer than an invocation, which is limited to 15 minutes",
  ],
]);

/**
 * Scenarios that end at another time: an execution also completes work that no step waits for, random numbers differ,
 * and the SDK polls for callbacks during a call.
 */
const untimed: ReadonlySet<string> = new Set([
  "serverless-workflow-1.0/errors: without a retry left, the handler begins with the input of the task and the context of the failed attempt",
  "serverless-workflow/several-runs: a later run waits before an older one does",
  "sm4c/calls-not-waited: in time",
  "sm4c/claims-desk: a small claim is paid at once",
  "sm4c/jitter: without chance",
]);

describe("the scenarios of goldens on AWS Lambda", () => {
  test("come out as expected", { timeout: 600_000 }, async () => {
    const { failed, skipped } = await runAll(goldens.all);
    expect(failed).toEqual([]);
    await expect(`${skipped.join("\n")}\n`).toMatchFileSnapshot(
      every === 1 ? "./skipped-lambda.txt" : "./skipped-lambda-few.txt",
    );
  });

  // A request is lost before or after its execution, and the service invokes the function again.
  test("come out the same when invocations are lost before or after what they record", {
    timeout: 600_000,
  }, async () => {
    const some = goldens.all.filter((_, i) => every > 1 || i % 3 === 0);
    const { failed } = await runAll(some, (i) => ({
      service: (request) => (request > 0 ? request % (3 + (i % 4)) === 2 : -request % (4 + (i % 3)) === 1),
      table: (request) => Math.abs(request) < 100 && Math.abs(request) % (13 + (i % 4)) === (request > 0 ? 5 : 11),
    }));
    expect(failed).toEqual([]);
  });

  test("a repeated command performs the effects that a crashed function has left", { timeout: 60_000 }, async () => {
    const some = goldens.all.filter(({ name }) => name === "sm4c/claims-desk: no papers");
    // The function is lost when the timeout of a wait is stored, before it completes the callback.
    const { failed } = await runAll(some, () => ({
      service: (request) => (request > 0 ? request % 3 === 2 : -request % 4 === 1),
      table: (request) => [5, 18, -24].includes(request),
    }));
    expect([some.length, failed]).toEqual([1, []]);
  });
});
