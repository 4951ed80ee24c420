import { type Expression, firstOr, literal, member } from "../../expressions/index.ts";
import { runId, scalarOr } from "../../ir/correlation.ts";
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

const initialValue = (tokens: readonly string[]): Expression =>
  tokens.reduceRight((otherwise, token) => scalarOr(memberOfData(token), otherwise), runId);
