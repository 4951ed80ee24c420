import { proveDataFlow } from "../../../src/analysis/types/flow.ts";
import { computeLiveness, counterVariables, createDataFlowGraph } from "../../../src/cfg/index.ts";
import {
  canFail,
  type Expression,
  equalExpressions,
  firstOr,
  freeVariables,
  literal,
  minJsonBytes,
  object,
  spanOfLargePart,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { camelCase, printedExpression, reservedWords, runtimeNames } from "../../../src/expressions/js/index.ts";
import { helpers } from "../../../src/generated/openwhisk-helpers.js";
import { runId, scalarChoices } from "../../../src/ir/correlation.ts";
import { violationPrefix } from "../../../src/ir/inputs.ts";
import { createNames, identifierStyle, type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { spanOfValue } from "../../../src/ir/spans.ts";
import { startsOnEvents } from "../../../src/ir/starts.ts";
import { expressionsOf, scopesOf, stepsOf } from "../../../src/ir/walk.ts";
import { mostOf } from "../../../src/ir/width.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js, type Statement } from "../../../src/js-ast/index.ts";
import { isObject } from "../../../src/json.ts";
import {
  expandRecovery,
  fuseAssignments,
  type Pass,
  type PassHooks,
  removeDeadStores,
  renamed,
  runPasses,
  simplifyBranches,
  threadJumps,
} from "../../../src/passes/index.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import * as messages from "../diagnostics/kinds.ts";
import { alarmOf, isAlarm } from "../timers.ts";
import { maxConcurrency } from "./bounds.ts";
import type { PlatformNames, SelectionContext } from "./context.ts";
import { createDeployedFunctions, type DeployedFunction } from "./deployed-functions.ts";
import {
  assignVariables,
  beginFunction,
  callHelper,
  codeOf,
  type FunctionBuilder,
  functionOperation,
  noteFailure,
  params,
} from "./function-builder.ts";
import { mayEndCaller, mayEndRuns, needsCorrelation, passesRunId, readsRunId, receivesRunId } from "./invoke.ts";
import { type Constants, constantsOf } from "./print-function.ts";
import { subscriptionOf, type WorkflowSubscription } from "./receive.ts";
import { deadlineOf, errorCode, lowerSteps, testWindow } from "./scope.ts";
import {
  addSequence,
  createStateBuilder,
  type StateBuilder,
  type StateOperation,
  type UnlinkedState,
} from "./state-builder.ts";
import { isTolerant, plainLoops } from "./tolerant-loops.ts";

/** The states of a workflow, still without names. */
export interface SelectedWorkflow {
  readonly builder: StateBuilder;
  readonly entry: string;
  readonly exit: string;
  readonly subscription: WorkflowSubscription | undefined;
  /** The functions that the helper action contains. */
  readonly deployed: readonly DeployedFunction[];
  /** The constants that functions read. */
  readonly constants: Constants;
  /** Whether only our conductor can run it: runs receive a run id, or may end their caller. */
  readonly needsConductor: boolean;
  readonly isComplete: boolean;
}

/** Selects the states of a workflow. Reports constructs without an exact form. */
export function selectWorkflow(
  program: Program,
  original: Workflow,
  platform: PlatformNames,
  report: Report,
  hooks: PassHooks = {},
): SelectedWorkflow {
  const names = workflowNames(original);
  const workflow = runPasses(passes, original, names, hooks);
  let isComplete = checkSizes(workflow, report);
  const notes = createNotes(report, () => {
    isComplete = false;
  });
  const flow: SelectionContext = { ...createContext(workflow, names, program), platform, ...notes };
  for (const timer of workflow.start.timers ?? []) {
    const alarm = alarmOf(timer);
    if (!isAlarm(alarm)) flow.refuse(timer.span, alarm.construct, alarm.hint);
  }
  for (const step of stepsOf(original).filter(isTolerant))
    flow.refuse(spanOfValue(step, "tolerates"), "a loop that continues after the failure of an iteration");
  const entry = flow.builder.labels.fresh("entry");
  lowerBody(flow, entry);
  const { builder, exit, deployed } = flow;
  const subscription = subscriptionOf(flow);
  const needsConductor = flow.mayEndCaller || receivesRunId(workflow, program);
  const constants = constantsOf(workflow);
  return { builder, entry, exit, subscription, deployed: deployed.functions, constants, needsConductor, isComplete };
}

/** The passes before selection, in order. */
export const passes: readonly Pass<Workflow, WorkflowNames>[] = [
  simplifyBranches,
  { name: "plain-loops", run: plainLoops },
  { name: "plain-recovery", run: (workflow, names) => expandRecovery(workflow, names, { expands: () => true }) },
  removeDeadStores,
  renamed(simplifyBranches, "simplify-branches-2"),
  threadJumps,
  fuseAssignments,
];

type SelectionNotes = Pick<SelectionContext, "noteTimeLimit" | "noteConcurrency" | "noteExternal" | "refuse">;

function createNotes(report: Report, refused: () => void): SelectionNotes {
  let hasLongDefault = false;
  return {
    noteConcurrency(step, count) {
      const span = count === mostOf(step.width) ? spanOfValue(step, "width") : step.span;
      if (count >= maxConcurrency) report(messages.openwhiskConcurrency(span, { count, most: maxConcurrency }));
    },
    noteTimeLimit(step, time) {
      const isStated = step.spans?.timeout !== undefined;
      if (isStated || !hasLongDefault)
        report(messages.openwhiskActionTime(spanOfValue(step, "timeout"), { name: step.function.name, ...time }));
      hasLongDefault ||= !isStated;
    },
    noteExternal({ name, span }) {
      report(messages.openwhiskExternalWorkflow(span, { id: name }));
    },
    refuse(span, construct, hint) {
      refused();
      report(messages.openwhiskUnsupported(span, { construct, hint }));
    },
  };
}

function createContext(
  workflow: Workflow,
  names: WorkflowNames,
  program: Program,
): Omit<SelectionContext, keyof SelectionNotes | "platform"> {
  const builder = createStateBuilder(stepsOf(workflow).map(({ id }) => id));
  const token = needsCorrelation(workflow) ? names.variables.fresh("correlation") : undefined;
  const run = passesRunId(workflow, program) || readsRunId(workflow) ? names.variables.fresh("run") : undefined;
  const symbols = nameVariables(
    workflow,
    [token, run].filter((name) => name !== undefined),
  );
  return {
    program,
    workflow,
    functions: new Map(workflow.functions.map((each) => [each.name, each])),
    events: new Map(workflow.events.map((each) => [each.name, each])),
    symbols,
    counters: counterNames(workflow),
    knownTypes: proveDataFlow(workflow, program.workflows).before,
    reservedNames: new Set([
      ...symbols.values(),
      ...reservedWords,
      ...runtimeNames,
      ...Object.keys(helpers),
      ...functionNames.filter((name) => name !== "compute"),
    ]),
    builder,
    deployed: createDeployedFunctions(),
    exit: builder.labels.fresh("exit"),
    closing: builder.labels.fresh("closing"),
    token: token === undefined ? undefined : symbols.get(token),
    run: run === undefined ? undefined : symbols.get(run),
    eventName: "event",
    mayEndCaller: mayEndCaller(workflow, program),
  };
}

const maxValueBytes = 1_048_576;

function checkSizes(workflow: Workflow, report: Report): boolean {
  const large = stepsOf(workflow).flatMap((step) => {
    const found = expressionsOf(step).find((each) => minJsonBytes(each) > maxValueBytes);
    return found ? [{ step, found }] : [];
  });
  for (const { step, found } of large) {
    const span = spanOfLargePart(found, maxValueBytes) ?? step.span;
    report(messages.openwhiskTooLarge(span, { bytes: minJsonBytes(found), most: maxValueBytes }));
  }
  return large.length === 0;
}

const functionNames = [
  "params",
  "main",
  "require",
  "process",
  "crypto",
  "item",
  "index",
  "event",
  "compute",
  "errorNames",
  "standardErrors",
  "__env__",
  "__eval__",
];

/** Names the variables that are read, deadlines, and `more`. */
function nameVariables(workflow: Workflow, more: readonly string[]): ReadonlyMap<string, string> {
  const fresh = createNames(
    [...reservedWords, ...runtimeNames, ...Object.keys(helpers), ...functionNames],
    identifierStyle,
  );
  const steps = stepsOf(workflow);
  const read = new Set([
    ...steps.flatMap((step) => expressionsOf(step).flatMap((each) => [...freeVariables(each)])),
    ...scopesOf(workflow).flatMap(({ scope }) =>
      scope.variables.flatMap(({ initial }) => (initial ? [...freeVariables(initial)] : [])),
    ),
    ...(workflow.correlation ? freeVariables(workflow.correlation) : []),
  ]);
  const declared = scopesOf(workflow).flatMap(({ scope }) => scope.variables.map(({ name }) => name));
  const elements = steps.flatMap((step) => (step.kind === "foreach" ? [step.element, step.index ?? step.element] : []));
  const readNames = [...new Set([workflow.input, ...declared, ...elements])].filter((name) => read.has(name));
  const deadlines = steps.flatMap((step) =>
    step.kind === "attempt" && step.timeout !== undefined ? [deadlineOf(step)] : [],
  );
  const all = [...readNames, ...deadlines, ...more];
  return new Map(all.map((name) => [name, fresh.fresh(name === "params" ? "document" : camelCase(name))]));
}

function counterNames(workflow: Workflow): ReadonlySet<string> {
  const steps = stepsOf(workflow);
  const declared = scopesOf(workflow).flatMap(({ scope }) => scope.variables);
  const elements = steps.flatMap((step) => (step.kind === "foreach" ? [step.element, step.index ?? step.element] : []));
  const others = [workflow.input, ...elements, ...declared.flatMap(({ name, initial }) => (initial ? [name] : []))];
  return counterVariables(
    steps,
    new Set([...others, ...computeLiveness(createDataFlowGraph(workflow.body)).get(workflow.body.entry.name)!]),
  );
}

function lowerBody(flow: SelectionContext, entry: string): void {
  const { workflow, builder, symbols } = flow;
  const { body } = workflow;
  const inner = stepsOf(workflow).flatMap((step) =>
    step.kind === "attempt" && step.timeout !== undefined ? [deadlineOf(step)] : [],
  );
  const names = [...new Set([workflow.input, ...body.variables.map(({ name }) => name), ...inner])].filter((name) =>
    symbols.has(name),
  );
  const initials = new Map(body.variables.map(({ name, initial }) => [name, initial]));
  const lets = names.map((name) => {
    const initial = initials.get(name);
    return declareVariable(symbols.get(name)!, initial?.kind === "literal" ? initial.value : null);
  });
  for (const symbol of [flow.token, flow.run]) if (symbol !== undefined) lets.push(declareVariable(symbol, null));
  const handler = builder.labels.fresh("failed");
  const guarded: UnlinkedState = { name: "try", operation: { kind: "try", handler } };
  addOpening(entry, lets, guarded, initializeVariables(flow, initials), flow);
  const scopeExit = { kind: "run", closing: flow.closing } as const;
  lowerSteps(body, { flow, scopeExit, openTries: 0, deadlines: [], declared: new Set(names) });
  const ends = lets.map(
    ({ operation: { symbol } }): UnlinkedState => ({ name: `end ${symbol}`, operation: { kind: "end", symbol } }),
  );
  addSequence(builder, flow.closing, [{ name: "catch", operation: { kind: "catch" } }, ...ends.reverse()], flow.exit);
  addSequence(builder, handler, [reportFailure(flow)], flow.exit);
  builder.drafts.push({ label: flow.exit, name: "done", operation: { kind: "pass" } });
}

/**
 * Adds the states before the steps. Input is read before the window is tested; `initialized` states only run inside the
 * window.
 */
function addOpening(
  entry: string,
  lets: readonly UnlinkedState[],
  guarded: UnlinkedState,
  initialized: readonly UnlinkedState[],
  flow: SelectionContext,
): void {
  const { workflow, builder, exit } = flow;
  const { window } = workflow.start;
  const first = workflow.body.entry.name;
  if (!window) {
    addSequence(builder, entry, [...lets, guarded, ...readInput(flow, "$waybill"), ...initialized], first);
    return;
  }
  const label = (name: string) => builder.labels.fresh(name);
  const [windowLabel, inside, outside] = [label("window"), label("begin"), label("not active")];
  addSequence(builder, entry, [...lets, ...readInput(flow, "origin")], windowLabel);
  testWindow(windowLabel, "window", window, { inside, outside }, flow);
  addSequence(
    builder,
    outside,
    [{ name: "not active", operation: { kind: "value", value: notActive(workflow) } }],
    exit,
  );
  addSequence(builder, inside, [guarded, ...initialized], first);
}

/** The error of a run that is started outside its window. */
const notActive = ({ id }: Workflow) => ({
  error: { origin: "denied", name: "NotActive", message: `Workflow ${id} cannot be started now.`, inactive: id },
});

const declareVariable = (symbol: string, value: unknown) => ({
  name: `let ${symbol}`,
  operation: { kind: "let", symbol, value } as const,
});

/**
 * Assigns and checks the input. `origin`: the member of an error that holds its origin, `$waybill` for the handler of the
 * run.
 */
function readInput(flow: SelectionContext, origin: "$waybill" | "origin"): readonly UnlinkedState[] {
  const { workflow, symbols } = flow;
  const symbol = symbols.get(workflow.input);
  const fn = beginFunction(flow);
  const { anyInput, inputRules } = workflow;
  if (symbol === undefined && anyInput && !inputRules) return [];
  const input = symbol ?? "input";
  const value = callHelper(fn, "unwrap", [params]);
  fn.lines.push(symbol === undefined ? js.constant(input, value) : js.assign(input, value));
  if (!anyInput) {
    const test = js.unary("!", callHelper(fn, "isInput", [js.name(input)]));
    fn.lines.push(
      js.ifStatement(test, [returnInvalidInput(origin, js.literal("The input of a run has to be an object."))]),
    );
  }
  if (inputRules) {
    noteFailure(fn);
    const clause = js.name(unusedName("violation", new Set(symbols.values())));
    const message = js.binary(js.binary(js.literal(violationPrefix), "+", clause), "+", js.literal("."));
    const check = [
      js.constant(clause.name, callHelper(fn, "schemaViolation", [js.name(input), js.value(inputRules)])),
      js.ifStatement(js.binary(clause, "!==", js.literal(null)), [returnInvalidInput(origin, message)]),
    ];
    fn.lines.push(...(startsOnEvents(workflow) ? [js.ifStatement(isCalled, check)] : check));
  }
  return [{ name: "input", operation: functionOperation(fn), isOpening: true }];
}

function unusedName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${wanted}${i}`;
  return name;
}

const returnInvalidInput = (origin: "$waybill" | "origin", message: Code): Statement =>
  js.returnStatement(
    js.record({
      error: js.record({ [origin]: js.literal("denied"), name: js.literal("InvalidInput"), message }),
    }),
  );

/** Whether the run is called, and not started by events. */
const isCalled = js.binary(
  js.member(js.member(js.name("process"), "env"), "WAYBILL_CALLED"),
  "!==",
  js.name("undefined"),
);

function initializeVariables(
  flow: SelectionContext,
  initials: ReadonlyMap<string, Expression | undefined>,
): readonly UnlinkedState[] {
  const { workflow } = flow;
  const fn = beginFunction(flow);
  assignVariables(
    fn,
    [...initials].flatMap(([variable, value]) => (value && value.kind !== "literal" ? [{ variable, value }] : [])),
  );
  const id = flow.run === undefined ? runIdCode(flow) : js.name(flow.run);
  if (flow.run !== undefined) fn.lines.push(js.assign(flow.run, runIdCode(flow)));
  if (flow.token !== undefined && workflow.correlation) {
    const inner = beginFunction(flow, workflow.body.entry.name, new Map([["run id", printedExpression(id)]]));
    const code = correlationCode(workflow.correlation, id, inner);
    const isStarted = (workflow.start.on ?? []).length > 0;
    fn.lines.push(...inner.lines, js.assign(flow.token, isStarted ? js.binary(startToken, "??", code) : code));
    for (const helper of inner.helpers) fn.helpers.add(helper);
  }
  return fn.lines.length === 0 ? [] : [{ name: "begin", operation: functionOperation(fn), isOpening: true }];
}

/** `firstScalar(data.order, process.env.__OW_ACTIVATION_ID)` */
function correlationCode(correlation: Expression, id: Code, fn: FunctionBuilder): Code {
  const run = new Map([["run", object([["id", variable("run id")]])]]);
  const choices = scalarChoices(correlation);
  const codes = (choices.slice(1).some(canFail) ? [correlation] : choices).map((each) =>
    equalExpressions(each, runId) ? id : codeOf(fn, firstOr(substitute(each, run), literal(null))).code,
  );
  return codes.length === 1 ? codes[0]! : callHelper(fn, "firstScalar", codes);
}

/** The correlation value of the event that has started the run, or null. */
const startToken: Code = js.method(js.name("JSON"), "parse", [
  js.binary(js.member(js.member(js.name("process"), "env"), "WAYBILL_TOKEN"), "??", js.literal("null")),
]);

/** The id of the run: received from the caller, or that of the first activation. */
const runIdCode = ({ workflow, program }: SelectionContext): Code =>
  js.member(
    js.member(js.name("process"), "env"),
    receivesRunId(workflow, program) ? "WAYBILL_RUN" : "__OW_ACTIVATION_ID",
  );

function mayFailWithoutAction(operation: StateOperation, { platform }: SelectionContext): boolean {
  switch (operation.kind) {
    case "function":
      return operation.body.canFail;
    case "value":
      return isObject(operation.value) && Object.hasOwn(operation.value, "error");
    case "action":
      return operation.action === platform.helper;
    default:
      return false;
  }
}

/** Reports the error, or the result if a branch or subflow has ended the run. */
function reportFailure(flow: SelectionContext): UnlinkedState {
  const fn = beginFunction(flow);
  noteFailure(fn);
  const error = js.member(params, "error");
  const isFromAction = flow.builder.drafts.every(({ operation }) => !mayFailWithoutAction(operation, flow));
  const failed = js.record({ error: errorCode(fn, error, isFromAction) });
  const ended = flow.mayEndCaller ? params : js.member(error, "value");
  const result = mayEndRuns(flow.workflow, flow.program)
    ? js.conditional(js.binary(js.member(error, "$waybill"), "===", js.literal("ended")), ended, failed)
    : failed;
  return { name: "failed", operation: functionOperation(fn, result) };
}
