import {
  binary,
  call,
  type Expression,
  literal,
  object,
  readJq,
  simplify,
  slice,
  variable,
} from "../../expressions/index.ts";
import type {
  Action,
  ErrorHandler,
  ForeachAction,
  ParallelAction,
  SequenceAction,
} from "../../generated/sm4c-definition.ts";
import type { Branch, Fork, Scope } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { bindInput, ensureType } from "../shared/jq.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  choose,
  complete,
  declare,
  end,
  noSteps,
  reserve,
  reserveAttempt,
  type StepFragment,
  sequence,
  stepsIn,
} from "../shared/steps.ts";
import { type ActionCode, lowerAction, storeResult } from "./actions.ts";
import {
  type ActionScope,
  type Context,
  changesName,
  dataName,
  freshTemporary,
  labelOf,
  type Writer,
} from "./context.ts";
import { duplicateResult, ineffectiveProperty, invalidJoinCount } from "./diagnostics/kinds.ts";
import { applyChanges, handleErrors } from "./errors.ts";
import { raise, valueAt } from "./expressions.ts";

/** Performs actions in sequence, all with the same input. */
export function lowerSequence(writer: Writer, { actions }: SequenceAction, needsResult: boolean): ActionCode {
  const names = resultNames(writer.context, actions);
  const performed = actions.map((action) =>
    needsResult ? storeResult(writer, action, lowerAction(writer, action, true)) : lowerAction(writer, action, false),
  );
  return {
    steps: sequence(...performed.map(({ steps }) => steps)),
    result: needsResult
      ? simplify(object(performed.map(({ result }, i) => [names[i]!, result] as const)))
      : literal(null),
  };
}

/** Performs actions in parallel on copies of their input. */
export function lowerParallel(writer: Writer, action: ParallelAction, needsResult: boolean): ActionCode {
  const { context } = writer;
  const names = resultNames(context, action.actions);
  const join = joinOf(context, action);
  if (action.actions.length === 0) return { steps: noSteps, result: literal({}) };
  if (hasInnerResultHandlers(action)) return lowerRecordingParallel(writer, action, names, join);
  const bind = needsResult ? freshTemporary(writer, "results") : undefined;
  const steps = handleErrors(writer, action, { result: bind, timesOut: false }, () => {
    const { base, reference, fill } = reserve(writer, labelOf(action), spanOf(context, action));
    const branches = action.actions.map((each, i): Branch => {
      const scope = lowerScope(writer, each, writer.scope, needsResult);
      return { name: names[i]!, scope, span: scope.span };
    });
    const common = { branches, join, failure: "fatal", bind } as const;
    return { reference, fill: (recovery) => fill({ ...base, kind: "fork", ...common, ...recovery }) };
  });
  return { steps, result: bind === undefined ? literal(null) : variable(bind) };
}

/** Performs an action for each element of an array. */
export function lowerForeach(writer: Writer, action: ForeachAction, needsResult: boolean): ActionCode {
  const { context } = writer;
  const failing = raise("SM4C.NotAnArray", "The input of a foreach action has to give an array.");
  const items = simplify(ensureType(valueAt(context, action, "input", writer.scope), "array", failing));
  const width = action.maxParallel ?? 1;
  const spans = { width: statedSpan(context, action, "maxParallel") };
  if (hasInnerResultHandlers(action)) return lowerRecordingForeach(writer, action, items, width);
  const bind = needsResult ? freshTemporary(writer, "results") : undefined;
  const steps = handleErrors(writer, action, { result: bind, timesOut: false }, () => {
    const { base, reference, fill } = reserve(writer, labelOf(action), spanOf(context, action));
    const scope = lowerScope(writer, action.action, elementScope(writer.scope), needsResult);
    const common = { items, element: elementName, scope, width, spans, bind } as const;
    return { reference, fill: (recovery) => fill({ ...base, kind: "foreach", ...common, ...recovery }) };
  });
  return { steps, result: bind === undefined ? literal(null) : variable(bind) };
}

/** Whether a nested action has a result handler. */
export function hasInnerResultHandlers(action: Action): boolean {
  const inner = childrenOf(action);
  return inner.some(
    (each) =>
      each.errorHandlers?.some(({ resultHandler }) => resultHandler !== undefined) || hasInnerResultHandlers(each),
  );
}

function childrenOf(action: Action): readonly Action[] {
  switch (action.type) {
    case "foreach":
      return [action.action];
    case "parallel":
    case "sequence":
      return action.actions;
    default:
      return [];
  }
}

function resultNames(context: Context, actions: readonly Action[]): readonly string[] {
  const taken = new Set<string>();
  return actions.map((action, index) => {
    const name = action.name ?? String(index);
    const span = action.name === undefined ? spanOf(context, action) : spanOf(context, action, "name");
    if (taken.has(name)) context.report(duplicateResult(span, { name }));
    taken.add(name);
    return name;
  });
}

function joinOf(context: Context, action: ParallelAction): Fork["join"] {
  const { actions, completionType = "and", n } = action;
  if (n !== undefined && completionType !== "n_of_m")
    context.report(ineffectiveProperty(spanOf(context, action, "n", "key"), { key: "n" }));
  if (completionType === "and") return { kind: "all" };
  const count = completionType === "xor" ? 1 : (n ?? 0);
  if (count > 0 && count <= actions.length) return { kind: "some", count };
  const span = n === undefined ? spanOf(context, action, "completionType") : spanOf(context, action, "n");
  context.report(invalidJoinCount(span, { n: completionType === "xor" ? 1 : n, count: actions.length }));
  return { kind: "all" };
}

const elementName = "element";

const elementScope = (actionScope: ActionScope): ActionScope => ({
  ...actionScope,
  input: { value: variable(elementName) },
});

const innerWriter = (writer: Writer, actionScope: ActionScope): Writer => ({
  ...writer,
  slots: [],
  variables: new Map(),
  temporaries: new Map(),
  scope: actionScope,
});

const finishScope = ({ variables, ...writer }: Writer, entry: Scope["entry"], span: Span): Scope => ({
  entry,
  variables: [...variables].map(([name, initial]) => ({ name, initial })),
  steps: stepsIn(writer),
  span,
});

function lowerScope(writer: Writer, action: Action, actionScope: ActionScope, needsResult: boolean): Scope {
  const span = spanOf(writer.context, action);
  const inner = innerWriter(writer, actionScope);
  const { steps, result } = lowerAction(inner, action, needsResult);
  const done = end(inner, "done", span, {
    outcome: "leave",
    extent: "scope",
    value: needsResult ? result : literal(null),
  });
  return finishScope(inner, complete(sequence(steps, done), span), span);
}

// Handler results count even if an action fails. Each part ends with `{ result, changes }` or `{ failure, changes }`,
// applied after all parts.

/** Never fails: ends with the outcome and the changes. */
function lowerOutcomeScope(writer: Writer, action: Action, actionScope: ActionScope): Scope {
  const span = spanOf(writer.context, action);
  const inner = innerWriter(writer, actionScope);
  inner.variables.set(changesName, literal([]));
  const result = freshTemporary(inner, "result");
  const { step: attempt, fill } = reserveAttempt(inner, literal(null), (body) => {
    const performed = lowerAction(body, action, true);
    return sequence(performed.steps, assign(body, "result", span, { variable: result, value: performed.result }));
  });
  const ending = (what: string, key: string, value: Expression): StepFragment =>
    end(inner, what, span, {
      outcome: "leave",
      extent: "scope",
      value: object([
        [key, value],
        ["changes", variable(changesName)],
      ]),
    });
  const error = declare(inner, "error");
  const done = complete(ending("done", "result", variable(result)), span);
  const failed = complete(ending("failed", "failure", variable(error)), span);
  fill({ restore: [], retries: [], handlers: [{ when: literal(true), bind: error, next: failed, span }], next: done });
  return finishScope(inner, attempt.reference, span);
}

function recordingOf({ scope: actionScope }: Writer): {
  readonly handlers: ErrorHandler[];
  readonly isOutermost: boolean;
} {
  return actionScope.recordedHandlers
    ? { handlers: actionScope.recordedHandlers, isOutermost: false }
    : { handlers: [], isOutermost: true };
}

function storeChanges(
  writer: Writer,
  span: Span,
  changes: Expression,
  { handlers, isOutermost }: ReturnType<typeof recordingOf>,
): StepFragment {
  const { context } = writer;
  if (isOutermost)
    return assign(writer, "changes", span, { variable: dataName, value: applyChanges(context, changes, handlers) });
  const value = binary("+", variable(changesName), changes);
  return assign(writer, "changes", span, { variable: changesName, value });
}

const raiseFirst = (
  writer: Writer,
  span: Span,
  outcomes: Expression,
  before: StepFragment,
  onward: () => StepFragment,
): StepFragment =>
  choose(
    writer,
    "judge",
    span,
    [
      {
        when: evaluateJq("any(.[]; .failure != null)", outcomes),
        span,
        build: () =>
          sequence(
            before,
            end(writer, "raise", span, {
              outcome: "fail",
              extent: "scope",
              value: evaluateJq("first(.[] | .failure | values)", outcomes),
            }),
          ),
      },
    ],
    onward,
  );

function evaluateJq(text: string, value: Expression): Expression {
  const program = readJq(text);
  if (!("expression" in program)) throw new Error(`${text} is no jq.`);
  return simplify(bindInput(program.expression, { value }));
}

function lowerRecordingParallel(
  writer: Writer,
  action: ParallelAction,
  names: readonly string[],
  join: Fork["join"],
): ActionCode {
  const span = spanOf(writer.context, action);
  const recording = recordingOf(writer);
  const actionScope: ActionScope = { ...writer.scope, recordedHandlers: recording.handlers };
  const { base, reference, fill } = reserve(writer, labelOf(action), span);
  const branches = action.actions.map((each, i): Branch => {
    const scope = lowerOutcomeScope(writer, each, actionScope);
    return { name: names[i]!, scope, span: scope.span };
  });
  const bind = freshTemporary(writer, "outcomes");
  const outcomes = variable(bind);
  const common = { branches, join, failure: "fatal", retries: [], handlers: [], bind } as const;
  const forked: StepFragment = (next) => {
    fill({ ...base, kind: "fork", ...common, next });
    return reference;
  };
  const settled = storeChanges(writer, span, evaluateJq("[.[] | .changes[]]", outcomes), recording);
  return {
    steps: sequence(
      forked,
      settled,
      raiseFirst(writer, span, outcomes, noSteps, () => noSteps),
    ),
    result: evaluateJq("map_values(.result)", outcomes),
  };
}

/** Batches prevent iterations from starting after a failure. */
function lowerRecordingForeach(writer: Writer, action: ForeachAction, items: Expression, width: number): ActionCode {
  const span = spanOf(writer.context, action);
  const recording = recordingOf(writer);
  const [rest, results, gathered, bind] = (["rest", "results", "gathered", "outcomes"] as const).map((stem) =>
    freshTemporary(writer, stem),
  ) as [string, string, string, string];
  const outcomes = variable(bind);
  const begin = assign(
    writer,
    labelOf(action),
    span,
    { variable: rest, value: items },
    { variable: results, value: literal([]) },
    { variable: gathered, value: literal([]) },
  );
  const test = reserve(writer, "test", span);
  const scope = lowerOutcomeScope(writer, action.action, {
    ...elementScope(writer.scope),
    recordedHandlers: recording.handlers,
  });
  const each = reserve(writer, "each", span);
  const part = (from: Expression | undefined, upTo: Expression | undefined): Expression =>
    slice(variable(rest), from, upTo);
  const gather = assign(
    writer,
    "gather",
    span,
    { variable: gathered, value: binary("+", variable(gathered), evaluateJq("[.[] | .changes[]]", outcomes)) },
    { variable: results, value: binary("+", variable(results), evaluateJq("map(.result)", outcomes)) },
    { variable: rest, value: part(literal(width), undefined) },
  );
  const settled = () => storeChanges(writer, span, variable(gathered), recording);
  const judged = raiseFirst(writer, span, outcomes, settled(), () => () => test.reference);
  const next = complete(sequence(gather, judged), span);
  const spans = { width: statedSpan(writer.context, action, "maxParallel") };
  const iterated = { scope, width, spans, retries: [], handlers: [], bind, next };
  each.fill({
    ...each.base,
    kind: "foreach",
    items: part(undefined, literal(width)),
    element: elementName,
    ...iterated,
  });
  const done = settled();
  const isMore = binary(">", call("length", variable(rest)), literal(0));
  const steps: StepFragment = (following) => {
    const cases = [{ when: isMore, next: each.reference, span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise: done(following) });
    return begin(test.reference);
  };
  return { steps, result: variable(results) };
}
