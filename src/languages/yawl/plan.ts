import { crossesScope, unknownStep } from "../../diagnostics/flow.ts";
import type { Document } from "../../documents/index.ts";
import type { Workflow as Definition, Step } from "../../generated/yawl-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { truncate } from "../../text/clip.ts";
import { createStepIds, type StepIds, spanOf } from "../shared/index.ts";
import type { Context, Writer } from "./context.ts";

/** Steps that may follow each other: those of the workflow, of a branch, or of a foreach or while step. */
export interface ScopePlan {
  /** What has `start` and `steps`. */
  readonly owner: { readonly start: string; readonly steps: { readonly [id: string]: Step } };
  readonly steps: { readonly [id: string]: Step };
  /** The scope as people call it. */
  readonly name: string;
  /** The id in the IR of each step's first step. */
  readonly entries: ReadonlyMap<string, string>;
  /** The scopes inside, by their owner. */
  readonly inner: ReadonlyMap<object, ScopePlan>;
}

/** What is decided about ids before anything is lowered. */
export interface Plan {
  readonly root: ScopePlan;
  /** The scope that has a step of an id: the outermost one. */
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly ids: StepIds;
}

/** Gives the steps of all scopes their ids: their own where no other scope has the same, else with the way to it before it. */
export function planScopes({ value }: Document): Plan {
  const definition = value as unknown as Definition;
  const counts = new Map<string, number>();
  countIds(definition, counts);
  const ids = createStepIds((name) => counts.get(name) === 1);
  const everywhere = new Map<string, ScopePlan>();
  const root = planScope(definition, "the workflow itself", [], { ids, everywhere });
  return { root, scopesByName: everywhere, ids };
}

type Owner = ScopePlan["owner"];

/** The scopes in a step, with their names and what is before the ids of their steps. */
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
  planning: { readonly ids: StepIds; readonly everywhere: Map<string, ScopePlan> },
): ScopePlan {
  const { ids, everywhere } = planning;
  const { steps } = owner;
  const entries = new Map(Object.keys(steps).map((id) => [id, ids.entry(around, id)] as const));
  const inner = new Map<object, ScopePlan>();
  const plan: ScopePlan = { owner, steps, name, entries, inner };
  for (const id of Object.keys(steps)) if (!everywhere.has(id)) everywhere.set(id, plan);
  for (const [id, step] of Object.entries(steps))
    for (const each of scopesIn(id, step))
      inner.set(each.owner, planScope(each.owner, each.name, [...around, ...each.around], planning));
  return plan;
}

/** The step that `owner[key]` names; undefined, and reported, where it is none of the scope. */
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
    context.report(crossesScope(span, { noun: "step", name, from: plan.name, to: other.name }, [note]));
  }
  return undefined;
}

/** The step with which a scope begins; the first where `start` names none, which is reported. */
export function startStep(context: Context, plan: ScopePlan): Reference {
  const named = stepReference(context, plan, plan.owner, "start");
  if (named) return named;
  const [id, entry] = [...plan.entries][0]!;
  return { name: entry, span: spanOf(context, plan.steps, id, "key") };
}

/** The step that follows, by a property of what the step does; undefined where the scope ends. */
export function nextReference(writer: Writer, owner: object, key = "next"): Reference | undefined {
  if (!Object.hasOwn(owner, key)) return undefined;
  return stepReference(writer.context, writer.scope.plan, owner as { readonly [key: string]: unknown }, key);
}
