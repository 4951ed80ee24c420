import {
  balanced,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  variable,
} from "../../expressions/index.ts";
import { mapScopes, patternsOf } from "../../ir/walk.ts";
import type { EventDefinition, Step, Workflow } from "../../ir/workflow.ts";
import { data } from "./data.ts";

/**
 * Adds the correlation values of a workflow whose events have tokens. A wait and a produced event use the member of the
 * state's data with the token's name; the run starts with that of its input, otherwise with its id.
 */
export function correlateByTokens(workflow: Workflow): Workflow {
  const { events } = workflow;
  const tokens = distinctKeys(events);
  if (tokens.length === 0) return workflow;
  const byName = new Map(events.map((event) => [event.name, event]));
  const correlated = mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.map((step) => correlateStep(step, byName)),
  }));
  return { ...correlated, correlation: initialValue(tokens) };
}

const distinctKeys = (events: readonly EventDefinition[]): readonly string[] => [
  ...new Set(events.flatMap(({ correlationKey }) => correlationKey ?? [])),
];

function correlateStep(step: Step, events: ReadonlyMap<string, EventDefinition>): Step {
  if (step.kind === "emit") {
    const token = events.get(step.event.name)?.correlationKey;
    return token === undefined ? step : { ...step, correlation: memberOfData(token) };
  }
  if (step.kind !== "receive") return step;
  const tokens = distinctKeys(patternsOf(step.alternatives).flatMap(({ event }) => events.get(event.name) ?? []));
  return tokens.length === 0
    ? step
    : { ...step, correlation: tokens.map((key) => ({ key, value: memberOfData(key) })) };
}

const memberOfData = (token: string): Expression => firstOr(member(data, token), literal(null));

function initialValue(tokens: readonly string[]): Expression {
  const value = variable("token");
  const isScalar = balanced(
    "or",
    ["string", "number", "boolean"].map((name) => binary("==", call("type", value), literal(name))),
  );
  return tokens.reduceRight<Expression>(
    (otherwise, token) => bind("token", memberOfData(token), conditional(isScalar, value, otherwise)),
    firstOr(member(variable("run"), "id"), literal(null)),
  );
}
