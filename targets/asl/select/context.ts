import type { DataFlow } from "../../../src/analysis/types/index.ts";
import {
  computeLiveness,
  counterVariables,
  createDataFlowGraph,
  errorVariables,
  type ImplicitReads,
  type Liveness,
} from "../../../src/cfg/index.ts";
import { type Expression, effectsOf, variable } from "../../../src/expressions/index.ts";
import { createNames, identifierStyle, type NameScope, type WorkflowNames } from "../../../src/ir/names.ts";
import { successors } from "../../../src/ir/walk.ts";
import type { EventDefinition, Reference, Step, Workflow } from "../../../src/ir/workflow.ts";
import type { FlatScope, FlatStep, Guards } from "../../../src/passes/index.ts";
import type { Span } from "../../../src/text/source.ts";
import type { Type } from "../../../src/types/index.ts";
import { intrinsics, intrinsicTypes } from "../intrinsics.ts";
import { functionNames, unsupportedParts, type VariablePrinter } from "../jsonata/index.ts";
import type { UncaughtError } from "../legalize/outline-illegal.ts";
import type { State } from "../machine.ts";
import type { OwnErrors } from "../own-errors.ts";
import type { Services } from "../services.ts";
import type { SubflowErrorNames } from "../subflow-error-names.ts";
import { readErrorMembers, storedError, storedTypes } from "./caught-errors.ts";
import { inputDocument, inScope, isVariable, type SymbolTable, valueOf } from "./symbols.ts";

/** How much an expression holds: what is folded into one field must stay readable, and under the depth that Step Functions allows. */
export function isLarge(expression: Expression, { machine }: ScopeContext): boolean {
  const { size, depth } = effectsOf(expression).weight;
  return size > 200 || depth > 30 || (size > 40 && !isPrintable(expression, machine));
}

function isPrintable(expression: Expression, { printability: printable }: MachineContext): boolean {
  const known = printable.get(expression) ?? unsupportedParts(expression).length === 0;
  printable.set(expression, known);
  return known;
}

/** The scope in a state that is entered before a step, where variables are worth something: what is known of them is known of what they are worth. */
export function enterState(context: ScopeContext, step: FlatStep, symbols: SymbolTable): ScopeContext {
  const types = new Map(context.scopeTypes);
  const known = context.machine.typesBefore.get(step.id);
  for (const name of context.live.get(step.id) ?? []) {
    const [value, type] = [valueOf(symbols, name), known?.get(name)];
    if (type && value?.kind === "variable") types.set(value.name, type);
  }
  const { guards, seesMessages } = context.machine;
  const isRead = seesMessages.inside && guards.has(step.id);
  return { ...context, types, seesMessages: isRead || exposesMessagesOutside(context) };
}

/** Whether something may read how the errors are worded that leave a scope. */
const exposesMessagesOutside = ({
  outer,
  machine: { seesMessages },
}: Pick<ScopeContext, "machine" | "outer">): boolean => (outer ? seesMessages.inside : seesMessages.outside);

/** The scope in work whose errors leave it. */
export const onExit = (context: ScopeContext): ScopeContext => ({
  ...context,
  seesMessages: exposesMessagesOutside(context),
});

/** Where a step is in a run: the indexes of the branches around it, and the variables that hold those of the iterations, outermost first. */
export type WaitPosition = readonly (number | string)[];

/** What is the same in a whole machine. */
export interface MachineContext {
  readonly workflow: Workflow;
  readonly services: Services;
  /** The events of the workflow, by name. */
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The variable that holds the run's correlation value. */
  readonly correlation: string;
  /** Emitting an event whose definition carries the correlation value reads that. */
  readonly implicitReads: ImplicitReads;
  /** Where each wait for events is in a run. */
  readonly positions: ReadonlyMap<string, WaitPosition>;
  /** Whether events that are emitted carry a correlation value that events have given the run, and that a variable holds. */
  readonly carriesReceivedToken: boolean;
  /** The variables that hold it where the machine asks for it as it emits events, by the steps that do so. */
  readonly tokenVariables: ReadonlyMap<string, string>;
  /** The function that computes what the machine cannot. */
  readonly expressions: string | undefined;
  /** What takes the errors of data of its steps. */
  readonly guards: Guards;
  /** The names that an error of an expression may have, under which no Catch finds it. */
  readonly disguised: ReadonlySet<string>;
  readonly names: WorkflowNames;
  /** The loops whose iterations are executions of their own, by their ids. */
  readonly distributed: ReadonlySet<string>;
  /** What their Map states are labelled with. */
  readonly labels: NameScope;
  /** What errors of ours are called. */
  readonly ownErrors: OwnErrors;
  /** Whether something may read how errors of expressions are worded: in the workflow, and in those that wait for it. */
  readonly seesMessages: { readonly inside: boolean; readonly outside: boolean };
  /** What errors are called that come out of the subflows of a step. */
  readonly subflowErrorNames: (step: Step) => SubflowErrorNames;
  /** Whether errors of ours carry values. */
  readonly carriesValues: boolean;
  /** What is known of the variables before each step, whatever the input is. */
  readonly typesBefore: DataFlow["before"];
  /** Whether expressions are printed; if not, selection only lays out states. */
  readonly printsExpressions: boolean;
  readonly problems: SelectionProblem[];
  /** Whether large expressions can be printed, of those that were asked about. */
  readonly printability: Map<Expression, boolean>;
}

/** A construct without an exact form on Step Functions, and the error that no state catches, if that is the reason. */
export interface SelectionProblem {
  readonly span: Span;
  readonly construct: string;
  readonly uncaught?: UncaughtError | undefined;
}

/** A scope while its states are made. */
export interface ScopeContext {
  readonly machine: MachineContext;
  readonly scope: FlatScope;
  readonly outer: ScopeContext | undefined;
  readonly steps: ReadonlyMap<string, FlatStep>;
  /** From how many places a step is reached. */
  readonly predecessors: ReadonlyMap<string, number>;
  readonly live: Liveness;
  /** The variables that only count. */
  readonly counters: ReadonlySet<string>;
  /** The names under which Step Functions knows these and those of the scopes around. */
  readonly counterNames: ReadonlySet<string>;
  /** What is known wherever in the scope. */
  readonly scopeTypes: ReadonlyMap<string, Type>;
  /** Whether the name of the error that is caught is what Step Functions has for it. */
  readonly isPlainError?: true | undefined;
  /** Of variables that hold errors: the members that are read. */
  readonly errorMembers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether something may read how errors of expressions of the state that is being made are worded. */
  readonly seesMessages: boolean;
  /** What is known, in the state that is being made, of what there is when it is entered. */
  readonly types: ReadonlyMap<string, Type>;
  /** The names under which Step Functions knows the variables of the scope. */
  readonly names: ReadonlyMap<string, string>;
  /** These names, and those of the scopes around. */
  readonly usedNames: NameScope;
  /** How variables are written that nothing has assigned as their scope begins, by the names under which Step Functions knows them. */
  readonly initialCode: ReadonlyMap<string, ReturnType<VariablePrinter>>;
  /** What the variables are worth whenever a state is entered. */
  readonly canonical: SymbolTable;
  readonly states: State[];
  /** Steps that a state has to begin with, in the order in which they were asked for. */
  readonly pending: string[];
  readonly requested: Set<string>;
}

/** Prepares a scope. */
export function openScope(
  scope: FlatScope,
  machine: MachineContext,
  outer: ScopeContext | undefined,
  extra: readonly string[],
): ScopeContext {
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const taken = outer ? outer.usedNames.inner() : createNames(reservedNames, identifierStyle);
  const variables = new Set([...scope.variables.map(({ name }) => name), ...extra]);
  const names = new Map([...variables].map((name) => [name, taken.fresh(machineName(name))]));
  const live = computeLiveness(createDataFlowGraph(scope, machine.implicitReads));
  const early = live.get(scope.entry.name)!;
  const counters = counterVariables(scope.steps, early);
  const errors = errorVariables(scope.steps, early);
  const symbols = symbolsOf(names, errors).set(machine.workflow.input, inputDocument);
  const always = new Map([
    ...(outer?.scopeTypes ?? intrinsicTypes),
    ...[...errors].flatMap((name) => (names.has(name) ? storedTypes(names.get(name)!, machine.carriesValues) : [])),
  ]);
  return {
    machine,
    scope,
    outer,
    steps,
    counters,
    counterNames: new Set([
      ...(outer?.counterNames ?? [intrinsics.index]),
      ...[...counters].map((name) => names.get(name)!),
    ]),
    scopeTypes: always,
    errorMembers: readErrorMembers(scope, errors, machine.implicitReads),
    types: always,
    seesMessages: exposesMessagesOutside({ machine, outer }),
    names,
    usedNames: taken,
    initialCode: outer?.initialCode ?? new Map(),
    predecessors: countPredecessors(scope, steps),
    live,
    canonical: inScope(symbols, outer?.canonical),
    states: [],
    pending: [],
    requested: new Set(),
  };
}

/** What the variables of a scope are worth under the names that Step Functions knows them by; errors are known to have their members. */
const symbolsOf = (names: ReadonlyMap<string, string>, errors: ReadonlySet<string>): Map<string, Expression> =>
  new Map([...names].map(([name, known]) => [name, errors.has(name) ? storedError(known) : variable(known)]));

/** The scope where more is known of what there is when a state is entered, or left. */
export const withTypes = (context: ScopeContext, types: Iterable<readonly [string, Type]>): ScopeContext => ({
  ...context,
  types: new Map([...context.types, ...types]),
});

/** The step that a reference means. */
export const stepAt = (context: Pick<ScopeContext, "steps">, reference: Reference): FlatStep =>
  context.steps.get(reference.name)!;

/** Asks for a state that begins with a step; its key. */
export function requestState(context: ScopeContext, step: FlatStep): string {
  if (!context.requested.has(step.id)) {
    context.requested.add(step.id);
    context.pending.push(step.id);
  }
  return step.id;
}

/** The variables other than the document that are wanted when a step is reached. */
export function liveVariables({ live, machine, names }: ScopeContext, step: FlatStep): readonly string[] {
  const read = live.get(step.id);
  return [...names.keys()].filter((name) => name !== machine.workflow.input && read?.has(name));
}

/** Whether a variable is worth what Step Functions has under its name already. */
export function isCurrent({ canonical, names }: ScopeContext, symbols: SymbolTable, name: string): boolean {
  if (symbols === canonical || (symbols.changing && symbols.outer === canonical && !symbols.own.has(name))) return true;
  const value = valueOf(symbols, name);
  return value === valueOf(canonical, name) || isVariable(value, names.get(name)!);
}

function countPredecessors(scope: FlatScope, steps: ReadonlyMap<string, FlatStep>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const seen = new Set<FlatStep>();
  const pending = [stepAt({ steps }, scope.entry)];
  counts.set(pending[0]!.id, 0);
  for (let step = pending.pop(); step; step = pending.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    for (const reference of successors(step)) {
      const next = stepAt({ steps }, reference);
      counts.set(next.id, (counts.get(next.id) ?? 0) + 1);
      pending.push(next);
    }
  }
  return counts;
}

/** Names that variables of a machine do not have: what catchers call the error, and functions. */
const reservedNames: readonly string[] = ["states", "failure", ...functionNames];

/**
 * A name as Step Functions takes it: letters, digits and underscores, at most 80 characters with a number; and none that all objects have, which
 * executors written in JavaScript stumble over.
 */
export function machineName(name: string): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9_]+/g, "_")
      .replace(/^[^A-Za-z]+/, "")
      .replace(/_+$/, "")
      .slice(0, 60) || "value";
  return functionNames.has(plain) || plain in {} ? `${plain}Value` : plain;
}
