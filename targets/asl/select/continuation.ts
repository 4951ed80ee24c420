import { literal } from "../../../src/expressions/index.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { nameText } from "../jsonata/code.ts";
import { jsonataString } from "../jsonata/print.ts";
import type { Machine, MachineState, StateKey, StateRule } from "../machine.ts";
import { type BackEdge, maxIterationEvents, type Rounds, roundsOf } from "../rounds.ts";
import { type ContinuationVariables, liveVariables, type ScopeContext } from "./context.ts";
import { field, text } from "./fields.ts";

/** The states of a machine that continues in a new execution. */
interface ContinuationParts {
  readonly context: ScopeContext;
  readonly rounds: Rounds;
  /** The variable with the number of counted events. */
  readonly history: string;
  /** The variable with the id and the start of the run's first execution. */
  readonly run: string | undefined;
  readonly heads: ReadonlyMap<StateKey, LoopHead>;
}

/** The first state of a loop's round, and the states that are made for it. */
interface LoopHead {
  readonly state: MachineState;
  /** Starts the new execution. */
  readonly startKey: StateKey;
  /** Decides between the new execution and the next round. */
  readonly checkKey: StateKey;
  /** The values of the machine's variables in a new execution, by name. */
  readonly variables: readonly (readonly [string, Json])[];
}

/**
 * Lets the rounds of a machine's loops continue in a new execution before the history is full. Edges that close a loop
 * count events; a Task starts the machine with the document and the variables, and a Choice leads that execution to the
 * loop.
 *
 *   Ask → Ready; Ready: ready? → Done, else Pause
 *   → continued: continuation of Pause? → Pause, else Ask
 *     Ready: ready? → Done, full? → Pause/continue, else Pause (events + 9)
 *     Pause/continue: start of this machine at Pause
 *
 * @param variables The scope's variables that the machine adds.
 */
export function continueRounds(machine: Machine, context: ScopeContext, variables: ContinuationVariables): Machine {
  const rounds = roundsOf(machine);
  const byKey = new Map(machine.states.map((state) => [state.key, state]));
  const { steps } = context.machine.names;
  const heads = new Map(
    rounds.edges.map(({ to }): [StateKey, LoopHead] => {
      const variables = continuedVariables(context, to);
      const startKey = steps.fresh(`${to}/continue`);
      return [to, { state: byKey.get(to)!, startKey, checkKey: steps.fresh(`${to}/rounds`), variables }];
    }),
  );
  const run = variables.run === undefined ? undefined : context.names.get(variables.run)!;
  const parts: ContinuationParts = { context, rounds, history: context.names.get(variables.history)!, run, heads };
  const counted = machine.states.map((state) => countIterations(countRounds(state, parts), parts.history));
  const exited = rounds.edges.filter(({ from, to }) => !isChoice(byKey.get(from)!) && !isChoice(byKey.get(to)!));
  const checked = [...new Set(exited.map(({ to }) => to))].map((to) => checkState(heads.get(to)!, parts));
  const first = startState(machine, parts);
  const over = succeedState(machine, context);
  return {
    start: first.key,
    states: [
      ...counted.filter(({ key }) => key !== first.replaced),
      ...checked,
      first.state,
      ...Array.from(heads.values(), (head) => continueState(head, over.key, parts)),
      over,
    ],
  };
}

const isChoice = ({ type }: MachineState): boolean => type === "Choice";

/** The live variables at a state, with the values that states read if no state has assigned them. */
function continuedVariables(context: ScopeContext, key: StateKey): LoopHead["variables"] {
  const step = context.steps.get(key);
  if (!step) throw new Error(`State ${key}, to which a loop returns, is not the state of a step.`);
  return liveVariables(context, step).flatMap((variable) => {
    const name = context.names.get(variable)!;
    const initial = context.initialCode.get(name) ?? `$${name}`;
    if (typeof initial === "string") return [[name, jsonataString(initial)] as const];
    return "call" in initial ? [[name, jsonataString(initial.call)] as const] : [];
  });
}

/** Counts the rounds of the back edges that leave a state. */
function countRounds(state: MachineState, parts: ContinuationParts): MachineState {
  const own = parts.rounds.edges.filter(({ from }) => from === state.key);
  const edgeAt = (kind: BackEdge["kind"], index = 0): BackEdge | undefined =>
    own.find((edge) => edge.kind === kind && edge.index === index);
  const head = parts.heads.get(state.key);
  const counted = (rule: StateRule, edge: BackEdge | undefined): StateRule =>
    edge
      ? { ...rule, next: targetOf(edge, isChoice(state), parts), assign: countedBy(rule.assign, edge, parts) }
      : rule;
  const rules = (state.choices ?? []).flatMap((rule, i) => {
    const edge = edgeAt("choice", i);
    return edge ? [...leavingRules(rule, edge, parts), counted(rule, edge)] : [rule];
  });
  const last = edgeAt("otherwise");
  const always: StateRule = { when: ["Condition", "{% true %}"], next: state.otherwise ?? "" };
  const exit = edgeAt("exit");
  return {
    ...state,
    ...(state.choices && {
      choices: [
        ...(head && isChoice(state) ? [leavingRule(head, parts)] : []),
        ...rules,
        ...(last ? [...leavingRules(always, last, parts), counted(always, last)] : []),
      ],
      otherwise: last ? undefined : state.otherwise,
    }),
    ...(state.catch && { catch: state.catch.map((rule, i) => counted(rule, edgeAt("catch", i))) }),
    ...(state.exit &&
      exit && {
        exit: {
          ...state.exit,
          next: targetOf(exit, false, parts),
          assign: countedBy(state.exit.assign, exit, parts),
        },
      }),
  };
}

/** Where a back edge leads, unless the loop is left: other states than Choices need one for the decision. */
function targetOf({ to }: BackEdge, isFromChoice: boolean, { heads }: ContinuationParts): StateKey {
  const { state, checkKey } = heads.get(to)!;
  return isFromChoice || isChoice(state) ? to : checkKey;
}

const countedBy = (
  assign: StateRule["assign"],
  { events }: BackEdge,
  { history }: ContinuationParts,
): NonNullable<StateRule["assign"]> => ({
  ...assign,
  [history]: jsonataString(`($exists($${history}) ? $${history} : 0) + ${events}`),
});

const isFull = ({ history, rounds: { limit } }: ContinuationParts): string =>
  `$exists($${history}) and $${history} >= ${limit}`;

/** Leaves the loop at a rule of a Choice, if another round may not fit. The head of the loop decides if it is a Choice. */
function leavingRules(rule: StateRule, { to }: BackEdge, parts: ContinuationParts): readonly StateRule[] {
  const { state, startKey } = parts.heads.get(to)!;
  if (isChoice(state)) return [];
  const [name, condition] = rule.when;
  const own = String(condition).slice(2, -2).trim();
  const all = own === "true" ? isFull(parts) : `${isFull(parts)} and (${own})`;
  return [{ ...rule, when: [name, jsonataString(all)], next: startKey }];
}

const leavingRule = ({ startKey }: LoopHead, parts: ContinuationParts): StateRule => ({
  when: ["Condition", jsonataString(isFull(parts))],
  next: startKey,
});

function checkState(head: LoopHead, parts: ContinuationParts): MachineState {
  const { key, step } = head.state;
  const rules = { choices: [leavingRule(head, parts)], otherwise: key };
  return { key: head.checkKey, type: "Choice", step, part: "rounds", fields: [], ...rules };
}

/** Counts the iterations of a Map whose number is not constant. */
function countIterations(state: MachineState, history: string): MachineState {
  const { processor, itemCount, isDistributed, exit } = state;
  if (!processor || itemCount !== undefined || isDistributed || !exit) return state;
  const [, text] = /^\{% (.*) %\}$/s.exec(String(exit.assign?.[history] ?? "")) ?? [];
  const before = text ?? `($exists($${history}) ? $${history} : 0)`;
  const count = jsonataString(`${before} + $count($states.result) * ${maxIterationEvents(processor)}`);
  return { ...state, exit: { ...exit, assign: { ...exit.assign, [history]: count } } };
}

/** The id of the new execution of a run in its name; the same whenever the Task is repeated. */
const continuationId = '$hash($states.context.Execution.Id, "SHA-1")';

const namePrefix = "continued-";

const continuationName = jsonataString(`${JSON.stringify(namePrefix)} & ${continuationId}`);

const alreadyExists = "StepFunctions.ExecutionAlreadyExistsException";

/** A repetition starts the same execution, so it is tried for about an hour. */
const retry: readonly Json[] = [
  { ErrorEquals: [alreadyExists, "States.DataLimitExceeded", "States.QueryEvaluationError"], MaxAttempts: 0 },
  {
    ErrorEquals: ["States.TaskFailed"],
    IntervalSeconds: 1,
    MaxAttempts: 64,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    JitterStrategy: "FULL",
  },
];

/** The output of an execution whose run continues in another one. */
const continuedOutput: JsonObject = { continuedAs: continuationName };

function continueState(
  { state, startKey, variables }: LoopHead,
  over: StateKey,
  { context, run }: ContinuationParts,
): MachineState {
  const { services, workflow } = context.machine;
  const machine = services.hasAlias ? services.machineOf(workflow.id) : "{% $states.context.StateMachine.Id %}";
  const continuation: JsonObject = {
    id: jsonataString(continuationId),
    at: field(literal(state.key), context),
    ...(run !== undefined && { run: jsonataString(`$${run}`) }),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    data: "{% $states.input %}",
  };
  return {
    key: startKey,
    type: "Task",
    step: state.step,
    part: "continue",
    performs: { kind: "continuation", name: workflow.id },
    fields: [
      ["Resource", services.actionOf("states:startExecution")],
      ["Arguments", { StateMachineArn: machine, Name: continuationName, Input: { continuation } }],
    ],
    retry,
    catch: [{ when: ["ErrorEquals", [alreadyExists]], next: over }],
    exit: { next: undefined, output: continuedOutput },
  };
}

/** The end of an execution whose new execution has been started, and has ended, before it learned that. */
const succeedState = ({ states }: Machine, { machine, scope }: ScopeContext): MachineState => ({
  key: machine.names.steps.fresh(`${scope.entry.name}/continued`),
  type: "Succeed",
  step: states[0]!.step,
  part: "continued",
  fields: [["Output", continuedOutput]],
});

/**
 * The first state: leads a new execution to its loop. A caller cannot imitate one by an input alone, because the name
 * of the execution confirms it. A continuation of a loop that the machine does not have fails.
 */
function startState(machine: Machine, { context, heads, run }: ContinuationParts) {
  const isContinued = `${JSON.stringify(namePrefix)} & ${given}.id = $states.context.Execution.Name`;
  const rules = Array.from(heads.values(), ({ state, variables }): StateRule => {
    const assign = Object.fromEntries([
      ...(run === undefined ? [] : [[run, jsonataString(`${given}.run`)] as const]),
      ...variables.map(([name]) => [name, jsonataString(givenVariable(name))] as const),
    ]);
    return {
      when: ["Condition", jsonataString(`${isContinued} and ${given}.at = ${text(literal(state.key), context)}`)],
      next: state.key,
      output: jsonataString(`${given}.data`),
      ...(Object.keys(assign).length > 0 && { assign }),
    };
  });
  const first = machine.states.find(({ key }) => key === machine.start)!;
  const replaced = isReplaceable(first, machine) ? first : undefined;
  const ordinary: StateRule = {
    when: ["Condition", jsonataString(`$not(${isContinued})`)],
    next: machine.start,
    ...(replaced?.exit?.next !== undefined && { ...replaced.exit, next: replaced.exit.next }),
    ...(run !== undefined && { assign: { ...replaced?.exit?.assign, [run]: firstExecution } }),
  };
  const key = context.machine.names.steps.fresh(`${context.scope.entry.name}/start`);
  const state: MachineState = {
    key,
    type: "Choice",
    step: first.step,
    part: "start",
    fields: [],
    choices: [...rules, ordinary],
  };
  return { key, state, replaced: replaced?.key };
}

const firstExecution: JsonObject = {
  id: "{% $states.context.Execution.Id %}",
  started: "{% $states.context.Execution.StartTime %}",
};

const given = "$states.input.continuation";

const givenVariable = (name: string): string => `${given}.variables.${nameText(name)}`;

/** Whether the Choice can do the work of the first state: a Pass that only assigns and is only reached at the start. */
function isReplaceable({ key, type, fields, exit }: MachineState, { states }: Machine): boolean {
  const isEntered = states.some(
    ({ exit, otherwise, choices = [], catch: catchers = [] }) =>
      exit?.next === key || otherwise === key || [...choices, ...catchers].some(({ next }) => next === key),
  );
  return type === "Pass" && fields.length === 0 && exit?.next !== undefined && !isEntered;
}
