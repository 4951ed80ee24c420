import type { Edge } from "../environment/environment.ts";
import { type Expression, printExpression, simplify } from "../expressions/index.ts";
import { combinationText, delayText, durationText, expressionText, secondsText } from "../graph/labels.ts";
import { handlersOf, retriesOf } from "../ir/walk.ts";
import type {
  Call,
  ChooseCase,
  Emit,
  EventCombination,
  Handler,
  Jitter,
  Receive,
  Retry,
  Step,
  Tolerance,
  Width,
} from "../ir/workflow.ts";
import { printJson } from "../json.ts";
import type { Span } from "../text/source.ts";
import { canonicalExpression } from "./canonical.ts";
import type { Aspect } from "./model.ts";

/** What a construct does by one of its steps: the subject, such as the called function, and the properties. */
export interface Fact {
  readonly aspect: Aspect;
  readonly subject: string;
  readonly properties: ReadonlyMap<string, Property>;
  readonly span: Span;
}

/** A property: its value in words, and in the form that is compared. */
export interface Property {
  readonly text: string;
  /** In full, for values whose words are equal. */
  readonly exact?: string | undefined;
  readonly key: string;
  readonly span?: Span | undefined;
}

/** What a step does; undefined for decisions, whose transitions are compared. */
export function factOf(step: Step): Fact | undefined {
  const fact = (aspect: Aspect, subject: string, properties: Properties): Fact => ({
    aspect,
    subject,
    properties: new Map(
      Object.entries(properties).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    span: step.span,
  });
  switch (step.kind) {
    case "call":
      return fact("call", step.function.name, { ...callProperties(step), ...limits(step) });
    case "invoke":
      return fact("subflow", step.workflow.name, {
        input: expression(step.input),
        awaited: step.wait ? undefined : text("no"),
        "ends with the subflow": step.terminates ? text("yes") : undefined,
        "stops with this workflow": step.whenParentEnds === "terminate" ? text("yes") : undefined,
        ...limits(step),
      });
    case "emit":
      return fact("emit", step.event.name, emitProperties(step));
    case "receive":
      return fact("event", "events", eventProperties(step));
    case "delay":
      return fact("wait", "time", {
        time: {
          ...expression(step.wait.kind === "for" ? step.wait.seconds : step.wait.instant, step.spans?.wait),
          text: delayText(step),
        },
      });
    case "fork":
      return fact("branches", "branches", {
        branches: text(step.branches.map(({ name }) => name).join(", ")),
        "completed by":
          step.join.kind === "all" ? undefined : text(`${step.join.count} of ${step.branches.length} branches`),
        "failed branches": step.failure === "spare" ? text("tolerated unless the join needs them") : undefined,
        concurrency: step.width === undefined ? undefined : text(`${step.width} at a time`, step.spans?.width),
        ...limits(step),
      });
    case "foreach":
      return fact("iteration", "elements", {
        collection: expression(step.items),
        concurrency:
          step.width === undefined ? undefined : text(`${widthText(step.width)} at a time`, step.spans?.width),
        "failed iterations": step.tolerates && text(toleranceText(step.tolerates), step.spans?.tolerates),
        gap: step.gap === undefined ? undefined : text(durationText(step.gap), step.spans?.gap),
        ...limits(step),
      });
    case "attempt":
      return fact("attempt", "attempt", limits(step));
    case "assign":
      return fact("data", step.origin.part ?? "", {
        value: {
          text: step.values.map(({ value }) => expressionText(simplify(value))).join(", "),
          exact: step.values
            .map(({ variable, value }) => `${variable} := ${printExpression(simplify(value))}`)
            .join(", "),
          key: step.values.map(({ variable, value }) => `${variable} ${canonicalExpression(value)}`).join("\n"),
        },
      });
    case "end":
      return fact("end", "end", {
        [step.outcome === "fail" ? "fails with" : "result"]: expression(step.value),
        ends: step.extent === "run" ? text("the whole run") : undefined,
      });
    case "choose":
      return undefined;
  }
}

/**
 * The errors that a step handles, and the decisions that it makes, inside of its construct: `own` are the steps of that.
 * Those in `shown` are conditions of transitions.
 */
export function decisionsOf(step: Step, own: ReadonlySet<string>, shown: ReadonlySet<Edge>): readonly Fact[] {
  const isInside = (exit: Handler | ChooseCase): boolean => own.has(exit.next.name) && !shown.has(exit);
  const fact = (aspect: Aspect, name: string, { when, span }: Handler | ChooseCase): Fact => ({
    aspect,
    subject: "",
    properties: new Map([[name, expression(when, span)]]),
    span,
  });
  const cases = step.kind === "choose" ? step.cases : [];
  return [
    ...handlersOf(step)
      .filter(isInside)
      .map((each) => fact("error", "handles errors", each)),
    ...cases.filter(isInside).map((each) => fact("condition", "condition", each)),
  ];
}

type Properties = { readonly [name: string]: Property | undefined };

const text = (value: string, span?: Span): Property => ({ text: value, key: value, span });

/** An expression, with and without what its author would not write. */
export function expression(value: Expression, span?: Span): Property {
  const simple = simplify(value);
  return { text: expressionText(simple), exact: printExpression(simple), key: canonicalExpression(simple), span };
}

function callProperties(step: Call): Properties {
  const heartbeat = step.callback?.heartbeat;
  const secrets = (step.secrets ?? []).map(({ id, key, version = "" }) => [id, key, version].join(" "));
  return {
    argument: expression(step.argument, step.spans?.argument),
    awaited: step.wait ? undefined : text("no"),
    callback: step.callback ? text("awaited", step.callback.span) : undefined,
    heartbeat: heartbeat === undefined ? undefined : text(secondsText(heartbeat), step.callback?.spans?.heartbeat),
    secrets: secrets.length === 0 ? undefined : text(secrets.sort().join(", ")),
  };
}

function emitProperties({ data, correlation, attributes }: Emit): Properties {
  return {
    data: expression(data),
    correlation: correlation && expression(correlation),
    attributes: attributes && attributesProperty(attributes),
  };
}

function attributesProperty(attributes: NonNullable<Emit["attributes"]>): Property {
  const printed = (print: (value: Expression) => string): string =>
    `{${Object.entries(attributes)
      .map(([name, value]) => `${printJson(name)}:${print(value)}`)
      .join(",")}}`;
  return { text: printed((value) => expressionText(simplify(value))), key: printed(canonicalExpression) };
}

function eventProperties({ alternatives, unused, correlation }: Receive): Properties {
  return {
    events: combinations(alternatives),
    conditions: conditions(alternatives),
    timeout: timeouts(alternatives),
    "unused events": unused === "drop" ? text("dropped") : undefined,
    correlation: correlation && {
      text: correlation.map(({ key, value }) => `${key}: ${expressionText(value)}`).join(", "),
      key: correlation.map(({ key, value }) => `${key}: ${canonicalExpression(value)}`).join("\n"),
    },
  };
}

/** The events of combinations, by name. */
export const combinations = (alternatives: readonly EventCombination[]): Property =>
  text(alternatives.map(combinationText).join(", or "), alternatives[0]?.span);

/** The conditions of the events of combinations. */
export function conditions(alternatives: readonly EventCombination[]): Property | undefined {
  const all = alternatives.flatMap(({ all, none }) => [...all.flat(), ...none]).filter(({ when }) => when);
  if (all.length === 0) return undefined;
  return {
    text: all.map(({ event, when }) => `${event.name} if ${expressionText(simplify(when!))}`).join(", "),
    key: all.map(({ event, when }) => `${event.name} ${canonicalExpression(when!)}`).join("\n"),
  };
}

function timeouts(alternatives: readonly EventCombination[]): Property | undefined {
  if (alternatives.every(({ within }) => within === undefined)) return undefined;
  const times = alternatives.map(({ within }) => (within === undefined ? "none" : durationText(within)));
  const span = alternatives.find(({ spans }) => spans?.within)?.spans?.within;
  return text([...new Set(times)].length === 1 ? times[0]! : times.join(", "), span);
}

function limits(step: Step): Properties {
  const timeout = "timeout" in step && step.timeout !== undefined ? step.timeout : undefined;
  const span = "timeout" in step && step.spans && "timeout" in step.spans ? step.spans.timeout : undefined;
  const retries = retriesOf(step);
  return {
    timeout: timeout === undefined ? undefined : text(secondsText(timeout), span),
    retries:
      retries.length === 0
        ? undefined
        : {
            text: retries.map(retryText).join("; "),
            key: retries.map((each) => `${retryText(each)} ${canonicalExpression(each.when)}`).join("\n"),
            span: retries[0]?.span,
          },
  };
}

const limitText = (limit: number | Expression): string =>
  typeof limit === "number" ? String(limit) : expressionText(simplify(limit));

const widthText = (width: Width): string => limitText(typeof width === "number" ? width : width.value);

function toleranceText({ count, percentage, counted, error }: Tolerance): string {
  const limits = [
    ...(count === undefined ? [] : [limitText(count)]),
    ...(percentage === undefined ? [] : [`${limitText(percentage)} %`]),
  ];
  return limits.length === 0
    ? `fail as ${error.name}`
    : `at most ${limits.join(" and ")}${counted === undefined ? "" : ` of ${counted}`}`;
}

function jitterText(jitter: Jitter): string {
  if (jitter.kind === "full") return "or any part of it";
  if (jitter.kind === "range") return `plus ${durationText(jitter.from)} to ${durationText(jitter.to)}`;
  return `give or take ${jitter.amount}${jitter.kind === "spread" ? " s" : " of it"}`;
}

function retryText({ when, limit, within, delay }: Retry): string {
  const { base, factor, step, cap, jitter } = delay;
  const parts = [
    `${limit === undefined ? "without limit" : limit === 1 ? "once" : `${limit} times`} after ${secondsText(base)}`,
    ...(factor === 1 ? [] : [`times ${factor}`]),
    ...(step === 0 ? [] : [`plus ${durationText(step)}`]),
    ...(cap === undefined ? [] : [`at most ${secondsText(cap)}`]),
    ...(jitter ? [jitterText(jitter)] : []),
    ...(within === undefined ? [] : [`within ${secondsText(within)}`]),
  ];
  const isAlways = when.kind === "literal" && when.value === true;
  return parts.join(", ") + (isAlways ? "" : ` if ${expressionText(simplify(when))}`);
}
