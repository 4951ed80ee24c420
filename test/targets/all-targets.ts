import { expect } from "vitest";
import { generate } from "../../src/compile.ts";
import { assignEvents } from "../../src/ir/bound-events.ts";
import { builtInOf } from "../../src/ir/protocols.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { type Observed, simulate } from "../../src/scenario/simulation.ts";
import type { Target } from "../../src/target/contract.ts";
import { emptyConfiguration } from "../../src/target/contract.ts";
import { asl } from "../../targets/asl/index.ts";
import { openwhisk } from "../../targets/openwhisk/index.ts";
import { typescript } from "../../targets/typescript/index.ts";
import { callsOf, type InterpretOptions, interpretWorkflow, outcomeOf, returns } from "../reference/interpreting.ts";

/** The targets by name. */
export const allTargets = { asl, openwhisk, typescript } as const;

type TargetName = keyof typeof allTargets;

/** The errors with which a target refuses a handmade workflow. */
export async function refusalsOf(workflow: Workflow, target: TargetName): Promise<readonly string[]> {
  const { diagnostics } = await filesOf([workflow], allTargets[target]);
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}

/**
 * Runs a handmade workflow on the reference and on targets, and expects the same outcome, calls, emitted events and
 * times. Returns what the reference did.
 */
export async function compareTargets(
  workflow: Workflow,
  setup: InterpretOptions = {},
  targets: readonly TargetName[] = ["asl", "openwhisk", "typescript"],
): Promise<Observed> {
  const expected = await interpretWorkflow(workflow, setup);
  for (const name of targets)
    expect([name, summaryOf(await runOn(workflow, setup, allTargets[name]))]).toEqual([name, summaryOf(expected)]);
  return expected;
}

async function runOn(
  workflow: Workflow,
  { input, functions = {}, events = [], clock = "2026-01-01T00:00:00Z", others = [] }: InterpretOptions,
  target: Target,
): Promise<Observed> {
  const simulator = await target.loadSimulator!();
  const { files, diagnostics } = await filesOf([workflow, ...others], target);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  const reply = async (name: string, index: number, argument: Json) => {
    const given = functions[name] ?? [];
    if (typeof given === "function") return given(argument, index);
    return given[Math.min(index, given.length - 1)] ?? returns(null);
  };
  const arriving = events.map(([at, event]) => ({ at, event }));
  const builtIns = new Map(
    [workflow, ...others].map(assignEvents).flatMap(({ functions: defined }) =>
      defined.flatMap(({ name, protocol }) => {
        const builtIn = builtInOf(protocol);
        return builtIn ? [[name, builtIn] as const] : [];
      }),
    ),
  );
  try {
    return await simulate({ clock: Date.parse(clock), events: arriving, reply, builtIns }, (environment) =>
      simulator.run(files, { workflow: workflow.id, input, environment }),
    );
  } finally {
    simulator.close();
  }
}

const filesOf = (workflows: readonly Workflow[], target: Target) =>
  generate(programOf(workflows), target, { configurationOf: () => emptyConfiguration, verify: assertWellFormed });

const summaryOf = (run: Observed): JsonObject => ({
  outcome: outcomeOf(run),
  calls: callsOf(run),
  emitted: run.emitted.map((event) => withoutGenerated(event)),
  elapsed: run.elapsed ?? null,
});

/** Without an id that the run generates. */
function withoutGenerated({ id, ...event }: JsonObject): JsonObject {
  return typeof id === "string" && id.startsWith("own-") ? { ...event, id } : event;
}
