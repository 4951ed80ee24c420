import {
  binary,
  bind,
  call,
  collect,
  conditional,
  type Expression,
  firstOr,
  identity,
  literal,
  member,
  pipe,
  slice,
  update,
  variable,
} from "../../expressions/index.ts";
import type {
  ForeachState,
  ParallelState,
  Branch as Written,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Branch, Fork, Scope } from "../../ir/workflow.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  complete,
  declare,
  end,
  reserve,
  reserveAttempt,
  type StepFragment,
  sequence,
  step,
  stepsIn,
} from "../shared/steps.ts";
import { lowerAction, lowerActions } from "./actions.ts";
import { data, type Writer } from "./context.ts";
import { assignData } from "./data.ts";
import { droppedResults, invalidNumber, invalidStatePath, noEffect, parameterExpression } from "./diagnostics/kinds.ts";
import { numberAt } from "./errors.ts";
import { expressionAt, pathOf } from "./expressions.ts";
import { timeoutAt } from "./timeouts.ts";

/** Serverless Workflow 0.8, Parallel State: runs branches on copies of the data and merges their changes. */
export function lowerParallel(writer: Writer, state: ParallelState): StepFragment {
  const { context } = writer;
  const span = spanOf(context, state, "branches", "key");
  const join = joinOf(writer, state);
  const names = distinctNames(state.branches);
  const { base, reference, fill } = reserve(writer, "branches", span);
  const branches = state.branches.map((branch, index) => lowerBranch(writer, branch, names[index]!));
  const failure = join.kind === "all" ? "fatal" : "spare";
  const common = { join, failure, retries: [], handlers: [], bind: declare(writer, "results") } as const;
  const forked: StepFragment = (next) => {
    fill({ ...base, kind: "fork", branches, ...common, next });
    return reference;
  };
  const mode = literal(context.dialect === "spec" ? "union" : "replace");
  const merged = names.reduce<Expression>((target, name) => {
    const changed = call("difference", variable("branch"), data);
    const value = firstOr(member(variable("results"), name), data);
    return bind("branch", value, call("merge", target, orEmpty(changed), mode));
  }, data);
  return sequence(forked, assignData(writer, "join", span, merged));
}

/** What a branch that changed nothing changed. */
const orEmpty = (changed: Expression): Expression =>
  bind(
    "changed",
    changed,
    conditional(binary("==", variable("changed"), literal(null)), literal({}), variable("changed")),
  );

function joinOf({ context }: Writer, state: ParallelState): Fork["join"] {
  const { branches, completionType = "allOf", numCompleted } = state;
  const count = branches.length;
  if (completionType === "allOf") {
    if (numCompleted !== undefined) {
      const why = "it applies only if `completionType` is `atLeast`";
      context.report(noEffect(spanOf(context, state, "numCompleted", "key"), { name: "numCompleted", why }));
    }
    return { kind: "all" };
  }
  const isValid = (value: number) => Number.isInteger(value) && value >= 1 && value <= count;
  const written = Number(numCompleted);
  if (numCompleted !== undefined && isValid(written)) return { kind: "some", count: written };
  const key = numCompleted === undefined ? "completionType" : "numCompleted";
  context.report(
    invalidNumber(spanOf(context, state, key), { name: "numCompleted", wanted: `a number from 1 to ${count}` }),
  );
  return { kind: "all" };
}

function distinctNames(branches: readonly Written[]): readonly string[] {
  const taken = new Set<string>();
  return branches.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}-${count}`;
    taken.add(unique);
    return unique;
  });
}

function lowerBranch(writer: Writer, branch: Written, name: string): Branch {
  const { context } = writer;
  const span = spanOf(context, branch, "name");
  const limited: Writer = { ...writer, branchTimeouts: branch.timeouts };
  const timeout = timeoutAt(limited, "branchExecTimeout");
  const scope = innerScope(limited, span, [["data", data]], data, (inner) => {
    const work = (each: Writer) => lowerActions(each, { actions: branch.actions });
    if (!timeout) return work(inner);
    const { step: attempt, fill } = reserveAttempt(inner, literal(null), work);
    const spans = { timeout: spanOf(context, timeout.owner, timeout.key) };
    return (next) => {
      fill({ restore: [], retries: [], handlers: [], next, timeout: timeout.seconds, spans });
      return attempt.reference;
    };
  });
  return { name, scope, span };
}

function innerScope(
  writer: Writer,
  span: Scope["span"],
  variables: readonly (readonly [string, Expression | undefined])[],
  value: Expression,
  work: (inner: Writer) => StepFragment,
): Scope {
  const declared = new Map<string, Expression | undefined>(variables);
  const inner: Writer = { ...writer, slots: [], variables: declared };
  const fragment = work(inner);
  const done = end(inner, "done", span, { outcome: "leave", extent: "scope", value });
  const entry = complete(sequence(fragment, done), span);
  return { entry, variables: [...declared].map(([name, initial]) => ({ name, initial })), steps: stepsIn(inner), span };
}

/** Serverless Workflow 0.8, ForEach State: performs actions per element on copies of the data. */
export function lowerForeach(writer: Writer, state: ForeachState): StepFragment {
  const { context } = writer;
  const span = spanOf(context, state, "inputCollection");
  const items = assign(writer, "items", span, { variable: declare(writer, "items"), value: itemsOf(writer, state) });
  const parameter = parameterOf(writer, state);
  const locals = new Map([...writer.locals, [parameter, variable("element")] as const]);
  const output = outputPath(writer, state);
  const initial = pipe(data, update(pathTo(parameter), variable("element")));
  const scope = innerScope(
    { ...writer, locals },
    span,
    [
      ["data", initial],
      ["output", undefined],
    ],
    output ? variable("output") : literal(null),
    (inner) => sequence(...state.actions.map((each, i) => lowerAction(inner, each, i === 0, output && "output"))),
  );
  const batch = batchOf(writer, state);
  const results = output && declare(writer, "results");
  const width = state.mode === "sequential" ? 1 : undefined;
  const iterate = (over: Expression, bound: string | undefined) =>
    step(writer, "iterate", span, (base, next) => ({
      ...base,
      kind: "foreach",
      items: over,
      element: "element",
      scope,
      width,
      spans: { width: statedSpan(context, state, "mode") },
      retries: [],
      handlers: [],
      bind: bound,
      next,
    }));
  const iterated =
    batch === undefined ? iterate(variable("items"), results) : inBatches(writer, span, batch, iterate, results);
  if (!output) return sequence(items, iterated);
  const collected = pipe(data, update(output, appended(variable("results"))));
  return sequence(
    items,
    iterated,
    assignData(writer, "collect", spanOf(context, state, "outputCollection"), collected),
  );
}

const pathTo = (name: string): Expression => ({
  kind: "access",
  source: identity,
  key: literal(name),
  optional: false,
});

/** The array at a path, or a new one, with more elements. */
function appended(values: Expression): Expression {
  const current = variable("current");
  const type = call("type", current);
  const notArray = { name: "DataError", message: "The value at the output collection is not an array." };
  const isNull = binary("==", type, literal("null"));
  const other = conditional(isNull, values, call("error", literal(notArray)));
  return bind(
    "current",
    identity,
    conditional(binary("==", type, literal("array")), binary("+", current, values), other),
  );
}

/** The next batch starts when all iterations of the one before have ended. */
function inBatches(
  writer: Writer,
  span: Scope["span"],
  size: number,
  iterate: (over: Expression, bound: string | undefined) => StepFragment,
  results: string | undefined,
): StepFragment {
  const position = variable(declare(writer, "position"));
  const upTo = binary("+", position, literal(size));
  const none = { variable: "position", value: literal(0) };
  const begin = assign(
    writer,
    "begin",
    span,
    none,
    ...(results ? [{ variable: results, value: collect(undefined) }] : []),
  );
  const { base, reference, fill } = reserve(writer, "more", span);
  const part = results && declare(writer, "part");
  const advanced = { variable: "position", value: upTo };
  const kept = part ? [{ variable: results, value: binary("+", variable(results), variable(part)) }] : [];
  const body = sequence(
    iterate(slice(variable("items"), position, upTo), part),
    assign(writer, "advance", span, advanced, ...kept),
  )(reference);
  const when = binary("<", position, call("length", variable("items")));
  return (next) => {
    fill({ ...base, kind: "choose", cases: [{ when, next: body, span }], otherwise: next });
    return begin(reference);
  };
}

function batchOf({ context }: Writer, state: ForeachState): number | undefined {
  if (state.batchSize === undefined) return undefined;
  if (state.mode === "sequential") {
    const why = "iterations run in sequence";
    context.report(noEffect(spanOf(context, state, "batchSize", "key"), { name: "batchSize", why }));
    return undefined;
  }
  return numberAt(context, state, "batchSize", (value) => Number.isSafeInteger(value) && value >= 1);
}

function itemsOf({ context, locals }: Writer, state: ForeachState): Expression {
  const items = variable("items");
  const message = `The input collection of the foreach state ${state.name} is not an array.`;
  const refused = call("error", literal({ name: "DataError", message }));
  const isArray = binary("==", call("type", items), literal("array"));
  const value = expressionAt(context, state, "inputCollection", { locals });
  return bind("items", value, conditional(isArray, items, refused));
}

/** The name of the element; some definitions write an expression. */
function parameterOf({ context }: Writer, state: ForeachState): string {
  const { iterationParam: written } = state;
  if (written === undefined) return "item";
  const [, name] =
    /^\s*(?:\$\{\s*\.?([\w-]+)\s*\}|\.([\w-]+))\s*$/.exec(written)?.filter((each) => each !== undefined) ?? [];
  if (name !== undefined) context.report(parameterExpression(spanOf(context, state, "iterationParam"), { name }));
  return name ?? written;
}

function outputPath({ context }: Writer, state: ForeachState): Expression | undefined {
  if (state.outputCollection === undefined) {
    context.report(droppedResults(spanOf(context, state, "name"), {}));
    return undefined;
  }
  const path = pathOf(state, "outputCollection");
  if (!path)
    context.report(invalidStatePath(spanOf(context, state, "outputCollection"), { text: state.outputCollection }));
  return path;
}
