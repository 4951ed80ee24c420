import { collect, type Expression, literal } from "../../expressions/index.ts";
import { createNames, identifierStyle } from "../../ir/names.ts";
import type { Reference, Scope } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { complete, createStepWriter, noSteps, sequence, stepsIn } from "../shared/steps.ts";
import { assignedVariables } from "./assignments.ts";
import { type Context, inputName, type MachineScope, runFacts, type StatesOwner, type Writer } from "./context.ts";
import { reachedStates } from "./graph.ts";
import { hasRetries, prepareState } from "./preparation.ts";
import { lowerState } from "./states.ts";

/** How a scope begins. */
export interface ScopeStart {
  /** The input of its first state. */
  readonly input?: Expression | undefined;
  /** Its states are executions of their own. */
  readonly isIsolated?: boolean | undefined;
  readonly span: Span;
}

/** Lowers the states of a branch or item processor. */
export const lowerScope = ({ context, scope }: Writer, owner: StatesOwner, start: ScopeStart): Scope =>
  statesOf(context, owner, start, {
    names: scope.names.inner([inputName]),
    outer: start.isIsolated ? new Map() : scope.assigned,
    hidden: start.isIsolated ? new Set([...scope.assigned.keys(), ...(scope.hidden ?? [])]) : scope.hidden,
  });

/** Lowers the states of the machine. */
export function lowerMachine(context: Context, start: ScopeStart): Scope {
  const names = createNames([inputName, "event", "run", "error", ...Object.values(runFacts)], identifierStyle);
  return statesOf(context, context.machine, start, { names, outer: new Map(), hidden: undefined });
}

function statesOf(
  context: Context,
  owner: StatesOwner,
  { input, span }: ScopeStart,
  { names, outer, hidden }: Pick<MachineScope, "names" | "hidden"> & { readonly outer: MachineScope["assigned"] },
): Scope {
  const variables = new Map<string, Expression | undefined>([[inputName, input]]);
  const own = assignedVariables(owner, names);
  for (const { name, isBoxed } of own.values()) variables.set(name, isBoxed ? collect(undefined) : literal(null));
  const reached = [...reachedStates(owner)];
  const entries = new Map(reached.map((name) => [name, context.ids.entry([], name)]));
  const slots: MachineScope["slots"] = [];
  const assigned = new Map([...outer, ...own]);
  const scope: MachineScope = { context, owner, variables, slots, names, entries, assigned, hidden };
  for (const name of reached) lowerNamed(scope, name);
  const entry = { name: entries.get(owner.StartAt)!, span: spanOf(context, owner, "StartAt") };
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  return { entry, variables: declared, steps: stepsIn({ slots }), span };
}

/** Lowers a state at its entry. */
function lowerNamed(scope: MachineScope, name: string): void {
  const { context, owner, entries } = scope;
  const state = owner.States[name]!;
  const span = spanOf(context, owner.States, name, "key");
  const construct = { noun: `${state.Type} state`, name, span };
  const unprepared = {
    ...createStepWriter(construct, entries.get(name)!, context.ids, scope),
    context,
    scope,
    state,
    name,
    route: (source: object, key: string): Reference => ({
      name: entries.get((source as { readonly [key: string]: string })[key]!)!,
      span: spanOf(context, source, key),
    }),
  };
  const { once, preparation } = prepareState(unprepared);
  const writer: Writer = { ...unprepared, preparation };
  const each = hasRetries(state) ? noSteps : preparation.each(writer);
  complete(sequence(once, each, lowerState(writer)), span);
}
