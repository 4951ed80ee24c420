import { expect } from "vitest";
import { generate } from "../../src/compile.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import { programOf, type Workflow } from "../../src/ir/workflow.ts";
import { type Observed, simulate } from "../../src/scenario/simulation.ts";
import { emptyConfiguration, type Target } from "../../src/target/contract.ts";
import { type InterpretOptions, interpretWorkflow, returns } from "../reference/interpreting.ts";

/** Runs a handmade workflow on a target. */
export async function runOn(
  target: Target,
  workflow: Workflow,
  { input, functions = {}, events = [], clock = "2026-01-01T00:00:00Z", others = [] }: InterpretOptions,
): Promise<Observed> {
  const executor = await target.loadSimulator!();
  try {
    const settings = { configurationOf: () => emptyConfiguration, verify: assertWellFormed };
    const { files, diagnostics } = await generate(programOf([workflow, ...others]), target, settings);
    expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
    const reply = async (name: string, index: number, argument: Parameters<typeof returns>[0]) => {
      const answering = functions[name] ?? [];
      if (typeof answering === "function") return answering(argument, index);
      return answering[Math.min(index, answering.length - 1)] ?? returns(null);
    };
    const setup = { clock: Date.parse(clock), events: events.map(([at, event]) => ({ at, event })), reply };
    return await simulate(setup, (environment) => executor.run(files, { workflow: workflow.id, input, environment }));
  } finally {
    await executor.close();
  }
}

/** Runs a handmade workflow on the reference and a target, and expects the same outcome, calls and events. */
export async function compareOn(target: Target, workflow: Workflow, options: InterpretOptions): Promise<Observed> {
  const expected = await interpretWorkflow(workflow, options);
  expect(essentials(await runOn(target, workflow, options))).toEqual(essentials(expected));
  return expected;
}

/** Without the message of an expression's error, which platforms word differently. */
function essentials({ outcome, calls, emitted }: Observed) {
  const told = outcome.status === "failed" ? { ...outcome.error, origin: undefined } : outcome;
  return { outcome: told, calls: calls.map((call) => [call.function, call.argument]), emitted: emitted.length };
}
