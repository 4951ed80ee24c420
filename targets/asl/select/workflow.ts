import { type DataFlow, proveDataFlow } from "../../../src/analysis/types/index.ts";
import type { ImplicitReads } from "../../../src/cfg/index.ts";
import {
  binary,
  call,
  type Expression,
  literal,
  object,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { createNames, identifierStyle, workflowNames } from "../../../src/ir/names.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { VerifyRewrite } from "../../../src/ir/verify.ts";
import { mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Call, Delay, Step, Workflow } from "../../../src/ir/workflow.ts";
import {
  type FlatWorkflow,
  flattenExceptions,
  fuseAssignments,
  simplifyBranches,
  threadJumps,
} from "../../../src/passes/index.ts";
import { anyObject, string } from "../../../src/types/index.ts";
import { disguisedNames, nativeRecovery } from "../errors.ts";
import { type DistributedLoops, distributeLoops, type FailureTable } from "../legalize/distribute-loops.ts";
import { lowerFirstJoins } from "../legalize/first-joins.ts";
import { queryTokens, type TokenQueries } from "../legalize/query-tokens.ts";
import { queryWindows } from "../legalize/query-windows.ts";
import { conditionalCheckFailed, type JoinTable, lowerQuorums } from "../legalize/quorums.ts";
import { carriesValue, type OwnErrors, ownErrorsRaised, raiseEnds } from "../legalize/raise-ends.ts";
import type { Machine } from "../machine.ts";
import type { OutlinedWorkflow } from "../outlining/outline.ts";
import type { Service, Services } from "../services.ts";
import { subflowErrorNames } from "../subflow-error-names.ts";
import { builtInOfCall, type MachineContext, openScope, type ScopeContext, type SelectionProblem } from "./context.ts";
import { eventStart } from "./event-start.ts";
import { messageExposure } from "./messages.ts";
import { selectScope } from "./scope.ts";
import { inputDocument, inScope, intrinsics, resolve, type SymbolTable, unset, withValues } from "./symbols.ts";
import { correlatedEvents, emitsReceivedToken, findWaitPositions, readsOfWaits } from "./waits.ts";

/** A workflow as a machine without names, and what of it turned out to have no exact form. */
export interface Lowered {
  readonly machine: Machine;
  readonly problems: readonly SelectionProblem[];
  /** The workflow whose steps the states stand for: of plain steps only. */
  readonly workflow: FlatWorkflow;
  /** What of the given workflow the machine has a function compute. */
  readonly legal: OutlinedWorkflow;
  /** The wait whose events are the input of executions that events start, if these begin behind it. */
  readonly startedBehind: string | undefined;
}

/** What a workflow is lowered with: all that are compiled with it, and names of errors that none of them has. */
export interface Together {
  readonly program: Program;
  readonly raised: OwnErrors;
}

/** A step that is computed elsewhere may show another whose errors nothing catches, but hardly this often. */
const mostRounds = 8;

/**
 * Lowers a workflow; where that leaves something without an exact form, again with such expressions computed elsewhere, until nothing is left or nothing
 * more can be done. Most workflows take one round; each further one is for steps whose errors only then prove to be caught by nothing. `check` looks at
 * the workflow after each rewrite. What compiles expressions for a function is loaded when there are such.
 */
export async function lowered(
  given: Workflow,
  together: Together,
  bound: Services,
  verify?: VerifyRewrite,
): Promise<Lowered> {
  const begun = new Set<string>();
  for (;;) {
    const result = await loweredWith(begun, given, together, bound, verify);
    const known = begun.size;
    for (const id of loopsToBegin(result.problems, result.legal)) begun.add(id);
    if (begun.size === known) return result;
  }
}

/** The loops whose iterations are to compute their first values themselves. */
const loopsToBegin = (problems: readonly SelectionProblem[], legal: OutlinedWorkflow): readonly string[] =>
  problems.flatMap(({ fix }) => (fix?.kind === "begin" ? [...madeFor(fix.step, legal)] : []));

/** The same, where the iterations of some loops compute their first values themselves. */
async function loweredWith(
  begun: ReadonlySet<string>,
  given: Workflow,
  together: Together,
  bound: Services,
  verify: VerifyRewrite | undefined,
): Promise<Lowered> {
  const check = verify && withProvided(verify);
  const first = lowerFirstJoins(queryWindows(given), together.raised);
  const { workflow: joined, asked } = lowerQuorums(first, together.raised, bound.joinTable);
  check?.(joined, "asking for the time, and joining on first branches");
  const { workflow: telling, tokens } = queryTokens(joined, bound.waitFunction);
  check?.(telling, "asking for the correlation value of the run");
  const { workflow: apart, failureTable: noting, loops } = distributing(telling, bound, begun);
  check?.(apart, "noting what executions of their own fail with");
  const services = { ...withOwn(bound, asked, noting, tokens), tokens };
  const workflow = withBuiltInsAlone(simplifyBranches.run(apart));
  check?.(workflow, "setting built-in functions apart");
  let legal: OutlinedWorkflow = {
    workflow,
    computed: [],
    resultTypes: new Map(),
    unsupported: [],
    expressions: undefined,
    derivedFrom: new Map(),
  };
  let result = lowerWorkflow(legal, together, { ...services, loops }, check);
  if (loopsToBegin(result.problems, legal).some((id) => !begun.has(id))) return { ...result, legal };
  const [uncaught, open] = [new Set<string>(), new Set<string>()];
  for (let round = 0; round < mostRounds && result.problems.some(isComputable); round++) {
    const known = uncaught.size + open.size;
    for (const { fix } of result.problems) {
      if (fix?.kind === "catch") for (const id of madeFor(fix.step, legal)) uncaught.add(id);
      if (fix?.kind === "decide" && round > 0) for (const id of madeFor(fix.step, legal)) open.add(id);
    }
    if (round > 0 && uncaught.size + open.size === known) break;
    const { outline } = await import("../outlining/outline.ts");
    legal = outline(workflow, { uncaught, open }, proven(workflow, together));
    check?.(legal.workflow, "having a function compute");
    result = lowerWorkflow(legal, together, { ...services, loops: loopsIn(legal, loops) }, check);
  }
  return { ...result, legal };
}

const distributing = (
  workflow: Workflow,
  { distributes, joinTable: table }: Services,
  begun: ReadonlySet<string>,
): DistributedLoops =>
  distributes ? distributeLoops(workflow, table, begun) : { workflow, failureTable: undefined, loops: new Set() };

/** The services of a machine that may ask a table, or its own function for events. */
function withOwn(
  services: Services,
  asked: JoinTable | undefined,
  noting: FailureTable | undefined,
  tokens: TokenQueries | undefined,
): Services {
  const asking = (action: string, own: Service["query"]): Service => ({
    kind: "integration",
    resource: services.actionOf(action),
    query: own,
  });
  const own = new Map([
    ...(asked ? ofJoins(asked, asking) : []),
    ...(noting ? ofFailures(noting, asking) : []),
    ...(tokens ? ofTokens(tokens, asking) : []),
  ]);
  return own.size === 0 ? services : { ...services, serviceOf: (name) => own.get(name) ?? services.serviceOf(name) };
}

type Asking = (action: string, own: Service["query"]) => Service;

/** The services of branches that are counted. */
function ofJoins(
  { count, read, join, lastResult: given }: JoinTable,
  asking: Asking,
): readonly (readonly [string, Service])[] {
  const all = binary("+", variable(intrinsics.noted), variable(given));
  const carried = [
    [join, string],
    [given, anyObject],
  ] as const;
  return [
    [
      count,
      asking("dynamodb:updateItem", {
        result: variable(intrinsics.result),
        finalError: conditionalCheckFailed,
        variableTypes: [],
      }),
    ],
    [read, asking("dynamodb:getItem", { result: all, variableTypes: carried })],
  ];
}

/** The services of iterations whose failures are noted. */
const ofFailures = (
  { note, read, query: ask }: FailureTable,
  asking: Asking,
): readonly (readonly [string, Service])[] => [
  [
    note,
    asking("dynamodb:putItem", {
      result: variable(intrinsics.result),
      finalError: conditionalCheckFailed,
      variableTypes: [],
    }),
  ],
  [read, asking("dynamodb:getItem", { result: variable(intrinsics.notedFailure), variableTypes: [] })],
  [ask, asking("dynamodb:getItem", { result: variable(intrinsics.hasFailed), variableTypes: [] })],
];

/** The service that tells the correlation value of a run. */
const ofTokens = ({ query: ask }: TokenQueries, asking: Asking): readonly (readonly [string, Service])[] => [
  [ask, asking("lambda:invoke", { result: variable(intrinsics.askedToken), variableTypes: [] })],
];

/** Looks at workflows that read the time, which Step Functions provides like a variable. */
const withProvided =
  (check: VerifyRewrite): VerifyRewrite =>
  (workflow, rewrite) =>
    check(withTimes(workflow), rewrite);

/** The workflow with variables for the times that Step Functions provides: a text, and a number. */
const withTimes = <W extends Workflow>(workflow: W): W => {
  const someText = call("text", variable(workflow.input));
  const times = [
    { name: intrinsics.now, initial: someText },
    { name: intrinsics.millis, initial: call("length", someText) },
    { name: intrinsics.uuid, initial: someText },
    { name: intrinsics.expiry, initial: someText },
    { name: intrinsics.execution, initial: someText },
  ];
  return { ...workflow, body: { ...workflow.body, variables: [...workflow.body.variables, ...times] } };
};

/**
 * The workflow with a wait for nothing behind each call of what is built in. Otherwise steps that follow could be put into the state that calls, and
 * would each have a value of their own where the workflow has one.
 */
function withBuiltInsAlone(workflow: Workflow): Workflow {
  const isBuiltIn = (step: Step): step is Call => step.kind === "call" && builtInOfCall(step, workflow) !== undefined;
  if (!stepsOf(workflow).some(isBuiltIn)) return workflow;
  const { steps: names } = workflowNames(workflow);
  const alone = (step: Call): readonly Step[] => {
    const id = names.fresh(`${step.id}/given`);
    const { origin, span } = step;
    const wait: Delay["wait"] = { kind: "for", seconds: literal(0) };
    const given: Delay = {
      kind: "delay",
      id,
      origin: { ...origin, entry: false, part: "given" },
      span,
      wait,
      next: step.next,
    };
    return [{ ...step, argument: literal(null), retries: [], handlers: [], next: { name: id, span } }, given];
  };
  return mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.flatMap((step) => (isBuiltIn(step) ? alone(step) : [step])),
  }));
}

/** The same loops, whatever steps they have become of which a function computes something. */
function loopsIn(legal: OutlinedWorkflow, loops: ReadonlySet<string>): ReadonlySet<string> {
  const isLoop = (id: string): boolean => [...madeFor(id, legal)].some((each) => loops.has(each));
  return new Set(stepsOf(legal.workflow).flatMap(({ kind, id }) => (kind === "foreach" && isLoop(id) ? [id] : [])));
}

/** Whether a function may help that computes expressions. */
const isComputable = ({ fix }: SelectionProblem): boolean => fix !== undefined && fix.kind !== "begin";

/** A step, and those that it was made for. */
function* madeFor(id: string, legal: OutlinedWorkflow): Generator<string> {
  for (let each: string | undefined = id; each !== undefined; each = legal.derivedFrom.get(each)) yield each;
}

/** The services of a machine, with what it does about them. */
type MachineServices = Services &
  Pick<DistributedLoops, "loops"> & {
    /** How it asks for its run's correlation value, if it does. */
    readonly tokens: TokenQueries | undefined;
  };

/** A workflow as a machine without names, once. */
function lowerWorkflow(
  { workflow: source, resultTypes: answers, expressions }: OutlinedWorkflow,
  together: Together,
  services: MachineServices,
  check: VerifyRewrite | undefined,
): Omit<Lowered, "legal"> {
  const names = workflowNames(source);
  const disguised = disguisedNames(source);
  const { workflow: flat, guards } = flattenExceptions(source, nativeRecovery(expressions, disguised), names);
  check?.(flat, "taking the attempts out");
  const ending = raiseEnds(flat, together.raised);
  check?.(ending, "raising ends of the run");
  const workflow = fuseAssignments.run(threadJumps.run(simplifyBranches.run(ending)));
  check?.(workflow, "saving steps");
  const context = machineContext(workflow, { ...together, resultTypes: answers }, services, {
    names,
    disguised,
    guards,
    expressions,
  });
  const { correlation } = context;
  const opened = openScope(workflow.body, context, undefined, [correlation]);
  const over = (input: Expression) => withValues(opened.canonical, initialValues(opened, correlation, input));
  const started = eventStart(opened, over(literal({})));
  const machine = selectScope(opened, over(inputDocument), { started });
  return { machine, problems: context.problems, workflow, startedBehind: started?.wait };
}

/** What is the same in the whole machine of a workflow. */
function machineContext(
  workflow: FlatWorkflow,
  { program, raised, resultTypes: answers }: Together & Pick<OutlinedWorkflow, "resultTypes">,
  { loops, tokens, ...services }: MachineServices,
  known: Pick<MachineContext, "names" | "disguised" | "guards" | "expressions">,
): MachineContext {
  const correlation = known.names.variables.fresh("correlation");
  const positions = findWaitPositions(workflow);
  const carried = readsOfCorrelation(workflow, correlation, tokens);
  const waiting = readsOfWaits(workflow, positions, correlation);
  return {
    ...known,
    workflow,
    services,
    events: new Map(workflow.events.map((event) => [event.name, event])),
    correlation,
    implicitReads: (step) => [...carried(step), ...waiting(step), ...readsOfOwn(step, services)],
    positions,
    carriesReceivedToken: !tokens && emitsReceivedToken(workflow),
    tokenVariables: tokens?.variables ?? new Map(),
    distributed: loops,
    labels: createNames([], identifierStyle),
    ownErrors: raised,
    carriesValues: ownErrorsRaised(workflow, raised).some((name) => carriesValue(name, raised)),
    typesBefore: proven(workflow, { program }, answers),
    seesMessages: messageExposure(workflow, program),
    subflowErrorNames: (step) => subflowErrorNames(step, workflow, program),
    problems: [],
    printability: new Map(),
  };
}

/** What is known of the variables before each step of a workflow, whatever its input is. */
const proven = (
  workflow: Workflow,
  { program }: Pick<Together, "program">,
  answers?: OutlinedWorkflow["resultTypes"],
): DataFlow["before"] => proveDataFlow(withTimes(workflow), program.workflows, answers).before;

/** What a machine asks of its own accord may be answered with variables. */
const readsOfOwn = (step: Step, { serviceOf }: Services): readonly string[] =>
  step.kind === "call" ? (serviceOf(step.function.name).query?.variableTypes ?? []).map(([name]) => name) : [];

/** Emitting an event whose definition carries the run's correlation value reads that. */
function readsOfCorrelation(workflow: Workflow, variable: string, tokens: TokenQueries | undefined): ImplicitReads {
  if (!workflow.correlation && !emitsReceivedToken(workflow)) return () => [];
  const names = correlatedEvents(workflow);
  return (step) =>
    step.kind === "emit" && names.has(step.event.name) ? [variable, tokens?.variables.get(step.id) ?? variable] : [];
}

/** What the variables of a workflow are worth as it starts with an input. */
function initialValues(
  { scope, machine }: ScopeContext,
  correlation: string,
  input: Expression,
): ReadonlyMap<string, Expression> {
  const { workflow } = machine;
  const inputs = inScope(new Map([[workflow.input, input]]), undefined);
  const values = scope.variables.map(
    ({ name, initial }) => [name, initial ? resolve(initial, inputs) : unset] as const,
  );
  return new Map([...values, [workflow.input, input], [correlation, correlationOf(workflow, inputs)]]);
}

/** The run's correlation value as it starts: what the workflow says, over the input and the name of the execution. */
function correlationOf({ correlation }: Workflow, inputs: SymbolTable): Expression {
  if (!correlation) return unset;
  const run = object([["id", variable(intrinsics.run)]]);
  return resolve(substitute(correlation, new Map([["run", run]])), inputs);
}
