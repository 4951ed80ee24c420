import type { Document } from "../../documents/index.ts";
import type { Branch, Workflow as Definition, State } from "../../generated/function-workflow-definition.ts";
import { own } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { truncate } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { createStepIds, type StepIds } from "../shared/steps.ts";
import type { Context } from "./context.ts";
import { ignoredName, impliedStart, multipleStarts, noStart } from "./diagnostics/kinds.ts";

/** The states of a workflow or a branch. */
export interface ScopePlan {
  readonly owner: object;
  readonly states: ReadonlyMap<string, State>;
  readonly name: string;
  readonly isBranch: boolean;
  readonly entries: ReadonlyMap<string, string>;
  readonly inner: ReadonlyMap<Branch, ScopePlan>;
  spanOfName(name: string): Span;
}

/** The names in all scopes, known before lowering. */
export interface Plan {
  readonly root: ScopePlan;
  /** The outermost scope wins. */
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly ids: StepIds;
}

/** The named members of an object. */
export const namedMembers = <T>(object: object): readonly (readonly [name: string, member: T])[] =>
  Object.entries(object as { readonly [name: string]: T });

/** Plans all scopes and the ids of entry steps; nested ids are qualified. */
export function planScopes(document: Document, report: Report): Plan {
  const planning: PlanContext = { document, report, ids: createStepIds(), scopesByName: new Map() };
  const definition = document.value as unknown as Definition;
  const root = planScope(planning, definition, { name: "the workflow itself", around: [] });
  return { root, scopesByName: planning.scopesByName, ids: planning.ids };
}

interface PlanContext {
  readonly document: Document;
  readonly report: Report;
  readonly ids: StepIds;
  readonly scopesByName: Map<string, ScopePlan>;
}

function planScope(
  planning: PlanContext,
  owner: Definition | Branch,
  { name, around }: { readonly name: string; readonly around: readonly string[] },
): ScopePlan {
  const { document, ids, scopesByName, report } = planning;
  const states = new Map(namedMembers<State>(owner.states));
  const entries = new Map([...states.keys()].map((each) => [each, ids.entry(around, each)] as const));
  const inner = new Map<Branch, ScopePlan>();
  const spanOfName = (each: string): Span => nameSpan(document, owner.states, each);
  const plan = { owner, states, name, isBranch: around.length > 0, entries, inner, spanOfName };
  for (const [each, state] of states) {
    if (!scopesByName.has(each)) scopesByName.set(each, plan);
    if (state.name !== undefined && state.name !== each)
      report(ignoredName(document.spanOf(state, "name"), { name: each }));
  }
  for (const [each, state] of states) {
    if (state.type !== "PARALLEL") continue;
    for (const [branch, written] of namedMembers<Branch>(state.branches)) {
      const within = `branch \`${truncate(branch)}\` of parallel state \`${truncate(each)}\``;
      inner.set(written, planScope(planning, written, { name: within, around: [...around, each, branch] }));
    }
  }
  return plan;
}

/** The span of a member's name: its key or its `name`. */
export function nameSpan(document: Document, owner: object, name: string): Span {
  const key = document.spanOf(owner, name, "key");
  const member = (owner as { readonly [name: string]: object })[name]!;
  const isListed = key.start === document.spanOf(owner, name).start;
  return isListed && own(member as { readonly name?: string }, "name") === name ? document.spanOf(member, "name") : key;
}

/** The start state; otherwise reports and returns the first. */
export function startState(context: Context, plan: ScopePlan): string {
  const [first, ...others] = [...plan.states].filter(([, { start }]) => start === true);
  const owner = plan.isBranch ? `The ${plan.name}` : "The workflow";
  for (const [name, state] of others) {
    const note = { message: "The first one is here.", span: spanOf(context, first![1], "start", "key") };
    const span = spanOf(context, state, "start", "key");
    context.report(multipleStarts(span, { owner, state: name, first: first![0] }, [note]));
  }
  if (first) return first[0];
  const [only] = plan.states.keys();
  if (plan.states.size === 1) context.report(impliedStart(plan.spanOfName(only!), { state: only! }));
  else context.report(noStart(spanOf(context, plan.owner, "states", "key"), { owner }));
  return only!;
}
