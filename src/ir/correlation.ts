import {
  balanced,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  effectsOf,
  equalExpressions,
  firstOr,
  freeVariables,
  literal,
  member,
  variable,
} from "../expressions/index.ts";
import { assertNever } from "../json.ts";
import { listNames, truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import { awaitedEvents, mayMatchSameEvent, startEvents } from "./event-patterns.ts";
import { patternsOf, stepsOf } from "./walk.ts";
import type { EventDefinition, Workflow } from "./workflow.ts";

/** The id of the run, over `$run`. */
export const runId: Expression = firstOr(member(variable("run"), "id"), literal(null));

/** A correlation value, or another if it is null, an object or an array, which count as absent. */
export function scalarOr(value: Expression, otherwise: Expression): Expression {
  const taken = freeVariables(otherwise);
  let name = "token";
  while (taken.has(name)) name += "_";
  return bind(name, value, conditional(isScalar(variable(name)), variable(name), otherwise));
}

/** `[a, b, c]` for `$a if it is a scalar, otherwise $b if it is a scalar, otherwise $c`. */
export function scalarChoices(expression: Expression): readonly Expression[] {
  if (expression.kind !== "let" || expression.body.kind !== "if") return [expression];
  const { name, value, body } = expression;
  const isChoice =
    equalExpressions(body.then, variable(name)) && equalExpressions(body.condition, isScalar(variable(name)));
  if (!isChoice || freeVariables(body.otherwise).has(name)) return [expression];
  return [value, ...scalarChoices(body.otherwise)];
}

const scalarTypes: readonly string[] = ["string", "number", "boolean"];

const isScalar = (value: Expression): Expression =>
  balanced(
    "or",
    scalarTypes.map((name) => binary("==", call("type", value), literal(name))),
  );

/** Whether each run has a correlation value from its start. */
export const isAlwaysCorrelated = ({ correlation }: Workflow): boolean =>
  correlation !== undefined && isValue(correlation);

/** Whether an expression over the input and `$run` always yields a correlation value. */
function isValue(expression: Expression): boolean {
  if (expression.kind === "let") return isValue(expression.body);
  if (expression.kind === "if") {
    const { condition, then, otherwise } = expression;
    return (equalExpressions(condition, isScalar(then)) || isValue(then)) && isValue(otherwise);
  }
  const { type } = effectsOf(expression);
  return equalExpressions(expression, runId) || (type !== undefined && scalarTypes.includes(type));
}

/**
 * The correlation key by whose value the events and waits of workflows are partitioned (`""` if it has no name);
 * undefined if they have one partition.
 */
export function partitionKeyOf(workflows: readonly Workflow[]): string | undefined {
  const keys = keysOf(workflows);
  return partitionObstacle(workflows) ? undefined : [...keys][0];
}

/** Why workflows that wait for events have one partition. */
export type PartitionObstacle =
  | { readonly kind: "uncorrelated" | "conditional"; readonly event: EventDefinition }
  | { readonly kind: "keys"; readonly keys: readonly string[]; readonly event: EventDefinition }
  | { readonly kind: "unset"; readonly workflow: Workflow };

/**
 * Finds what prevents partitions. All waits must be for events of one correlation key, and each must have a value when
 * it begins, so that it is in one partition. An event must be in one partition, too: definitions that only start runs
 * may have no key if they match none of the others' events, and if no run needs events of both kinds to start.
 */
export function partitionObstacle(workflows: readonly Workflow[]): PartitionObstacle | undefined {
  const awaited = workflows.flatMap(awaitedEvents);
  const starting = workflows.flatMap(startEvents);
  const keyed = [...awaited, ...starting].filter(isKeyed);
  const keys = [...keysOf(workflows)];
  const uncorrelated =
    awaited.find((event) => !isKeyed(event)) ??
    starting.find((event) => !isKeyed(event) && keyed.some((other) => mayMatchSameEvent(event, other))) ??
    workflows.filter(({ start }) => start.create === "complete").flatMap(unkeyedAmongKeyed)[0];
  if (uncorrelated) {
    const isConditional = workflows.some((workflow) => isSelectedByConditions(workflow, uncorrelated));
    return { kind: isConditional ? "conditional" : "uncorrelated", event: uncorrelated };
  }
  if (keys.length === 0) return starting[0] && { kind: "uncorrelated", event: starting[0] };
  if (keys.length > 1)
    return { kind: "keys", keys, event: keyed.find((event) => event.correlationKey !== keyed[0]!.correlationKey)! };
  const unset = workflows.find((workflow) => awaitedEvents(workflow).length > 0 && !isAlwaysCorrelated(workflow));
  return unset && { kind: "unset", workflow: unset };
}

/** Describes an obstacle as a clause. */
export function describeObstacle(obstacle: PartitionObstacle): string {
  switch (obstacle.kind) {
    case "uncorrelated":
      return `event \`${truncate(obstacle.event.name)}\` has no correlation value`;
    case "conditional":
      return `event \`${truncate(obstacle.event.name)}\` is selected by conditions, not by a correlation value`;
    case "keys":
      return `they are correlated by different values, ${listNames(obstacle.keys)}`;
    case "unset":
      return `a run of \`${truncate(obstacle.workflow.id)}\` may have no correlation value until it receives an event`;
    default:
      return assertNever(obstacle);
  }
}

/** How to remove an obstacle, if the language has correlation values. */
export const fixOfObstacle = ({ kind }: PartitionObstacle): string =>
  kind === "conditional"
    ? "If the language has correlation values of events, use the same one for all events that runs wait for."
    : "Correlate all events that runs wait for by the same value.";

/** The definition or workflow that is the obstacle. */
export const spanOfObstacle = (obstacle: PartitionObstacle): Span =>
  obstacle.kind === "unset" ? obstacle.workflow.span : obstacle.event.span;

/** Whether each wait or start for an event of the workflow has a condition on it. */
function isSelectedByConditions(workflow: Workflow, event: EventDefinition): boolean {
  const awaited = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const combinations = [...awaited, ...(workflow.start.on ?? [])];
  const patterns = patternsOf(combinations).filter((pattern) => pattern.event.name === event.name);
  return workflow.events.includes(event) && patterns.every(({ when }) => when !== undefined);
}

const isKeyed = ({ correlation }: EventDefinition): boolean => correlation !== undefined;

const keysOf = (workflows: readonly Workflow[]): ReadonlySet<string> =>
  new Set(
    workflows
      .flatMap((workflow) => [...awaitedEvents(workflow), ...startEvents(workflow)])
      .flatMap(({ correlation, correlationKey = "" }) => (correlation ? [correlationKey] : [])),
  );

function unkeyedAmongKeyed(workflow: Workflow): readonly EventDefinition[] {
  const events = startEvents(workflow);
  return events.some(isKeyed) ? events.filter((event) => !isKeyed(event)) : [];
}
