import { analyzeProgram } from "../../src/analysis/index.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { interpret } from "../../src/reference/index.ts";
import { type Observed, type Reply, simulate } from "../../src/scenario/simulation.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";

/** The responses of a function in order, the last one repeated, or a function that computes each. */
export type FunctionResponses = readonly Reply[] | ((argument: Json, index: number) => Reply);

export interface InterpretOptions {
  /** `undefined`: events start the run if the workflow allows it. */
  readonly input?: Json | undefined;
  readonly functions?: { readonly [name: string]: FunctionResponses };
  /** Seconds since the start, and the event. */
  readonly events?: readonly (readonly [number, JsonObject])[];
  readonly clock?: string;
  /** The other workflows of the program. */
  readonly others?: readonly Workflow[];
}

export const returns = (value: Json, takes = 0): Reply => ({ takes, answer: { kind: "returns", value } });
export const throws = (name: string, message = "", takes = 0, data?: Json): Reply => ({
  takes,
  answer: { kind: "throws", name, message, data },
});

/** Runs a workflow on the reference. Unmentioned functions return null at once. */
export function interpretWorkflow(
  workflow: Workflow,
  { input, functions = {}, events = [], clock = "2026-01-01T00:00:00Z", others = [] }: InterpretOptions = {},
): Promise<Observed> {
  const program = programOf([workflow, ...others]);
  const reply = async (name: string, index: number, argument: Json): Promise<Reply> => {
    const answering = functions[name] ?? [];
    if (typeof answering === "function") return answering(argument, index);
    return answering[Math.min(index, answering.length - 1)] ?? returns(null);
  };
  const setup = { clock: Date.parse(clock), events: events.map(([at, event]) => ({ at, event })), reply };
  return simulate(setup, (environment) => interpret({ program, workflow, input, environment }));
}

/** The output of a run, its error's name and message, or its status. */
export function outcomeOf({ outcome }: Observed): Json {
  switch (outcome.status) {
    case "succeeded":
      return { output: outcome.output };
    case "failed":
      return { error: outcome.error.name, message: outcome.error.message };
    default:
      return outcome.status;
  }
}

/** The calls as `name(argument)`. */
export const callsOf = ({ calls }: Observed): readonly string[] =>
  calls.map((call) => `${call.function}(${JSON.stringify(call.argument)})`);

/** Returns the findings of the analysis. Throws if the workflow is not well formed. */
export function findings(workflow: Workflow): readonly string[] {
  const found: Diagnostic[] = [];
  const program = programOf([workflow]);
  for (const workflow of program.workflows) assertWellFormed(workflow, "lowering");
  analyzeProgram(program, (diagnostic) => found.push(diagnostic));
  return found.map(({ code, message }) => `${code} ${message}`);
}
