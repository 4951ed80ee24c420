import { type Expression, literal } from "../../expressions/index.ts";
import type { Assign, Attempt, Case, End, Reference, Scope, Step, StepBase } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { spanOf, type Writer } from "../serverless-workflow/context.ts";
import { data } from "./texts.ts";

/** Steps whose successor is not known yet: given it, they are completed, and the first of them is told. Their ids are given out in the order in which they run. */
export type Fragment = (next: Reference) => Reference;

/** No step at all. */
export const nothing: Fragment = (next) => next;

/** Fragments one after the other. */
export const sequence =
  (...fragments: readonly Fragment[]): Fragment =>
  (next) =>
    fragments.reduceRight((following, fragment) => fragment(following), next);

/** A step with a place in its scope that is filled later. */
export interface Reserved {
  readonly base: StepBase;
  readonly reference: Reference;
  fill(step: Step): void;
}

/**
 * Gives out the next id of the state being lowered, and a place for the step. The state's first step stands for the state and is where its name
 * is; the others are named after `what` they do.
 */
export function reserve(writer: Writer, what: string, place: Span): Reserved {
  const { context, state } = writer;
  const { id, entry } = writer.nextId(what);
  const span = entry ? spanOf(context, state, "name") : place;
  const base: StepBase = { id, origin: { noun: `${state.type} state`, name: state.name, entry }, span };
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
  writer: Writer,
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
export const assign = (writer: Writer, what: string, span: Span, ...values: Assign["values"]): Fragment =>
  step(writer, what, span, (base, next) => ({ ...base, kind: "assign", values, next }));

/** One value for the data. */
export const assignData = (writer: Writer, what: string, span: Span, value: Expression): Fragment =>
  assign(writer, what, span, { variable: "data", value });

/** A way out of a `choose`: built when the steps before it have their ids. */
export interface Way {
  readonly when: Expression;
  readonly span: Span;
  readonly take: () => Fragment;
}

/** Chooses between ways that meet again in what follows; without `otherwise` the step fails when none is taken. */
export function choose(
  writer: Writer,
  what: string,
  span: Span,
  ways: readonly Way[],
  otherwise?: () => Fragment,
): Fragment {
  const { base, reference, fill } = reserve(writer, what, span);
  const built = ways.map(({ when, span, take }) => ({ when, span, take: take() }));
  const rest = otherwise?.();
  return (next) => {
    const cases: readonly Case[] = built.map(({ when, span, take }) => ({ when, next: take(next), span }));
    fill({ ...base, kind: "choose", cases, otherwise: rest?.(next) });
    return reference;
  };
}

/** Ends the scope, or the run. What would follow is never reached. */
export function end(
  writer: Writer,
  what: string,
  span: Span,
  ending: Pick<End, "outcome" | "extent" | "value">,
): Fragment {
  const { base, reference, fill } = reserve(writer, what, span);
  fill({ ...base, kind: "end", ...ending });
  return () => reference;
}

/** Fails the scope with an error of ours. */
export const failure = (writer: Writer, what: string, span: Span, error: { readonly [key: string]: Json }): Fragment =>
  end(writer, what, span, { outcome: "fail", extent: "scope", value: literal(error) });

/** Completes a fragment that never goes on: nothing follows it. */
export const complete = (fragment: Fragment, span: Span): Reference => fragment({ name: "", span });

/** Work as one step, whose errors can be handled. */
export interface ReservedAttempt {
  readonly step: Reserved;
  /** Completes the step. */
  fill(rest: Pick<Attempt, "restore" | "retries" | "handlers" | "next">): void;
}

/** Reserves a step that runs work on the state's own data. */
export function reserveAttempt(writer: Writer, work: (inner: Writer) => Fragment): ReservedAttempt {
  const step = reserve(writer, "attempt", spanOf(writer.context, writer.state, "name"));
  const body = bodyOf(writer, work);
  return { step, fill: (rest) => step.fill({ ...step.base, kind: "attempt", body, ...rest }) };
}

/** A scope for work that shares the variables around it. */
function bodyOf(writer: Writer, work: (inner: Writer) => Fragment): Scope {
  const inner: Writer = { ...writer, slots: [] };
  const span = spanOf(writer.context, writer.state, "name");
  const fragment = work(inner);
  const done = end(inner, "done", span, { outcome: "leave", extent: "scope", value: data });
  const entry = complete(sequence(fragment, done), span);
  return { entry, variables: [], steps: inner.slots.flatMap((step) => step ?? []), span };
}
