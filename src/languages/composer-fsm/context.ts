import { binary, call, type Expression, firstOr, literal, member, object, variable } from "../../expressions/index.ts";
import type { Composition } from "../../generated/composer-fsm-definition.ts";
import type { NameSpace } from "../../ir/names.ts";
import type { FunctionDefinition, Reference, Step, StepBase } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import {
  assign,
  complete,
  reserve,
  type StepFragment,
  type StepIds,
  type StepWriter as Steps,
  sequence,
} from "../shared/steps.ts";
import type { FunctionBody } from "./functions.ts";
import { type Stack, variablesOn } from "./stack.ts";
import { errorEdge, type Visit, type VisitEdge, type Visits } from "./visits.ts";

/** A valid composition and its analysis. */
export interface CompositionFacts extends ReadContext {
  readonly composition: Composition;
  readonly visits: Visits;
  /** The parameters may have an unchecked `error` member there. */
  readonly unchecked: ReadonlySet<Visit>;
  readonly functions: ReadonlyMap<Visit["state"], FunctionBody>;
  /** A missing action otherwise rejects the run. */
  readonly catchesMissing: boolean;
}

/** The state of a lowering. */
export interface Context extends CompositionFacts {
  readonly ids: StepIds;
  readonly slots: (Step | undefined)[];
  readonly variables: Map<string, Expression | undefined>;
  readonly entries: ReadonlyMap<Visit, string>;
  readonly stackVariables: Map<string, string>;
  readonly variableNames: NameSpace;
  readonly endings: Map<string, Reference>;
  readonly calledFunctions: Map<string, FunctionDefinition>;
  readonly functionNames: NameSpace;
}

/** Collects the steps of one visit. */
export interface Writer extends Steps {
  readonly context: Context;
  readonly visit: Visit;
  readonly span: Span;
}

/** The variable with the parameters. */
export const params = "params";

/** The current parameters. */
export const currentParams: Expression = variable(params);

/** A member of a value, or null. */
export const memberOf = (value: Expression, ...names: readonly string[]): Expression =>
  firstOr(member(value, ...names), literal(null));

/** Tests the JSON type of a value. */
export const isOfType = (value: Expression, type: "object" | "string"): Expression =>
  binary("==", call("type", value), literal(type));

/** The variable for the top of a stack. */
export function stackVariable(stack: Stack, { context }: Pick<Writer, "context">): string {
  const { top, depth } = stack;
  if (top.kind === "catch") throw new Error("A handler is no value.");
  return top.kind === "let"
    ? variableFor(`let ${depth} ${top.symbol}`, top.symbol, context)
    : variableFor(`params ${depth}`, "pushed", context);
}

/** The variables that functions see, by symbol. */
export const visibleVariables = ({ stack }: Visit, writer: Pick<Writer, "context">): ReadonlyMap<string, string> =>
  new Map([...variablesOn(stack)].map(([symbol, at]) => [symbol, stackVariable(at, writer)]));

/** Returns the variable for a purpose; creates it on demand. */
export function variableFor(
  what: string,
  wanted: string,
  { stackVariables, variableNames, variables }: Context,
): string {
  const name = stackVariables.get(what) ?? variableNames.fresh(wanted);
  stackVariables.set(what, name);
  variables.set(name, undefined);
  return name;
}

/** Jumps to a target, ignoring the successor. */
export const goto =
  (target: Reference): StepFragment =>
  () =>
    target;

/** The next state, or the end of the run. */
export function nextTarget(writer: Writer): Reference {
  const { state, effect } = writer.visit;
  const next = state.Type === "Choice" ? undefined : state.Next;
  if (next !== undefined && effect.kind === "leaves")
    return visitReference({ to: next, stack: effect.stack }, writer, "Next");
  const keepsParams = state.Type !== "Task" && state.Type !== "Pop";
  return keepsParams && writer.context.unchecked.has(writer.visit) ? uncheckedEnd(writer) : normalEnd(writer);
}

/** The error handler, or the end of the run. */
export function errorHandlerTarget(writer: Writer): Reference {
  const edge = errorEdge(writer.visit.stack);
  return edge ? visitReference(edge, writer) : failedEnd(writer);
}

/** Sets the parameters to an error and handles it. */
export const raiseError = (what: string, error: Expression, writer: Writer): Reference =>
  complete(
    sequence(
      assign(writer, what, writer.span, { variable: params, value: object([["error", error]]) }),
      goto(errorHandlerTarget(writer)),
    ),
    writer.span,
  );

/** The entry of a visit; rejects the run if the state is unknown. `key` is the property of the state that names it. */
export function visitReference({ to, stack }: VisitEdge, writer: Writer, key?: "Next" | "Then" | "Else"): Reference {
  const { visits, entries, document } = writer.context;
  const visit = visits.at(to, stack);
  if (!visit) return rejectedEnd(writer);
  const span = key === undefined ? writer.span : spanOf({ document }, writer.visit.state, key);
  return { name: entries.get(visit)!, span };
}

const normalEnd = (writer: Writer): Reference =>
  ending("done", writer, (base) => ({ ...base, kind: "end", outcome: "leave", extent: "scope", value: currentParams }));

/** Ends the run with an unhandled error: its message is the error if that is a string, otherwise the JSON of the error. */
export const failedEnd = (writer: Writer): Reference =>
  sharedEnding("failed", writer, (base) => {
    const error = memberOf(currentParams, "error");
    const value = object([
      ["origin", literal("function")],
      ["name", literal("ApplicationError")],
      ["message", call("text", error)],
    ]);
    return { ...base, kind: "end", outcome: "fail", extent: "scope", value };
  });

const uncheckedEnd = (writer: Writer): Reference =>
  ending("end", writer, (base) => {
    const failed = { when: hasError, next: failedEnd(writer), span: base.span };
    return { ...base, kind: "choose", cases: [failed], otherwise: normalEnd(writer) };
  });

/** Whether the parameters have an `error` member. */
export const hasError: Expression = call("exists", member(currentParams, "error"));

/** Ends a run that the conductor rejects; handlers do not apply. */
export const rejectedEnd = (writer: Writer): Reference =>
  sharedEnding("rejected", writer, (base) => {
    return { ...base, kind: "end", outcome: "fail", extent: "scope", value: rejectedError };
  });

/** The error of a rejected run. */
export const rejectedError: Expression = literal({
  origin: "denied",
  name: "Rejected",
  message: "The conductor rejects this run: a state cannot do its work.",
});

function sharedEnding(what: string, writer: Writer, make: (base: StepBase) => Step): Reference {
  const { endings } = writer.context;
  const made = endings.get(what) ?? ending(what, writer, make);
  endings.set(what, made);
  return { ...made, span: writer.span };
}

function ending(what: string, writer: Writer, make: (base: StepBase) => Step): Reference {
  const { base, reference, fill } = reserve(writer, what, writer.span);
  fill(make(base));
  return reference;
}
