import { unknownStep } from "../../diagnostics/flow.ts";
import { literal } from "../../expressions/index.ts";
import type { State, Transition } from "../../generated/sm4c-definition.ts";
import type { ChooseCase, Reference } from "../../ir/workflow.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { choose, complete, declare, failWith, reserve, type StepFragment, sequence } from "../shared/steps.ts";
import { lowerActionWithHandler } from "./actions.ts";
import type { Context, Writer } from "./context.ts";
import {
  duplicateUnconditional,
  endlessTransition,
  mixedTransition,
  repeatedEvents,
  secondTimeout,
  shadowedTransition,
} from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";
import { alternativeOf, handleGroups, isAlternative } from "./events.ts";
import { conditionAt } from "./expressions.ts";
import { resolveName } from "./names.ts";

/** Leaves a state for a target or the end. */
export type LeaveState = (target: { readonly state: State; readonly reference: Reference } | undefined) => StepFragment;

/** Each has at most one of a condition, event groups and a timeout. */
interface TransitionsByKind {
  readonly implicit: Transition | undefined;
  readonly conditional: readonly Transition[];
  readonly byEvents: readonly Transition[];
  readonly byTimeout: Transition | undefined;
}

/** Lowers transitions; without any, the run ends. */
export function lowerTransitions(writer: Writer, { transitions = [] }: State, leave: LeaveState): StepFragment {
  if (transitions.length === 0) return leave(undefined);
  const { implicit, conditional, byEvents, byTimeout } = sortTransitions(writer.context, transitions);
  if (implicit) return takeTransition(writer, implicit, leave, undefined);
  if (conditional.length === 0) return waitForTransition(writer, byEvents, byTimeout, leave);
  const { base, reference, fill } = reserve(writer, "choose", writer.construct.span);
  const when = conditional.map((each) => conditionAt(writer.context, each, "condition", writer.scope));
  const cases: readonly ChooseCase[] = conditional.map((each, i) => {
    const span = spanOf(writer.context, each, "condition");
    return { when: when[i]!, next: complete(takeTransition(writer, each, leave, reference), span), span };
  });
  const rest =
    byEvents.length > 0 || byTimeout
      ? waitForTransition(writer, byEvents, byTimeout, leave, reference)
      : noTransition(writer);
  fill({ ...base, kind: "choose", cases, otherwise: complete(rest, writer.construct.span) });
  return () => reference;
}

const noTransition = (writer: Writer): StepFragment =>
  failWith(writer, "no-transition", writer.construct.span, {
    origin: "noMatch",
    name: "SM4C.NoTransition",
    message: `No condition of a transition of state ${writer.construct.name} holds.`,
  });

function sortTransitions(context: Context, transitions: readonly Transition[]): TransitionsByKind {
  const sound = transitions.filter((each) => checkTransition(context, each));
  const of = (key: keyof Transition) => sound.filter((each) => each[key] !== undefined);
  const implicit = sound.filter(isImplicit);
  const [first, ...more] = implicit;
  if (first) {
    const notes = [{ message: "The first one is here.", span: spanOf(context, first, "nextState") }];
    for (const each of more) context.report(duplicateUnconditional(spanOf(context, each, "nextState"), {}, notes));
    for (const each of sound)
      if (!isImplicit(each))
        context.report(
          shadowedTransition(spanOf(context, each), {}, [
            { message: "This transition has no condition.", span: spanOf(context, first, "nextState") },
          ]),
        );
  }
  const [byTimeout, ...late] = of("timeout");
  for (const each of late)
    context.report(
      secondTimeout(spanOf(context, each, "timeout", "key"), {}, [
        { message: "The first one is here.", span: spanOf(context, byTimeout!, "timeout", "key") },
      ]),
    );
  const byEvents = of("eventGroups");
  checkRepeated(context, byEvents);
  return { implicit: first, conditional: of("condition"), byEvents, byTimeout };
}

const isImplicit = ({ condition, eventGroups, timeout }: Transition): boolean =>
  condition === undefined && eventGroups === undefined && timeout === undefined;

function checkTransition(context: Context, transition: Transition): boolean {
  const kinds = (["condition", "eventGroups", "timeout"] as const).filter((key) => transition[key] !== undefined);
  if (kinds.length > 1) {
    context.report(
      mixedTransition(spanOf(context, transition, kinds[1]!, "key"), { first: kinds[0]!, second: kinds[1]! }),
    );
    return false;
  }
  if (kinds.length > 0 || (transition.nextState ?? undefined) !== undefined) return true;
  context.report(endlessTransition(spanOf(context, transition), {}));
  return false;
}

function checkRepeated(context: Context, byEvents: readonly Transition[]): void {
  const seen = new Map<string, Transition>();
  for (const transition of byEvents) {
    const groups = transition.eventGroups!.map(({ events, condition }) => [
      [...new Set(events.map((each) => each.toLowerCase()))].sort(),
      condition?.trim() ?? "",
    ]);
    const key = JSON.stringify(groups);
    const first = seen.get(key);
    const note = first && { message: "The first one is here.", span: spanOf(context, first, "eventGroups", "key") };
    if (note) context.report(repeatedEvents(spanOf(context, transition, "eventGroups", "key"), {}, [note]));
    else seen.set(key, transition);
  }
}

/** Without a next state, chooses `again`. */
function takeTransition(
  writer: Writer,
  transition: Transition,
  leave: LeaveState,
  again: Reference | undefined,
): StepFragment {
  const { context } = writer;
  const action = lowerActionWithHandler(writer, transition, "action", "resultHandler");
  const name = transition.nextState ?? undefined;
  if (name === undefined) return again ? sequence(action, () => again) : action;
  const span = spanOf(context, transition, "nextState");
  const state = resolveName(context, context.states, name, span, (place, args) =>
    unknownStep(place, { noun: "state", ...args }),
  );
  return sequence(action, leave(state && { state, reference: { name: context.entries.get(state)!, span } }));
}

function waitForTransition(
  writer: Writer,
  byEvents: readonly Transition[],
  byTimeout: Transition | undefined,
  leave: LeaveState,
  around?: Reference,
): StepFragment {
  const { context } = writer;
  const within = byTimeout && (durationAt(context, byTimeout, "timeout") ?? 0);
  if (byEvents.length === 0) {
    if (!byTimeout) return noTransition(writer);
    const { base, reference, fill } = reserve(writer, "wait", spanOf(context, byTimeout, "timeout"));
    const late = complete(takeTransition(writer, byTimeout, leave, around ?? reference), base.span);
    const wait = { kind: "for", seconds: literal(within ?? 0) } as const;
    fill({ ...base, kind: "delay", wait, spans: { wait: spanOf(context, byTimeout, "timeout") }, next: late });
    return () => reference;
  }
  const { base, reference, fill } = reserve(writer, "wait", spanOf(context, byEvents[0]!, "eventGroups", "key"));
  const bind = declare(writer, "received");
  const spans = byTimeout && { within: statedSpan(context, byTimeout, "timeout") };
  const alternatives = byEvents.map((each) => alternativeOf(writer, each, { within, spans }));
  const cases = byEvents.map((each, i) => ({
    when: isAlternative(i),
    span: spanOf(context, each, "eventGroups", "key"),
    build: () => sequence(handleGroups(writer, each), takeTransition(writer, each, leave, around ?? reference)),
  }));
  const [first] = cases;
  const isOne = cases.length === 1 && !byTimeout;
  const judged = isOne
    ? first!.build()
    : choose(
        writer,
        "arrived",
        base.span,
        byTimeout ? cases : cases.slice(0, -1),
        byTimeout ? () => takeTransition(writer, byTimeout, leave, around ?? reference) : cases.at(-1)!.build,
      );
  return (next) => {
    fill({ ...base, kind: "receive", alternatives, unused: "drop", bind, next: judged(next) });
    return reference;
  };
}
