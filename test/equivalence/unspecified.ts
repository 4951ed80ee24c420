import { call, literal, variable } from "../../src/expressions/index.ts";
import { awaitedEvents, mayMatchSameEvent } from "../../src/ir/event-patterns.ts";
import { type WorkflowNames, workflowNames } from "../../src/ir/names.ts";
import { mapScopes, scopesOf, stepsOf } from "../../src/ir/walk.ts";
import type { Attempt, Delay, End, EventDefinition, Fork, Step, Workflow } from "../../src/ir/workflow.ts";
import { type Program, programOf } from "../../src/ir/workflow.ts";
import { isObject, type Json } from "../../src/json.ts";
import type { Answer, Scenario } from "../../src/scenario/model.ts";
import { maxConcurrency } from "../../targets/openwhisk/select/bounds.ts";
import type { RunDifference } from "./compare.ts";
import { isAborted, type Observation, type ObservedRun } from "./observe.ts";

/** Drops the differences that OpenWhisk permits. */
export function significantOnOpenWhisk(
  found: readonly RunDifference[],
  context: ProgramScenario,
  expected: Observation,
): readonly RunDifference[] {
  if (isAborted(expected) || found.length === 0) return found;
  if (expected.some(({ elapsed = 0 }) => elapsed > maxSeconds) || mayEmitAtStart(context, expected)) return [];
  const { workflows } = context.program;
  const isComposition = workflows[0]!.native !== undefined;
  const significant = isComposition ? found.filter(({ aspect }) => !aspect.endsWith("error")) : found;
  const hasBranches = workflows.some((workflow) =>
    stepsOf(workflow).some((step) =>
      step.kind === "invoke" ? !step.wait : step.kind === "fork" || step.kind === "foreach",
    ),
  );
  const varied = varyingFunctions(context.scenario);
  if (runsMaySwapResponses(expected, varied)) return [];
  if (!hasBranches) return significant;
  if (workflows.some(isWide)) return significant.filter(({ aspect }) => /(?:status|output|error)$/.test(aspect));
  if (expected.some((run) => maySwapResponses(run, varied))) return [];
  if (significant.some((difference) => changesResponses(difference, runOf(difference, expected), varied))) return [];
  return significant.filter((difference) => !isUnspecified(difference, runOf(difference, expected)));
}

/**
 * Drops the differences that Step Functions permits. A run that exceeds a limit may exhaust its history first, which the
 * platform reports in its own words. JSONata calculates with finite numbers only, and an overflow within an expression
 * fails (WB6012).
 */
export function significantOnAsl(
  differences: readonly RunDifference[],
  context: ProgramScenario,
  expected: Observation,
): readonly RunDifference[] {
  if (isAborted(expected)) return differences;
  if (mayEmitAtStart(context, expected)) return [];
  if (differences.some(({ actual }) => isOverflow(actual))) return [];
  return differences.filter((each) => !each.aspect.endsWith("error") || !isTooMuch(runOf(each, expected)));
}

/** Errors of expressions are shown without their messages. */
const isOverflow = (outcome: Json): boolean =>
  isObject(outcome) && outcome["name"] === "LimitError" && (outcome["message"] ?? overflow) === overflow;

const overflow = "A number is larger than any that JSONata can calculate with.";

const isTooMuch = ({ outcome }: ObservedRun): boolean =>
  outcome.status === "failed" && outcome.error.name === "LimitError";

/**
 * Whether a run emits an event that its subflows receive. One that begins in the same millisecond may or may not have
 * it.
 */
function mayEmitAtStart({ program }: ProgramScenario, expected: readonly ObservedRun[]): boolean {
  if (expected.every(({ emitted }) => emitted.length === 0)) return false;
  const steps = program.workflows.flatMap(stepsOf);
  const subflows = new Set(steps.flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : [])));
  const received = program.workflows.flatMap((workflow) => (subflows.has(workflow.id) ? awaitedEvents(workflow) : []));
  return program.workflows.some((workflow) =>
    emittedEvents(workflow).some((event) => received.some((other) => mayMatchSameEvent(event, other))),
  );
}

/** The definitions of events that a workflow emits. */
const emittedEvents = (workflow: Workflow): readonly EventDefinition[] =>
  stepsOf(workflow).flatMap((step) =>
    step.kind === "emit" ? workflow.events.filter(({ name }) => name === step.event.name) : [],
  );

/** The functions whose responses vary from call to call. */
const varyingFunctions = ({ functions }: Scenario): ReadonlySet<string> =>
  new Set([...functions].flatMap(([name, { list }]) => (new Set(list.map(responseText)).size > 1 ? [name] : [])));

const responseText = ({ takes, does }: Answer): string =>
  JSON.stringify([takes, does], (key, value: unknown) => (key === "span" ? undefined : value));

/** A scenario and the program that it runs. */
export interface ProgramScenario {
  readonly program: Program;
  readonly scenario: Scenario;
}

/**
 * Alternative expectations: another branch of each fork first, or all in reverse, and iterations in reverse, because the order of failures and
 * ends at one instant is unspecified; likewise the order of events at one instant, which keep their ids, and that of
 * a run and a subflow that it does not wait for: whichever waits first takes an event that has already arrived. A fork
 * within a branch takes an activation, so its waits may begin when the branch has already lost a join at that instant.
 */
export function alternativesOnOpenWhisk({ program, scenario }: ProgramScenario): readonly ProgramScenario[] {
  const events = scenario.events.map(({ at, event }, i) => ({ at, event: { id: `event-${i + 1}`, ...event } }));
  const hasTies = new Set(events.map(({ at }) => at)).size < events.length;
  const counts = program.workflows.flatMap(stepsOf).map((step) => (step.kind === "fork" ? step.branches.length : 0));
  const branchCount = Math.min(Math.max(0, ...counts), maxOrders);
  const rotations = Array.from({ length: Math.max(0, branchCount - 1) }, (_, i) =>
    withBranches(program, (branches) => [...branches.slice(i + 1), ...branches.slice(0, i + 1)]),
  );
  const reversed = branchCount > 2 ? [withBranches(program, (branches) => branches.toReversed())] : [];
  const iterations = program.workflows.flatMap(stepsOf).some(({ kind }) => kind === "foreach")
    ? [withReversedItems(program)]
    : [];
  const orders = [...rotations, ...reversed, ...iterations];
  const late =
    branchCount > 1 && hasEvents(program) ? [program, ...orders].map((each) => delaySteps(each, "emit")) : [];
  const nested =
    events.length > 0 && hasNestedForks(program) ? [program, ...orders].map((each) => delaySteps(each, "fork")) : [];
  const launched = launchedWorkflows(program);
  const isLaunched = ({ id }: Workflow): boolean => launched.has(id);
  const launches =
    launched.size > 0 && events.length > 0
      ? [isLaunched, (workflow: Workflow) => !isLaunched(workflow)].map((isLate) =>
          delaySteps(program, "receive", isLate),
        )
      : [];
  return [
    ...[...orders, ...late, ...nested, ...launches].map((other) => ({ program: other, scenario })),
    ...(hasTies ? [{ program, scenario: { ...scenario, events: events.toReversed() } }] : []),
    ...alternativesOnAsl({ program, scenario }),
  ];
}

/**
 * Alternative expectations on Step Functions: an event at the millisecond of a subflow's start may or may not be
 * too early for it. If all branches of a fork that waits for the first fail, branches record when they did, in
 * milliseconds: of several at the last of them, the fork fails with the error of the last branch.
 */
export function alternativesOnAsl({ program, scenario }: ProgramScenario): readonly ProgramScenario[] {
  const { events } = scenario;
  const steps = program.workflows.flatMap(stepsOf);
  const failures = steps.some(isTolerant) ? [{ program: delayFailures(program), scenario }] : [];
  if (events.length === 0 || !steps.some(({ kind }) => kind === "invoke")) return failures;
  const after = events.map((each) => ({ ...each, at: each.at + justAfter }));
  return [
    { program, scenario: { ...scenario, events: after } },
    { program: delaySteps(program, "invoke"), scenario },
    ...failures,
  ];
}

/** Whether a step is a fork that waits for its first branch and tolerates failures of the others. */
const isTolerant = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count === 1 && step.failure === "spare";

/** Delays the failures of the branches of tolerant forks, so that those of one instant have the order of the branches. */
const delayFailures = ({ workflows }: Program): Program =>
  programOf(
    workflows.map((workflow) => {
      const names = workflowNames(workflow);
      return mapScopes(workflow, (scope) => ({
        ...scope,
        steps: scope.steps.map((step) =>
          isTolerant(step)
            ? { ...step, branches: step.branches.map((branch, i) => withLateFailure(branch, i * moment, names)) }
            : step,
        ),
      }));
    }),
  );

/** Wraps the scope of a branch: if it fails, the branch fails with the same error some seconds later. */
function withLateFailure(branch: Fork["branches"][0], seconds: number, names: WorkflowNames): Fork["branches"][0] {
  const { scope, span } = branch;
  const [value, failure] = [names.variables.fresh("value"), names.variables.fresh("failure")];
  const derive = (part: string) => ({
    id: names.steps.fresh(`${scope.entry.name}/${part}`),
    origin: scope.steps[0]!.origin,
    span,
  });
  const leave = { outcome: "leave", extent: "scope", value: variable(value) } as const;
  const fail = { outcome: "fail", extent: "scope", value: variable(failure) } as const;
  const [done, failed]: readonly End[] = [
    { ...derive("done"), kind: "end", ...leave },
    { ...derive("failed"), kind: "end", ...fail },
  ];
  const late: Delay = {
    ...derive("late"),
    kind: "delay",
    wait: { kind: "for", seconds: literal(seconds) },
    next: { name: failed!.id, span },
  };
  const work: Attempt = {
    ...derive("work"),
    kind: "attempt",
    body: { ...scope, variables: [] },
    restore: [],
    retries: [],
    bind: value,
    handlers: [{ when: literal(true), bind: failure, next: { name: late.id, span }, span }],
    next: { name: done!.id, span },
  };
  const variables = [...scope.variables, { name: value }, { name: failure }];
  return { ...branch, scope: { entry: { name: work.id, span }, variables, steps: [work, done!, late, failed!], span } };
}

/** The maximum number of branches tried as the first. */
const maxOrders = 6;

function withBranches({ workflows }: Program, ordered: (branches: Fork["branches"]) => Fork["branches"]): Program {
  const changed = (step: Step): Step => (step.kind === "fork" ? { ...step, branches: ordered(step.branches) } : step);
  return programOf(
    workflows.map((workflow) => mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(changed) }))),
  );
}

const withReversedItems = ({ workflows }: Program): Program =>
  programOf(
    workflows.map((workflow) =>
      mapScopes(workflow, (scope) => ({
        ...scope,
        steps: scope.steps.map((step) =>
          step.kind === "foreach" ? { ...step, items: call("reverse", step.items) } : step,
        ),
      })),
    ),
  );

const hasEvents = ({ workflows }: Program): boolean =>
  workflows.some((workflow) => stepsOf(workflow).some(({ kind }) => kind === "emit"));

/** Seconds; compares as equal to zero. */
const moment = 1e-7;

/** Seconds; compares as equal to zero, but changes a clock in milliseconds since 1970. */
const justAfter = 4e-7;

/** The ids of workflows that others start without waiting for them. */
const launchedWorkflows = ({ workflows }: Program): ReadonlySet<string> =>
  new Set(
    workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "invoke" && !step.wait ? [step.workflow.name] : [])),
  );

/** Whether a branch contains a fork. */
const hasNestedForks = ({ workflows }: Program): boolean =>
  workflows.flatMap(scopesOf).some(({ scope, parent }) => parent !== undefined && scope.steps.some(isFork));

const isFork = ({ kind }: Step): boolean => kind === "fork";

/** Delays the steps of a kind, in some workflows, until after everything else at their instant. */
function delaySteps(
  { workflows }: Program,
  kind: "emit" | "fork" | "invoke" | "receive",
  isLate: (workflow: Workflow) => boolean = () => true,
): Program {
  const delayed = (step: Step): readonly Step[] => {
    if (step.kind !== kind) return [step];
    const { id, origin, span } = step;
    const wait = { kind: "for", seconds: literal(moment) } as const;
    const behind = { ...step, id: `${id}/late` };
    return [{ kind: "delay", id, origin, span, wait, next: { name: behind.id, span } }, behind];
  };
  return programOf(
    workflows.map((workflow) =>
      isLate(workflow) ? mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.flatMap(delayed) })) : workflow,
    ),
  );
}

/** Whether a fork exceeds the namespace's concurrency limit, which delays some branches. */
const isWide = (workflow: Workflow): boolean =>
  stepsOf(workflow).some((step) => step.kind === "fork" && step.branches.length >= maxConcurrency);

/** Seconds; later times exceed the range of `Date`. */
const maxSeconds = 8.6e12;

/**
 * Whether branches may receive each other's responses. Calls at one instant have no order between activations, and
 * emitting an event takes one.
 */
function maySwapResponses({ calls, emitted }: ObservedRun, varied: ReadonlySet<string>): boolean {
  const instants = new Set(emitted.map(({ at }) => at));
  return hasTwice(
    calls.filter(({ at }) => instants.has(at)),
    varied,
  );
}

/** Whether two runs call a function with varying responses at one instant. */
function runsMaySwapResponses(runs: readonly ObservedRun[], varied: ReadonlySet<string>): boolean {
  const keys = runs.flatMap(({ calls }) => [
    ...new Set(calls.filter(({ name }) => varied.has(name)).map(({ at, name }) => `${at} ${name}`)),
  ]);
  return new Set(keys).size < keys.length;
}

function hasTwice(calls: ObservedRun["calls"], functions: ReadonlySet<string>): boolean {
  const keys = calls.filter(({ name }) => functions.has(name)).map(({ at, name }) => `${at} ${name}`);
  return new Set(keys).size < keys.length;
}

/**
 * Whether branches that a join abandoned call functions more or less often than expected, which changes the responses
 * of later calls.
 */
function changesResponses(
  { aspect, expected, actual }: RunDifference,
  { cutOffs }: ObservedRun,
  varied: ReadonlySet<string>,
): boolean {
  if (cutOffs.length === 0 || !aspect.endsWith("calls")) return false;
  const [calls, others] = [expected, actual].map((happened) =>
    (happened as readonly Json[][]).map(([, name]) => String(name)),
  );
  const count = (all: readonly string[], name: string): number => all.filter((each) => each === name).length;
  return [...varied].some((name) => count(calls!, name) !== count(others!, name));
}

/** The run that shows a difference. */
const runOf = ({ aspect }: RunDifference, [first, ...further]: readonly ObservedRun[]): ObservedRun =>
  further.find(({ id }) => aspect.startsWith(`${id}: `)) ?? first!;

/**
 * Whether a difference concerns only the order at one instant, or the progress of branches that a join abandoned.
 * Before the first early join, all actions must match. After it, abandoned branches may do more. At the instant of an
 * early join, a failed join or a failure, they may also do less.
 */
function isUnspecified(
  { aspect, expected, actual }: RunDifference,
  { cutOffs, failures, outcome, ended }: ObservedRun,
): boolean {
  if (!/(?:calls|emitted)$/.test(aspect)) return false;
  const ends = [...cutOffs, ...(outcome.status === "failed" && ended !== undefined ? [ended] : [])];
  const first = Math.min(...ends);
  const isEnd = (at: number): boolean => [...ends, ...failures].some((end) => Math.abs(at - end) < 2e-6);
  const within = (isWanted: (at: number) => boolean) =>
    [expected, actual].map((happened) => unordered(happened, isWanted));
  const [before, otherBefore] = within((at) => at < first && !isEnd(at));
  const [atEnd, otherAtEnd] = within(isEnd);
  const [after, otherAfter] = within((at) => at > first && !isEnd(at));
  return (
    isSame(before!, otherBefore!) &&
    (isWithin(atEnd!, otherAtEnd!) || isWithin(otherAtEnd!, atEnd!)) &&
    isWithin(after!, otherAfter!)
  );
}

/** The occurrences at some times, in a canonical order. */
const unordered = (happened: Json, isWanted: (at: number) => boolean): readonly string[] =>
  (happened as readonly (readonly [at: number, ...rest: readonly Json[]])[])
    .filter(([at]) => isWanted(at))
    .map((each) => JSON.stringify(sorted(each)));

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  isWithin(one, other) && isWithin(other, one);

/** Whether one array is a sub-multiset of another. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all];
  return some.every((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** Sorts the keys of a value. */
const sorted = (value: Json): Json =>
  JSON.parse(
    JSON.stringify(value, (_, each: Json) =>
      each !== null && typeof each === "object" && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ),
  ) as Json;
