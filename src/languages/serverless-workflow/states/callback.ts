import { literal } from "../../../expressions/index.ts";
import type { Reference } from "../../../ir/workflow.ts";
import { performAction } from "../actions.ts";
import { spanOf } from "../context.ts";
import { secondsAt } from "../data/durations.ts";
import type { CallbackState } from "../definition.ts";
import { handledTimeout, silentTimeout } from "../diagnostics/kinds.ts";
import { takesTimeout, timeoutError } from "../errors.ts";
import { anyOf, patternOf, took, withEvent } from "../events.ts";
import { assignData, choose, type Fragment, failure, nothing, step, type Way } from "../fragments.ts";
import { declare, type Writer } from "../writer.ts";

/** A callback state performs its action, then waits for the event that answers it; the time runs from when the action has returned. */
export function callback(writer: Writer, state: CallbackState): Fragment {
  const { context } = writer;
  const performed = performAction(writer, state.action);
  const span = spanOf(context, state, "eventRef");
  const pattern = patternOf(context, state, "eventRef", state.eventRef, false);
  const within = secondsAt(context, state, "timeout");
  const alternatives = [anyOf([pattern], span, within)];
  const bind = declare(writer, "received");
  const waited = step(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind,
    next,
  }));
  const merged = () => assignData(writer, "event", span, withEvent(context, [{ name: state.eventRef, owner: state }]));
  const inTime: Way = { when: took(0), span, take: merged };
  const judged = choose(
    writer,
    "arrived",
    span,
    [inTime, ...(within === undefined ? [] : timeoutWays(writer, state))],
    () => nothing,
  );
  return (next: Reference) => performed(waited(judged(next)), next);
}

/** A timeout is an error if the user wants that, or if the state's `onError` takes it; else the state goes on. */
function timeoutWays(writer: Writer, state: CallbackState): readonly Way[] {
  const { context } = writer;
  const span = spanOf(context, state, "timeout");
  const taken = context.settings.timeout === "fail" ? literal(true) : takesTimeout(writer);
  const never = taken.kind === "literal" && taken.value !== true;
  if (never) context.report(silentTimeout(span, { what: "the wait for the event" }));
  else if (context.settings.timeout !== "fail") context.report(handledTimeout(span, { state: state.name }));
  return never ? [] : [{ when: taken, span, take: () => failure(writer, "timeout", span, timeoutError) }];
}
