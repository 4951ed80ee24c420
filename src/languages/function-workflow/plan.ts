import { crossesScope, unknownStep } from "../../diagnostics/flow.ts";
import type { Document } from "../../documents/index.ts";
import type { Branch, Workflow as Definition, State } from "../../generated/function-workflow-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { own } from "../../json.ts";
import { truncate } from "../../text/clip.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { createStepIds, type StepIds, spanOf } from "../shared/index.ts";
import type { Context } from "./context.ts";
import { ignoredName, impliedStart, multipleStarts, noStart } from "./diagnostics/kinds.ts";

/** States that may follow each other: those of the workflow or of a branch. */
export interface ScopePlan {
  /** What has `states`. */
  readonly owner: object;
  readonly states: ReadonlyMap<string, State>;
  /** The scope as people call it. */
  readonly name: string;
  readonly isBranch: boolean;
  /** The id in the IR of each state's first step. */
  readonly entries: ReadonlyMap<string, string>;
  /** The branches inside, by what has their states. */
  readonly inner: ReadonlyMap<Branch, ScopePlan>;
  /** Where the name of a state is written. */
  spanOfName(name: string): Span;
}

/** What is decided about names before anything is lowered. */
export interface Plan {
  readonly root: ScopePlan;
  /** The scope that has a state of a name: the outermost one. */
  readonly scopesByName: ReadonlyMap<string, ScopePlan>;
  readonly ids: StepIds;
}

/** The members of an object that are called by name: the schema has seen that there is no list left. */
export const namedMembers = <T>(object: object): readonly (readonly [name: string, member: T])[] =>
  Object.entries(object as { readonly [name: string]: T });

/** Gives the first step of every state its id, in all scopes: the state's name, inside branches with the way to it before it. */
export function planScopes(document: Document, report: Report): Plan {
  const planning: Planning = { document, report, ids: createStepIds(), scopesByName: new Map() };
  const definition = document.value as unknown as Definition;
  const root = planScope(planning, definition, { name: "the workflow itself", around: [] });
  return { root, scopesByName: planning.scopesByName, ids: planning.ids };
}

interface Planning {
  readonly document: Document;
  readonly report: Report;
  readonly ids: StepIds;
  readonly scopesByName: Map<string, ScopePlan>;
}

function planScope(
  planning: Planning,
  owner: Definition | Branch,
  { name, around }: { readonly name: string; readonly around: readonly string[] },
): ScopePlan {
  const { document, ids, scopesByName: everywhere, report } = planning;
  const states = new Map(namedMembers<State>(owner.states));
  const entries = new Map([...states.keys()].map((each) => [each, ids.entry(around, each)] as const));
  const inner = new Map<Branch, ScopePlan>();
  const spanOfName = (each: string): Span => nameSpan(document, owner.states, each);
  const plan = { owner, states, name, isBranch: around.length > 0, entries, inner, spanOfName };
  for (const [each, state] of states) {
    if (!everywhere.has(each)) everywhere.set(each, plan);
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

/** Where the name of a member stands: as its key, or as its `name` where the members are a list. */
export function nameSpan(document: Document, owner: object, name: string): Span {
  const key = document.spanOf(owner, name, "key");
  const member = (owner as { readonly [name: string]: object })[name]!;
  const isListed = key.start === document.spanOf(owner, name).start;
  return isListed && own(member as { readonly name?: string }, "name") === name ? document.spanOf(member, "name") : key;
}

/** The first step of the state that `owner[key]` names; undefined, and reported, where it is none of the scope. */
export function stateReference(context: Context, plan: ScopePlan, owner: object, key: string): Reference | undefined {
  const name = String((owner as { readonly [key: string]: unknown })[key]);
  const span = spanOf(context, owner, key);
  const entry = plan.entries.get(name);
  if (entry !== undefined) return { name: entry, span };
  const other = context.scopesByName.get(name);
  if (!other) context.report(unknownStep(span, { noun: "state", name, known: plan.entries.keys() }));
  else {
    const note = { message: `\`${truncate(name)}\` is defined here.`, span: other.spanOfName(name) };
    context.report(crossesScope(span, { noun: "state", name, from: plan.name, to: other.name }, [note]));
  }
  return undefined;
}

/** The state with which a scope begins: the one that says so, or the only one. Where that is not clear, the first; and it is reported. */
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
