import {
  binary,
  bind,
  call,
  collect,
  conditional,
  type Expression,
  iterate,
  literal,
  member,
  reduce,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type {
  Action,
  FunctionReference,
  SubflowReference,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Branch, Reference, SecretRead } from "../../ir/workflow.ts";
import { secondsAt, spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  choose,
  complete,
  declare,
  end,
  noSteps,
  reserve,
  type StepFragment,
  sequence,
  step,
  stepsIn,
} from "../shared/steps.ts";
import { subflowReference } from "../shared/subflow-versions.ts";
import { type Context, data, result, type Writer } from "./context.ts";
import { actionData, assignData, mergeValue } from "./data.ts";
import { actionReferences, noEffect } from "./diagnostics/kinds.ts";
import { reportUnused, reportUnusedRetries, retriesOf } from "./errors.ts";
import { lowerEventRef } from "./event-refs.ts";
import { conditionAt, type ExpressionScope, expressionAt, functionValue, templateAt } from "./expressions.ts";
import { operationType } from "./functions.ts";
import { timeoutAt } from "./timeouts.ts";

/** Actions and how they run. */
export interface ActionList {
  readonly actionMode?: "sequential" | "parallel";
  readonly actions?: readonly Action[];
}

/** Serverless Workflow 0.8, Action Definition: performs actions in sequence or in parallel. */
export function lowerActions(writer: Writer, { actions = [], actionMode }: ActionList): StepFragment {
  if (actionMode === "parallel" && actions.length > 1) return parallelActions(writer, actions);
  return sequence(...actions.map((action, index) => lowerAction(writer, action, index === 0)));
}

/**
 * Performs an action and merges its result. With `output`, a variable receives the filtered result as well. `isFirst`:
 * no action of the list has run before.
 */
export function lowerAction(writer: Writer, action: Action, isFirst: boolean, output?: string): StepFragment {
  return whenHolds(writer, action, () =>
    sequence(performAction(writer, action, isFirst), mergeResult(writer, action, result, output)),
  );
}

/** Skips an action whose condition does not hold. */
function whenHolds(writer: Writer, action: Action, build: () => StepFragment): StepFragment {
  if (action.condition === undefined) return build();
  const { context } = writer;
  const span = spanOf(context, action, "condition");
  const when = conditionAt(context, action, "condition", { locals: writer.locals });
  return choose(writer, "condition", span, [{ when, span, build }], () => noSteps);
}

/** Performs an action with its sleeps and retries; its result is in the variable `result`. */
export function performAction(writer: Writer, action: Action, isFirst: boolean): StepFragment {
  declare(writer, "result");
  return sequence(sleepOf(writer, action, "before"), callOf(writer, action, isFirst), sleepOf(writer, action, "after"));
}

function callOf(writer: Writer, action: Action, isFirst: boolean): StepFragment {
  const { context } = writer;
  const references = (["functionRef", "eventRef", "subFlowRef"] as const).filter((key) => action[key] !== undefined);
  if (references.length !== 1)
    context.report(actionReferences(spanOf(context, action, references[1], "key"), { count: references.length }));
  if (action.functionRef) return callFunction(writer, action, action.functionRef, isFirst);
  if (action.subFlowRef) return startSubflow(writer, action, action.subFlowRef);
  return action.eventRef ? lowerEventRef(writer, action, action.eventRef) : noSteps;
}

/** Merges a result, or what `results` selects of it. */
function mergeResult(writer: Writer, action: Action, given: Expression, output?: string): StepFragment {
  const { context } = writer;
  const { actionDataFilter: filter } = action;
  if (!usesResult(context, action)) return noSteps;
  const value = resultOf(writer, action, given);
  const span = spanOf(context, filter ?? action, filter?.results === undefined ? undefined : "results");
  const merged = mergeValue(context, value, { filter, key: nameOf(action) });
  if (output === undefined) return assignData(writer, "merge", span, merged);
  const kept = { variable: declare(writer, output), value: simplify(value) };
  return assign(writer, "merge", span, kept, { variable: "data", value: simplify(merged) });
}

const resultOf = (writer: Writer, { actionDataFilter: filter }: Action, given: Expression): Expression =>
  filter?.results === undefined
    ? given
    : expressionAt(writer.context, filter, "results", { input: given, locals: writer.locals });

/** Whether a result is merged; reports filters of results that are not. */
function usesResult(context: Context, action: Action): boolean {
  const { actionDataFilter: filter = {} } = action;
  const isUsed = filter.useResults !== false;
  if (isUsed && hasResult(context, action)) return true;
  const why = isUsed ? "the action has no result" : "`useResults` is false";
  reportUnused(context, filter, ["results", "toStateData"], why);
  return false;
}

/** Calls that are not waited for, and published events, have no result. */
function hasResult({ functions }: Context, { functionRef, subFlowRef, eventRef }: Action): boolean {
  if (functionRef) {
    const definition = functions.get(functionRef.refName);
    return functionRef.invoke !== "async" && !(definition && operationType(definition) === "asyncapi");
  }
  if (eventRef) return eventRef.invoke !== "async" && eventRef.resultEventRef !== undefined;
  return subFlowRef?.invoke !== "async";
}

const nameOf = ({ name, functionRef, subFlowRef, eventRef }: Action): string =>
  name ?? functionRef?.refName ?? subFlowRef?.workflowId ?? eventRef?.resultEventRef ?? "result";

function sleepOf(writer: Writer, { sleep }: Action, key: "before" | "after"): StepFragment {
  if (sleep?.[key] === undefined) return noSteps;
  const seconds = literal(secondsAt(writer.context, sleep, key) ?? 0);
  const span = spanOf(writer.context, sleep, key);
  return step(writer, key, span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds },
    spans: { wait: span },
    next,
  }));
}

function callFunction(writer: Writer, action: Action, reference: FunctionReference, isFirst: boolean): StepFragment {
  const { context } = writer;
  const definition = context.functions.get(reference.refName);
  const span = spanOf(context, reference, "refName");
  if (reference.selectionSet !== undefined && definition?.type !== "graphql")
    context.report(
      noEffect(spanOf(context, reference, "selectionSet", "key"), {
        name: "selectionSet",
        why: "the function is not of type `graphql`",
      }),
    );
  const previous = isFirst ? undefined : result;
  if (definition?.type === "expression") return evaluateFunction(writer, action, reference, previous);
  const secrets = new Map<string, SecretRead>();
  const secret = (id: string, key: string) => variable(readSecret(context, secrets, { id, key }, span).bind);
  const argument = argumentOf(writer, action, reference, { previous, secret });
  const isAsync = reference.invoke === "async";
  if (isAsync) reportUnusedRetries(context, action, unawaited);
  const timeout = isAsync ? undefined : timeoutAt(writer, "actionExecTimeout");
  const retries = isAsync ? [] : retriesOf(context, action);
  return step(writer, nameOf(action), span, (base, next) => ({
    ...base,
    kind: "call",
    function: { name: reference.refName, span },
    argument,
    wait: !isAsync,
    ...(secrets.size > 0 ? { secrets: [...secrets.values()] } : {}),
    timeout: timeout?.seconds,
    spans: {
      timeout: timeout && spanOf(context, timeout.owner, timeout.key),
      argument: statedSpan(context, reference, "arguments"),
    },
    retries,
    bind: "result",
    handlers: [],
    next,
  }));
}

function argumentOf(
  writer: Writer,
  action: Action,
  reference: FunctionReference,
  more: Pick<ExpressionScope, "previous" | "secret">,
): Expression {
  const { context, locals } = writer;
  const seen = actionData(writer, action);
  const isGraphql = context.functions.get(reference.refName)?.type === "graphql";
  if (reference.arguments === undefined) return seen;
  const input = seen.kind === "variable" ? seen : variable("input");
  const given = templateAt(context, reference, "arguments", { input, locals, ...more });
  const argument = isGraphql
    ? simplify(
        call(
          "merge",
          literal({ selectionSet: reference.selectionSet ?? null }),
          { kind: "object", entries: [{ key: literal("arguments"), value: given }] },
          literal("replace"),
        ),
      )
    : given;
  return seen.kind === "variable" || argument.kind === "literal" ? argument : bind("input", seen, argument);
}

function evaluateFunction(
  writer: Writer,
  action: Action,
  reference: FunctionReference,
  previous: Expression | undefined,
): StepFragment {
  const { context, locals } = writer;
  const seen = actionData(writer, action);
  const given = reference.arguments === undefined ? undefined : argumentOf(writer, action, reference, { previous });
  const scope = {
    input: seen,
    locals: new Map([...locals, ...(given ? [["arguments", given] as const] : [])]),
    previous,
  };
  const value = functionValue(context, reference, "refName", reference.refName, scope);
  reportUnusedRetries(context, action, "the function is an expression");
  return assign(writer, nameOf(action), spanOf(context, reference, "refName"), { variable: "result", value });
}

const unawaited = "the action is not waited for";

function startSubflow(writer: Writer, action: Action, reference: SubflowReference): StepFragment {
  const { context } = writer;
  const span = spanOf(context, reference, "workflowId");
  const wait = reference.invoke !== "async";
  if (wait) reportUnused(context, reference, ["onParentComplete"], "the parent waits for the subflow");
  else reportUnusedRetries(context, action, unawaited);
  const seen = actionData(writer, action);
  const isObject = binary("==", call("type", variable("input")), literal("object"));
  const invalid = { name: "InvalidInput", message: "The input of a subflow is not an object." };
  const input = bind("input", seen, conditional(isObject, variable("input"), call("error", literal(invalid))));
  const timeout = wait ? timeoutAt(writer, "actionExecTimeout") : undefined;
  const retries = wait ? retriesOf(context, action) : [];
  const whenParentEnds = wait ? {} : ({ whenParentEnds: reference.onParentComplete ?? "terminate" } as const);
  const workflow = subflowReference(context, reference.workflowId, reference, "workflowId");
  return step(writer, nameOf(action), span, (base, next) => ({
    ...base,
    kind: "invoke",
    workflow,
    input: simplify(input),
    wait,
    ...whenParentEnds,
    terminates: wait,
    timeout: timeout?.seconds,
    spans: { timeout: timeout && spanOf(context, timeout.owner, timeout.key) },
    retries,
    bind: wait ? "result" : undefined,
    handlers: [],
    next,
  }));
}

/** All actions see the data of the state; results are merged in the order of the list. */
function parallelActions(writer: Writer, actions: readonly Action[]): StepFragment {
  const { context } = writer;
  const span = spanOf(context, writer.state, "actions", "key");
  const { base, reference, fill } = reserve(writer, "actions", span);
  const branches = actions.map((action, index) => actionBranch(writer, action, `${index + 1}`));
  declare(writer, "results");
  const merges = actions.map((action, index) => {
    const outcome = member(variable("results"), `${index + 1}`);
    return mergeOutcome(writer, action, outcome);
  });
  return (next) => {
    const joined = { join: { kind: "all" }, failure: "fatal", retries: [], handlers: [] } as const;
    fill({ ...base, kind: "fork", branches, ...joined, bind: "results", next: sequence(...merges)(next) });
    return reference;
  };
}

/** The value of a branch is an array with the result, empty if the action was skipped. */
function mergeOutcome(writer: Writer, action: Action, outcome: Expression): StepFragment {
  const { context } = writer;
  const { actionDataFilter: filter } = action;
  if (!usesResult(context, action)) return noSteps;
  const each = variable("each");
  const merged = mergeValue(
    context,
    resultOf(writer, action, each),
    { filter, key: nameOf(action) },
    variable("merged"),
  );
  const update = bind("merged", { kind: "identity" }, merged);
  return assignData(writer, "merge", spanOf(context, action), reduce(iterate(outcome), "each", data, update));
}

function actionBranch(writer: Writer, action: Action, name: string): Branch {
  const span = spanOf(writer.context, action);
  const variables = new Map<string, Expression | undefined>([["outcome", literal([])]]);
  const inner: Writer = { ...writer, slots: [], variables };
  const performed = whenHolds(inner, action, () =>
    sequence(
      performAction(inner, action, true),
      assign(inner, "outcome", span, { variable: "outcome", value: collect(result) }),
    ),
  );
  const done = end(inner, "done", span, { outcome: "leave", extent: "scope", value: variable("outcome") });
  const entry: Reference = complete(sequence(performed, done), span);
  const declared = [...variables].map(([each, initial]) => ({ name: each, initial }));
  return { name, scope: { entry, variables: declared, steps: stepsIn(inner), span }, span };
}

function readSecret(
  context: Context,
  known: Map<string, SecretRead>,
  { id, key }: { readonly id: string; readonly key: string },
  span: SecretRead["span"],
): SecretRead {
  const name = JSON.stringify([id, key]);
  const bound = known.size === 0 ? "secret" : `secret${known.size + 1}`;
  const read = known.get(name) ?? { bind: bound, reader: secretReader(context, span), id, key, span };
  known.set(name, read);
  return read;
}

function secretReader({ calledFunctions, ids }: Context, span: SecretRead["span"]): Reference {
  const known = calledFunctions.find(({ protocol }) => protocol?.kind === "secret");
  const name = known?.name ?? ids.entry([], "secret");
  if (!known) calledFunctions.push({ name, protocol: { kind: "secret" }, span });
  return { name, span };
}
