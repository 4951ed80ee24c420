import type { DataFlow } from "../../../src/analysis/types/flow.ts";
import {
  computeLiveness,
  counterVariables,
  createDataFlowGraph,
  errorVariables,
  type ImplicitReads,
  type Liveness,
} from "../../../src/cfg/index.ts";
import { type Expression, effectsOf, variable } from "../../../src/expressions/index.ts";
import { createNames, identifierStyle, type NameSpace, type WorkflowNames } from "../../../src/ir/names.ts";
import { successors } from "../../../src/ir/walk.ts";
import type { EventDefinition, Invoke, Reference, Step, Workflow } from "../../../src/ir/workflow.ts";
import type { FlatScope, FlatStep, Guards } from "../../../src/passes/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { any, type Type } from "../../../src/types/index.ts";
import { intrinsics, intrinsicTypes } from "../intrinsics.ts";
import type { VariablePrinter } from "../jsonata/context.ts";
import { functionNames } from "../jsonata/helpers/index.ts";
import { unsupportedParts } from "../jsonata/print.ts";
import type { UncaughtError } from "../legalize/outline-illegal.ts";
import type { MachineState } from "../machine.ts";
import type { OwnErrors } from "../own-errors.ts";
import type { ReceivedPart } from "../runtime/definition.ts";
import type { SecretPlace } from "../runtime/secrets.ts";
import type { Services } from "../services.ts";
import type { SubflowErrorNames } from "../subflow-error-names.ts";
import { readErrorMembers, storedError, storedTypes } from "./caught-errors.ts";
import { inputDocument, inScope, isVariable, type SymbolTable, symbolValue } from "./symbols.ts";

/** Whether an expression is too large to fold into a field. */
export function isLarge(expression: Expression, { machine }: ScopeContext): boolean {
  const { size, depth } = effectsOf(expression).weight;
  return size > 200 || depth > 30 || (size > 40 && !isPrintable(expression, machine));
}

function isPrintable(expression: Expression, { printability: printable }: MachineContext): boolean {
  const known = printable.get(expression) ?? unsupportedParts(expression).length === 0;
  printable.set(expression, known);
  return known;
}

/** The context of a state that begins with a step: types of variables apply to their symbolic values. */
export function enterState(context: ScopeContext, step: FlatStep, symbols: SymbolTable): ScopeContext {
  const types = new Map(context.scopeTypes);
  const known = context.machine.typesBefore.get(step.id);
  for (const name of context.live.get(step.id) ?? []) {
    const [value, type] = [symbolValue(symbols, name), known?.get(name)];
    if (type && value?.kind === "variable") types.set(value.name, type);
  }
  const { guards, seesMessages } = context.machine;
  const isRead = seesMessages.inside && guards.has(step.id);
  return { ...context, types, seesMessages: isRead || exposesMessagesOutside(context) };
}

const exposesMessagesOutside = ({
  outer,
  machine: { seesMessages },
}: Pick<ScopeContext, "machine" | "outer">): boolean => (outer ? seesMessages.inside : seesMessages.outside);

/** The context of work whose errors leave the scope. */
export const onExit = (context: ScopeContext): ScopeContext => ({
  ...context,
  seesMessages: exposesMessagesOutside(context),
});

/** The indexes of branches and the index variables of iterations around a wait, outermost first. */
export type WaitPosition = readonly (number | string)[];

/** State shared by all scopes of a machine. */
export interface MachineContext {
  readonly workflow: Workflow;
  readonly services: Services;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The variable with the run's correlation value. */
  readonly correlation: string;
  /** Variables that steps read in addition to their expressions. */
  readonly implicitReads: ImplicitReads;
  readonly positions: ReadonlyMap<string, WaitPosition>;
  /** The part of received events that waits return if not both forms fit. */
  readonly receivedPart: ReceivedPart;
  /** Whether emitted events carry a correlation value set by received events. */
  readonly carriesReceivedToken: boolean;
  /** The variable with the queried correlation value for each emitting step, by id. */
  readonly tokenVariables: ReadonlyMap<string, string>;
  /** Where the arguments of functions refer to secrets. */
  readonly secretPlaces: ReadonlyMap<string, readonly SecretPlace[]>;
  /** The name of the function for outlined expressions. */
  readonly expressions: string | undefined;
  readonly guards: Guards;
  /** Names that errors of expressions may have, under which no Catch finds them. */
  readonly disguised: ReadonlySet<string>;
  readonly names: WorkflowNames;
  readonly distributed: ReadonlySet<string>;
  /** The labels of their Map states. */
  readonly labels: NameSpace;
  readonly ownErrors: OwnErrors;
  /** Whether messages of expression errors may be read; see `messageExposure`. */
  readonly seesMessages: { readonly inside: boolean; readonly outside: boolean };
  readonly subflowErrorNames: (step: Step) => SubflowErrorNames;
  /** Whether the name of a subflow's execution contains the age of the root run. */
  readonly passesAge: (step: Invoke) => boolean;
  /** The age of the root run. */
  readonly age: Expression;
  /** The variable with that age, if the iterations of a Distributed Map read it, and the steps that do, by id. */
  readonly ageVariable: string | undefined;
  readonly ageReads: ReadonlySet<string>;
  readonly carriesValues: boolean;
  /** The variables that the machine adds if its loops continue in new executions. */
  readonly continuation: ContinuationVariables | undefined;
  /** Why they cannot, as a clause. */
  readonly continuationRefusal: string | undefined;
  readonly typesBefore: DataFlow["before"];
  /** If false, selection only lays out states. */
  readonly printsExpressions: boolean;
  readonly problems: SelectionProblem[];
  /** A cache. */
  readonly printability: Map<Expression, boolean>;
}

/** Variables of a machine whose loops continue in new executions. */
export interface ContinuationVariables {
  /** Counts events of the history. */
  readonly history: string;
  /** The id and the start of the run's first execution, if states read them. */
  readonly run: string | undefined;
}

/** A construct without an exact form, with the uncaught error if that is the reason. */
export interface SelectionProblem {
  readonly span: Span;
  readonly construct: string;
  readonly uncaught?: UncaughtError | undefined;
}

/** The state of selecting one scope. */
export interface ScopeContext {
  readonly machine: MachineContext;
  readonly scope: FlatScope;
  readonly outer: ScopeContext | undefined;
  readonly steps: ReadonlyMap<string, FlatStep>;
  /** The number of edges to each step. */
  readonly predecessors: ReadonlyMap<string, number>;
  readonly live: Liveness;
  readonly counters: ReadonlySet<string>;
  /** The machine's names of counters, in this scope and around it. */
  readonly counterNames: ReadonlySet<string>;
  readonly scopeTypes: ReadonlyMap<string, Type>;
  /** Whether the name of the caught error is what Step Functions provides. */
  readonly isPlainError?: true | undefined;
  readonly errorMembers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly seesMessages: boolean;
  /** The pointer of the steps whose errors the current state may fail with, if runners derive problem details. */
  readonly pointer?: string | undefined;
  /** Types at the entry of the current state. */
  readonly types: ReadonlyMap<string, Type>;
  /** Machine names of the scope's variables. */
  readonly names: ReadonlyMap<string, string>;
  readonly usedNames: NameSpace;
  /** Code for variables that no state has assigned yet, by machine name. */
  readonly initialCode: ReadonlyMap<string, ReturnType<VariablePrinter>>;
  /** The values of variables at the entry of any state. */
  readonly canonical: SymbolTable;
  readonly states: MachineState[];
  /** Steps that need a state. */
  readonly pending: string[];
  readonly requested: Set<string>;
}

/** Creates the context of a scope. */
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
    ...(machine.workflow.detailedErrors ? [[intrinsics.errorData, any] as const] : []),
    ...[...errors].flatMap((name) =>
      names.has(name)
        ? storedTypes(names.get(name)!, machine.carriesValues || machine.workflow.detailedErrors === true)
        : [],
    ),
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

const symbolsOf = (names: ReadonlyMap<string, string>, errors: ReadonlySet<string>): Map<string, Expression> =>
  new Map([...names].map(([name, known]) => [name, errors.has(name) ? storedError(known) : variable(known)]));

/** Adds types of values at the entry or exit of the current state. */
export const withTypes = (context: ScopeContext, types: Iterable<readonly [string, Type]>): ScopeContext => ({
  ...context,
  types: new Map([...context.types, ...types]),
});

export const stepAt = (context: Pick<ScopeContext, "steps">, reference: Reference): FlatStep =>
  context.steps.get(reference.name)!;

/** Requests a state that begins with a step; returns its key. */
export function requestState(context: ScopeContext, step: FlatStep): string {
  if (!context.requested.has(step.id)) {
    context.requested.add(step.id);
    context.pending.push(step.id);
  }
  return step.id;
}

/** The live variables before a step, except for the document. */
export function liveVariables({ live, machine, names }: ScopeContext, step: FlatStep): readonly string[] {
  const read = live.get(step.id);
  return [...names.keys()].filter((name) => name !== machine.workflow.input && read?.has(name));
}

/** Whether the machine's variable already has the value. */
export function isCurrent({ canonical, names }: ScopeContext, symbols: SymbolTable, name: string): boolean {
  if (symbols === canonical || (symbols.changing && symbols.outer === canonical && !symbols.own.has(name))) return true;
  const value = symbolValue(symbols, name);
  return value === symbolValue(canonical, name) || isVariable(value, names.get(name)!);
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

const reservedNames: readonly string[] = ["states", "failure", ...functionNames];

/**
 * A valid machine variable name of at most 80 characters, and no member of all JavaScript objects, which confuse some
 * simulators.
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
