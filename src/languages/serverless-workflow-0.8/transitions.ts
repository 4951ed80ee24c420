import {
  binary,
  bind,
  call,
  collect,
  conditional,
  type Expression,
  literal,
  variable,
} from "../../expressions/index.ts";
import type {
  Continuation as ContinueAs,
  EndDefinition,
  Transition,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, declare, end, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { subflowReference } from "../shared/subflow-versions.ts";
import { data, type Writer } from "./context.ts";
import { assignData } from "./data.ts";
import { compensationRule, exitCount, noEffect, unsupportedProperty } from "./diagnostics/kinds.ts";
import { emitEvent } from "./events.ts";
import { expressionAt, templateAt, unlessNull } from "./expressions.ts";
import { checkOutput } from "./schemas.ts";

/** What leads out of a state: of the state itself, a condition or a handler. */
export interface Exit {
  readonly transition?: Transition;
  readonly end?: EndDefinition;
}

/** Serverless Workflow 0.8, State Data Filters: the selected data, or all data if nothing is selected. */
export function stateFilter(writer: Writer, key: "input" | "output"): StepFragment {
  const { context, state } = writer;
  const filter = state.stateDataFilter;
  if (filter?.[key] === undefined) return noSteps;
  const value = expressionAt(context, filter, key);
  if (value.kind === "variable" && value.name === "data") return noSteps;
  return assignData(writer, key, spanOf(context, filter, key), unlessNull(value, data));
}

/** Leaves a state that has completed: a later compensation compensates it. */
export function leaveCompleted(writer: Writer, exit: Exit): StepFragment {
  const { context, state } = writer;
  const left = leaveBy(writer, exit);
  if (state.compensatedBy === undefined) return left;
  const span = spanOf(context, state, "compensatedBy");
  writer.variables.set("completed", collect(undefined));
  const added = binary("+", variable("completed"), literal([state.compensatedBy]));
  return sequence(assign(writer, "completed", span, { variable: "completed", value: added }), left);
}

/** Leaves a state: compensates, produces events, then enters the next state or ends the run. */
export function leaveBy(writer: Writer, exit: Exit): StepFragment {
  const { context, state } = writer;
  const { transition, end: ending } = exit;
  if (state.usedForCompensation && !transition)
    return () => ({ name: context.compensationEntry, span: spanOf(context, state, "name") });
  const span = spanOf(context, exit === state ? state : exit, exit === state ? "name" : undefined);
  if (transition && ending)
    context.report(exitCount(spanOf(context, exit, "end", "key"), { state: state.name, both: true }));
  if (!transition && !ending) {
    context.report(exitCount(span, { state: state.name, both: false }));
    return endRun(writer, {}, exit);
  }
  const left = transition ?? ending!;
  const compensated = left.compensate ? compensate(writer, left) : noSteps;
  const produced = (left.produceEvents ?? []).map((each) =>
    emitEvent(writer, each, { name: each.eventRef, span: spanOf(context, each, "eventRef") }),
  );
  return sequence(
    compensated,
    ...produced,
    transition ? () => stateReference(writer, transition) : endRun(writer, ending!, exit),
  );
}

/** Serverless Workflow 0.8, Workflow Compensation: runs the compensations, then continues. */
function compensate(writer: Writer, left: Transition | EndDefinition): StepFragment {
  const { context } = writer;
  const span = spanOf(context, left, "compensate");
  if (context.compensations.size === 0) {
    context.report(noEffect(span, { name: "compensate", why: "no state has `compensatedBy`" }));
    return noSteps;
  }
  const { continuations } = context.found;
  const index = continuations.length;
  writer.variables.set("completed", collect(undefined));
  declare(writer, "afterCompensation");
  const entry: Reference = { name: context.compensationEntry, span };
  continuations.push(entry);
  const started = assign(writer, "compensate", span, { variable: "afterCompensation", value: literal(index) });
  return (next) => {
    continuations[index] = next;
    return started(entry);
  };
}

function stateReference({ context, state }: Writer, transition: Transition): Reference {
  const { nextState } = transition;
  const span = spanOf(context, transition, "nextState");
  const next = context.states.get(nextState);
  if (next?.usedForCompensation && !state.usedForCompensation)
    context.report(
      compensationRule(span, { state: nextState, rule: "is used for compensation, and cannot follow another state" }),
    );
  return { name: (next && context.entries.get(next)) ?? nextState, span };
}

function endRun(writer: Writer, ending: EndDefinition, exit: Exit): StepFragment {
  const { context } = writer;
  const span = exit.end ? spanOf(context, exit, "end", "key") : spanOf(context, writer.state, "name");
  const continued = ending.continueAs ? continueAs(writer, ending.continueAs) : noSteps;
  const extent = ending.terminate ? "run" : "scope";
  const value = ending.continueAs ? variable("continued") : data;
  return sequence(continued, checkOutput(writer, value), end(writer, "end", span, { outcome: "leave", extent, value }));
}

/** Continues as another workflow: its output is that of this run. */
function continueAs(writer: Writer, given: ContinueAs): StepFragment {
  const { context } = writer;
  const span = spanOf(context, given, "workflowId");
  if (given.workflowExecTimeout)
    context.report(
      unsupportedProperty(spanOf(context, given, "workflowExecTimeout", "key"), {
        name: "workflowExecTimeout",
        hint: "Write it under `timeouts` of the workflow that continues.",
      }),
    );
  const input = inputOf(writer, given);
  const bound = declare(writer, "continued");
  const workflow = subflowReference(context, given.workflowId, given, "workflowId");
  return step(writer, "continue", span, (base, next) => ({
    ...base,
    kind: "invoke",
    workflow,
    input,
    wait: true,
    terminates: true,
    retries: [],
    bind: bound,
    handlers: [],
    next,
  }));
}

function inputOf({ context }: Writer, given: ContinueAs): Expression {
  if (given.data === undefined) return data;
  const value =
    typeof given.data === "string" ? expressionAt(context, given, "data") : templateAt(context, given, "data");
  const input = variable("input");
  const isObject = binary("==", call("type", input), literal("object"));
  const invalid = { name: "InvalidInput", message: "The input of the workflow is not an object." };
  return bind("input", value, conditional(isObject, input, call("error", literal(invalid))));
}
