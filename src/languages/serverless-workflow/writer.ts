import type { Expression } from "../../expressions/index.ts";
import type { Step } from "../../ir/workflow.ts";
import type { Context } from "./context.ts";
import type { State } from "./definition.ts";
import { type ScopePlan, uniqueId } from "./plan.ts";

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
