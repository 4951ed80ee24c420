import { binary, literal, variable } from "../../expressions/index.ts";
import type { Attempt, Reference } from "../../ir/workflow.ts";
import { complete, end, reserve, reserveAttempt, type StepFragment } from "../shared/steps.ts";
import { freshVariable, type Writer } from "./context.ts";

/** How an attempt recovers, given the step that follows it. */
export type Recovery = (next: Reference) => Pick<Attempt, "restore" | "retries" | "handlers" | "timeout" | "spans">;

/**
 * Runs steps in an attempt. A directive that leads out of it ends its body with the directive as the value, which is
 * tested after the attempt: so no handler sees what follows.
 */
export function attemptSteps(
  writer: Writer,
  work: (inner: Writer) => StepFragment,
  recover: () => Recovery,
): StepFragment {
  const { scope, construct } = writer;
  const leaving = new Map<string, Reference>();
  const { step, fill } = reserveAttempt(writer, literal(null), (inner) => {
    const leave = (directive: string): Reference => {
      const value = literal(directive);
      const found =
        leaving.get(directive) ??
        complete(end(inner, "leave", construct.span, { outcome: "leave", extent: "scope", value }), construct.span);
      leaving.set(directive, found);
      return found;
    };
    const innerScope = { ...scope, slots: inner.slots, end: () => leave("end") };
    return work({ ...inner, scope: innerScope, route: leave });
  });
  const recovery = recover();
  if (leaving.size === 0)
    return (next) => {
      fill({ ...recovery(next), bind: undefined, next });
      return step.reference;
    };
  const exit = freshVariable(scope, "exit");
  const test = reserve(writer, "exit", construct.span);
  return (next) => {
    const cases = [...leaving.keys()].map((directive) => ({
      when: binary("==", variable(exit), literal(directive)),
      next: writer.route(directive),
      span: construct.span,
    }));
    test.fill({ ...test.base, kind: "choose", cases, otherwise: next });
    fill({ ...recovery(next), bind: exit, next: test.reference });
    return step.reference;
  };
}
