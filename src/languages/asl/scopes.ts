import { collect, type Expression, literal } from "../../expressions/index.ts";
import { createNames, identifierStyle } from "../../ir/names.ts";
import type { Reference, Scope } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { complete, createStepWriter, noSteps, sequence, stepsIn } from "../shared/steps.ts";
import { assignedVariables } from "./assignments.ts";
import {
  type Context,
  type ExecutionFacts,
  factNames,
  inputName,
  type MachineScope,
  runFacts,
  type StatesOwner,
  type Writer,
} from "./context.ts";
import { reachedStates } from "./graph.ts";
import { hasRetries, prepareState } from "./preparation.ts";
import { withExecutionFacts } from "./run-facts.ts";
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
export function lowerScope({ context, scope, name }: Writer, owner: StatesOwner, start: ScopeStart): Scope {
  const names = scope.names.inner([inputName]);
  if (!start.isIsolated)
    return statesOf(context, owner, start, { names, outer: scope.assigned, hidden: scope.hidden, facts: scope.facts });
  const facts: ExecutionFacts = {
    input: names.fresh(runFacts.input),
    name: names.fresh(runFacts.name),
    startTime: names.fresh(runFacts.startTime),
    maps: [...scope.facts.maps, name],
  };
  const hidden = new Set([...scope.assigned.keys(), ...(scope.hidden ?? [])]);
  return withExecutionFacts(
    context,
    statesOf(context, owner, start, { names, outer: new Map(), hidden, facts }),
    facts,
  );
}

/** Lowers the states of the machine. */
export function lowerMachine(context: Context, start: ScopeStart): Scope {
  const names = createNames([inputName, "event", "run", "error", ...factNames(runFacts)], identifierStyle);
  return statesOf(context, context.machine, start, { names, outer: new Map(), hidden: undefined, facts: runFacts });
}

function statesOf(
  context: Context,
  owner: StatesOwner,
  { input, span }: ScopeStart,
  {
    names,
    outer,
    hidden,
    facts,
  }: Pick<MachineScope, "names" | "hidden" | "facts"> & { readonly outer: MachineScope["assigned"] },
): Scope {
  const variables = new Map<string, Expression | undefined>([[inputName, input]]);
  const own = assignedVariables(owner, names);
  for (const { name, isBoxed } of own.values()) variables.set(name, isBoxed ? collect(undefined) : literal(null));
  const reached = [...reachedStates(owner)];
  const entries = new Map(reached.map((name) => [name, context.ids.entry([], name)]));
  const slots: MachineScope["slots"] = [];
  const assigned = new Map([...outer, ...own]);
  const scope: MachineScope = { context, owner, variables, slots, names, entries, assigned, hidden, facts };
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
