import { emittedAttributes, mayMatchEmitted, receivedEvents } from "../../src/ir/event-patterns.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { EventDefinition, Program, Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { aslEventBuses } from "./diagnostics/kinds.ts";
import type { AslBindings } from "./services.ts";

/**
 * Reports events that a workflow emits on another bus than the one that a definition which receives them is bound to.
 * Definitions without a bus receive from the bus on which the program emits.
 */
export function checkEventBuses(
  { workflows }: Program,
  boundOf: (workflow: Workflow) => AslBindings,
  report: Report,
): void {
  const busOf = (workflow: Workflow, event: string): string | undefined => boundOf(workflow).events.get(event)?.bus;
  const receivers = workflows.flatMap((workflow) =>
    receivedEvents(workflow).flatMap((event): readonly BoundReceiver[] => {
      const bus = busOf(workflow, event.name);
      return bus === undefined ? [] : [{ event, bus }];
    }),
  );
  if (receivers.length === 0) return;
  for (const workflow of workflows)
    for (const step of stepsOf(workflow)) {
      if (step.kind !== "emit") continue;
      const emittedOn = busOf(workflow, step.event.name);
      const attributes = emittedAttributes(step, workflow);
      const receiver = receivers.find(({ event, bus }) => bus !== emittedOn && mayMatchEmitted(event, attributes));
      if (!receiver) continue;
      const names = { emitted: step.event.name, received: receiver.event.name };
      report(aslEventBuses(step.event.span, { ...names, emittedOn, receivedFrom: receiver.bus }));
    }
}

interface BoundReceiver {
  readonly event: EventDefinition;
  readonly bus: string;
}
