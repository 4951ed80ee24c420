import { correlationText, hasAttributes, type Matcher, matches } from "../../../../src/matching/matching.ts";
import { arrive, type Collected, type Starting } from "../../../../src/matching/starting.ts";
import type { CloudEvent, EventDefinition, Pattern } from "../events.ts";
import type { Json } from "../json.ts";
import { definitionOf } from "../rules.ts";
import { type AnyWorkflow, isActive } from "../workflow.ts";

export { definitionOf };

/** How a workflow looks at events. */
export const matcherOf = (workflow: AnyWorkflow): Matcher<Pattern, CloudEvent> => ({
  nameOf,
  isOf: (name, event) => hasAttributes(event, definitionOf(name, workflow)),
  tokenOf(name, event) {
    const definition = definitionOf(name, workflow);
    return definition.correlation && correlationText(tokenOf(definition, event));
  },
  holds: (pattern, event) => typeof pattern === "string" || pattern.when(event, {}),
});

/** Whether an event is of a definition of a workflow, and has a correlation value where that asks for one. */
export const isOf = (name: string, event: CloudEvent, workflow: AnyWorkflow): boolean =>
  matches(name, event, undefined, matcherOf(workflow));

/** What of an event has to equal the correlation value, where its definition asks for that. Null is none. */
export const tokenOf = ({ correlation }: EventDefinition, event: CloudEvent): Json | undefined =>
  correlation?.(event) ?? undefined;

/** The name of a pattern's definition. */
export const nameOf = (pattern: Pattern): string => (typeof pattern === "string" ? pattern : pattern.event);

/** What comes of an event that arrives: `collected` are those that came before and started nothing yet. */
export function startedBy(
  workflow: AnyWorkflow,
  collected: readonly Collected<CloudEvent>[],
  event: CloudEvent,
  now: number,
): Starting<CloudEvent> {
  const { on = [], complete, gap, window } = workflow.start ?? {};
  if (window && !isActive(window, now)) return { collected };
  return arrive({ on, complete, gap }, collected, event, now, matcherOf(workflow));
}
