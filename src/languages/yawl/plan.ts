import { crossScopeTransition, unknownStep } from "../../diagnostics/flow.ts";
import type { Document } from "../../documents/index.ts";
import type { Workflow as Definition, Step } from "../../generated/yawl-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { truncate } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { createStepIds, type StepIds } from "../shared/steps.ts";
import type { Context } from "./context.ts";

/** The steps of a workflow, a branch, or a foreach or while step. */
export interface ScopePlan {
  readonly owner: { readonly start: string; readonly steps: { readonly [id: string]: Step } };
  readonly steps: { readonly [id: string]: Step };
  readonly name: string;
  readonly entries: ReadonlyMap<string, string>;
  readonly inner: ReadonlyMap<object, ScopePlan>;
}

/** The ids in all scopes, known before lowering. */
export interface Plan {
  readonly root: ScopePlan;
  /** The outermost scope wins. */
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly ids: StepIds;
}

/** Plans all scopes and ids, qualified unless unique. */
export function planScopes({ value }: Document): Plan {
  const definition = value as unknown as Definition;
  const counts = new Map<string, number>();
  countIds(definition, counts);
  const ids = createStepIds((name) => counts.get(name) === 1);
  const scopesByName = new Map<string, ScopePlan>();
  const root = planScope(definition, "the workflow itself", [], { ids, scopesByName });
  return { root, scopesByName, ids };
}

type Owner = ScopePlan["owner"];

/** The nested scopes of a step, with names and qualifiers. */
export function scopesIn(
  id: string,
  step: Step,
): readonly { readonly owner: Owner; readonly name: string; readonly around: readonly string[] }[] {
  const { foreach, parallel } = step;
  const shown = truncate(id);
  if (foreach) return [{ owner: foreach.do, name: `foreach step \`${shown}\``, around: [id] }];
  if (step.while) return [{ owner: step.while.do, name: `while step \`${shown}\``, around: [id] }];
  if (!parallel) return [];
  return Object.entries(parallel.branches).map(([name, owner]) => ({
    owner,
    name: `branch \`${truncate(name)}\` of parallel step \`${shown}\``,
    around: [id, name],
  }));
}

function countIds({ steps }: Owner, counts: Map<string, number>): void {
  for (const [id, step] of Object.entries(steps)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const { owner } of scopesIn(id, step)) countIds(owner, counts);
  }
}

function planScope(
  owner: Owner,
  name: string,
  around: readonly string[],
  planning: { readonly ids: StepIds; readonly scopesByName: Map<string, ScopePlan> },
): ScopePlan {
  const { ids, scopesByName } = planning;
  const { steps } = owner;
  const entries = new Map(Object.keys(steps).map((id) => [id, ids.entry(around, id)] as const));
  const inner = new Map<object, ScopePlan>();
  const plan: ScopePlan = { owner, steps, name, entries, inner };
  for (const id of Object.keys(steps)) if (!scopesByName.has(id)) scopesByName.set(id, plan);
  for (const [id, step] of Object.entries(steps))
    for (const each of scopesIn(id, step))
      inner.set(each.owner, planScope(each.owner, each.name, [...around, ...each.around], planning));
  return plan;
}

/** The entry of the step in `owner[key]`; reports and returns undefined if unknown. */
export function stepReference(
  context: Context,
  plan: ScopePlan,
  owner: { readonly [key: string]: unknown },
  key: string,
): Reference | undefined {
  const name = String(owner[key]);
  const span = spanOf(context, owner, key);
  const entry = plan.entries.get(name);
  if (entry !== undefined) return { name: entry, span };
  const other = context.scopesByName.get(name);
  if (!other) context.report(unknownStep(span, { noun: "step", name, known: plan.entries.keys() }));
  else {
    const note = { message: `\`${truncate(name)}\` is defined here.`, span: spanOf(context, other.steps, name, "key") };
    context.report(crossScopeTransition(span, { noun: "step", name, from: plan.name, to: other.name }, [note]));
  }
  return undefined;
}

/** The start step; reports an unknown one and returns the first. */
export function startStep(context: Context, plan: ScopePlan): Reference {
  const named = stepReference(context, plan, plan.owner, "start");
  if (named) return named;
  const [id, entry] = [...plan.entries][0]!;
  return { name: entry, span: spanOf(context, plan.steps, id, "key") };
}
