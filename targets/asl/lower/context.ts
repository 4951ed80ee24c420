import { type Expression, literal, variable } from "../../../src/expressions/index.ts";
import { successors } from "../../../src/ir/walk.ts";
import type { EventDefinition, Reference, Scope, Workflow } from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/text/source.ts";
import { functionNames } from "../jsonata/index.ts";
import { type FlatScope, type FlatStep, flatten } from "../legalize/flatten.ts";
import type { State } from "../machine.ts";
import type { Substitutions } from "../substitutions.ts";
import { countersOf, errorsOf } from "./counters.ts";
import { inputDocument, inScope, isProvided, keptError, provided, type Symbols, worth } from "./environment.ts";
import { type Liveness, liveness } from "./liveness.ts";

/** What is the same in a whole machine. */
export interface MachineContext {
  readonly workflow: Workflow;
  readonly substitutions: Substitutions;
  /** The events of the workflow, by name. */
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The events whose definition carries the correlation value. */
  readonly correlated: ReadonlySet<string>;
  readonly problems: Problem[];
}

/** A construct that turned out to have no exact form on Step Functions. */
export interface Problem {
  readonly span: Span;
  readonly construct: string;
  /** What may help: to compute expressions elsewhere; those of a step too that could be printed, as its errors are to be caught. */
  readonly remedy?: { readonly kind: "compute" } | { readonly kind: "catch"; readonly step: string } | undefined;
}

/** A scope while its states are made. */
export interface ScopeContext {
  readonly machine: MachineContext;
  readonly scope: FlatScope;
  readonly outer: ScopeContext | undefined;
  readonly steps: ReadonlyMap<string, FlatStep>;
  /** From how many places a step is reached. */
  readonly entries: ReadonlyMap<string, number>;
  readonly live: Liveness;
  /** The variables that only count. */
  readonly counters: ReadonlySet<string>;
  /** The names under which Step Functions knows these and those of the scopes around. */
  readonly counts: ReadonlySet<string>;
  /** The names under which Step Functions knows the variables of the scope. */
  readonly names: ReadonlyMap<string, string>;
  /** These names. */
  readonly usedNames: ReadonlySet<string>;
  /** What the variables are worth whenever a state is entered. */
  readonly canonical: Symbols;
  readonly states: State[];
  /** Steps that a state has to begin with, in the order in which they were asked for. */
  readonly pending: string[];
  readonly asked: Set<string>;
}

/** Prepares a scope. */
export function openScope(
  source: Scope,
  machine: MachineContext,
  outer: ScopeContext | undefined,
  extra: readonly string[],
): ScopeContext {
  const scope = flatten(source);
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const names = namedVariables([...scope.variables.map(({ name }) => name), ...extra], outer);
  const live = liveness(scope, machine.correlated);
  const early = live.get(scope.entry.name) ?? new Set();
  const counters = countersOf(scope.steps, early);
  const symbols = symbolsOf(names, errorsOf(scope.steps, early)).set(machine.workflow.input, inputDocument);
  return {
    machine,
    scope,
    outer,
    steps,
    counters,
    counts: new Set([...(outer?.counts ?? [provided.index]), ...[...counters].map((name) => names.get(name)!)]),
    names,
    usedNames: new Set(names.values()),
    entries: countEntries(scope, steps),
    live,
    canonical: inScope(symbols, outer?.canonical),
    states: [],
    pending: [],
    asked: new Set(),
  };
}

/** What the variables of a scope are worth under the names that Step Functions knows them by; errors are known to have their members. */
const symbolsOf = (names: ReadonlyMap<string, string>, errors: ReadonlySet<string>): Map<string, Expression> =>
  new Map([...names].map(([name, known]) => [name, errors.has(name) ? keptError(known) : variable(known)]));

/** The step that a reference means: steps that only pass on are passed over. */
export function target(context: Pick<ScopeContext, "steps">, reference: Reference): FlatStep {
  let step = context.steps.get(reference.name)!;
  while (step.kind === "assign" && step.values.length === 0) step = context.steps.get(step.next.name)!;
  return step;
}

/** Asks for a state that begins with a step; its key. */
export function ask(context: ScopeContext, step: FlatStep): string {
  if (!context.asked.has(step.id)) {
    context.asked.add(step.id);
    context.pending.push(step.id);
  }
  return step.id;
}

/** The variables other than the document that are wanted when a step is reached. */
export function wanted({ live, machine, names }: ScopeContext, step: FlatStep): readonly string[] {
  return [...(live.get(step.id) ?? [])].filter((name) => name !== machine.workflow.input && names.has(name));
}

/** Whether a variable is worth what Step Functions has under its name already. */
export function isKept({ canonical, names }: ScopeContext, symbols: Symbols, name: string): boolean {
  const value = worth(symbols, name);
  return value === worth(canonical, name) || isProvided(value, names.get(name)!);
}

/** The value of a variable that has none: every variable of the IR is null at first. */
export const unset: Expression = literal(null);

function countEntries(scope: FlatScope, steps: ReadonlyMap<string, FlatStep>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const seen = new Set<FlatStep>();
  const pending = [target({ steps }, scope.entry)];
  counts.set(pending[0]!.id, 0);
  for (let step = pending.pop(); step; step = pending.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    for (const reference of successors(step)) {
      const next = target({ steps }, reference);
      counts.set(next.id, (counts.get(next.id) ?? 0) + 1);
      pending.push(next);
    }
  }
  return counts;
}

/** Gives variables names that Step Functions takes and that no scope around uses: letters, digits and underscores, at most 80 characters. */
function namedVariables(variables: readonly string[], outer: ScopeContext | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  const isTaken = (name: string): boolean => {
    for (let scope = outer; scope; scope = scope.outer) if (scope.usedNames.has(name)) return true;
    return used.has(name);
  };
  for (const name of new Set(variables)) {
    const base = plainName(name);
    let count = counts.get(base) ?? 1;
    let fresh = count === 1 ? base : `${base}${count}`;
    while (isTaken(fresh)) fresh = `${base}${++count}`;
    counts.set(base, count + 1);
    used.add(fresh);
    names.set(name, fresh);
  }
  return names;
}

function plainName(name: string): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9_]+/g, "_")
      .replace(/^[^A-Za-z]+/, "")
      .replace(/_+$/, "")
      .slice(0, 60) || "value";
  return functionNames.has(plain) ? `${plain}Value` : plain;
}
