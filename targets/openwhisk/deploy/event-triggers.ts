import { emittedAttributes, mayMatchEmitted, receivedEvents } from "../../../src/ir/event-patterns.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, Program, Workflow } from "../../../src/ir/workflow.ts";
import type { Settings } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { openwhiskEmittedElsewhere } from "../diagnostics/deployment.ts";
import type { Deployment } from "./deployment.ts";

/**
 * Reports bindings by which an event is received from another trigger than the one that the program fires with it.
 * Definitions without a binding receive events of the program from any trigger.
 */
export function checkEventTriggers(
  { workflows }: Program,
  deployment: Deployment,
  { configurationOf }: Settings,
  report: Report,
): void {
  const receivers = workflows.flatMap((workflow) =>
    receivedEvents(workflow).flatMap((event) => {
      const trigger = deployment.triggerBinding(workflow, event)?.trigger;
      return trigger === undefined ? [] : [{ workflow, event, trigger }];
    }),
  );
  if (receivers.length === 0) return;
  const reported = new Set<EventDefinition>();
  for (const workflow of workflows)
    for (const step of stepsOf(workflow)) {
      if (step.kind !== "emit") continue;
      const attributes = emittedAttributes(step, workflow);
      const emitted = workflow.events.find(({ name }) => name === step.event.name)!;
      const fired = deployment.trigger(workflow, emitted).slice("/_/".length);
      for (const { workflow: receiver, event, trigger } of receivers) {
        if (trigger === fired || reported.has(event) || !mayMatchEmitted(event, attributes)) continue;
        reported.add(event);
        const span = configurationOf(receiver).events.get(event.name)?.key ?? event.span;
        const notes = [{ message: `\`${step.event.name}\` is emitted here.`, span: step.event.span }];
        report(
          openwhiskEmittedElsewhere(span, { received: event.name, trigger, emitted: step.event.name, fired }, notes),
        );
      }
    }
}

/** Whether a definition's events are emitted by a program that receives them, by this definition or another. */
export function isEmittedToProgram(event: EventDefinition, emitter: Workflow, workflows: readonly Workflow[]): boolean {
  const step = stepsOf(emitter).find((each) => each.kind === "emit" && each.event.name === event.name);
  if (step?.kind !== "emit") return false;
  const attributes = emittedAttributes(step, emitter);
  return workflows.some((workflow) => receivedEvents(workflow).some((other) => mayMatchEmitted(other, attributes)));
}
