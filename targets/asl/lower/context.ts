import type { Expression } from "../../../src/expressions/ast.ts";
import { literal, variable } from "../../../src/expressions/build.ts";
import { successors } from "../../../src/ir/walk.ts";
import type { Reference, Workflow } from "../../../src/ir/workflow.ts";
import type { Span } from "../../../src/source.ts";
import { type FlatScope, type FlatStep, flatten } from "../legalize/flatten.ts";
import { functionNames } from "../jsonata/index.ts";
import type { State } from "../machine.ts";
import type { Substitutions } from "../substitutions.ts";
import { inputDocument, type Symbols } from "./environment.ts";
import { type Liveness, liveness } from "./liveness.ts";

/** What is the same in a whole machine. */
export interface MachineContext {
  readonly workflow: Workflow;
  readonly substitutions: Substitutions;
  /** The events whose definition carries the correlation value. */
  readonly correlated: ReadonlySet<string>;
  /** Constructs that turned out to have no exact form on Step Functions. */
  readonly problems: { readonly span: Span; readonly construct: string }[];
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
  /** The names under which Step Functions knows the variables of the scope. */
  readonly names: ReadonlyMap<string, string>;
  /** What the variables are worth whenever a state is entered. */
  readonly canonical: Symbols;
  readonly states: State[];
  /** Steps that a state has to begin with, in the order in which they were asked for. */
  readonly pending: string[];
  readonly asked: Set<string>;
}

/** Prepares a scope. */
export function openScope(source: Workflow["body"], machine: MachineContext, outer: ScopeContext | undefined, extra: readonly string[]): ScopeContext {
  const scope = flatten(source);
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const names = new Map([...scope.variables.map(({ name }) => name), ...extra].map((name) => [name, ""]));
  const taken = new Set(outerNames(outer));
  for (const name of names.keys()) names.set(name, freshName(name, taken));
  const symbols = new Map<string, Expression>(outer?.canonical.values);
  for (const [name, known] of names) symbols.set(name, variable(known));
  symbols.set(machine.workflow.input, inputDocument);
  const live = liveness(scope, machine.correlated);
  return { machine, scope, outer, steps, names, entries: countEntries(scope, steps), live, canonical: { values: symbols }, states: [], pending: [], asked: new Set() };
}

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

function* outerNames(outer: ScopeContext | undefined): Generator<string> {
  for (let scope = outer; scope; scope = scope.outer) yield* scope.names.values();
}

/** A name that Step Functions takes and that no scope around uses: letters, digits and underscores, at most 80 characters. */
function freshName(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^[^A-Za-z]+/, "").replace(/_+$/, "").slice(0, 60) || "value";
  const base = functionNames.has(plain) ? `${plain}_` : plain;
  let fresh = base;
  for (let n = 2; taken.has(fresh); n++) fresh = `${base}${n}`;
  taken.add(fresh);
  return fresh;
}
