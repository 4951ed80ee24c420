import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waybill } from "../../cli/command.ts";

const golden = join(import.meta.dirname, "../../../golden");

/** The activations of the runs of a golden's scenarios: in all, of components, of conductors, and others. */
async function activations(name: string): Promise<readonly (readonly number[])[]> {
  const folder = join(golden, name);
  const definition = readdirSync(folder).find((file) => /^workflow\.(?:yaml|json)$/.test(file))!;
  const args = ["compile", definition, "--target", "openwhisk", "--stats", "--format", "json", "--out", "nowhere"];
  const { err } = await waybill(folder, [...args, "--check", "--quiet"]);
  const figures = JSON.parse(err) as readonly { readonly scenario?: string; readonly value: number }[];
  const byScenario = Map.groupBy(
    figures.filter(({ scenario }) => scenario !== undefined),
    ({ scenario }) => scenario,
  );
  return [...byScenario.values()].map((own) => own.map(({ value }) => value));
}

test.each([
  [
    "calls, one behind the other",
    "function-workflow/sequential-actions",
    [
      [1, 3, 4, 0],
      [1, 0, 1, 0],
    ],
  ],
  [
    "a call whose time is computed",
    "sm4c/timeouts",
    [
      [1, 1, 2, 1],
      [1, 1, 2, 1],
      [1, 2, 3, 2],
      [1, 1, 2, 1],
    ],
  ],
])("%s", async (_, name, expected) => {
  expect(await activations(name)).toEqual(expected);
});

// A run costs a component for each call, each event that it emits, each wait, delay and fork, and each time that it goes on with a fresh budget. What nobody
// waits for inside an action costs one more, by which it tells how it has ended, as a conductor reaches nothing itself: a branch that is joined, and a run
// that was suspended.
test.each([
  ["a call, a wait for an event and another call", "sm4c/payment-wait", { calls: 2, waits: 1, ends: 1 }],
  ["a delay that is slept and one that is not", "serverless-workflow/delay", { delays: 2, ends: 1 }],
  ["iterations that are joined", "serverless-workflow/foreach-spaced", { calls: 3, forks: 1, ends: 3 + 1 }],
  ["branches that are waited for inside", "serverless-workflow/parallel-actions", { calls: 2, forks: 1 }],
  ["retries after a while", "serverless-workflow/retry-interval", { calls: 3, delays: 2, ends: 1 }],
  ["calls, a fork and iterations inside", "yawl/order-process", { calls: 6, forks: 2 }],
])("%s: so many components", async (_, name, parts: { readonly [part: string]: number }) => {
  const [[, components] = []] = await activations(name);
  expect(components).toBe(Object.values(parts).reduce((sum, count) => sum + count));
});

test.each([
  "composer-fsm/order-process",
  "function-workflow/order-process",
  "serverless-workflow/order-process",
  "serverless-workflow/subflow-waited",
  "serverless-workflow/delay",
  "sm4c/payment-wait",
  "sm4c/order-process",
  "yawl/order-process",
])("conductors of %s are activated once for each component and each invocation", async (name) => {
  const runs = await activations(name);
  expect(runs.length).toBeGreaterThan(0);
  for (const [invocations, components, conductors] of runs) expect(conductors).toBe(invocations! + components!);
});
