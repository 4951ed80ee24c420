import { expressionFault, literalPath } from "../../diagnostics/data.ts";
import {
  and,
  binary,
  bind,
  type Expression,
  literal,
  type TemplateRemark,
  templateOf,
  variable,
} from "../../expressions/index.ts";
import type { Action } from "../../generated/function-workflow-definition.ts";
import type { Call, ChooseCase, FunctionDefinition, Handler, Reference } from "../../ir/workflow.ts";
import { printJson } from "../../json.ts";
import { truncate } from "../../text/clip.ts";
import type { Span } from "../../text/source.ts";
import {
  assign,
  complete,
  declare,
  end,
  type Fragment,
  failWith,
  noSteps,
  reserve,
  reserveAttempt,
  sequence,
  spanOf,
  step,
} from "../shared/index.ts";
import type { Context, Writer } from "./context.ts";
import { timeoutOf } from "./durations.ts";
import { type ErrorRule, exitRules, failError, handlerFor, matchesError, matchesResult, retriesFor } from "./errors.ts";
import { selectorAt, type Transform } from "./filters.ts";

/** How a call is made, and made again. */
export interface RetriedCall {
  /** What the action begins with. */
  readonly from: Expression;
  readonly rules: readonly ErrorRule[];
  /** The variable that gets the answer. */
  readonly bind: string;
  /** The filter of the answer, whose errors the rules take too, and the variable for what it gives. */
  readonly filtered?: { readonly filter: Transform; readonly into: string } | undefined;
  /** Where a rule leads when it is used up; undefined, and reported, where that is no state. */
  exitTo(rule: ErrorRule): Reference | undefined;
}

/** The name of the function that an action calls. */
export const functionName = ({ function: called }: Action): string =>
  typeof called === "string" ? called : called.name;

/**
 * Calls an action's function until no rule asks for it again: by the call's own retries where only errors are looked at, else in a loop that counts for each
 * rule. When a rule is used up the run goes on where it leads, or the error stands; a result that it takes is then the error `SYS.Fail`.
 */
export function lowerCall(writer: Writer, action: Action, options: RetriedCall): Fragment {
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

/** A step whose errors are looked at. */
interface HandledStep {
  readonly reference: Reference;
  fill(rest: Pick<Call, "retries" | "handlers" | "next">): void;
}

/** The call; with the filter of its answer as one where that may fail too. */
function reserveCall(writer: Writer, action: Action, { from, bind, filtered }: RetriedCall): HandledStep {
  const { context } = writer;
  const name = functionName(action);
  const span = functionSpan(writer, action);
  recordFunction(writer, action, span);
  const select = selectorAt(context, action, "InputPath");
  const argument = argumentOf(context, action, select ? select(from) : from);
  const timeout = timeoutOf(context, action);
  const common = { kind: "call", function: { name, span }, argument, wait: true, timeout, bind } as const;
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

/** Notes the function that an action calls. A name that is an address says where the function is. */
function recordFunction({ context }: Writer, action: Action, span: Span): void {
  const name = functionName(action);
  const known = context.functions.get(name);
  const type = typeof action.function === "string" ? undefined : action.function.type;
  const resource = /^(?:arn|https?):/i.test(name) ? name : undefined;
  const definition: FunctionDefinition = { name, resource, type, span };
  context.functions.set(name, known ?? definition);
}

const exitOf = (rule: ErrorRule, { exitTo: exit }: RetriedCall): Reference | undefined =>
  rule.hasExit ? exit(rule) : undefined;

/** A rule is used up after an error: the run goes on where it leads, or the error stands. */
function afterError(writer: Writer, rule: ErrorRule, exit: Reference | undefined): Handler {
  if (exit) return handlerFor(rule, exit);
  const value = variable(declare(writer, "error"));
  const raise = end(writer, "raise", rule.span, { outcome: "fail", extent: "scope", value });
  return handlerFor(rule, complete(raise, rule.span), "error");
}

/** A rule is used up after a result: the run goes on where it leads, or fails. */
function afterResult(writer: Writer, action: Action, rule: ErrorRule, exit: Reference | undefined): Reference {
  if (exit) return exit;
  const message = `Function ${functionName(action)} gave ${truncate(printJson(rule.entry.match))}.`;
  return complete(failWith(writer, "refuse", rule.span, { origin: "fail", name: failError, message }), rule.span);
}

/** A rule that is counted. */
interface RuleCounter {
  readonly rule: ErrorRule;
  /** Whether it allows another attempt. */
  readonly isLeft: Expression;
  /** The way to that. */
  readonly again: Reference | undefined;
  readonly exit: Reference | undefined;
}

function callLoop(writer: Writer, action: Action, options: RetriedCall): Fragment {
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

/** The variable in which the n-th rule counts. */
const countOf = (index: number): string => `attempts${index + 1}`;

function createRuleCounter(
  writer: Writer,
  rule: ErrorRule,
  name: string,
  call: Reference,
  options: RetriedCall,
): RuleCounter {
  const { interval, limit, span } = rule;
  const count = variable(name);
  const isLeft = binary("<", count, literal(limit));
  const exit = exitOf(rule, options);
  if (limit === 0) return { rule, isLeft, again: undefined, exit };
  declare(writer, name);
  const wait = { kind: "for", seconds: literal(interval) } as const;
  const pause =
    interval > 0 ? step(writer, "wait", span, (base, next) => ({ ...base, kind: "delay", wait, next })) : noSteps;
  const advance = assign(writer, "again", span, { variable: name, value: binary("+", count, literal(1)) });
  return { rule, isLeft, again: sequence(pause, advance)(call), exit };
}

function handlersOf(writer: Writer, { rule, isLeft, again, exit }: RuleCounter): readonly Handler[] {
  if (rule.code === undefined) return [];
  const usedUp = afterError(writer, rule, exit);
  return again ? [{ when: and(isLeft, matchesError(rule)), next: again, span: rule.span }, usedUp] : [usedUp];
}

function casesOf(
  writer: Writer,
  action: Action,
  { rule, isLeft, again, exit }: RuleCounter,
  bind: string,
): readonly ChooseCase[] {
  if (!rule.results) return [];
  const { span } = rule;
  const when = matchesResult(rule, variable(bind));
  const usedUp: ChooseCase = { when, next: afterResult(writer, action, rule, exit), span };
  return again ? [{ when: and(isLeft, when), next: again, span }, usedUp] : [usedUp];
}

/** What a function is called with: what the action begins with, or its parameters over that. */
export function argumentOf(context: Context, { function: called }: Action, input: Expression): Expression {
  if (typeof called === "string" || called.parameters === undefined) return input;
  const root = input.kind === "variable" ? input : variable("input");
  const argument = templateOf(called, "parameters", {
    root,
    interpolate: false,
    remark: (remark) => reportTemplateIssue(context, remark),
    spanAt: (owner, key, from, to) => context.document.spanWithin(owner, key, from, to),
  });
  return root === input || argument.kind === "literal" ? argument : bind("input", input, argument);
}

const wholePathHint = "Only a string that is entirely a path is replaced by the value it selects.";

function reportTemplateIssue({ document, report }: Context, remark: TemplateRemark): void {
  const span = document.spanWithin(remark.owner, remark.key, remark.from, remark.to);
  if (remark.kind === "fault") report(expressionFault(span, remark, "path"));
  else report(literalPath(span, { path: remark.path, hint: wholePathHint }));
}
