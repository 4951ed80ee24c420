import { literal, variable } from "../../../src/expressions/index.ts";
import type { Handler, Reference, Step } from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/text/source.ts";
import type { FlatStep } from "./flatten.ts";

/** The variable in which an error waits while steps decide what becomes of it. */
export const errorVariable = "error";

/** A handler that takes every error to a step. */
export const always = (next: string, span: Span): Handler => ({
  when: literal(true),
  bind: errorVariable,
  next: { name: next, span },
  span,
});

/** Steps that take the error in a variable to the first handler whose condition holds; if none does, outward, or out of the scope as it came. */
export function dispatchSteps(
  id: string,
  owner: Step,
  handlers: readonly Handler[],
  outward: Reference | undefined,
  error: string = errorVariable,
): readonly FlatStep[] {
  const common = { origin: { ...owner.origin, entry: false }, span: owner.span };
  const rethrow: FlatStep = {
    kind: "end",
    id: `${id}/unhandled`,
    ...common,
    outcome: "fail",
    extent: "scope",
    value: variable(error),
  };
  const last: Reference = outward ?? { name: rethrow.id, span: owner.span };
  const tail = outward ? [] : [rethrow];
  if (handlers.length === 0) return [{ kind: "assign", id, ...common, values: [], next: last }, ...tail];
  const renamed = handlers.map((handler, i) => rebound(handler, `${id}/${i}`, common, error));
  const cases = renamed.map(({ handler }) => ({ when: handler.when, next: handler.next, span: handler.span }));
  return [{ kind: "choose", id, ...common, cases, otherwise: last }, ...renamed.flatMap(({ steps }) => steps), ...tail];
}

/** A handler that wants the error in another variable gets a step that puts it there. */
function rebound(
  handler: Handler,
  id: string,
  common: Pick<Step, "origin" | "span">,
  error: string,
): { readonly handler: Handler; readonly steps: readonly FlatStep[] } {
  const { bind, next, span } = handler;
  if (bind === undefined || bind === error) return { handler, steps: [] };
  const step: FlatStep = { kind: "assign", id, ...common, values: [{ variable: bind, value: variable(error) }], next };
  return { handler: { ...handler, next: { name: id, span } }, steps: [step] };
}
