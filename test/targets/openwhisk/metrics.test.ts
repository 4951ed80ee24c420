import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waybill } from "../../cli/command.ts";

const golden = join(import.meta.dirname, "../../../golden");

/** The activations of a golden's scenarios: invocations, components, conductors and others. */
async function activations(name: string): Promise<readonly (readonly number[])[]> {
  const folder = join(golden, name);
  const definition = readdirSync(folder).find((file) => /^workflow\.(?:yaml|json)$/.test(file))!;
  const args = ["compile", definition, "--target", "openwhisk", "--stats", "--format", "json", "--out", "nowhere"];
  const { err } = await waybill(folder, [...args, "--check", "--quiet"]);
  const metrics = JSON.parse(err) as readonly { readonly scenario?: string; readonly value: number }[];
  const byScenario = Map.groupBy(
    metrics.filter(({ scenario }) => scenario !== undefined),
    ({ scenario }) => scenario,
  );
  return [...byScenario.values()].map((own) => own.map(({ value }) => value));
}

test.each([
  [
    "calls in sequence",
    "function-workflow/sequential-actions",
    [
      [1, 3, 4, 0],
      [1, 0, 1, 0],
    ],
  ],
  [
    "a call with a computed time limit",
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

// Each call, emitted event, wait, delay, fork and continuation is a component. A joined branch and a suspended run have
// one more, which reports their end.
test.each([
  ["a call, a wait for an event and another call", "sm4c/payment-wait", { calls: 2, waits: 1, ends: 1 }],
  ["a short and a long delay", "serverless-workflow/delay", { delays: 2, ends: 1 }],
  ["joined iterations", "serverless-workflow/foreach-spaced", { calls: 3, forks: 1, ends: 3 + 1 }],
  ["branches that an action waits for", "serverless-workflow/parallel-actions", { calls: 2, forks: 1 }],
  ["retries after a delay", "serverless-workflow/retry-interval", { calls: 3, delays: 2, ends: 1 }],
  ["calls, a fork and iterations in actions", "yawl/order-process", { calls: 6, forks: 2 }],
])("%s: the number of components", async (_, name, parts: { readonly [part: string]: number }) => {
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
])("the conductors of %s are activated once per component and once per invocation", async (name) => {
  const runs = await activations(name);
  expect(runs.length).toBeGreaterThan(0);
  for (const [invocations, components, conductors] of runs) expect(conductors).toBe(invocations! + components!);
});
