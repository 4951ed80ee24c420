import type { ImplicitReads } from "../../../src/cfg/index.ts";
import { type Expression, literal, object, substitute, variable } from "../../../src/expressions/index.ts";
import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import type { Step, Workflow } from "../../../src/ir/workflow.ts";
import { continuationRefusal, readsRun } from "../continuation.ts";
import { correlatedEvents, emitsReceivedToken } from "../correlation.ts";
import { intrinsics } from "../intrinsics.ts";
import type { LegalizationContext, LegalizedWorkflow } from "../legalize/index.ts";
import { typesBefore } from "../legalize/intrinsic-types.ts";
import type { UncaughtError } from "../legalize/outline-illegal.ts";
import type { TokenQueries } from "../legalize/query-tokens.ts";
import { secretPlaces } from "../legalize/secret-references.ts";
import { hasUnlimitedRounds } from "../loops.ts";
import type { Machine } from "../machine.ts";
import { carriesValue, ownErrorsRaised } from "../own-errors.ts";
import { receivedPart } from "../received-parts.ts";
import { mayBeSubflow, passesAge, passesAgeInIterations } from "../run-age.ts";
import type { Services } from "../services.ts";
import { subflowErrorNames } from "../subflow-error-names.ts";
import { type MachineContext, openScope, type ScopeContext, type SelectionProblem } from "./context.ts";
import { continueRounds } from "./continuation.ts";
import { type EventInput, eventStart } from "./event-start.ts";
import { messageExposure } from "./messages.ts";
import { selectScope } from "./scope.ts";
import { inputDocument, inScope, resolve, type SymbolTable, unset, withValues } from "./symbols.ts";
import { findWaitPositions, readsOfWaits } from "./waits.ts";

/** The states of a workflow. */
export interface Selection {
  /** Its states have keys, but no names yet. */
  readonly machine: Machine;
  readonly problems: readonly SelectionProblem[];
  /** What executions that events start receive, if they begin after the first wait. */
  readonly eventInput: EventInput | undefined;
  /** Whether its loops outside of branches and iterations continue in new executions. */
  readonly continues: boolean;
  /** Why they cannot, as a clause. */
  readonly refusal: string | undefined;
}

/** Selects the states of a legalized workflow. */
export const selectWorkflow = (workflow: LegalizedWorkflow, context: LegalizationContext): Selection =>
  select(workflow, context, true);

/** Finds errors that no state can catch, by selection without printing expressions. */
export const findUncaught = (workflow: LegalizedWorkflow, context: LegalizationContext): readonly UncaughtError[] =>
  select(workflow, context, false).problems.flatMap(({ uncaught }) => uncaught ?? []);

function select(legalized: LegalizedWorkflow, context: LegalizationContext, printsExpressions: boolean): Selection {
  const machine = machineContext(legalized, context, printsExpressions);
  const { correlation, ageVariable } = machine;
  const { continuation } = machine;
  const extra = [correlation, ageVariable, continuation?.history, continuation?.run].filter(
    (name) => name !== undefined,
  );
  const opened = openScope(legalized.workflow.body, machine, undefined, extra);
  const symbolsFor = (input: Expression) => withValues(opened.canonical, initialValues(opened, correlation, input));
  const { startsOnlyByEvents } = context;
  const started = eventStart(opened, symbolsFor(literal({})), startsOnlyByEvents);
  const complete = (selected: Machine, inside: ScopeContext): Machine =>
    continuation && printsExpressions ? continueRounds(selected, inside, continuation) : selected;
  const states = selectScope(opened, symbolsFor(inputDocument), { started, complete });
  const { problems, continuationRefusal: refusal } = machine;
  return { machine: states, problems, eventInput: started, continues: continuation !== undefined, refusal };
}

function machineContext(
  { workflow, source, services, tokens, distributed, outlined, guards, disguised, names }: LegalizedWorkflow,
  { program, ownErrors }: LegalizationContext,
  printsExpressions: boolean,
): MachineContext {
  const correlation = names.variables.fresh("correlation");
  const positions = findWaitPositions(workflow);
  const readsOfEmits = readsOfCorrelation(workflow, correlation, tokens);
  const waiting = readsOfWaits(workflow, positions, correlation);
  const ageReads = passesAgeInIterations(workflow, distributed, program);
  const ageVariable = ageReads.size > 0 ? names.variables.fresh("began") : undefined;
  const refusal = tokens && distributed.size > 0 ? iterationsEmit : continuationRefusal(workflow, program);
  const continues = services.continues && refusal === undefined && hasUnlimitedRounds(workflow.body);
  const readsOfAge: ImplicitReads = ({ id }) => (ageVariable !== undefined && ageReads.has(id) ? [ageVariable] : []);
  return {
    names,
    disguised,
    guards,
    secretPlaces: secretPlaces(source),
    expressions: outlined?.expressions,
    workflow,
    services,
    events: new Map(workflow.events.map((event) => [event.name, event])),
    correlation,
    implicitReads: (step) => [
      ...readsOfEmits(step),
      ...waiting(step),
      ...readsOfAge(step),
      ...readsOfQueries(step, services),
    ],
    positions,
    receivedPart: receivedPart(source),
    carriesReceivedToken: !tokens && emitsReceivedToken(workflow),
    tokenVariables: tokens?.variables ?? new Map(),
    continuationRefusal: refusal,
    continuation: continues
      ? {
          history: names.variables.fresh("history"),
          run: readsRun(workflow, program) ? names.variables.fresh("firstExecution") : undefined,
        }
      : undefined,
    distributed,
    labels: createNames([], identifierStyle),
    ownErrors,
    carriesValues: ownErrorsRaised(workflow, ownErrors).some((name) => carriesValue(name, ownErrors)),
    typesBefore: typesBefore(workflow, program, outlined?.resultTypes),
    seesMessages: messageExposure(workflow, program),
    subflowErrorNames: (step) => subflowErrorNames(step, workflow, program),
    passesAge: (step) => passesAge(step, program),
    age: variable(mayBeSubflow(workflow, program) ? intrinsics.rootAge : intrinsics.ownAge),
    ageVariable,
    ageReads,
    printsExpressions,
    problems: [],
    printability: new Map(),
  };
}

const iterationsEmit = "iterations of a Distributed Map may emit events with the correlation value of the run";

const readsOfQueries = (step: Step, { serviceOf }: Services): readonly string[] =>
  step.kind === "call" ? (serviceOf(step.function.name).query?.variableTypes ?? []).map(([name]) => name) : [];

/** An emitted event that carries the run's correlation value reads its variable. */
function readsOfCorrelation(workflow: Workflow, variable: string, tokens: TokenQueries | undefined): ImplicitReads {
  if (!workflow.correlation && !emitsReceivedToken(workflow)) return () => [];
  const names = correlatedEvents(workflow);
  return (step) =>
    step.kind === "emit" && names.has(step.event.name) ? [variable, tokens?.variables.get(step.id) ?? variable] : [];
}

function initialValues(
  { scope, machine }: ScopeContext,
  correlation: string,
  input: Expression,
): ReadonlyMap<string, Expression> {
  const { workflow, age, ageVariable } = machine;
  const inputs = inScope(new Map([[workflow.input, input]]), undefined);
  const values = scope.variables.map(
    ({ name, initial }) => [name, initial ? resolve(initial, inputs) : unset] as const,
  );
  return new Map([
    ...values,
    [workflow.input, input],
    [correlation, initialCorrelation(workflow, inputs)],
    ...(ageVariable === undefined ? [] : ([[ageVariable, age]] as const)),
  ]);
}

/** Over the input and the execution's name. */
function initialCorrelation({ correlation }: Workflow, inputs: SymbolTable): Expression {
  if (!correlation) return unset;
  const run = object([["id", variable(intrinsics.run)]]);
  return resolve(substitute(correlation, new Map([["run", run]])), inputs);
}
