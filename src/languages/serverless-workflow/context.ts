import type { Document } from "../../document/index.ts";
import type { Expression } from "../../expressions/index.ts";
import type { Reference, Step } from "../../ir/workflow.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import type { Definition, EventDefinition, State } from "./definition.ts";
import { type ScopePlan, type UsedIds, uniqueId } from "./scopes.ts";
import type { Settings } from "./settings.ts";

/** What all parts of the lowering of one definition know. */
export interface Context {
  readonly document: Document;
  readonly definition: Definition;
  readonly report: Report;
  readonly settings: Settings;
  /** The workflow's id. */
  readonly id: string;
  readonly events: ReadonlyMap<string, EventDefinition>;
  readonly used: UsedIds;
  /** The step that stands for a name or an id that some scope has. */
  readonly everywhere: ReadonlyMap<string, string>;
  /** The names of events that some state waits for; filled while states are lowered. */
  readonly consumed: Set<string>;
  /** The results paths of more than one name; filled while actions are lowered. */
  readonly resultPaths: ResultPath[];
  /** Where transitions name no state of any scope; filled while states are lowered. */
  readonly astray: Reference[];
}

/** A path at which the result of an action may be placed. */
export interface ResultPath {
  readonly owner: object;
  readonly path: string;
  readonly chain: readonly string[];
}

/** Where a property's value stands, or its key; the nearest known place where there is none. */
export const spanOf = (
  { document }: Pick<Context, "document">,
  owner: object,
  property?: string | number,
  part?: "key" | "value",
): Span => document.spanOf(owner, property, part);

/** Where the steps of one state go. */
export interface Writer {
  readonly context: Context;
  readonly scope: ScopeWriter;
  readonly state: State;
  /** The steps in the order in which they run; a place is empty until its step is complete. */
  readonly slots: (Step | undefined)[];
  /** The next id of the state's steps; the first is the state's entry. */
  nextId(what: string): { readonly id: string; readonly entry: boolean };
}

/** A scope that is being lowered. */
export interface ScopeWriter {
  readonly plan: ScopePlan;
  /** The state that the scope starts with. */
  readonly start: State;
  /** The scope's variables and their first values, the document first. */
  readonly variables: Map<string, Expression | undefined>;
  /** What the scope gives where it ends in a state. */
  value(state: State): Expression;
}

/** A writer for one state of a scope. */
export function writerOf(context: Context, scope: ScopeWriter, state: State, slots: (Step | undefined)[]): Writer {
  const entry = scope.plan.entries.get(state)!;
  let started = false;
  const nextId = (what: string) => {
    if (started) return { id: uniqueId(context.used, `${entry}/${what}`), entry: false };
    started = true;
    return { id: entry, entry: true };
  };
  return { context, scope, state, slots, nextId };
}

/** Makes sure that the scope has a variable, and gives its name. */
export function declare(writer: Writer, name: string): string {
  const { variables } = writer.scope;
  if (!variables.has(name)) variables.set(name, undefined);
  return name;
}
