import { binary, bind, call, conditional, literal, variable } from "../../expressions/index.ts";
import type { State, SwitchState } from "../../generated/serverless-workflow-0.8-definition.ts";
import { assertNever, isObject, own } from "../../json.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import {
  assign,
  type ChoiceCase,
  choose,
  complete,
  declare,
  failWith,
  noSteps,
  type StepFragment,
  sequence,
  step,
} from "../shared/steps.ts";
import { lowerActions } from "./actions.ts";
import type { Writer } from "./context.ts";
import { assignData, mergeObject } from "./data.ts";
import { noEffect, notEvaluated, switchConditions, switchWithoutDefault } from "./diagnostics/kinds.ts";
import { reportUnused, withHandlers } from "./errors.ts";
import { conditionAt, expressionAt } from "./expressions.ts";
import { lowerForeach, lowerParallel } from "./nested.ts";
import { checkTimeouts, stateTimeout } from "./timeouts.ts";
import { type Exit, leaveBy, leaveCompleted, stateFilter } from "./transitions.ts";
import { decideByEvent, lowerCallback, lowerEventState } from "./waits.ts";

/** Lowers one state: input filter, work, output filter, transition. */
export function lowerState(writer: Writer): void {
  const { context, state } = writer;
  const span = spanOf(context, state, "name");
  checkTimeouts(writer, state);
  if (state.type === "switch") {
    complete(lowerSwitch(writer, state), span);
    return;
  }
  const handled = withHandlers(
    writer,
    stateTimeout(writer),
    (inner) =>
      sequence(
        stateFilter(inner, "input"),
        lowerWork(inner, state),
        stateFilter(inner, "output"),
        failOnMessage(inner),
      ),
    (handler) => leaveBy(writer, handler),
  );
  const work = handled === noSteps ? assign(writer, "pass", span) : handled;
  complete(sequence(work, leaveCompleted(writer, state)), span);
}

function lowerWork(writer: Writer, state: Exclude<State, SwitchState>): StepFragment {
  switch (state.type) {
    case "event":
      return lowerEventState(writer, state);
    case "operation":
      return lowerActions(writer, state);
    case "sleep":
      return lowerSleep(writer, state);
    case "parallel":
      return lowerParallel(writer, state);
    case "inject":
      return lowerInject(writer, state);
    case "foreach":
      return lowerForeach(writer, state);
    case "callback":
      return lowerCallback(writer, state);
    default:
      return assertNever(state);
  }
}

function lowerSleep(writer: Writer, state: State & { readonly type: "sleep" }): StepFragment {
  const seconds = literal(secondsAt(writer.context, state, "duration") ?? 0);
  const span = spanOf(writer.context, state, "duration");
  return step(writer, "sleep", span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds },
    spans: { wait: span },
    next,
  }));
}

function lowerInject(writer: Writer, state: State & { readonly type: "inject" }): StepFragment {
  const { context } = writer;
  for (const [key, value] of Object.entries(state.data))
    if (typeof value === "string" && /^\s*\$\{[\s\S]*\}\s*$/.test(value))
      context.report(
        notEvaluated(spanOf(context, state.data, key), {
          text: value,
          hint: "The data of an inject state is constant; compute the value in `stateDataFilter.output`.",
        }),
      );
  return assignData(writer, "inject", spanOf(context, state, "data"), mergeObject(context, literal(state.data)));
}

/** SonataFlow: a value of `metadata.errorMessage` other than null fails the run. */
function failOnMessage(writer: Writer): StepFragment {
  const { context, state } = writer;
  const { metadata } = state;
  if (context.dialect !== "sonataflow" || metadata === undefined || !isObject(metadata)) return noSteps;
  if (typeof own(metadata, "errorMessage") !== "string") return noSteps;
  const span = spanOf(context, metadata, "errorMessage");
  const message = variable("message");
  const text = conditional(binary("==", call("type", message), literal("string")), message, call("tojson", message));
  const failed = call("error", {
    kind: "object",
    entries: [
      { key: literal("name"), value: literal("AbortExpression") },
      { key: literal("message"), value: text },
    ],
  });
  const value = conditional(binary("==", message, literal(null)), literal(null), failed);
  const checked = bind("message", expressionAt(context, metadata, "errorMessage"), value);
  return assign(writer, "message", span, { variable: declare(writer, "abort"), value: checked });
}

/** Serverless Workflow 0.8, Switch State: takes the first true condition or arriving event, or the default. */
function lowerSwitch(writer: Writer, state: SwitchState): StepFragment {
  checkSwitch(writer, state);
  const exits: readonly Exit[] = state.dataConditions ?? state.eventConditions ?? [];
  const exitOf = (index: number | undefined): Exit => (index === undefined ? state.defaultCondition! : exits[index]!);
  const leave = (index: number | undefined): StepFragment =>
    sequence(stateFilter(writer, "output"), failOnMessage(writer), leaveCompleted(writer, exitOf(index)));
  const timeout = stateTimeout(writer);
  if (!state.onErrors?.length && !timeout) return sequence(stateFilter(writer, "input"), decide(writer, state, leave));
  const choice = declare(writer, "choice");
  const decided = withHandlers(
    writer,
    timeout,
    (inner) =>
      sequence(
        stateFilter(inner, "input"),
        decide(inner, state, (index) =>
          assign(inner, "choose", spanOf(inner.context, exitOf(index)), {
            variable: choice,
            value: literal(index ?? null),
          }),
        ),
        stateFilter(inner, "output"),
        failOnMessage(inner),
      ),
    (handler) => leaveBy(writer, handler),
  );
  const indexes = [...exits.keys(), ...(state.defaultCondition ? [undefined] : [])];
  const cases = indexes.map((index): ChoiceCase => {
    const when = binary("==", variable(choice), literal(index ?? null));
    return { when, span: spanOf(writer.context, exitOf(index)), build: () => leaveCompleted(writer, exitOf(index)) };
  });
  const last = cases.pop();
  return sequence(decided, last ? choose(writer, "go", last.span, cases, last.build) : noSteps);
}

function decide(writer: Writer, state: SwitchState, exitTo: (index: number | undefined) => StepFragment): StepFragment {
  if (!state.dataConditions) return decideByEvent(writer, state, exitTo);
  const { context } = writer;
  const cases = state.dataConditions.map(
    (condition, index): ChoiceCase => ({
      when: conditionAt(context, condition, "condition"),
      span: spanOf(context, condition, "condition"),
      build: () => exitTo(index),
    }),
  );
  const otherwise = state.defaultCondition && (() => exitTo(undefined));
  const span = spanOf(context, state, "name");
  if (cases.length === 0) return otherwise?.() ?? failWith(writer, "choose", span, noMatch);
  return choose(writer, "choose", span, cases, otherwise);
}

const noMatch = { origin: "noMatch", name: "NoChoiceMatched", message: "" } as const;

function checkSwitch({ context }: Writer, state: SwitchState): void {
  const { name } = state;
  for (const key of ["end", "transition"] as const) {
    const why = "the conditions of a switch state lead out of it";
    if (state[key]) context.report(noEffect(spanOf(context, state, key, "key"), { name: key, why }));
  }
  const both = Boolean(state.dataConditions && state.eventConditions);
  if (both || (!state.dataConditions && !state.eventConditions)) {
    const span = both ? spanOf(context, state, "eventConditions", "key") : spanOf(context, state, "name");
    context.report(switchConditions(span, { state: name, both }));
  }
  const isTimed = state.eventConditions !== undefined && state.timeouts?.eventTimeout === undefined;
  const why = state.eventConditions ? "`timeouts.eventTimeout` applies" : "the switch waits for no event";
  if (!isTimed) reportUnused(context, state, ["eventTimeout"], why);
  if (!state.defaultCondition) context.report(switchWithoutDefault(spanOf(context, state, "name"), { state: name }));
}
