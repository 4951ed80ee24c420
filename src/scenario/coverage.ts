import { stepsOf } from "../ir/walk.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Program } from "../program.ts";
import type { Span } from "../text/source.ts";
import { type Transition, transitionsOf } from "./coverage/transitions.ts";
import type { Recording } from "./recorder.ts";

/** What of the workflows of a program runs have reached. */
export type Coverage = readonly WorkflowCoverage[];

/** What of one workflow runs have reached. */
export interface WorkflowCoverage {
  /** The path of its definition. */
  readonly file: string;
  readonly workflow: string;
  readonly states: readonly Reached<State>[];
  readonly transitions: readonly Reached<Transition>[];
}

/** A construct of the source language that a run can be in, those in branches and iterations too. */
export interface State {
  /** Unique in the workflow. */
  readonly id: string;
  readonly name: string;
  /** Such as `operation state`. */
  readonly noun: string;
  readonly span: Span;
}

/** Something that a run can reach, and whether one did. */
export type Reached<Part> = Part & { readonly isReached: boolean };

/** What one run has reached of a program. */
export function coverageOf({ workflows }: Program, recording: Recording): Coverage {
  return workflows.map((workflow) => ({
    file: workflow.span.source.path,
    workflow: workflow.id,
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

/** What several runs have reached together: a workflow is the same where its definition's path and its id are, and so for what is in it. */
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

/** How many there are, and how many were reached. */
export interface Tally {
  readonly reached: number;
  readonly total: number;
}

/** Counts what was reached. */
export const tallyOf = (parts: readonly Reached<unknown>[]): Tally => ({
  reached: parts.filter(({ isReached }) => isReached).length,
  total: parts.length,
});

/** All states and all transitions of several workflows. */
export const totalsOf = (coverage: Coverage): { readonly states: Tally; readonly transitions: Tally } => ({
  states: tallyOf(coverage.flatMap(({ states }) => states)),
  transitions: tallyOf(coverage.flatMap(({ transitions }) => transitions)),
});

/** Whether a share, in percent, of the states and of the transitions was reached. */
export function isCovered(coverage: Coverage, percent: number): boolean {
  const { states, transitions } = totalsOf(coverage);
  return [states, transitions].every(({ reached, total }) => reached * 100 >= total * percent);
}
