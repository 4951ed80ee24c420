import { expect } from "vitest";
import { generate } from "../../../src/compile.ts";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { call as builtin, conditional, literal, object, variable } from "../../../src/expressions/core/build.ts";
import { assertWellFormed } from "../../../src/ir/verify.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { programOf } from "../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { type Observed, simulate } from "../../../src/scenario/simulation.ts";
import { emptyConfiguration, type Settings } from "../../../src/target/contract.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import { asl } from "../../../targets/asl/index.ts";
import { wrap } from "../../equivalence/wrapping.ts";
import { data } from "../../reference/build.ts";
import { callsOf, type InterpretOptions, interpretWorkflow, outcomeOf, returns } from "../../reference/interpreting.ts";

/** A workflow's machine, expression function and diagnostics. */
export interface GeneratedMachine {
  readonly states: { readonly [name: string]: JsonObject };
  /** Empty without one. */
  readonly lambda: string;
  readonly diagnostics: readonly Diagnostic[];
}

type TargetSettings = JsonObject;

const settingsOf = (values: TargetSettings): Partial<Settings> => {
  const configured = { ...emptyConfiguration, values };
  return { configurationOf: () => configured, verify: assertWellFormed };
};

/** Compiles a handmade workflow. */
export async function generateMachine(workflow: Workflow, values: TargetSettings = {}): Promise<GeneratedMachine> {
  const { files, diagnostics } = await generate(programOf([workflow]), asl, settingsOf(values));
  const text = (ending: string): string => files.find(({ path }) => path.endsWith(ending))?.text ?? "";
  const machine = JSON.parse(text(".asl.json") || "{}") as JsonObject;
  return {
    states: (machine["States"] ?? {}) as GeneratedMachine["states"],
    lambda: text("-expressions.mjs"),
    diagnostics,
  };
}

/**
 * Runs a workflow on the reference and on the target, and expects the same outcome and the same calls at the same
 * times.
 */
export async function compareWithReference(
  workflow: Workflow,
  setup: InterpretOptions = {},
  values: TargetSettings = {},
): Promise<Observed> {
  const expected = await interpretWorkflow(workflow, setup);
  const seen = await runOnAsl(workflow, setup, values);
  expect({ ...summary(seen), said: [] }).toEqual({ ...summary(expected), said: [] });
  return seen;
}

/** Runs a workflow on the target. */
export async function runOnAsl(
  workflow: Workflow,
  { input, functions = {}, events = [], clock = "2026-01-01T00:00:00Z", others = [] }: InterpretOptions,
  values: TargetSettings = {},
): Promise<Observed> {
  const executor = await asl.loadSimulator!();
  const program = programOf([workflow, ...others]);
  const { files, diagnostics } = await generate(program, asl, settingsOf(values));
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  const reply = async (name: string, index: number, argument: Json) => {
    const answering = functions[name] ?? [];
    if (typeof answering === "function") return answering(argument, index);
    return answering[Math.min(index, answering.length - 1)] ?? returns(null);
  };
  const arriving = events.map(([at, event]) => ({ at, event }));
  return simulate({ clock: Date.parse(clock), events: arriving, reply }, (environment) =>
    executor.run(files, { workflow: workflow.id, input, environment }),
  );
}

const summary = (run: Observed): JsonObject => ({
  outcome: outcomeOf(run),
  calls: callsOf(run),
  emitted: run.emitted.map(({ id: _, ...event }) => event),
  elapsed: run.elapsed ?? null,
});

/** Variables of workflows in tests. */
export const [x, y, element, index] = [variable("x"), variable("y"), variable("element"), variable("index")];
/** A member of the data; fails if that is not an object. */
export const part = (name: string): Expression => ({
  kind: "access",
  source: data,
  key: literal(name),
  optional: false,
});
/** Fails with a named error if `data.bad` is true, or else gives a value. */
export const risky = (value: Expression): Expression =>
  conditional(
    wrap(part("bad")),
    builtin(
      "error",
      object([
        ["name", literal("Bad: {one}")],
        ["message", literal('100% "wrong" {{x}}')],
      ]),
    ),
    value,
  );

/** Data for which `risky` succeeds, data for which it fails, and that error. */
export const good = { bad: false, n: 1 };
export const bad = { bad: true, n: 1 };
export const wrong = { error: "Bad: {one}", message: '100% "wrong" {{x}}' };
