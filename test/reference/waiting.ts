// Runs that wait for events, shared by the tests of events.

import { member, variable } from "../../src/expressions/core/build.ts";
import type { EventCombination, Workflow } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";
import { end, event, receive, scope, workflow } from "./build.ts";
import { type interpretWorkflow, outcomeOf } from "./interpreting.ts";

export const got = variable("got");
export const arrives = (type: string, rest: JsonObject = {}): JsonObject => ({ type, ...rest });
export const definitions = ["a", "b", "c"].map((name) => event(name));

/** A run that waits once and returns what the wait bound. */
export const waitingWorkflow = (alternatives: readonly EventCombination[], rest: Partial<Workflow> = {}) =>
  workflow(scope(["data", "got"], receive("Wait", alternatives, "got", "End"), end("End", got)), {
    events: definitions,
    ...rest,
  });

/** The alternative and the numbered event names that a wait bound. */
export const boundEvents = async (seen: ReturnType<typeof interpretWorkflow>) => {
  const outcome = outcomeOf(await seen) as {
    output?: { alternative: number | null; events: { name: string; event: JsonObject }[] };
  };
  return outcome.output === undefined
    ? outcome
    : [outcome.output.alternative, ...outcome.output.events.map(({ name, event }) => `${name}${event["n"] ?? ""}`)];
};

export const correlated = [
  event("a", { correlation: member(variable("event"), "key") }),
  event("b", { correlation: member(variable("event"), "key") }),
  event("c"),
];
