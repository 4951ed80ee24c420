import { places } from "../ir/walk.ts";
import type { Step, Workflow } from "../ir/workflow.ts";
import type { Program } from "../program.ts";

/** What steps do beside computing, the steps of the scopes in them included. */
export interface Effects {
  /** Steps that wait, or do something that the outside can see. */
  readonly acting: ReadonlySet<Step>;
  /** Steps that may end the whole run. */
  readonly stopping: ReadonlySet<Step>;
}

/** Finds what the steps of a workflow do. */
export function effectsOf(workflow: Workflow, program: Program): Effects {
  const acting = new Set<Step>();
  const stopping = new Set<Step>();
  for (const { scope, owner } of [...places(workflow)].reverse()) {
    for (const step of scope.steps) {
      if (actsItself(step)) acting.add(step);
      if (stopsItself(step, program)) stopping.add(step);
      if (owner && acting.has(step)) acting.add(owner);
      if (owner && stopping.has(step)) stopping.add(owner);
    }
  }
  return { acting, stopping };
}

function actsItself(step: Step): boolean {
  switch (step.kind) {
    case "assign":
    case "choose":
    case "end":
    case "fork":
    case "attempt":
      return false;
    case "foreach":
      return (step.gap ?? 0) > 0;
    case "delay":
      return !(step.wait.kind === "for" && step.wait.seconds.kind === "literal" && step.wait.seconds.value === 0);
    default:
      return true;
  }
}

function stopsItself(step: Step, { byId }: Program): boolean {
  if (step.kind === "end") return step.extent === "run";
  if (step.kind !== "invoke" || !step.terminates) return false;
  const subflow = byId.get(step.workflow.name);
  return subflow === undefined || mayEndRun(subflow);
}

/** Ends its run, or starts another workflow that might; how that one does is not looked into. */
const mayEndRun = (workflow: Workflow): boolean =>
  places(workflow).some(({ scope }) =>
    scope.steps.some((step) =>
      step.kind === "invoke" ? step.terminates : step.kind === "end" && step.extent === "run",
    ),
  );
