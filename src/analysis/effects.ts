import { scopesOf } from "../ir/walk.ts";
import type { Program, Step, Workflow } from "../ir/workflow.ts";

/** The effects of steps and their inner scopes. */
export interface StepEffects {
  readonly acting: ReadonlySet<Step>;
  readonly terminating: ReadonlySet<Step>;
}

/** Computes the effects of all steps. */
export function computeEffects(workflow: Workflow, program: Program): StepEffects {
  const acting = new Set<Step>();
  const stopping = new Set<Step>();
  for (const { scope, owner } of [...scopesOf(workflow)].reverse()) {
    for (const step of scope.steps) {
      if (hasOwnEffect(step)) acting.add(step);
      if (mayEndRunItself(step, program)) stopping.add(step);
      if (owner && acting.has(step)) acting.add(owner);
      if (owner && stopping.has(step)) stopping.add(owner);
    }
  }
  return { acting, terminating: stopping };
}

function hasOwnEffect(step: Step): boolean {
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

function mayEndRunItself(step: Step, { byId }: Program): boolean {
  if (step.kind === "end") return step.extent === "run";
  if (step.kind !== "invoke" || !step.terminates) return false;
  const subflow = byId.get(step.workflow.name);
  return subflow === undefined || mayEndRun(subflow);
}

const mayEndRun = (workflow: Workflow): boolean =>
  scopesOf(workflow).some(({ scope }) =>
    scope.steps.some((step) =>
      step.kind === "invoke" ? step.terminates : step.kind === "end" && step.extent === "run",
    ),
  );
