import { type Expression, literal } from "../../expressions/index.ts";
import type { Action, EventReference } from "../../generated/serverless-workflow-0.8-definition.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import { assign, choose, failWith, reserveAttempt, type StepFragment, sequence } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { actionData } from "./data.ts";
import { otherInSonataflow } from "./diagnostics/kinds.ts";
import { reportUnused, reportUnusedRetries, retriesOf } from "./errors.ts";
import { combinationOf, emitEvent, isAlternative, patternOf, receivedValue, waitFor } from "./events.ts";
import { type Timeout, timeoutAt } from "./timeouts.ts";

/** The error of a wait that expires. */
export const timeoutError = { origin: "timeout", name: "Timeout", message: "" } as const;

/**
 * Serverless Workflow 0.8, EventReference Definition: produces an event and waits for another, whose payload is the result.
 * After its timeout the action fails with `Timeout`.
 */
export function lowerEventRef(writer: Writer, action: Action, reference: EventReference): StepFragment {
  const { context } = writer;
  const produce = (inner: Writer) => {
    const trigger = { name: reference.triggerEventRef, span: spanOf(context, reference, "triggerEventRef") };
    const seen = actionData(inner, action);
    return emitEvent(inner, reference, trigger, seen, seen);
  };
  const isAsync = reference.invoke === "async";
  if (isAsync || reference.resultEventRef === undefined) {
    const why = isAsync ? "the action is not waited for" : "the action waits for no event";
    reportUnused(context, reference, ["resultEventRef", "resultEventTimeout"], why);
    reportUnusedRetries(context, action, why);
    return produce(writer);
  }
  if (context.dialect === "sonataflow")
    context.report(
      otherInSonataflow(spanOf(context, reference, "resultEventRef", "key"), {
        here: "The run waits for this event",
        there: "does not",
      }),
    );
  const work = (inner: Writer) => sequence(produce(inner), awaitResult(inner, reference, reference.resultEventRef!));
  const retries = retriesOf(context, action);
  if (retries.length === 0) return work(writer);
  const { step, fill } = reserveAttempt(writer, literal(null), work);
  return (next) => {
    fill({ restore: [], retries, handlers: [], next });
    return step.reference;
  };
}

function awaitResult(writer: Writer, reference: EventReference, name: string): StepFragment {
  const { context } = writer;
  const span = spanOf(context, reference, "resultEventRef");
  const timeout = resultTimeout(writer, reference);
  const pattern = patternOf(context, reference, "resultEventRef", name, false);
  const waited = waitFor(writer, span, [combinationOf(context, [[pattern]], span, timeout)]);
  const value: Expression = receivedValue(context, name);
  const kept = () => assign(writer, "result", span, { variable: "result", value });
  if (!timeout) return sequence(waited, kept());
  const late = {
    when: isAlternative(null),
    span: spanOf(context, timeout.owner, timeout.key),
    build: () => failWith(writer, "late", span, timeoutError),
  };
  return sequence(waited, choose(writer, "arrived", span, [late], kept));
}

function resultTimeout(writer: Writer, reference: EventReference): Timeout | undefined {
  if (reference.resultEventTimeout === undefined) return timeoutAt(writer, "actionExecTimeout");
  const seconds = secondsAt(writer.context, reference, "resultEventTimeout");
  return seconds === undefined ? undefined : { seconds, owner: reference, key: "resultEventTimeout" };
}
