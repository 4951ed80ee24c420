import type { Workflow } from "../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { programOf } from "../../src/program.ts";
import { interpret } from "../../src/reference/index.ts";
import { type Observed, type Reply, simulate } from "../../src/scenario/simulation.ts";

/** What a function does: its answers in turn (the last repeats), or how it computes one. */
export type Answering = readonly Reply[] | ((argument: Json, index: number) => Reply);

export interface Given {
  /** `undefined`: the run is started by events where the workflow can be. */
  readonly input?: Json | undefined;
  readonly functions?: { readonly [name: string]: Answering };
  /** Seconds from the start, and the event. */
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

/** Runs a workflow on the reference; functions that are not mentioned answer null at once. */
export function interpreted(
  workflow: Workflow,
  { input, functions = {}, events = [], clock = "2026-01-01T00:00:00Z", others = [] }: Given = {},
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

/** How a run came out, in a few words: its output, or the name and message of its error, or that it did not end. */
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

/** The calls that were made, as `name(argument)`. */
export const callsOf = ({ calls }: Observed): readonly string[] =>
  calls.map((call) => `${call.function}(${JSON.stringify(call.argument)})`);
