import { expressionDiagnostic } from "../../diagnostics/data.ts";
import {
  binary,
  call,
  collect,
  type Expression,
  isParseError,
  literal,
  orderOf,
  timeOf,
  translatePattern,
  variable,
} from "../../expressions/index.ts";
import type {
  DataCondition,
  EventCondition,
  SwitchState,
  Transition,
} from "../../generated/serverless-workflow-definition.ts";
import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { pathAt, secondsAt, spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  type ChoiceCase,
  choose,
  declare,
  noSteps,
  type StepFragment,
  sequence,
  step,
} from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import { assignData, data } from "./data.ts";
import {
  alwaysFalse,
  customOperator,
  missingOperand,
  stringOrder,
  switchConditions,
  switchTransition,
  switchWithoutDefault,
  switchWithoutTimeout,
  withoutEffect,
} from "./diagnostics/kinds.ts";
import { withErrorHandling } from "./errors.ts";
import { anyOf, isAlternative, mergeEvent, patternOf } from "./events.ts";
import { leaveTo } from "./transitions.ts";

/**
 * Serverless Workflow (draft of 2020), Switch State: takes the first true condition or arriving event, or the default.
 */
export function lowerSwitch(writer: Writer, state: SwitchState): StepFragment {
  checkSwitch(writer, state);
  const exits = exitsOf(state);
  const leave = (exit: SwitchExit): StepFragment => leaveTo(writer, exit.transition);
  if (!state.onError?.length) return decide(writer, state, exits, leave);
  const choice = declare(writer, "choice");
  const note = (inner: Writer) => (exit: SwitchExit) =>
    assign(inner, "choose", exit.span(inner), { variable: choice, value: literal(exit.index) });
  const decided = withErrorHandling(writer, (inner) => decide(inner, state, exits, note(inner)));
  const isTaken = ({ index }: SwitchExit) => binary("==", variable(choice), literal(index));
  const cases = exits.map(
    (exit): ChoiceCase => ({ when: isTaken(exit), span: exit.span(writer), build: () => leave(exit) }),
  );
  const last = cases.pop();
  return sequence(decided, last ? choose(writer, "go", last.span, cases, last.build) : noSteps);
}

interface SwitchExit {
  readonly index: number;
  readonly isDefault: boolean;
  readonly transition: Transition;
  span(writer: Writer): Span;
}

function exitsOf(state: SwitchState): readonly SwitchExit[] {
  const conditions = state.dataConditions ?? state.eventConditions ?? [];
  const exits = conditions.map((condition, index): SwitchExit => {
    const key = "path" in condition ? "path" : "eventRef";
    return {
      index,
      isDefault: false,
      transition: condition.transition,
      span: ({ context }) => spanOf(context, condition, key),
    };
  });
  if (!state.default) return exits;
  const { default: transition } = state;
  return [
    ...exits,
    {
      index: exits.length,
      isDefault: true,
      transition,
      span: ({ context }) => spanOf(context, state, "default", "key"),
    },
  ];
}

function decide(
  writer: Writer,
  state: SwitchState,
  exits: readonly SwitchExit[],
  exitTo: (exit: SwitchExit) => StepFragment,
): StepFragment {
  const span = spanOf(writer.context, state, "name");
  const fallback = exits.find(({ isDefault }) => isDefault);
  const otherwise = fallback && (() => exitTo(fallback));
  const conditional = exits.filter(({ isDefault }) => !isDefault);
  if (!state.dataConditions && state.eventConditions)
    return decideByEvent(writer, state, state.eventConditions, conditional, exitTo, otherwise);
  const conditions = (state.dataConditions ?? []).map((condition) => dataCondition(writer.context, condition));
  const cases = conditional.map(
    (exit, i): ChoiceCase => ({ when: conditions[i]!, span: exit.span(writer), build: () => exitTo(exit) }),
  );
  return choose(writer, "choose", span, cases, otherwise);
}

/** Only the first condition of an event can match. */
function decideByEvent(
  writer: Writer,
  state: SwitchState,
  conditions: readonly EventCondition[],
  exits: readonly SwitchExit[],
  exitTo: (exit: SwitchExit) => StepFragment,
  otherwise: (() => StepFragment) | undefined,
): StepFragment {
  const { context } = writer;
  const within = state.eventTimeout === undefined ? undefined : secondsAt(context, state, "eventTimeout");
  const placeOf = (eventRef: string, among: readonly EventCondition[]) =>
    among.findIndex((condition) => condition.eventRef === eventRef);
  const awaited = conditions.filter(({ eventRef }, i) => placeOf(eventRef, conditions) === i);
  const alternatives = awaited.map((condition) => {
    const span = spanOf(context, condition, "eventRef");
    return anyOf([patternOf(context, condition, "eventRef", condition.eventRef, false)], span, within, {
      within: statedSpan(context, state, "eventTimeout"),
    });
  });
  const bind = declare(writer, "received");
  const span = spanOf(context, state, "eventConditions", "key");
  const waited = step(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind,
    next,
  }));
  const merged = (condition: EventCondition): Expression =>
    mergeEvent(context, [{ name: condition.eventRef, owner: condition }]);
  const cases = conditions.map((condition, i): ChoiceCase => {
    const at = spanOf(context, condition, "eventRef");
    return {
      when: isAlternative(placeOf(condition.eventRef, awaited)),
      span: at,
      build: () => sequence(assignData(writer, "event", at, merged(condition)), exitTo(exits[i]!)),
    };
  });
  return sequence(waited, choose(writer, "choose", span, cases, otherwise));
}

function checkSwitch({ context }: Writer, state: SwitchState): void {
  const { name } = state;
  for (const key of ["end", "transition"] as const) {
    if (state[key]) context.report(switchTransition(spanOf(context, state, key, "key"), { state: name, name: key }));
  }
  const both = Boolean(state.dataConditions && state.eventConditions);
  const neither = !state.dataConditions && !state.eventConditions;
  if (both || neither)
    context.report(
      switchConditions(spanOf(context, state, both ? "eventConditions" : "name", both ? "key" : "value"), {
        state: name,
        both,
      }),
    );
  else checkWaiting(context, state);
}

function checkWaiting(context: Context, state: SwitchState): void {
  const { name } = state;
  if (state.dataConditions && state.eventTimeout !== undefined) {
    const why = "`dataConditions` do not wait";
    context.report(withoutEffect(spanOf(context, state, "eventTimeout", "key"), { name: "eventTimeout", why }));
  }
  const waitsForEver = state.eventConditions && state.eventTimeout === undefined;
  if (waitsForEver) context.report(switchWithoutTimeout(spanOf(context, state, "name"), { state: name }));
  else if (!state.default) context.report(switchWithoutDefault(spanOf(context, state, "name"), { state: name }));
}

function dataCondition(context: Context, condition: DataCondition): Expression {
  const path = pathAt(context, condition, "path", data);
  const operand = operandOf(context, condition);
  if (operand === undefined || !path) return literal(false);
  return call("switchCondition", collect(path.query), literal(condition.operator), literal(operand));
}

/** Checks the operand; a pattern becomes JavaScript's. */
function operandOf(context: Context, condition: DataCondition): Json | undefined {
  const { operator, value } = condition;
  switch (operator) {
    case "exists":
    case "notexists":
    case "null":
    case "notnull":
      return value ?? null;
    case "custom":
      context.report(customOperator(spanOf(context, condition, "operator"), {}));
      return undefined;
  }
  if (value === undefined) {
    context.report(missingOperand(spanOf(context, condition, "operator"), { operator }));
    return undefined;
  }
  switch (operator) {
    case "equals":
    case "notequals":
      checkEquality(context, condition, value);
      return value;
    case "matches":
    case "notmatches":
      return patternSource(context, condition, value);
    default:
      return isOrdered(context, condition, value) ? value : undefined;
  }
}

function checkEquality(context: Context, condition: DataCondition, value: Json): void {
  if (value === null)
    context.report(
      alwaysFalse(spanOf(context, condition, "value"), {
        why: "null must be compared with the operators `null` and `notnull`",
      }),
    );
}

function patternSource(context: Context, condition: DataCondition, value: Json): string | undefined {
  if (typeof value !== "string") {
    context.report(alwaysFalse(spanOf(context, condition, "value"), { why: "a pattern must be a string" }));
    return undefined;
  }
  const pattern = translatePattern(value);
  if (!isParseError(pattern)) return pattern.source;
  const span = context.document.spanWithin(condition, "value", pattern.from, pattern.to);
  context.report(expressionDiagnostic(span, pattern, "pattern"));
  return undefined;
}

/** Strings other than numbers and times have no natural order. */
function isOrdered(context: Context, condition: DataCondition, value: Json): boolean {
  if (orderOf(value, 0) !== undefined || timeOf(value) !== undefined) return true;
  const span = spanOf(context, condition, "value");
  if (typeof value === "string") context.report(stringOrder(span, { value }));
  else context.report(alwaysFalse(span, { why: "only numbers, times and strings can be ordered" }));
  return true;
}
