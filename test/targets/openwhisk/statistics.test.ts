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
