import { expect } from "vitest";
import { check, generate } from "../../../../src/compile.ts";
import type { SimulatedEnvironment } from "../../../../src/environment/environment.ts";
import type { Program } from "../../../../src/ir/program.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { languages } from "../../../../src/languages/index.ts";
import { interpret } from "../../../../src/reference/index.ts";
import { type Reply, type Setup, simulate } from "../../../../src/scenario/simulation.ts";
import type { OutputFile } from "../../../../src/target/contract.ts";
import type { Outcome } from "../../../../src/target/simulator.ts";
import { readerOf } from "../../../../src/text/resources.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { programFolder, typeFaults } from "../program.ts";

/** A state of a definition. */
export interface State {
  readonly name: string;
  readonly type: string;
  readonly [member: string]: Json | undefined;
}

/** A definition of states, the first of which begins; those without a transition end the workflow. */
export function definition(states: readonly State[], more: JsonObject = {}): JsonObject {
  const all = states.map((state, i) => ({
    ...state,
    ...(i === 0 ? { start: { kind: "default" } } : {}),
    ...("transition" in state || state.type === "switch" ? {} : { end: { kind: "default" } }),
  }));
  return { id: "orders", name: "Orders", version: "1.0", states: all as unknown as Json, ...more } as JsonObject;
}

/** Where a state goes on. */
export const to = (nextState: string): JsonObject => ({ nextState });

/** A program of definitions, and of schemas by their paths. */
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

/** What is emitted for a program. */
export const filesOf = async (program: Program): Promise<readonly OutputFile[]> =>
  (await generate(program, typescript)).files;

/** The text of a module. */
export async function moduleText(program: Program, name: string): Promise<string> {
  return (await filesOf(program)).find(({ path }) => path === `${name}.ts`)!.text;
}

/** What the type checker says of the modules of a program. */
export function faultsOf(files: readonly OutputFile[]): Promise<string> {
  const own = files.filter(({ path }) => /^[^/]+\.[jt]s$/.test(path));
  const folder = programFolder(Object.fromEntries(own.map(({ path, text }) => [path, text])));
  return typeFaults(
    folder,
    own.flatMap(({ path }) => (/(?<!\.d)\.ts$/.test(path) ? [path] : [])),
  );
}

/** What functions do. */
export type Answers = (name: string, argument: Json) => Reply["answer"];

/** Functions that return what they are said to. */
export const returning =
  (value: (name: string, argument: Json) => Json): Answers =>
  (name, argument) => ({ kind: "returns", value: value(name, argument) });

/** A run of a workflow: how it ends, and what it calls. */
export async function runOn(
  run: (environment: SimulatedEnvironment) => Promise<Outcome>,
  answer: Answers,
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

/** Makes sure that what is emitted is well typed, and does with inputs what the reference does; gives what it does with the last. Each run has its own answers. */
export async function expectExact(
  program: Program,
  inputs: readonly Json[],
  answers: () => Answers = () => returning(() => null),
): Promise<JsonObject> {
  const executor = await typescript.loadSimulator!();
  const [workflow] = program.workflows;
  const files = await filesOf(program);
  expect(await faultsOf(files)).toBe("");
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
