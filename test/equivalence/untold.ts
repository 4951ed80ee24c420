import { literal } from "../../src/expressions/index.ts";
import { type Program, programOf } from "../../src/ir/program.ts";
import { mapScopes, stepsOf } from "../../src/ir/walk.ts";
import type { Fork, Step, Workflow } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import type { Answer, Scenario } from "../../src/scenario/model.ts";
import { maxConcurrency } from "../../targets/openwhisk/select/bounds.ts";
import type { Difference } from "./compare.ts";
import { isBrokenOff, type Run, type Seen } from "./observe.ts";

/** Drops the differences that OpenWhisk permits. */
export function toldOnOpenWhisk(found: readonly Difference[], asked: Asked, meant: Seen): readonly Difference[] {
  if (isBrokenOff(meant) || found.length === 0) return found;
  if (meant.some(({ elapsed = 0 }) => elapsed > longest) || mayTakeOthersEvents(asked)) return [];
  const { workflows } = asked.program;
  const isComposition = workflows[0]!.native !== undefined;
  const told = isComposition ? found.filter(({ what }) => !what.endsWith("error")) : found;
  const hasBranches = workflows.some((workflow) =>
    stepsOf(workflow).some((step) =>
      step.kind === "invoke" ? !step.wait : step.kind === "fork" || step.kind === "foreach",
    ),
  );
  const varied = variedIn(asked.scenario);
  if (runsMayBeAnsweredOtherwise(meant, varied)) return [];
  if (!hasBranches) return told;
  if (workflows.some(isWide)) return told.filter(({ what }) => /(?:status|output|error)$/.test(what));
  if (meant.some((run) => mayBeAnsweredOtherwise(run, varied))) return [];
  if (told.some((difference) => takesAnswers(difference, runOf(difference, meant), varied))) return [];
  return told.filter((difference) => !isUntold(difference, runOf(difference, meant)));
}

/**
 * Drops the differences that Step Functions permits. A call without waiting is an execution of its own: it may start
 * after everything else at its instant, and may receive another call's response. A run that exceeds a limit may exhaust
 * its history first, which the platform reports in its own words and which may drop such calls.
 */
export function toldOnAsl(differences: readonly Difference[], asked: Asked, meant: Seen): readonly Difference[] {
  if (isBrokenOff(meant)) return differences;
  if (mayTakeOthersEvents(asked)) return [];
  const found = differences.filter((each) => !each.what.endsWith("error") || !isTooMuch(runOf(each, meant)));
  const apart = new Set(asked.program.workflows.flatMap((workflow) => stepsOf(workflow).flatMap(calledApart)));
  if (apart.size === 0) return found;
  const varied = new Set([...variedIn(asked.scenario)].filter((name) => apart.has(name)));
  if (meant.some(({ calls }) => hasTwice(calls, varied))) return [];
  return found.filter((each) => {
    if (!each.what.endsWith("calls")) return true;
    const [calls, others] = [each.meant, each.got].map((happened) => unordered(happened, () => true));
    return !(isTooMuch(runOf(each, meant)) ? isWithin(others!, calls!) : isSame(calls!, others!));
  });
}

const isTooMuch = ({ outcome }: Run): boolean => outcome.status === "failed" && outcome.error.name === "LimitError";

/** The function that a step calls without waiting. */
const calledApart = (step: Step): readonly string[] => (step.kind === "call" && !step.wait ? [step.function.name] : []);

/**
 * Whether a run starts another workflow, without waiting for it, that competes for the same events. The older waiter
 * has priority, but the two may start in the same millisecond.
 */
function mayTakeOthersEvents({ program: { workflows }, scenario }: Asked): boolean {
  const receiving = workflows.filter((workflow) => stepsOf(workflow).some(({ kind }) => kind === "receive"));
  const launched = workflows
    .flatMap(stepsOf)
    .flatMap((step) => (step.kind === "invoke" && !step.wait ? [step.workflow.name] : []));
  const rivals = receiving.filter(({ id }) => launched.includes(id));
  return scenario.events.length > 0 && rivals.length > 0 && (receiving.length > 1 || launched.length > 1);
}

/** The functions whose responses vary from call to call. */
const variedIn = ({ functions }: Scenario): ReadonlySet<string> =>
  new Set([...functions].flatMap(([name, { list }]) => (new Set(list.map(answerText)).size > 1 ? [name] : [])));

const answerText = ({ takes, does }: Answer): string =>
  JSON.stringify([takes, does], (key, value: unknown) => (key === "span" ? undefined : value));

/** A scenario and the program that it runs. */
export interface Asked {
  readonly program: Program;
  readonly scenario: Scenario;
}

/**
 * Alternative expectations: another branch of each fork first, or all in reverse, because the order of failures and
 * ends at one instant is unspecified; likewise the order of events at one instant, which keep their ids.
 */
export function othersOnOpenWhisk({ program, scenario }: Asked): readonly Asked[] {
  const events = scenario.events.map(({ at, event }, i) => ({ at, event: { id: `event-${i + 1}`, ...event } }));
  const hasTies = new Set(events.map(({ at }) => at)).size < events.length;
  const counts = program.workflows.flatMap(stepsOf).map((step) => (step.kind === "fork" ? step.branches.length : 0));
  const most = Math.min(Math.max(0, ...counts), mostOrders);
  const rotations = Array.from({ length: Math.max(0, most - 1) }, (_, i) =>
    withBranches(program, (branches) => [...branches.slice(i + 1), ...branches.slice(0, i + 1)]),
  );
  const reversed = most > 2 ? [withBranches(program, (branches) => branches.toReversed())] : [];
  const orders = [...rotations, ...reversed];
  const late = most > 1 && hasEvents(program) ? [program, ...orders].map((each) => withDelayed(each, "emit")) : [];
  return [
    ...[...orders, ...late].map((other) => ({ program: other, scenario })),
    ...(hasTies ? [{ program, scenario: { ...scenario, events: events.toReversed() } }] : []),
    ...othersOnAsl({ program, scenario }),
  ];
}

/**
 * Alternative expectations on Step Functions: an event at the millisecond in which a subflow starts may or may not be
 * too early for it.
 */
export function othersOnAsl({ program, scenario }: Asked): readonly Asked[] {
  const { events } = scenario;
  if (events.length === 0 || !program.workflows.flatMap(stepsOf).some(({ kind }) => kind === "invoke")) return [];
  const after = events.map((each) => ({ ...each, at: each.at + justAfter }));
  return [
    { program, scenario: { ...scenario, events: after } },
    { program: withDelayed(program, "invoke"), scenario },
  ];
}

/** The maximum number of branches tried as the first. */
const mostOrders = 6;

function withBranches({ workflows }: Program, ordered: (branches: Fork["branches"]) => Fork["branches"]): Program {
  const changed = (step: Step): Step => (step.kind === "fork" ? { ...step, branches: ordered(step.branches) } : step);
  return programOf(
    workflows.map((workflow) => mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(changed) }))),
  );
}

const hasEvents = ({ workflows }: Program): boolean =>
  workflows.some((workflow) => stepsOf(workflow).some(({ kind }) => kind === "emit"));

/** Seconds; compares as equal to zero. */
const moment = 1e-7;

/** Seconds; compares as equal to zero, but changes a clock in milliseconds since 1970. */
const justAfter = 4e-7;

/** Delays the steps of a kind until after everything else at their instant. */
function withDelayed({ workflows }: Program, kind: "emit" | "invoke"): Program {
  const delayed = (step: Step): readonly Step[] => {
    if (step.kind !== kind) return [step];
    const { id, origin, span } = step;
    const wait = { kind: "for", seconds: literal(moment) } as const;
    const behind = { ...step, id: `${id}/late` };
    return [{ kind: "delay", id, origin, span, wait, next: { name: behind.id, span } }, behind];
  };
  return programOf(
    workflows.map((workflow) => mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.flatMap(delayed) }))),
  );
}

/** Whether a fork exceeds the namespace's concurrency limit, which delays some branches. */
const isWide = (workflow: Workflow): boolean =>
  stepsOf(workflow).some((step) => step.kind === "fork" && step.branches.length >= maxConcurrency);

/** Seconds; later times exceed the range of `Date`. */
const longest = 8.6e12;

/**
 * Whether branches may receive each other's responses. Calls at one instant have no order between activations, and
 * emitting an event takes one.
 */
function mayBeAnsweredOtherwise({ calls, emitted }: Run, varied: ReadonlySet<string>): boolean {
  const instants = new Set(emitted.map(({ at }) => at));
  return hasTwice(
    calls.filter(({ at }) => instants.has(at)),
    varied,
  );
}

/** Whether two runs call a function with varying responses at one instant. */
function runsMayBeAnsweredOtherwise(runs: readonly Run[], varied: ReadonlySet<string>): boolean {
  const made = runs.flatMap(({ calls }) => [
    ...new Set(calls.filter(({ what }) => varied.has(what)).map(({ at, what }) => `${at} ${what}`)),
  ]);
  return new Set(made).size < made.length;
}

function hasTwice(calls: Run["calls"], functions: ReadonlySet<string>): boolean {
  const made = calls.filter(({ what }) => functions.has(what)).map(({ at, what }) => `${at} ${what}`);
  return new Set(made).size < made.length;
}

/**
 * Whether branches that a join abandoned call functions more or less often than expected, which changes the responses
 * of later calls.
 */
function takesAnswers({ what, meant, got }: Difference, { cutOffs }: Run, varied: ReadonlySet<string>): boolean {
  if (cutOffs.length === 0 || !what.endsWith("calls")) return false;
  const [calls, others] = [meant, got].map((happened) =>
    (happened as readonly Json[][]).map(([, name]) => String(name)),
  );
  const count = (all: readonly string[], name: string): number => all.filter((each) => each === name).length;
  return [...varied].some((name) => count(calls!, name) !== count(others!, name));
}

/** The run that shows a difference. */
const runOf = ({ what }: Difference, [first, ...further]: readonly Run[]): Run =>
  further.find(({ id }) => what.startsWith(`${id}: `)) ?? first!;

/**
 * Whether a difference concerns only the order at one instant, or the progress of branches that a join abandoned.
 * Before the first early join, all actions must match. After it, abandoned branches may do more. At the instant of an
 * early join, a failed join or a failure, they may also do less.
 */
function isUntold({ what, meant, got }: Difference, { cutOffs, failures, outcome, ended }: Run): boolean {
  if (!/(?:calls|emitted)$/.test(what)) return false;
  const ends = [...cutOffs, ...(outcome.status === "failed" && ended !== undefined ? [ended] : [])];
  const first = Math.min(...ends);
  const isEnd = (at: number): boolean => [...ends, ...failures].some((end) => Math.abs(at - end) < 2e-6);
  const within = (isWanted: (at: number) => boolean) => [meant, got].map((happened) => unordered(happened, isWanted));
  const [before, beforeToo] = within((at) => at < first && !isEnd(at));
  const [last, lastToo] = within(isEnd);
  const [after, afterToo] = within((at) => at > first && !isEnd(at));
  return (
    isSame(before!, beforeToo!) &&
    (isWithin(last!, lastToo!) || isWithin(lastToo!, last!)) &&
    isWithin(after!, afterToo!)
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
    const place = left.indexOf(each);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
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
