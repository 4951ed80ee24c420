import { mapScopes, stepsOf } from "../../src/ir/walk.ts";
import type { Step } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import { type Program, programOf } from "../../src/program.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import type { Difference } from "./compare.ts";
import { isBrokenOff, type Run, type Seen } from "./observe.ts";

/** Those of the differences from what is meant that OpenWhisk says nothing of are left out. */
export function toldOnOpenWhisk(found: readonly Difference[], program: Program, meant: Seen): readonly Difference[] {
  if (isBrokenOff(meant) || found.length === 0) return found;
  if (meant.some(({ elapsed = 0 }) => elapsed > longest)) return [];
  const isComposition = program.workflows[0]!.composition !== undefined;
  const told = isComposition ? found.filter(({ what }) => !what.endsWith("error")) : found;
  const hasBranches = program.workflows.some((workflow) =>
    stepsOf(workflow).some((step) =>
      step.kind === "invoke" ? !step.wait : step.kind === "fork" || step.kind === "foreach",
    ),
  );
  if (!hasBranches) return told;
  if (meant.some(mayBeAnsweredOtherwise)) return [];
  return told.filter((difference) => !isUntold(difference, runOf(difference, meant)));
}

/**
 * Those of the differences from what is meant that Step Functions says nothing of are left out: a call that nobody waits for is an execution of its own, and
 * may come after what follows at its instant, where it may also get the other's answer.
 */
export function toldOnAsl(found: readonly Difference[], { workflows }: Program, meant: Seen): readonly Difference[] {
  const isApart = workflows.some((workflow) => stepsOf(workflow).some((step) => step.kind === "call" && !step.wait));
  if (!isApart || isBrokenOff(meant)) return found;
  if (meant.some(({ calls }) => hasTwice(calls))) return [];
  return found.filter(({ what, meant: one, got }) => {
    const [calls, others] = [one, got].map((happened) =>
      what.endsWith("calls") ? unordered(happened, () => true) : [],
    );
    return !what.endsWith("calls") || !(isWithin(calls!, others!) && isWithin(others!, calls!));
  });
}

/** What is run: a scenario of a program. */
export interface Asked {
  readonly program: Program;
  readonly scenario: Scenario;
}

/**
 * What may be meant as well: the branches of each fork the other way round, as nobody says which of those that fail at one instant has failed first, and
 * so the events that come at one instant. They keep the ids that they have by where they stand.
 */
export function othersOnOpenWhisk({ program, scenario }: Asked): readonly Asked[] {
  const events = scenario.events.map(({ at, event }, i) => ({ at, event: { id: `event-${i + 1}`, ...event } }));
  const hasForks = program.workflows.some((workflow) => stepsOf(workflow).some(({ kind }) => kind === "fork"));
  const hasTies = new Set(events.map(({ at }) => at)).size < events.length;
  return [
    ...(hasForks ? [{ program: withBranchesReversed(program), scenario }] : []),
    ...(hasTies ? [{ program, scenario: { ...scenario, events: events.toReversed() } }] : []),
  ];
}

function withBranchesReversed({ workflows }: Program): Program {
  const reversed = (step: Step): Step =>
    step.kind === "fork" ? { ...step, branches: step.branches.toReversed() } : step;
  return programOf(
    workflows.map((workflow) => mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(reversed) }))),
  );
}

/** Later than this after the year 2020 there is no date any more, in seconds. */
const longest = 8.6e12;

/**
 * Whether branches may get each other's answers: what falls on one instant has no order between activations, and an event that is emitted takes one. So a function
 * that is called twice at such an instant may answer the calls the other way round.
 */
function mayBeAnsweredOtherwise({ calls, emitted }: Run): boolean {
  const instants = new Set(emitted.map(({ at }) => at));
  return hasTwice(calls.filter(({ at }) => instants.has(at)));
}

/** Whether a function is called twice at one instant. */
function hasTwice(calls: Run["calls"]): boolean {
  const made = calls.map(({ at, what }) => `${at} ${what}`);
  return new Set(made).size < made.length;
}

/** The run in which a difference is. */
const runOf = ({ what }: Difference, [first, ...further]: readonly Run[]): Run =>
  further.find(({ id }) => what.startsWith(`${id}: `)) ?? first!;

/**
 * Whether a difference is one of order at one instant, or of how far branches get that a join does not wait for: be it as it has enough of them, or, at the
 * instant at which the run fails, as one of them has failed.
 */
function isUntold({ what, meant, got }: Difference, { isCutOff, outcome, elapsed }: Run): boolean {
  if (!/(?:calls|emitted)$/.test(what)) return false;
  if (isCutOff) return true;
  const end = outcome.status === "failed" ? (elapsed ?? Number.POSITIVE_INFINITY) - 1e-6 : Number.POSITIVE_INFINITY;
  const [before, other] = [meant, got].map((happened) => unordered(happened, (at) => at < end));
  const [last, otherLast] = [meant, got].map((happened) => unordered(happened, (at) => at >= end));
  return (
    isWithin(before!, other!) &&
    isWithin(other!, before!) &&
    (isWithin(last!, otherLast!) || isWithin(otherLast!, last!))
  );
}

/** What happened at some times, in any order within an instant. */
const unordered = (happened: Json, isWanted: (at: number) => boolean): readonly string[] =>
  (happened as readonly (readonly [at: number, ...rest: readonly Json[]])[])
    .filter(([at]) => isWanted(at))
    .map((each) => JSON.stringify(sorted(each)));

/** Whether all that one list has is in another, as often. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all];
  return some.every((each) => {
    const place = left.indexOf(each);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** A value whose members have an order of their own. */
const sorted = (value: Json): Json =>
  JSON.parse(
    JSON.stringify(value, (_, each: Json) =>
      each !== null && typeof each === "object" && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ),
  ) as Json;
