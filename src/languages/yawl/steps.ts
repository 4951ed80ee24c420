import {
  binary,
  bind,
  call,
  conditional,
  type Expression,
  literal,
  object,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { FailStep, NoOpStep, Step, SuccessStep, SwitchStep, WaitStep } from "../../generated/yawl-definition.ts";
import type { Delay } from "../../ir/workflow.ts";
import { formatInstant, isTimeSyntaxError, parseInstant } from "../../text/iso8601.ts";
import { truncate } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, end, failWith, step as makeStep, type StepFragment, sequence } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { fractionalWait, invalidWait, nestedSuccess, outOfRange } from "./diagnostics/kinds.ts";
import { conditionAt, type JqScope, jsonAt, raise, stringAt } from "./expressions.ts";
import { lowerIntegration } from "./integrations.ts";
import { lowerForeach, lowerParallel } from "./nested.ts";
import { mayHaveFraction, secondsSyntax, wholeNumberIn } from "./numbers.ts";
import type { StepKind } from "./step-kinds.ts";
import { completeStep, finishStep, nextReference, passThrough } from "./transitions.ts";
import { lowerWhile } from "./while.ts";

/** Lowers one step. */
export function lowerStep(writer: Writer, kind: StepKind, step: Step): void {
  switch (kind) {
    case "switch":
      return void completeStep(writer, lowerSwitch(writer, step.switch!));
    case "foreach":
      return void completeStep(writer, lowerForeach(writer, step.foreach!));
    case "parallel":
      return void completeStep(writer, lowerParallel(writer, step.parallel!));
    case "while":
      return void completeStep(writer, lowerWhile(writer, step.while!));
    case "wait":
      return void completeStep(writer, lowerWait(writer, step.wait!));
    case "success":
      return void completeStep(writer, lowerSuccess(writer, step.success!));
    case "fail":
      return void completeStep(writer, lowerFail(writer, step.fail!));
    case "noOp":
      return void completeStep(writer, lowerNoOp(writer, step.noOp!));
    default:
      return void completeStep(writer, lowerIntegration(writer, kind, step[kind]!));
  }
}

/** The scope of jq over the state. */
export const stateScope = ({ scope }: Writer): JqScope => ({
  input: variable(scope.state),
  isObject: true,
  global: scope.global,
});

/** The `input` of a step, by default the state. */
export const inputOf = (writer: Writer, owner: object, more: Pick<JqScope, "secret" | "counter"> = {}): Expression =>
  Object.hasOwn(owner, "input")
    ? jsonAt(writer.context, owner, "input", { ...stateScope(writer), ...more })
    : variable(writer.scope.state);

const inputScope = (writer: Writer, owner: object): Pick<JqScope, "input" | "isObject"> => ({
  input: inputOf(writer, owner),
  isObject: !Object.hasOwn(owner, "input"),
});

function lowerSwitch(writer: Writer, step: SwitchStep): StepFragment {
  const { context } = writer;
  const scope: JqScope = { ...stateScope(writer), ...inputScope(writer, step) };
  const to = (owner: object, key?: string): StepFragment => {
    const target = nextReference(writer, owner, key);
    return target ? () => target : writer.scope.leave(writer, variable(writer.scope.state));
  };
  const cases = step.choices.map((choice) => ({
    when: conditionAt(context, choice, "condition", scope),
    span: spanOf(context, choice, "condition"),
    build: () => to(choice),
  }));
  const otherwise = (): StepFragment => {
    if (step.default === undefined) return noChoiceMatched(writer);
    return typeof step.default === "string" ? to(step, "default") : to(step.default);
  };
  return choose(writer, "switch", writer.construct.span, cases, otherwise);
}

const noChoiceMatched = (writer: Writer): StepFragment =>
  failWith(writer, "no-match", writer.construct.span, {
    origin: "noMatch",
    name: "STEP_NO_CHOICE_MATCHED",
    message: "no condition is true, and there is no default",
  });

function lowerWait(writer: Writer, step: WaitStep): StepFragment {
  const key = step.duration === undefined ? "until" : "duration";
  const span = spanOf(writer.context, step, key);
  const waiting: Delay["wait"] =
    key === "until"
      ? { kind: "until", instant: instantOf(writer, step) }
      : { kind: "for", seconds: secondsOf(writer, step) };
  const delay = makeStep(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: waiting,
    spans: { wait: span },
    next,
  }));
  return sequence(delay, passThrough(writer, step));
}

/** In seconds. */
const maxRunTime = 48 * 3600;

function secondsOf(writer: Writer, step: WaitStep): Expression {
  const { context } = writer;
  const text = simplify(stringAt(context, step, "duration", stateScope(writer)));
  if (text.kind === "literal") {
    const seconds = /^\s*(-?(?:\d+\.?\d*|\.\d+))s?\s*$/.exec(String(text.value));
    if (!seconds)
      context.report(
        invalidWait(spanOf(context, step, "duration"), {
          key: "duration",
          text: String(text.value),
          wanted: "a number of seconds, such as `10` or `10s`",
          longest: maxRunTime,
        }),
      );
    else if (Number(seconds[1]) > maxRunTime)
      context.report(
        outOfRange(spanOf(context, step, "duration"), {
          key: "duration",
          seconds: Number(seconds[1]),
          limit: maxRunTime,
          isLeast: false,
        }),
      );
    return literal(Math.max(0, Number(seconds?.[1] ?? 0)));
  }
  if (mayHaveFraction(text)) context.report(fractionalWait(spanOf(context, step, "duration"), {}));
  const failing = raise(
    "STEP_INVALID_ARGUMENT",
    `Wait step ${truncate(writer.id)} gives no whole number of seconds; \`| floor\` rounds one.`,
  );
  return bind("seconds", wholeNumberIn(text, secondsSyntax, failing), limitedSeconds(writer));
}

/** From 0 to the longest time that a run may take. */
function limitedSeconds({ id }: Pick<Writer, "id">): Expression {
  const seconds = variable("seconds");
  const failing = raise("STEP_INVALID_ARGUMENT", `Wait step ${truncate(id)} waits for more than 48 hours.`);
  const limited = conditional(binary(">", seconds, literal(maxRunTime)), failing, seconds);
  return conditional(binary("<", seconds, literal(0)), literal(0), limited);
}

const plainPattern = { flags: "u", groups: [], ligatures: false, negated: false, words: false };

/** Computed ones must have an offset from UTC. */
function instantOf(writer: Writer, step: WaitStep): Expression {
  const text = simplify(stringAt(writer.context, step, "until", stateScope(writer)));
  if (text.kind === "literal") {
    const instant = parseInstant(String(text.value));
    if (!isTimeSyntaxError(instant)) return literal(formatInstant(instant));
    const wanted = "an ISO 8601 timestamp, such as `2026-01-31T09:00:00Z`";
    writer.context.report(
      invalidWait(spanOf(writer.context, step, "until"), {
        key: "until",
        text: String(text.value),
        wanted,
        longest: maxRunTime,
      }),
    );
    return text;
  }
  const until = variable("until");
  const failing = raise("STEP_INVALID_ARGUMENT", `Wait step ${truncate(writer.id)} gives no ISO 8601 timestamp.`);
  return bind("until", text, conditional(call("_test", until, literal(timestamp)), until, failing));
}

/** `yyyy-mm-ddThh:mm:ss[.f](Z|±hh:mm)` */
const timestamp = {
  ...plainPattern,
  source:
    "^[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))" +
    "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\x2e[0-9]+)?(?:Z|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
};

/** In a nested scope, with the workflow's state before its step. */
function lowerSuccess(writer: Writer, _: SuccessStep): StepFragment {
  const { context, scope, construct } = writer;
  if (scope.plan === context.root) return passThrough(writer, {});
  context.report(nestedSuccess(construct.span, {}));
  const extent = scope.frame.isOutermost ? "scope" : "run";
  return end(writer, "success", construct.span, { outcome: "leave", extent, value: scope.global });
}

function lowerFail(writer: Writer, step: FailStep): StepFragment {
  const message = stringAt(writer.context, step, "errorMessage", stateScope(writer));
  const error = object([
    ["origin", literal("fail")],
    ["name", literal("STEP_FAIL")],
    ["message", message],
  ]);
  return end(writer, "fail", writer.construct.span, { outcome: "fail", extent: "scope", value: simplify(error) });
}

function lowerNoOp(writer: Writer, step: NoOpStep): StepFragment {
  const { scope, construct } = writer;
  if (step.output === undefined) {
    const last = scope.lastOutput === undefined ? [] : [{ variable: scope.lastOutput, value: variable(scope.state) }];
    return sequence(assign(writer, "pass", construct.span, ...last), passThrough(writer, step));
  }
  const value = jsonAt(writer.context, step, "output", stateScope(writer));
  return finishStep(writer, step, { value, isExplicit: true });
}
