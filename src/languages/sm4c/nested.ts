import { binary, call, type Expression, literal, object, readJq, simplify, variable } from "../../expressions/index.ts";
import type {
  Action,
  ErrorHandler,
  ForeachAction,
  ParallelAction,
  SequenceAction,
} from "../../generated/sm4c-definition.ts";
import type { Branch, Fork, Scope } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import {
  assign,
  bindInput,
  choose,
  complete,
  declare,
  end,
  ensureType,
  type Fragment,
  noSteps,
  reserve,
  reserveAttempt,
  sequence,
  spanOf,
  stepsIn,
} from "../shared/index.ts";
import { kept, type Performed, perform } from "./actions.ts";
import { type Context, changesName, dataName, type Place, temporary, type Writer, wordOf } from "./context.ts";
import { duplicateResult, joinOutOfReach, withoutEffect } from "./diagnostics/kinds.ts";
import { applied, handled } from "./errors.ts";
import { raise, valueAt } from "./expressions.ts";

/** Performs actions one after the other: all see the same, and none what those before it gave. */
export function sequenceOf(writer: Writer, { actions }: SequenceAction, isWanted: boolean): Performed {
  const names = resultNames(writer.context, actions);
  const performed = actions.map((action) =>
    isWanted ? kept(writer, action, perform(writer, action, true)) : perform(writer, action, false),
  );
  return {
    steps: sequence(...performed.map(({ steps }) => steps)),
    result: isWanted ? simplify(object(performed.map(({ result }, i) => [names[i]!, result] as const))) : literal(null),
  };
}

/** Performs actions at the same time, on copies of what they see. */
export function parallel(writer: Writer, action: ParallelAction, isWanted: boolean): Performed {
  const { context } = writer;
  const names = resultNames(context, action.actions);
  const join = joinOf(context, action);
  if (action.actions.length === 0) return { steps: noSteps, result: literal({}) };
  if (recordsWithin(action)) return settledParallel(writer, action, names, join);
  const bind = isWanted ? temporary(writer, "results") : undefined;
  const steps = handled(writer, action, { result: bind, timesOut: false }, () => {
    const { base, reference, fill } = reserve(writer, wordOf(action), spanOf(context, action));
    const branches = action.actions.map((each, i): Branch => {
      const scope = scopeOf(writer, each, writer.place, isWanted);
      return { name: names[i]!, scope, span: scope.span };
    });
    const common = { branches, join, failure: "fatal", bind } as const;
    return { reference, fill: (recovery) => fill({ ...base, kind: "fork", ...common, ...recovery }) };
  });
  return { steps, result: bind === undefined ? literal(null) : variable(bind) };
}

/** Performs an action for each element of an array, which is all that it sees. */
export function foreach(writer: Writer, action: ForeachAction, isWanted: boolean): Performed {
  const { context } = writer;
  const failing = raise("SM4C.NotAnArray", "The input of a foreach action has to give an array.");
  const items = simplify(ensureType(valueAt(context, action, "input", writer.place), "array", failing));
  const width = action.maxParallel ?? 1;
  if (recordsWithin(action)) return settledForeach(writer, action, items, width);
  const bind = isWanted ? temporary(writer, "results") : undefined;
  const steps = handled(writer, action, { result: bind, timesOut: false }, () => {
    const { base, reference, fill } = reserve(writer, wordOf(action), spanOf(context, action));
    const scope = scopeOf(writer, action.action, elementPlace(writer.place), isWanted);
    const common = { items, element: elementName, scope, width, bind } as const;
    return { reference, fill: (recovery) => fill({ ...base, kind: "foreach", ...common, ...recovery }) };
  });
  return { steps, result: bind === undefined ? literal(null) : variable(bind) };
}

/** Whether a handler of an error within an action writes. */
export function recordsWithin(action: Action): boolean {
  const inner = childrenOf(action);
  return inner.some(
    (each) => each.errorHandlers?.some(({ resultHandler }) => resultHandler !== undefined) || recordsWithin(each),
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

/** The names of results: those of the actions, else their indexes. */
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
    context.report(withoutEffect(spanOf(context, action, "n", "key"), { key: "n" }));
  if (completionType === "and") return { kind: "all" };
  const count = completionType === "xor" ? 1 : (n ?? 0);
  if (count > 0 && count <= actions.length) return { kind: "some", count };
  const span = n === undefined ? spanOf(context, action, "completionType") : spanOf(context, action, "n");
  context.report(joinOutOfReach(span, { n: completionType === "xor" ? 1 : n, count: actions.length }));
  return { kind: "all" };
}

/** The variable that holds the element of a foreach action. */
const elementName = "element";

const elementPlace = (place: Place): Place => ({ ...place, seen: { value: variable(elementName) } });

/** A writer for the scope of a branch or of an iteration. */
const innerWriter = (writer: Writer, place: Place): Writer => ({
  ...writer,
  slots: [],
  variables: new Map(),
  temporaries: new Map(),
  place,
});

const scopeWith = ({ variables, ...writer }: Writer, entry: Scope["entry"], span: Span): Scope => ({
  entry,
  variables: [...variables].map(([name, initial]) => ({ name, initial })),
  steps: stepsIn(writer),
  span,
});

/** The scope of an action that ends with its result. */
function scopeOf(writer: Writer, action: Action, place: Place, isWanted: boolean): Scope {
  const span = spanOf(writer.context, action);
  const inner = innerWriter(writer, place);
  const { steps, result } = perform(inner, action, isWanted);
  const done = end(inner, "done", span, {
    outcome: "leave",
    extent: "scope",
    value: isWanted ? result : literal(null),
  });
  return scopeWith(inner, complete(sequence(steps, done), span), span);
}

// Where handlers of errors write within an action, what they write counts also when it fails: each part of it then ends with
// `{ result, changes }` or `{ failure, changes }`, and what is made of that follows when all parts have ended.

/** The scope of a part of an action that never fails: it ends with what came of it, and what handlers of errors have recorded. */
function settledScope(writer: Writer, action: Action, place: Place): Scope {
  const span = spanOf(writer.context, action);
  const inner = innerWriter(writer, place);
  inner.variables.set(changesName, literal([]));
  const result = temporary(inner, "result");
  const { step: attempt, fill } = reserveAttempt(inner, literal(null), (body) => {
    const performed = perform(body, action, true);
    return sequence(performed.steps, assign(body, "result", span, { variable: result, value: performed.result }));
  });
  const ending = (what: string, key: string, value: Expression): Fragment =>
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
  return scopeWith(inner, attempt.reference, span);
}

/** The handlers that record within an action, and the place of its parts. */
function recordingPlace({ place }: Writer): { readonly handlers: ErrorHandler[]; readonly isOutermost: boolean } {
  return place.recorded ? { handlers: place.recorded, isOutermost: false } : { handlers: [], isOutermost: true };
}

/** Writes the data with what was recorded within an action; within another such action it is recorded there. */
function settle(
  writer: Writer,
  span: Span,
  changes: Expression,
  { handlers, isOutermost }: ReturnType<typeof recordingPlace>,
): Fragment {
  const { context } = writer;
  if (isOutermost)
    return assign(writer, "changes", span, { variable: dataName, value: applied(context, changes, handlers) });
  const value = binary("+", variable(changesName), changes);
  return assign(writer, "changes", span, { variable: changesName, value });
}

/** Fails with the first failure among what came of the parts of an action; goes on without one. */
const raiseFirst = (
  writer: Writer,
  span: Span,
  outcomes: Expression,
  before: Fragment,
  onward: () => Fragment,
): Fragment =>
  choose(
    writer,
    "judge",
    span,
    [
      {
        when: over("any(.[]; .failure != null)", outcomes),
        span,
        build: () =>
          sequence(
            before,
            end(writer, "raise", span, {
              outcome: "fail",
              extent: "scope",
              value: over("first(.[] | .failure | values)", outcomes),
            }),
          ),
      },
    ],
    onward,
  );

/** An expression in jq over a value. */
function over(text: string, value: Expression): Expression {
  const program = readJq(text);
  if (!("expression" in program)) throw new Error(`${text} is no jq.`);
  return simplify(bindInput(program.expression, { value }));
}

function settledParallel(
  writer: Writer,
  action: ParallelAction,
  names: readonly string[],
  join: Fork["join"],
): Performed {
  const span = spanOf(writer.context, action);
  const recording = recordingPlace(writer);
  const place: Place = { ...writer.place, recorded: recording.handlers };
  const { base, reference, fill } = reserve(writer, wordOf(action), span);
  const branches = action.actions.map((each, i): Branch => {
    const scope = settledScope(writer, each, place);
    return { name: names[i]!, scope, span: scope.span };
  });
  const bind = temporary(writer, "outcomes");
  const outcomes = variable(bind);
  const common = { branches, join, failure: "fatal", retries: [], handlers: [], bind } as const;
  const forked: Fragment = (next) => {
    fill({ ...base, kind: "fork", ...common, next });
    return reference;
  };
  const settled = settle(writer, span, over("[.[] | .changes[]]", outcomes), recording);
  return {
    steps: sequence(
      forked,
      settled,
      raiseFirst(writer, span, outcomes, noSteps, () => noSteps),
    ),
    result: over("map_values(.result)", outcomes),
  };
}

/** Goes over the elements a few at a time, so that none is begun after one has failed. */
function settledForeach(writer: Writer, action: ForeachAction, items: Expression, width: number): Performed {
  const span = spanOf(writer.context, action);
  const recording = recordingPlace(writer);
  const [rest, results, gathered, bind] = (["rest", "results", "gathered", "outcomes"] as const).map((stem) =>
    temporary(writer, stem),
  ) as [string, string, string, string];
  const outcomes = variable(bind);
  const begin = assign(
    writer,
    wordOf(action),
    span,
    { variable: rest, value: items },
    { variable: results, value: literal([]) },
    { variable: gathered, value: literal([]) },
  );
  const test = reserve(writer, "test", span);
  const scope = settledScope(writer, action.action, { ...elementPlace(writer.place), recorded: recording.handlers });
  const each = reserve(writer, "each", span);
  const part = (from: Expression | undefined, upTo: Expression | undefined): Expression => ({
    kind: "slice",
    source: variable(rest),
    from,
    upTo,
    optional: false,
  });
  const gather = assign(
    writer,
    "gather",
    span,
    { variable: gathered, value: binary("+", variable(gathered), over("[.[] | .changes[]]", outcomes)) },
    { variable: results, value: binary("+", variable(results), over("map(.result)", outcomes)) },
    { variable: rest, value: part(literal(width), undefined) },
  );
  const settled = () => settle(writer, span, variable(gathered), recording);
  const judged = raiseFirst(writer, span, outcomes, settled(), () => () => test.reference);
  const next = complete(sequence(gather, judged), span);
  const iterated = { scope, width, retries: [], handlers: [], bind, next };
  each.fill({
    ...each.base,
    kind: "foreach",
    items: part(undefined, literal(width)),
    element: elementName,
    ...iterated,
  });
  const done = settled();
  const isMore = binary(">", call("length", variable(rest)), literal(0));
  const steps: Fragment = (following) => {
    const cases = [{ when: isMore, next: each.reference, span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise: done(following) });
    return begin(test.reference);
  };
  return { steps, result: variable(results) };
}
