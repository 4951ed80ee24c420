import {
  binary,
  call,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  variable,
} from "../../expressions/index.ts";
import type { Composition } from "../../generated/composer-fsm-definition.ts";
import type { NameScope } from "../../ir/names.ts";
import type { FunctionDefinition, Reference, Step, StepBase } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import {
  assign,
  complete,
  type Fragment,
  type Reading,
  reserve,
  type StepIds,
  type StepWriter as Steps,
  sequence,
} from "../shared/index.ts";
import type { FunctionBody } from "./functions.ts";
import { type Stack, variablesOn } from "./stack.ts";
import { errorEdge, type Visit, type VisitEdge, type Visits } from "./visits.ts";

/** What lowering needs to know of a composition that has no faults. */
export interface CompositionFacts extends Reading {
  readonly composition: Composition;
  readonly visits: Visits;
  /** Before which the parameters may have an error that nothing has looked at. */
  readonly unchecked: ReadonlySet<Visit>;
  readonly functions: ReadonlyMap<Visit["state"], FunctionBody>;
  /** Whether an action that is not there is an error like any, or ends the run. */
  readonly catchesMissing: boolean;
}

/** What the steps of all visits have in common. */
export interface Context extends CompositionFacts {
  readonly ids: StepIds;
  readonly slots: (Step | undefined)[];
  readonly variables: Map<string, Expression | undefined>;
  /** The first steps of visits. */
  readonly entries: ReadonlyMap<Visit, string>;
  /** The variables for what is on the stack: one for each kind of thing at each height. */
  readonly stackVariables: Map<string, string>;
  readonly variableNames: NameScope;
  /** The steps that runs end with from several states. */
  readonly endings: Map<string, Reference>;
  /** The functions that are called, by what they are. */
  readonly calledFunctions: Map<string, FunctionDefinition>;
  readonly functionNames: NameScope;
}

/** Where the steps of one visit go. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly visit: Visit;
  readonly span: Span;
}

/** The variable of the workflow that holds the parameters. */
export const params = "params";

/** The parameters. */
export const currentParams: Expression = variable(params);

/** A member of a value; null where there is none. */
export const memberOf = (value: Expression, ...names: readonly string[]): Expression =>
  firstOr(member(value, ...names), literal(null));

/** Whether a value is of a type of JSON. */
export const isOfType = (value: Expression, type: "object" | "string"): Expression =>
  binary("==", call("type", value), literal(type));

/** The variable for what is on top of a stack. */
export function stackVariable(stack: Stack, { context }: Pick<Writer, "context">): string {
  const { top, depth } = stack;
  if (top.kind === "catch") throw new Error("A handler is no value.");
  return top.kind === "let"
    ? variableFor(`let ${depth} ${top.symbol}`, top.symbol, context)
    : variableFor(`params ${depth}`, "pushed", context);
}

/** The variables that functions see on a visit, by their symbols. */
export const visibleVariables = ({ stack }: Visit, writer: Pick<Writer, "context">): ReadonlyMap<string, string> =>
  new Map([...variablesOn(stack)].map(([symbol, at]) => [symbol, stackVariable(at, writer)]));

/** The variable that is for something, under the name that is wanted or one like it. */
export function variableFor(
  what: string,
  wanted: string,
  { stackVariables: onStack, variableNames, variables }: Context,
): string {
  const name = onStack.get(what) ?? variableNames.fresh(wanted);
  onStack.set(what, name);
  variables.set(name, undefined);
  return name;
}

/** Goes somewhere else than to what follows. */
export const goto =
  (target: Reference): Fragment =>
  () =>
    target;

/** Where the work of a state leads when it is done: to the next one, or to the end of the run. */
export function nextTarget(writer: Writer): Reference {
  const { state, effect } = writer.visit;
  const next = state.Type === "Choice" ? undefined : state.Next;
  if (next !== undefined && effect.kind === "leaves") return visitReference({ to: next, stack: effect.stack }, writer);
  const keepsParams = state.Type !== "Task" && state.Type !== "Pop";
  return keepsParams && writer.context.unchecked.has(writer.visit) ? uncheckedEnd(writer) : normalEnd(writer);
}

/** Where a run goes whose parameters are an error and nothing else: to the handler, or to its end. */
export function errorHandlerTarget(writer: Writer): Reference {
  const edge = errorEdge(writer.visit.stack);
  return edge ? visitReference(edge, writer) : failedEnd(writer);
}

/** Goes on with an error as the parameters. */
export const raiseError = (what: string, error: Expression, writer: Writer): Reference =>
  complete(
    sequence(
      assign(writer, what, writer.span, { variable: params, value: object([["error", error]]) }),
      goto(errorHandlerTarget(writer)),
    ),
    writer.span,
  );

/** The visit that a way leads to; a rejection where there is no such state. */
export function visitReference({ to, stack }: VisitEdge, writer: Writer): Reference {
  const { visits, entries } = writer.context;
  const visit = visits.at(to, stack);
  return visit ? { name: entries.get(visit)!, span: writer.span } : rejectedEnd(writer);
}

/** The end of a run, with the parameters. */
const normalEnd = (writer: Writer): Reference =>
  ending("done", writer, (base) => ({ ...base, kind: "end", outcome: "leave", extent: "scope", value: currentParams }));

/** The end of a run with an error that nothing handles. */
export const failedEnd = (writer: Writer): Reference =>
  sharedEnding("failed", writer, (base) => {
    const error = memberOf(currentParams, "error");
    const value = object([
      ["origin", literal("function")],
      ["name", literal("ApplicationError")],
      [
        "message",
        conditional(isOfType(error, "string"), error, literal("The run has failed with an error that is no text.")),
      ],
    ]);
    return { ...base, kind: "end", outcome: "fail", extent: "scope", value };
  });

/** The end of a run with parameters that nothing has looked at: it has failed where they have an error. */
const uncheckedEnd = (writer: Writer): Reference =>
  ending("end", writer, (base) => {
    const failed = { when: hasError, next: failedEnd(writer), span: base.span };
    return { ...base, kind: "choose", cases: [failed], otherwise: normalEnd(writer) };
  });

/** Whether the parameters have an error: any value of that name is one. */
export const hasError: Expression = call("exists", member(currentParams, "error"));

/** The end of a run that the conductor rejects: no handler takes that. */
export const rejectedEnd = (writer: Writer): Reference =>
  sharedEnding("rejected", writer, (base) => {
    return { ...base, kind: "end", outcome: "fail", extent: "scope", value: rejectedError };
  });

/** What a run fails with that the conductor rejects. */
export const rejectedError: Expression = literal({
  origin: "denied",
  name: "Rejected",
  message: "The conductor rejects this run: a state cannot do its work.",
});

/** A step with which runs end from anywhere in the composition. */
function sharedEnding(what: string, writer: Writer, make: (base: StepBase) => Step): Reference {
  const { endings } = writer.context;
  const made = endings.get(what) ?? ending(what, writer, make);
  endings.set(what, made);
  return { ...made, span: writer.span };
}

/** A step with which runs end. */
function ending(what: string, writer: Writer, make: (base: StepBase) => Step): Reference {
  const { base, reference, fill } = reserve(writer, what, writer.span);
  fill(make(base));
  return reference;
}
