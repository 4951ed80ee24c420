import { busyLoop, noPathToEnd, type Terminology, unreachableStep } from "../diagnostics/flow.ts";
import { handlersOf, reachableSteps, type ScopeNode, scopesOf } from "../ir/walk.ts";
import type { Program, Reference, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Note, Report } from "../text/diagnostics.ts";
import { holdsAlways, holdsNever } from "./cases.ts";
import { cycleFrom, stronglyConnectedComponents } from "./components.ts";
import { computeEffects, type StepEffects } from "./effects.ts";

/** Reports unreachable constructs. */
export function checkReachability({ workflows }: Program, report: Report): void {
  for (const workflow of workflows) {
    for (const { scope } of scopesOf(workflow)) {
      const reached = reachableSteps(scope);
      for (const step of scope.steps)
        if (step.origin.entry && !reached.has(step.id)) report(unreachableStep(step.span, step.origin));
    }
  }
}

/**
 * Reports loops without a path to an end. A loop that only computes is an error. So is one that waits or acts, unless
 * an enclosing step handles its errors or can abandon it, or it receives events in a language of reactive machines.
 */
export function checkEnds(program: Program, report: Report, wordsOf: (workflow: Workflow) => Terminology): void {
  for (const workflow of program.workflows) {
    const effects = computeEffects(workflow, program);
    const { mayWaitIndefinitely: mayReactForEver = false } = wordsOf(workflow);
    for (const node of scopesOf(workflow)) checkScope(node, effects, mayReactForEver, report);
  }
}

function checkScope(
  node: ScopeNode,
  { acting, terminating: stopping }: StepEffects,
  mayReact: boolean,
  report: Report,
): void {
  const { steps, next, rank } = findUnprovenSteps(node, stopping);
  for (const component of stronglyConnectedComponents(steps, next)) {
    const members = new Set(component);
    const ids = new Set(component.map(({ id }) => id));
    if (component.some((step) => isExit(step, stopping) || possibleSuccessors(step).some(({ name }) => !ids.has(name))))
      continue;
    const first = component.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    const cycle = cycleFrom(first, members, next);
    if (cycle.length === 0) continue;
    if (mayReact && component.some(({ kind }) => kind === "receive")) continue;
    const spins = component.every((step) => !acting.has(step) && !(step.kind === "choose" && !step.otherwise));
    const args = { noun: first.origin.noun, cycle: namesOf(cycle) };
    if (spins) report(busyLoop(first.span, args, notesOf(cycle)));
    else if (!mayBeAbandoned(node, stopping)) report(noPathToEnd(first.span, args, notesOf(cycle)));
  }
}

const isExit = (step: Step, stopping: ReadonlySet<Step>): boolean => step.kind === "end" || stopping.has(step);

/** Steps without an obvious path to an end, their successors, and their rank; first steps of constructs rank first. */
function findUnprovenSteps({ scope }: ScopeNode, stopping: ReadonlySet<Step>) {
  const ending = findProvenSteps(scope, stopping);
  const rest = scope.steps.filter(({ id }) => !ending.has(id));
  const reached = rest.length === 0 ? ending : reachableSteps(scope);
  const steps = rest.filter(({ id }) => reached.has(id));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const followers = new Map(
    steps.map((step) => [step, possibleSuccessors(step).flatMap(({ name }) => byId.get(name) ?? [])]),
  );
  const ranks = new Map(steps.map((step, i) => [step, step.origin.entry ? i : steps.length + i]));
  return {
    steps,
    next: (step: Step): readonly Step[] => followers.get(step)!,
    rank: (step: Step): number => ranks.get(step)!,
  };
}

function findProvenSteps({ steps }: Scope, stopping: ReadonlySet<Step>): ReadonlySet<string> {
  const ending = new Set<string>();
  for (let pass = 0; pass < 2 && ending.size < steps.length; pass++) {
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i]!;
      if (isExit(step, stopping) || possibleSuccessors(step).some(({ name }) => ending.has(name))) ending.add(step.id);
    }
  }
  return ending;
}

function possibleSuccessors(step: Step): readonly Reference[] {
  if (step.kind === "end") return [];
  if (step.kind !== "choose") return [step.next, ...handlersOf(step).map(({ next }) => next)];
  const possible = step.cases.filter(({ when }) => !holdsNever(when));
  const certain = possible.findIndex(({ when }) => holdsAlways(when));
  if (certain >= 0) return possible.slice(0, certain + 1).map(({ next }) => next);
  return [...possible.map(({ next }) => next), ...(step.otherwise ? [step.otherwise] : [])];
}

function mayBeAbandoned(node: ScopeNode, stopping: ReadonlySet<Step>): boolean {
  for (let { owner, parent } = node; owner; { owner, parent } = parent!) {
    if (handlersOf(owner).length > 0 || stopping.has(owner)) return true;
    if (owner.kind === "attempt" && owner.timeout !== undefined) return true;
    if (owner.kind === "fork" && owner.join.kind === "some") return true;
  }
  return false;
}

/** The first is repeated at the end. */
function namesOf(cycle: readonly Step[]): readonly string[] {
  const names = cycle.map(({ origin }) => origin.name).filter((name, i, all) => name !== all[i - 1]);
  return [...(names.length > 1 && names.at(-1) === names[0] ? names.slice(0, -1) : names), names[0]!];
}

const maxNotes = 20;

function notesOf(cycle: readonly Step[]): readonly Note[] {
  const notes = cycle.flatMap((step, i) => {
    const follower = cycle[(i + 1) % cycle.length]!;
    if (!follower.origin.entry) return [];
    const span = possibleSuccessors(step).find(({ name }) => name === follower.id)!.span;
    return [{ message: `\`${step.origin.name}\` leads to \`${follower.origin.name}\` here.`, span }];
  });
  return notes.slice(0, maxNotes);
}
