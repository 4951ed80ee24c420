import { type Expression, literal } from "../../expressions/index.ts";
import { createNames } from "../../ir/names.ts";
import type { Assign, Attempt, ChooseCase, End, Reference, Scope, Step, StepBase } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";

/** Collects the steps of one construct of the source. */
export interface StepWriter {
  readonly construct: Construct;
  /** A slot is empty until its step is complete. */
  readonly slots: (Step | undefined)[];
  readonly variables: Map<string, Expression | undefined>;
  nextId(what: string): { readonly id: string; readonly entry: boolean; readonly part?: string };
}

/** A construct of the source, for diagnostics and traces. */
export interface Construct {
  readonly noun: string;
  readonly name: string;
  readonly span: Span;
  /** Its JSON Pointer, for languages whose errors have it. */
  readonly pointer?: string | undefined;
}

/** Creates a writer; its first step has the id `entry`. */
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

/** Step ids: readable, unique and deterministic. */
export interface StepIds {
  /** `around` names the enclosing constructs, outermost first. */
  entry(around: readonly string[], name: string): string;
  step(entry: string, what: string): string;
  has(id: string): boolean;
}

/** Creates step ids, qualified by paths unless unique. */
export function createStepIds(isUnique: (name: string) => boolean = () => false): StepIds {
  const names = createNames([], { number: (wanted, count) => `${wanted}-${count}` });
  return {
    entry: (around, name) => names.fresh(isUnique(name) ? name : [...around, name].join("/")),
    step: (entry, what) => names.fresh(`${entry}/${what}`),
    has: names.has,
  };
}

/** Declares a variable unless it exists. */
export function declare({ variables }: Pick<StepWriter, "variables">, name: string): string {
  if (!variables.has(name)) variables.set(name, undefined);
  return name;
}

/** Completes steps, given their successor, and returns the first. Ids are allocated in execution order. */
export type StepFragment = (next: Reference) => Reference;

/** A fragment without steps. */
export const noSteps: StepFragment = (next) => next;

/** Chains fragments. The result is `noSteps` if all of them are. */
export function sequence(...fragments: readonly StepFragment[]): StepFragment {
  const performed = fragments.filter((fragment) => fragment !== noSteps);
  if (performed.length === 0) return noSteps;
  return (next) => performed.reduceRight((following, fragment) => fragment(following), next);
}

/** A step with an allocated slot, filled later. */
export interface ReservedStep {
  readonly base: StepBase;
  readonly reference: Reference;
  fill(step: Step): void;
}

/** Allocates an id and a slot. */
export function reserve(writer: StepWriter, what: string, place: Span): ReservedStep {
  const { noun, name, span: own, pointer } = writer.construct;
  const { id, entry, part } = writer.nextId(what);
  const span = entry ? own : place;
  const origin = { noun, name, entry, part, ...(pointer === undefined ? {} : { pointer }) };
  const base: StepBase = { id, origin, span };
  const slot = writer.slots.push(undefined) - 1;
  return {
    base,
    reference: { name: id, span },
    fill: (step) => {
      writer.slots[slot] = step;
    },
  };
}

/** A step that continues with its successor. */
export function step(
  writer: StepWriter,
  what: string,
  span: Span,
  make: (base: StepBase, next: Reference) => Step,
): StepFragment {
  const { base, reference, fill } = reserve(writer, what, span);
  return (next) => {
    fill(make(base, next));
    return reference;
  };
}

/** A step that assigns variables. */
export const assign = (writer: StepWriter, what: string, span: Span, ...values: Assign["values"]): StepFragment =>
  step(writer, what, span, (base, next) => ({ ...base, kind: "assign", values, next }));

/** A case of a `choose`; `build` runs after the preceding steps. */
export interface ChoiceCase {
  readonly when: Expression;
  readonly span: Span;
  readonly build: () => StepFragment;
}

/** Chooses between cases that join again; fails without a match and `otherwise`. */
export function choose(
  writer: StepWriter,
  what: string,
  span: Span,
  choices: readonly ChoiceCase[],
  otherwise?: () => StepFragment,
): StepFragment {
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

/** Ends the scope or the run. */
export function end(
  writer: StepWriter,
  what: string,
  span: Span,
  ending: Pick<End, "outcome" | "extent" | "value">,
): StepFragment {
  const { base, reference, fill } = reserve(writer, what, span);
  fill({ ...base, kind: "end", ...ending });
  return () => reference;
}

/** Fails with an error of the language. */
export const failWith = (
  writer: StepWriter,
  what: string,
  span: Span,
  error: { readonly [key: string]: Json },
): StepFragment => end(writer, what, span, { outcome: "fail", extent: "scope", value: literal(error) });

/** Completes a fragment that never continues. */
export const complete = (fragment: StepFragment, span: Span): Reference => fragment({ name: "", span });

/** A step whose errors can be handled. */
export interface ReservedAttempt {
  readonly step: ReservedStep;
  fill(rest: Pick<Attempt, "restore" | "timeout" | "spans" | "retries" | "bind" | "handlers" | "next">): void;
}

/** Reserves a step that runs work in a scope. */
export function reserveAttempt<Inner extends StepWriter>(
  writer: Inner,
  value: Expression,
  work: (inner: Inner) => StepFragment,
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

/** The completed steps of a writer. */
export const stepsIn = ({ slots }: Pick<StepWriter, "slots">): readonly Step[] => slots.flatMap((step) => step ?? []);
