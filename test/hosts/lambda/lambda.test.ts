import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stepsOf } from "../../../src/ir/walk.ts";
import { differences } from "../../../src/scenario/compare.ts";
import { emittedGoldens, type GoldenScenario, type Goldens } from "../goldens.ts";
import type { Emitted } from "../program.ts";
import { type Losses, observe } from "./observe.ts";

// The scenarios of all goldens as durable executions, by the SDK of AWS, on what stands for the service: on virtual time, to the instant.

/** All of them take a minute: `HOSTS=all` tells them. */
const every = process.env["HOSTS"] === "all" ? 1 : 10;

let goldens: Goldens;
beforeAll(async () => {
  goldens = await emittedGoldens(every);
}, 120_000);
afterAll(() => goldens.close());

/** What of the scenarios is not as expected, and which are left out. */
async function tellAll(
  some: readonly GoldenScenario[],
  losses?: (i: number) => Losses,
): Promise<{ readonly wrong: readonly unknown[]; readonly left: readonly string[] }> {
  const [wrong, left]: [unknown[], string[]] = [[], []];
  for (const [i, { name, scenario, emitted }] of some.entries()) {
    const why = notTold(name, emitted);
    if (why !== undefined) {
      left.push(`${name}: ${why}`);
      continue;
    }
    const seen = await observe(scenario, emitted, goldens.computer, losses?.(i));
    const found = [scenario, ...scenario.runs].flatMap(({ expect }, run) =>
      differences(expect, seen[run]!, !untimed.has(name)),
    );
    if (found.length > 0) wrong.push({ name, found });
  }
  return { wrong, left: left.sort() };
}

/** Why a scenario cannot be told there. */
function notTold(name: string, { program }: Emitted): string | undefined {
  const steps = program.workflows.flatMap((workflow) => stepsOf(workflow));
  const isOutside = steps.some((step) => step.kind === "invoke" && !program.byId.has(step.workflow.name));
  if (isOutside) return "it calls a workflow that is not in the program";
  return beyond.get(name);
}

const beyond: ReadonlyMap<string, string> = new Map([
  ["serverless-workflow/asl-refuses-time: asks each host after four years", "an execution takes a year at most"],
  [
    "serverless-workflow/zero-timeout-at-the-start: an event at the instant at which the wait begins and ends, at the start",
    "an event is told after a timer of its instant",
  ],
  ["sm4c/claims-desk: the run takes too long", "a call takes longer than an invocation, which has 15 minutes"],
  [
    "yawl/timeouts: no step takes longer than a quarter of an hour",
    "a call takes longer than an invocation, which has 15 minutes",
  ],
]);

/**
 * Those that end at other instants: an execution goes on until what nobody waits for is done, chance is another one, and while a call is under way the SDK asks
 * only now and then whether a callback has come.
 */
const untimed: ReadonlySet<string> = new Set([
  "serverless-workflow/several-runs: a later run waits before an older one does",
  "sm4c/calls-not-waited: in time",
  "sm4c/claims-desk: a small claim is paid at once",
  "sm4c/jitter: without chance",
]);

describe("the scenarios of goldens on AWS Lambda", () => {
  test("come out as expected", { timeout: 600_000 }, async () => {
    const { wrong, left } = await tellAll(goldens.all);
    expect(wrong).toEqual([]);
    await expect(`${left.join("\n")}\n`).toMatchFileSnapshot(
      every === 1 ? "./left-out-lambda.txt" : "./left-out-lambda-few.txt",
    );
  });

  // A request is answered by nobody: it was not heard, or what it asked for is done. The service invokes the function again, as when its machine is gone.
  test("come out the same when invocations are lost before or after what they record", {
    timeout: 600_000,
  }, async () => {
    const some = goldens.all.filter((_, i) => every > 1 || i % 3 === 0);
    const { wrong } = await tellAll(some, (i) => ({
      service: (request) => (request > 0 ? request % (3 + (i % 4)) === 2 : -request % (4 + (i % 3)) === 1),
      table: (request) => Math.abs(request) < 100 && Math.abs(request) % (13 + (i % 4)) === (request > 0 ? 5 : 11),
    }));
    expect(wrong).toEqual([]);
  });
});
