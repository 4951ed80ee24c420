import { createContext, runInContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { check, generate } from "../../../src/compile.ts";
import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { Program } from "../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { interpret } from "../../../src/reference/index.ts";
import { createComputer } from "../../../src/scenario/computer.ts";
import { onReference, onTarget, type Runner } from "../../../src/scenario/run.ts";
import { type Reply, type Setup, simulate } from "../../../src/scenario/simulation.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { hasRecorded, type Recorded, recorded } from "./recorded.ts";

// The runs of 58 compositions by Composer's conductor: ours have the same results, errors and actions with the same
// arguments on all targets, and the same states on the reference.

const runners: readonly Runner[] = hasRecorded ? [onReference, ...(await Promise.all(targets.map(onTarget)))] : [];
const computer = createComputer();
afterAll(async () => {
  for (const { executor } of runners) executor?.close();
  await computer.close();
});

/** Compositions with other free names, and their diagnostics without the option. */
const withOtherNames: ReadonlyMap<string, string> = new Map([
  ["blocking invocations tasks functions function must fail", "WB2144"],
]);

describe.skipIf(!hasRecorded)("recorded compositions (skipped without ../shared)", () => {
  const cases = hasRecorded ? recorded() : [];
  test("are complete", () => expect(cases.length).toBe(58));

  test.each(cases)("$id", async (each) => {
    const code = withOtherNames.get(each.id);
    expect(compiled(each, {}).codes).toEqual(code === undefined ? [] : [code]);
    const { program } = compiled(each, code === undefined ? {} : { globals: "any" });
    for (const runner of runners) expect(await runRecorded(each, program!, runner)).toEqual(expectedOf(each, runner));
  });
});

function compiled({ composition }: Recorded, options: { readonly [name: string]: string }) {
  const sources = [{ path: "composition.json", text: JSON.stringify(composition, undefined, 1) }];
  const { program, diagnostics } = check({ sources, options: { "composer-fsm": options } }, languages);
  return { program, codes: diagnostics.filter(({ severity }) => severity !== "info").map(({ code }) => code) };
}

/** The outcome of a run; `on` names the runner in messages. */
interface RunOutcome {
  readonly on: string;
  readonly end: Json | undefined;
  readonly actions: readonly { readonly action: string; readonly input: Json }[];
  readonly states?: readonly string[] | undefined;
}

function expectedOf({ expected, trace, states, engineText }: Recorded, { name, target }: Runner): RunOutcome {
  const { error } = expected.result;
  const failure = { failed: engineText ? expect.stringContaining("ReferenceError: ") : error } as JsonObject;
  const end = expected.status === "success" ? expected.result : failure;
  return { on: name, end, actions: trace, ...(target ? {} : { states }) };
}

async function runRecorded(each: Recorded, program: Program, { name, target, executor }: Runner): Promise<RunOutcome> {
  const [workflow] = program.workflows;
  const made = target && (await generate(program, target));
  const faults = made?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
  if (faults.length > 0) throw new Error(`${name} refuses it: ${faults.map(({ message }) => message).join(" ")}`);
  const input = each.input;
  const run = (environment: SimulatedEnvironment) =>
    made
      ? executor!.run(made.files, { workflow: workflow!.id, input, environment })
      : interpret({ program, workflow: workflow!, input, environment });
  const seen = await simulate(setupFor(each), run);
  const { outcome, calls, path } = seen;
  const end = "output" in outcome ? outcome.output : "error" in outcome ? { failed: outcome.error.message } : undefined;
  const actions = calls.map(({ function: action, argument }) => ({ action, input: argument }));
  const names = new Set(Object.keys(each.composition["States"] as JsonObject));
  return { on: name, end, actions, ...(target ? {} : { states: path.filter((step) => names.has(step)) }) };
}

function setupFor({ actions }: Recorded): Setup {
  return {
    clock: 0,
    events: [],
    reply: async (name, _, argument) => ({ takes: 0, answer: answerOf(actions[name]!, argument) }),
    script: (workflow, name, argument) => computer.run(workflow, name, argument),
  };
}

/** OpenWhisk's result of an action: an error result becomes the error alone, a thrown error its message. */
function answerOf(text: string, argument: Json): Reply["answer"] {
  const call = `try { JSON.stringify(main(${JSON.stringify(argument)})) } catch (error) { JSON.stringify({ error: \`An error has occurred: \${error}\` }) }`;
  const value = JSON.parse(runInContext(`${text}\n;${call}`, createContext({})) as string) as JsonObject;
  return { kind: "returns", value: "error" in value ? { error: value["error"]! } : value };
}
