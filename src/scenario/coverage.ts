import type { Edge } from "../environment/environment.ts";
import { handlersOf, innerScopes, reachableSteps, scopesOf, stepsById, stepsOf } from "../ir/walk.ts";
import type { Choose, Program, Reference, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Span } from "../text/source.ts";
import type { Recording } from "./recording.ts";

/** The coverage of the workflows of a program. */
export type Coverage = readonly WorkflowCoverage[];

/** The coverage of a workflow. */
export interface WorkflowCoverage {
  /** The path of its definition. */
  readonly file: string;
  readonly workflow: string;
  /** The language's term for a state. */
  readonly noun: string;
  readonly states: readonly Reached<State>[];
  readonly transitions: readonly Reached<Transition>[];
}

/** A construct of the source language that a run can be in, including those in branches and iterations. */
export interface State {
  /** Unique in the workflow. */
  readonly id: string;
  readonly name: string;
  /** Such as `operation state`. */
  readonly noun: string;
  readonly span: Span;
}

/** A reachable part of a workflow, and whether a run reached it. */
export type Reached<Part> = Part & { readonly isReached: boolean };

/** The coverage of one run; `nounIn` returns a language's term for a state. */
export function coverageOf(
  { workflows }: Program,
  recording: Recording,
  nounIn: (language: string) => string = () => "step",
): Coverage {
  return workflows.map((workflow) => ({
    file: workflow.span.source.path,
    workflow: workflow.id,
    noun: nounIn(workflow.language),
    states: statesOf(workflow, recording),
    transitions: transitionsOf(workflow).map(({ by, ...transition }) => ({
      ...transition,
      isReached: isTaken(by, recording),
    })),
  }));
}

const statesOf = (workflow: Workflow, { entered }: Recording): readonly Reached<State>[] =>
  stepsOf(workflow).flatMap((step) =>
    step.origin.entry
      ? [{ id: step.id, name: step.origin.name, noun: step.origin.noun, span: step.span, isReached: entered.has(step) }]
      : [],
  );

const isTaken = (by: ReturnType<typeof transitionsOf>[number]["by"], { entered, left }: Recording): boolean =>
  by.kind === "scope" ? entered.has(by.scope) : left.has(by.way);

/** Merges coverages. Workflows with the same path and id are the same, and so are parts with the same names. */
export function sumOf(coverages: readonly Coverage[]): Coverage {
  const sums = new Map<string, WorkflowCoverage>();
  for (const one of coverages.flat()) {
    const key = JSON.stringify([one.file, one.workflow]);
    const sum = sums.get(key) ?? { ...one, states: [], transitions: [] };
    sums.set(key, {
      ...one,
      states: united(sum.states, one.states, ({ id }) => id),
      transitions: united(sum.transitions, one.transitions, identity),
    });
  }
  return [...sums.values()];
}

const identity = ({ from, leads, to, span }: Transition): string => JSON.stringify([from, leads, to, span.start]);

function united<Part>(
  first: readonly Reached<Part>[],
  second: readonly Reached<Part>[],
  keyOf: (part: Part) => string,
): readonly Reached<Part>[] {
  const parts = new Map<string, Reached<Part>>();
  for (const part of [...first, ...second]) {
    const key = keyOf(part);
    const known = parts.get(key);
    parts.set(key, known ? { ...known, isReached: known.isReached || part.isReached } : part);
  }
  return [...parts.values()];
}

/** The total number of parts and the number of reached ones. */
export interface Tally {
  readonly reached: number;
  readonly total: number;
}

/** Counts the parts and the reached ones. */
export const tallyOf = (parts: readonly Reached<unknown>[]): Tally => ({
  reached: parts.filter(({ isReached }) => isReached).length,
  total: parts.length,
});

/** The totals of states and of transitions of several workflows. */
export const totalsOf = (coverage: Coverage): { readonly states: Tally; readonly transitions: Tally } => ({
  states: tallyOf(coverage.flatMap(({ states }) => states)),
  transitions: tallyOf(coverage.flatMap(({ transitions }) => transitions)),
});

/** Whether a percentage of the states and of the transitions was reached. */
export function isCovered(coverage: Coverage, percent: number): boolean {
  const { states, transitions } = totalsOf(coverage);
  return [states, transitions].every(({ reached, total }) => reached * 100 >= total * percent);
}

/** A transition from one construct of the source language to another, to an end, or into its own parts. */
export interface Transition {
  /** The name of its source construct. */
  readonly from: string;
  /** `state`: to the construct `to`. `end`: the run or the branch ends; `failure`: it ends in an error. `inside`: to another part of `from`. */
  readonly leads: "state" | "end" | "failure" | "inside";
  readonly to: string | undefined;
  /**
   * `next`: unconditional; `case` and `default` of a decision; `error`: by a handler; `branch` and `iteration`: into a
   * concurrent scope.
   */
  readonly way: "next" | "case" | "default" | "error" | "branch" | "iteration";
  readonly span: Span;
}

/** The edges whose traversal shows that a run took the transition. */
type Evidence = { readonly kind: "way"; readonly way: Edge } | { readonly kind: "scope"; readonly scope: Scope };

type Evidenced = Transition & { readonly by: Evidence };

/**
 * The transitions of a workflow, in the order of its steps. Steps with only one successor are joined with it: a
 * transition leads to another construct or to an end, or is a case of a decision.
 */
function transitionsOf(workflow: Workflow): readonly Evidenced[] {
  return scopesOf(workflow).flatMap(({ scope, owner }) => [
    ...linksOf(scope).flatMap((link) => transition(link, owner?.kind !== "attempt")),
    ...scope.steps.flatMap(entrances),
  ]);
}

/** An exit of a step. */
interface Exit {
  readonly from: Step;
  readonly way: Transition["way"];
  readonly by: Edge;
  readonly next: Reference;
  readonly span: Span;
}

/** An exit of a step, followed through its only successors: the first exit, the last, and the target step. */
interface Link {
  readonly first: Exit;
  readonly last: Exit;
  readonly target: Step;
  readonly isDecided: boolean;
}

function linksOf(scope: Scope): readonly Link[] {
  const steps = stepsById(scope);
  const reached = reachableSteps(scope);
  const exits = new Map(scope.steps.map((step) => [step.id, exitsOf(step)] as const));
  const ways = new Map<string, number>([[scope.entry.name, 1]]);
  for (const id of reached)
    for (const { next } of exits.get(id) ?? []) ways.set(next.name, (ways.get(next.name) ?? 0) + 1);
  const isLink = (step: Step) =>
    !step.origin.entry && exits.get(step.id)!.length === 1 && ways.get(step.id) === 1 && step.id !== scope.entry.name;
  const follow = (first: Exit): readonly Link[] => {
    let last = first;
    let target = steps.get(first.next.name);
    while (target && isLink(target)) {
      last = exits.get(target.id)![0]!;
      target = steps.get(last.next.name);
    }
    return target ? [{ first, last, target, isDecided: exits.get(first.from.id)!.length > 1 }] : [];
  };
  const starts = scope.steps.filter((step) => (step.origin.entry || reached.has(step.id)) && !isLink(step));
  return starts.flatMap((step) => exits.get(step.id)!.flatMap(follow));
}

function exitsOf(step: Step): readonly Exit[] {
  if (step.kind === "end") return [];
  const errors = handlersOf(step).map(
    (handler): Exit => ({ from: step, way: "error", by: handler, next: handler.next, span: handler.span }),
  );
  const plain =
    step.kind === "choose"
      ? choices(step)
      : [{ from: step, way: "next" as const, by: step, next: step.next, span: step.next.span }];
  return [...plain, ...errors];
}

/** The cases up to the first whose condition is always true. */
function choices(step: Choose): readonly Exit[] {
  const always = step.cases.findIndex(({ when }) => when.kind === "literal" && when.value === true);
  const cases = always < 0 ? step.cases : step.cases.slice(0, always + 1);
  return [
    ...cases.map((one): Exit => ({ from: step, way: "case", by: one, next: one.next, span: one.span })),
    ...(step.otherwise && always < 0
      ? [{ from: step, way: "default" as const, by: step, next: step.otherwise, span: step.otherwise.span }]
      : []),
  ];
}

/** A link as a transition, if it is one. An end in the body of an attempt continues behind the attempt. */
function transition({ first, last, target, isDecided }: Link, isOuter: boolean): readonly Evidenced[] {
  const leads = target.origin.entry ? "state" : target.kind === "end" ? endOf(target, isOuter) : "inside";
  if (leads === "inside" && (!isDecided || first.way === "next")) return [];
  return [
    {
      from: first.from.origin.name,
      leads,
      to: leads === "state" ? target.origin.name : undefined,
      way: first.way,
      span: leads === "state" || !isDecided ? last.next.span : first.span,
      by: { kind: "way", way: last.by },
    },
  ];
}

function endOf({ outcome, extent }: Extract<Step, { readonly kind: "end" }>, isOuter: boolean): Transition["leads"] {
  if (outcome === "fail") return "failure";
  return isOuter || extent === "run" ? "end" : "inside";
}

/** The transitions into the branches of a fork and the iterations of a loop. */
function entrances(step: Step): readonly Evidenced[] {
  if (step.kind !== "fork" && step.kind !== "foreach") return [];
  const names = step.kind === "fork" ? step.branches.map(({ name, span }) => ({ name, span })) : [];
  return innerScopes(step).map((scope, i) => {
    const first = stepsById(scope).get(scope.entry.name);
    const isState = first?.origin.entry === true;
    return {
      from: step.origin.name,
      leads: isState ? "state" : "inside",
      to: isState ? first.origin.name : names[i]?.name,
      way: step.kind === "fork" ? "branch" : "iteration",
      span: names[i]?.span ?? first?.span ?? step.span,
      by: { kind: "scope", scope },
    };
  });
}
