import { type Expression, literal } from "../../expressions/index.ts";
import { createNames } from "../../ir/names.ts";
import type { Assign, Attempt, ChooseCase, End, Reference, Scope, Step, StepBase } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";

/** Where the steps of one construct of the source language go: of a state, a step or an action. */
export interface StepWriter {
  readonly construct: Construct;
  /** The steps in the order in which they run; a place is empty until its step is complete. */
  readonly slots: (Step | undefined)[];
  /** The variables of the scope around, and their first values. */
  readonly variables: Map<string, Expression | undefined>;
  /** The next id of the construct's steps; the first is the construct's entry. */
  nextId(what: string): { readonly id: string; readonly entry: boolean; readonly part?: string };
}

/** A construct of the source language, as diagnostics, comments and traces name it. */
export interface Construct {
  /** Such as `operation state`. */
  readonly noun: string;
  readonly name: string;
  /** Where its name is. */
  readonly span: Span;
}

/** A writer for one construct: its first step has the id `entry`, further ones get theirs from `ids`. */
export function createStepWriter(
  construct: Construct,
  entry: string,
  ids: StepIds,
  scope: Pick<StepWriter, "slots" | "variables">,
): StepWriter {
  let started = false;
  const nextId = (what: string) => {
    if (started) {
      const id = ids.step(entry, what);
      return { id, entry: false, part: id.slice(entry.length + 1) };
    }
    started = true;
    return { id: entry, entry: true };
  };
  return { construct, slots: scope.slots, variables: scope.variables, nextId };
}

/** The ids of a workflow's steps: readable, unique, and the same whenever the same are asked for in the same order. */
export interface StepIds {
  /** The id of the first step of a construct that is called `name` and stands in constructs of the names before it, the outermost first. */
  entry(around: readonly string[], name: string): string;
  /** The id of a further step of a construct: `what` it does. */
  step(entry: string, what: string): string;
  /** Whether a step has this id. */
  has(id: string): boolean;
}

/** Ids for the steps of one workflow. A construct inside others is called by the way to it, but by its bare name where that `isUnique` in the definition. */
export function createStepIds(isUnique: (name: string) => boolean = () => false): StepIds {
  const names = createNames([], { number: (wanted, count) => `${wanted}-${count}` });
  return {
    entry: (around, name) => names.fresh(isUnique(name) ? name : [...around, name].join("/")),
    step: (entry, what) => names.fresh(`${entry}/${what}`),
    has: names.has,
  };
}

/** Makes sure that the scope has a variable, and gives its name. */
export function declare({ variables }: Pick<StepWriter, "variables">, name: string): string {
  if (!variables.has(name)) variables.set(name, undefined);
  return name;
}

/** Steps whose successor is not known yet: given it, they are completed, and the first of them is told. Their ids are given out in the order in which they run. */
export type Fragment = (next: Reference) => Reference;

/** No step at all. */
export const noSteps: Fragment = (next) => next;

/** Fragments one after the other. */
export const sequence =
  (...fragments: readonly Fragment[]): Fragment =>
  (next) =>
    fragments.reduceRight((following, fragment) => fragment(following), next);

/** A step with a place in its scope that is filled later. */
export interface ReservedStep {
  readonly base: StepBase;
  readonly reference: Reference;
  fill(step: Step): void;
}

/**
 * Gives out the next id of the construct being lowered, and a place for the step. The construct's first step stands for it and is where its
 * name is; the others are named after `what` they do.
 */
export function reserve(writer: StepWriter, what: string, place: Span): ReservedStep {
  const { noun, name, span: own } = writer.construct;
  const { id, entry, part } = writer.nextId(what);
  const span = entry ? own : place;
  const base: StepBase = { id, origin: { noun, name, entry, part }, span };
  const slot = writer.slots.push(undefined) - 1;
  return {
    base,
    reference: { name: id, span },
    fill: (step) => {
      writer.slots[slot] = step;
    },
  };
}

/** A step that goes on to what follows. */
export function step(
  writer: StepWriter,
  what: string,
  span: Span,
  make: (base: StepBase, next: Reference) => Step,
): Fragment {
  const { base, reference, fill } = reserve(writer, what, span);
  return (next) => {
    fill(make(base, next));
    return reference;
  };
}

/** Gives variables new values. */
export const assign = (writer: StepWriter, what: string, span: Span, ...values: Assign["values"]): Fragment =>
  step(writer, what, span, (base, next) => ({ ...base, kind: "assign", values, next }));

/** A way out of a `choose`: built when the steps before it have their ids. */
export interface ChoiceCase {
  readonly when: Expression;
  readonly span: Span;
  readonly build: () => Fragment;
}

/** Chooses between ways that meet again in what follows; without `otherwise` the step fails when none is taken. */
export function choose(
  writer: StepWriter,
  what: string,
  span: Span,
  choices: readonly ChoiceCase[],
  otherwise?: () => Fragment,
): Fragment {
  const { base, reference, fill } = reserve(writer, what, span);
  const built = choices.map(({ when, span, build }) => ({ when, span, fragment: build() }));
  const rest = otherwise?.();
  return (next) => {
    const cases: readonly ChooseCase[] = built.map(({ when, span, fragment }) => ({
      when,
      next: fragment(next),
      span,
    }));
    fill({ ...base, kind: "choose", cases, otherwise: rest?.(next) });
    return reference;
  };
}

/** Ends the scope, or the run. What would follow is never reached. */
export function end(
  writer: StepWriter,
  what: string,
  span: Span,
  ending: Pick<End, "outcome" | "extent" | "value">,
): Fragment {
  const { base, reference, fill } = reserve(writer, what, span);
  fill({ ...base, kind: "end", ...ending });
  return () => reference;
}

/** Fails the scope with an error of ours. */
export const failWith = (
  writer: StepWriter,
  what: string,
  span: Span,
  error: { readonly [key: string]: Json },
): Fragment => end(writer, what, span, { outcome: "fail", extent: "scope", value: literal(error) });

/** Completes a fragment that never goes on: nothing follows it. */
export const complete = (fragment: Fragment, span: Span): Reference => fragment({ name: "", span });

/** Work as one step, whose errors can be handled. */
export interface ReservedAttempt {
  readonly step: ReservedStep;
  /** Completes the step. */
  fill(rest: Pick<Attempt, "restore" | "retries" | "bind" | "handlers" | "next">): void;
}

/** Reserves a step that runs work as one, in a scope that shares the variables around it and ends with `value`. */
export function reserveAttempt<Inner extends StepWriter>(
  writer: Inner,
  value: Expression,
  work: (inner: Inner) => Fragment,
): ReservedAttempt {
  const { span } = writer.construct;
  const step = reserve(writer, "attempt", span);
  const inner: Inner = { ...writer, slots: [] };
  const fragment = work(inner);
  const done = end(inner, "done", span, { outcome: "leave", extent: "scope", value });
  const entry = complete(sequence(fragment, done), span);
  const body: Scope = { entry, variables: [], steps: stepsIn(inner), span };
  return { step, fill: (rest) => step.fill({ ...step.base, kind: "attempt", body, ...rest }) };
}

/** The steps that a writer has been given, all of which are complete. */
export const stepsIn = ({ slots }: Pick<StepWriter, "slots">): readonly Step[] => slots.flatMap((step) => step ?? []);
