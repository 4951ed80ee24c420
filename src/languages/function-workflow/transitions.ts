import { crossScopeTransition, unknownStep } from "../../diagnostics/flow.ts";
import type { Reference } from "../../ir/workflow.ts";
import { truncate } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { end, type StepFragment } from "../shared/steps.ts";
import { type Context, data, type Writer } from "./context.ts";
import { missingNext } from "./diagnostics/kinds.ts";
import type { ScopePlan } from "./plan.ts";

/** Continues at the state in `owner[key]`, or ends a branch. */
export function leave(writer: Writer, owner: object, key = "next-state"): StepFragment {
  const { context, plan, name, construct } = writer;
  if (Object.hasOwn(owner, key)) {
    const target = stateReference(context, plan, owner, key);
    if (target) return () => target;
  } else if (!plan.isBranch && !Object.hasOwn(owner, unreadableMark)) {
    const span = owner === writer.state ? construct.span : spanOf(context, owner);
    context.report(missingNext(span, { state: name }));
  }
  return end(writer, "end", construct.span, { outcome: "leave", extent: "scope", value: data });
}

/** Marks an unreadable state. */
export const unreadableMark = "x-unread";

/** The entry of the state in `owner[key]`; reports and returns undefined if unknown. */
export function stateReference(context: Context, plan: ScopePlan, owner: object, key: string): Reference | undefined {
  const name = String((owner as { readonly [key: string]: unknown })[key]);
  const span = spanOf(context, owner, key);
  const entry = plan.entries.get(name);
  if (entry !== undefined) return { name: entry, span };
  const other = context.scopesByName.get(name);
  if (!other) context.report(unknownStep(span, { noun: "state", name, known: plan.entries.keys() }));
  else {
    const note = { message: `\`${truncate(name)}\` is defined here.`, span: other.spanOfName(name) };
    context.report(crossScopeTransition(span, { noun: "state", name, from: plan.name, to: other.name }, [note]));
  }
  return undefined;
}
