import { expect } from "vitest";
import { check, generate } from "../../../../src/compile.ts";
import type { SimulatedEnvironment } from "../../../../src/environment/environment.ts";
import type { Program } from "../../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { interpret } from "../../../../src/reference/index.ts";
import { type Reply, type Setup, simulate } from "../../../../src/scenario/simulation.ts";
import type { OutputFile } from "../../../../src/target/contract.ts";
import type { Outcome } from "../../../../src/target/simulator.ts";
import { readerOf } from "../../../../src/text/uris.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { languages } from "../../../languages.ts";
import { programFolder, typeErrors } from "../program.ts";

/** A state of a definition. */
export interface StateDefinition {
  readonly name: string;
  readonly type: string;
  readonly [member: string]: Json | undefined;
}

/** A definition that starts with the first state. States without a transition end the workflow. */
export function definition(states: readonly StateDefinition[], more: JsonObject = {}): JsonObject {
  const all = states.map((state, i) => ({
    ...state,
    ...(i === 0 ? { start: { kind: "default" } } : {}),
    ...("transition" in state || state.type === "switch" ? {} : { end: { kind: "default" } }),
  }));
  return { id: "orders", name: "Orders", version: "1.0", states: all as unknown as Json, ...more } as JsonObject;
}

/** A transition to a state. */
export const to = (nextState: string): JsonObject => ({ nextState });

/** Compiles definitions to a program; `schemas` by path. */
export function programOf(
  definitions: readonly JsonObject[],
  schemas: { readonly [path: string]: JsonObject } = {},
): Program {
  const sources = definitions.map((each, i) => ({ path: `workflow${i}.json`, text: JSON.stringify(each) }));
  const read = readerOf(Object.entries(schemas).map(([path, schema]) => ({ path, text: JSON.stringify(schema) })));
  const { program, diagnostics } = check({ sources, options: {}, read }, languages);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  return program!;
}

/** The emitted files of a program. */
export const filesOf = async (program: Program): Promise<readonly OutputFile[]> =>
  (await generate(program, typescript)).files;

/** The source of a module. */
export async function moduleText(program: Program, name: string): Promise<string> {
  return (await filesOf(program)).find(({ path }) => path === `${name}.ts`)!.text;
}

/** Type-checks the modules of a program. Returns the errors. */
export function typeErrorsOf(files: readonly OutputFile[]): Promise<string> {
  const own = files.filter(({ path }) => /^[^/]+\.[jt]s$/.test(path));
  const folder = programFolder(Object.fromEntries(own.map(({ path, text }) => [path, text])));
  return typeErrors(
    folder,
    own.flatMap(({ path }) => (/(?<!\.d)\.ts$/.test(path) ? [path] : [])),
  );
}

/** The behavior of functions. */
export type FunctionBehavior = (name: string, argument: Json) => Reply["answer"];

/** Functions that return the given values. */
export const returning =
  (value: (name: string, argument: Json) => Json): FunctionBehavior =>
  (name, argument) => ({ kind: "returns", value: value(name, argument) });

/** Runs a workflow: its outcome and its calls. */
export async function runOn(
  run: (environment: SimulatedEnvironment) => Promise<Outcome>,
  answer: FunctionBehavior,
): Promise<JsonObject> {
  const calls: Json[] = [];
  const setup: Setup = {
    clock: 0,
    events: [],
    async reply(name, _, argument) {
      calls.push({ [name]: argument });
      return { takes: 0, answer: answer(name, argument) };
    },
  };
  const { outcome, elapsed } = await simulate(setup, run);
  const ended = outcome.status === "failed" ? { name: outcome.error.name, message: outcome.error.message } : outcome;
  return JSON.parse(JSON.stringify({ ended, calls, elapsed: elapsed ?? null })) as JsonObject;
}

/**
 * Checks that emitted modules pass the type checker and behave like the reference for the inputs. Returns the last
 * result. `answers` creates the functions for each run.
 */
export async function expectExact(
  program: Program,
  inputs: readonly Json[],
  answers: () => FunctionBehavior = () => returning(() => null),
): Promise<JsonObject> {
  const executor = await typescript.loadSimulator!();
  const [workflow] = program.workflows;
  const files = await filesOf(program);
  expect(await typeErrorsOf(files)).toBe("");
  let last: JsonObject = {};
  for (const input of inputs) {
    last = await runOn((environment) => interpret({ program, workflow: workflow!, input, environment }), answers());
    const run = (environment: SimulatedEnvironment) =>
      executor.run(files, { workflow: workflow!.id, input, environment });
    expect({ input, ...(await runOn(run, answers())) }).toEqual({ input, ...last });
  }
  executor.close();
  return last;
}
