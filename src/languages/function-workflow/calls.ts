import { expressionDiagnostic, unevaluatedPath } from "../../diagnostics/data.ts";
import {
  and,
  binary,
  bind,
  compileTemplate,
  type Expression,
  literal,
  type TemplateDiagnostic,
  variable,
} from "../../expressions/index.ts";
import type { Action } from "../../generated/function-workflow-definition.ts";
import type { Call, ChooseCase, FunctionDefinition, Handler, Reference } from "../../ir/workflow.ts";
import { printJson } from "../../json.ts";
import { truncate } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { stringLanguages } from "../shared/delimiters.ts";
import { checkDelimitersIn } from "../shared/foreign.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  complete,
  declare,
  end,
  failWith,
  noSteps,
  reserve,
  reserveAttempt,
  type StepFragment,
  sequence,
  step,
} from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import { timeoutOf } from "./durations.ts";
import { type ErrorRule, exitRules, failError, handlerFor, matchesError, matchesResult, retriesFor } from "./errors.ts";
import { selectorAt, type Transform } from "./filters.ts";

/** A call with its retries. */
export interface RetriedCall {
  readonly from: Expression;
  readonly rules: readonly ErrorRule[];
  readonly bind: string;
  readonly filtered?: { readonly filter: Transform; readonly into: string } | undefined;
  /** Reports and returns undefined for an unknown state. */
  exitTo(rule: ErrorRule): Reference | undefined;
}

/** The name of an action's function. */
export const functionName = ({ function: called }: Action): string =>
  typeof called === "string" ? called : called.name;

/** Calls a function until no rule retries it. An exhausted rule continues at its `next-state` or fails. */
export function lowerCall(writer: Writer, action: Action, options: RetriedCall): StepFragment {
  const { rules } = options;
  if (rules.some(({ results }) => results)) return callLoop(writer, action, options);
  const call = reserveCall(writer, action, options);
  const ending = exitRules(rules);
  const handlers = ending.map((rule) => afterError(writer, rule, exitOf(rule, options)));
  return (next) => {
    call.fill({ retries: retriesFor(rules), handlers, next });
    return call.reference;
  };
}

interface HandledStep {
  readonly reference: Reference;
  fill(rest: Pick<Call, "retries" | "handlers" | "next">): void;
}

function reserveCall(writer: Writer, action: Action, { from, bind, filtered }: RetriedCall): HandledStep {
  const { context } = writer;
  const name = functionName(action);
  const span = functionSpan(writer, action);
  recordFunction(writer, action, span);
  const select = selectorAt(context, action, "InputPath");
  const argument = argumentOf(context, action, select ? select(from) : from);
  const timeout = timeoutOf(context, action);
  const spans = {
    timeout: statedSpan(context, action, "timeout"),
    argument: typeof action.function === "string" ? undefined : statedSpan(context, action.function, "parameters"),
  };
  const common = { kind: "call", function: { name, span }, argument, wait: true, timeout, spans, bind } as const;
  if (!filtered) {
    const { base, reference, fill } = reserve(writer, name, span);
    return { reference, fill: (rest) => fill({ ...base, ...common, ...rest }) };
  }
  const value = filtered.filter(variable(bind));
  const attempt = reserveAttempt(writer, value, (inner) =>
    step(inner, name, span, (base, next) => ({ ...base, ...common, retries: [], handlers: [], next })),
  );
  declare(writer, filtered.into);
  return {
    reference: attempt.step.reference,
    fill: (rest) => attempt.fill({ restore: [], bind: filtered.into, ...rest }),
  };
}

function functionSpan({ context }: Writer, action: Action): Span {
  return typeof action.function === "string"
    ? spanOf(context, action, "function")
    : spanOf(context, action.function, "name");
}

/** A name that is an address is also the resource. */
function recordFunction({ context }: Writer, action: Action, span: Span): void {
  const name = functionName(action);
  const known = context.functions.get(name);
  const type = typeof action.function === "string" ? undefined : action.function.type;
  const resource = /^(?:arn|https?):/i.test(name) ? name : undefined;
  const definition: FunctionDefinition = { name, resource, type, span };
  context.functions.set(name, known ?? definition);
}

const exitOf = (rule: ErrorRule, { exitTo }: RetriedCall): Reference | undefined =>
  rule.hasExit ? exitTo(rule) : undefined;

function afterError(writer: Writer, rule: ErrorRule, exitTo: Reference | undefined): Handler {
  if (exitTo) return handlerFor(rule, exitTo);
  const value = variable(declare(writer, "error"));
  const raise = end(writer, "raise", rule.span, { outcome: "fail", extent: "scope", value });
  return handlerFor(rule, complete(raise, rule.span), "error");
}

function afterResult(writer: Writer, action: Action, rule: ErrorRule, exitTo: Reference | undefined): Reference {
  if (exitTo) return exitTo;
  const message = `Function ${functionName(action)} gave ${truncate(printJson(rule.entry.match))}.`;
  return complete(failWith(writer, "refuse", rule.span, { origin: "fail", name: failError, message }), rule.span);
}

interface RuleCounter {
  readonly rule: ErrorRule;
  readonly isLeft: Expression;
  readonly again: Reference | undefined;
  readonly exitTo: Reference | undefined;
}

function callLoop(writer: Writer, action: Action, options: RetriedCall): StepFragment {
  const { rules, bind } = options;
  const span = functionSpan(writer, action);
  const zero = rules.flatMap(({ limit }, i) => (limit > 0 ? [{ variable: countOf(i), value: literal(0) }] : []));
  const begin = zero.length > 0 ? assign(writer, "begin", span, ...zero) : noSteps;
  const call = reserveCall(writer, action, options);
  const judge = reserve(writer, "judge", span);
  const counters = rules.map((rule, i) => createRuleCounter(writer, rule, countOf(i), call.reference, options));
  const handlers = counters.flatMap((each) => handlersOf(writer, each));
  const cases = counters.flatMap((each) => casesOf(writer, action, each, bind));
  return (next) => {
    call.fill({ retries: [], handlers, next: judge.reference });
    judge.fill({ ...judge.base, kind: "choose", cases, otherwise: next });
    return begin(call.reference);
  };
}

const countOf = (index: number): string => `attempts${index + 1}`;

function createRuleCounter(
  writer: Writer,
  rule: ErrorRule,
  name: string,
  call: Reference,
  options: RetriedCall,
): RuleCounter {
  const { interval, limit, span, spans } = rule;
  const count = variable(name);
  const isLeft = binary("<", count, literal(limit));
  const exitTo = exitOf(rule, options);
  if (limit === 0) return { rule, isLeft, again: undefined, exitTo };
  declare(writer, name);
  const wait = { kind: "for", seconds: literal(interval) } as const;
  const pause =
    interval > 0
      ? step(writer, "wait", span, (base, next) => ({
          ...base,
          kind: "delay",
          wait,
          spans: { wait: spans.base },
          next,
        }))
      : noSteps;
  const advance = assign(writer, "again", span, { variable: name, value: binary("+", count, literal(1)) });
  return { rule, isLeft, again: sequence(pause, advance)(call), exitTo };
}

function handlersOf(writer: Writer, { rule, isLeft, again, exitTo }: RuleCounter): readonly Handler[] {
  if (rule.code === undefined) return [];
  const usedUp = afterError(writer, rule, exitTo);
  return again ? [{ when: and(isLeft, matchesError(rule)), next: again, span: rule.span }, usedUp] : [usedUp];
}

function casesOf(
  writer: Writer,
  action: Action,
  { rule, isLeft, again, exitTo }: RuleCounter,
  bind: string,
): readonly ChooseCase[] {
  if (!rule.results) return [];
  const { span } = rule;
  const when = matchesResult(rule, variable(bind));
  const usedUp: ChooseCase = { when, next: afterResult(writer, action, rule, exitTo), span };
  return again ? [{ when: and(isLeft, when), next: again, span }, usedUp] : [usedUp];
}

/** The argument of a call: the action's input, or its parameters. */
export function argumentOf(context: Context, { function: called }: Action, input: Expression): Expression {
  if (typeof called === "string" || called.parameters === undefined) return input;
  const root = input.kind === "variable" ? input : variable("input");
  checkDelimitersIn(context, stringLanguages.functionWorkflow, { owner: called, key: "parameters" });
  const argument = compileTemplate(called, "parameters", {
    root,
    interpolate: false,
    report: (remark) => reportTemplateIssue(context, remark),
    spanAt: (owner, key, from, to) => context.document.spanWithin(owner, key, from, to),
  });
  return root === input || argument.kind === "literal" ? argument : bind("input", input, argument);
}

const wholePathHint = "Only a string that is entirely a path is replaced by the value it selects.";

function reportTemplateIssue({ document, report }: Context, remark: TemplateDiagnostic): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  if (remark.kind === "error") report(expressionDiagnostic(span, remark, "path"));
  else report(unevaluatedPath(span, { path: remark.path, hint: wholePathHint }));
}
