import {
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  firstOr,
  identity,
  literal,
  member,
  object,
  reduce,
  variable,
} from "../../expressions/index.ts";
import type {
  ForeachState,
  ParallelState,
  State,
  Branch as Written,
} from "../../generated/serverless-workflow-definition.ts";
import type { Branch, Fork } from "../../ir/workflow.ts";
import { pathAt, secondsAt, spanOf, statedSpan } from "../shared/properties.ts";
import { declare, type StepFragment, sequence, step } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { assignData, data, setAtPath } from "./data.ts";
import { invalidJoinCount, invalidTargetPath, unfilteredIteration, withoutEffect } from "./diagnostics/kinds.ts";
import { lowerScope } from "./scopes.ts";

/**
 * Serverless Workflow (draft of 2020), Parallel State: runs branches on copies of the data and merges their changes.
 */
export function lowerParallel(writer: Writer, state: ParallelState): StepFragment {
  const { context } = writer;
  const span = spanOf(context, state, state.completionType === undefined ? "name" : "completionType");
  const join = joinOf(writer, state);
  const branches = state.branches.map((branch) => lowerBranch(writer, branch));
  const results = declare(writer, "results");
  const failure = join.kind === "all" ? "fatal" : "spare";
  const common = { join, failure, retries: [], handlers: [], bind: results } as const;
  const forked = step(writer, "branches", span, (base, next) => ({ ...base, kind: "fork", branches, ...common, next }));
  const merge = (target: Expression) => mergeBranches(state.branches, join.kind === "all", target);
  const merged = assignData(writer, "join", span, merge(data), merge);
  return sequence(forked, merged);
}

function joinOf({ context }: Writer, state: ParallelState): Fork["join"] {
  const { branches, completionType = "and", n } = state;
  if (n !== undefined && completionType !== "n_of_m") {
    context.report(
      withoutEffect(spanOf(context, state, "n", "key"), {
        name: "n",
        why: "it applies only if `completionType` is `n_of_m`",
      }),
    );
  }
  if (completionType === "and") return { kind: "all" };
  if (completionType === "xor") return { kind: "some", count: 1 };
  const count = n ?? 0;
  if (count >= 1 && count <= branches.length) return { kind: "some", count };
  const span = spanOf(context, state, n === undefined ? "completionType" : "n");
  context.report(invalidJoinCount(span, { n: count, branches: branches.length }));
  return { kind: "all" };
}

function lowerBranch({ context, scope }: Writer, branch: Written): Branch {
  const plan = scope.plan.inner.get(branch)!;
  const lowered = lowerScope(context, plan, { variables: [["data", data]], value: () => () => data });
  return { name: branch.name, scope: lowered, span: spanOf(context, branch, "name") };
}

/** More are merged by a loop, to keep expressions shallow. */
const maxNestedMerges = 16;

function mergeBranches(branches: readonly Written[], all: boolean, target: Expression): Expression {
  const results = variable("results");
  const changes = (value: Expression) => call("difference", value, data);
  if (branches.length > maxNestedMerges) {
    const entries = branches.map(({ name }) =>
      object([
        ["name", literal(name)],
        ["value", changes(member(results, name))],
      ]),
    );
    const [each, value] = [variable("each"), member(variable("each"), "value")];
    const update = call("mergeResult", identity, value, member(each, "name"));
    return reduce(comma(...entries), "each", target, update);
  }
  return branches.reduce((merged, { name }) => {
    const changed = changes(member(results, name));
    return call("mergeResult", merged, all ? changed : firstOr(changed, literal(null)), literal(name));
  }, target);
}

/** Serverless Workflow (draft of 2020), ForEach State: runs states per element on copies of the data. */
export function lowerForeach(writer: Writer, state: ForeachState): StepFragment {
  const { context } = writer;
  const items = itemsOf(writer, state);
  const output = state.outputCollection === undefined ? undefined : pathNames(writer, state, "outputCollection");
  const scope = lowerIteration(writer, state, output !== undefined);
  const gap = state.timeDelay === undefined ? undefined : secondsAt(context, state, "timeDelay");
  const results = output ? declare(writer, "results") : undefined;
  const common = {
    items,
    element: "element",
    scope,
    width: state.max || undefined,
    gap,
    spans: { width: statedSpan(context, state, "max"), gap: statedSpan(context, state, "timeDelay") },
    retries: [],
    handlers: [],
    bind: results,
  } as const;
  const iterated = step(writer, "iterate", spanOf(context, state, "inputCollection"), (base, next) => ({
    ...base,
    kind: "foreach",
    ...common,
    next,
  }));
  if (!output) return iterated;
  const span = spanOf(context, state, "outputCollection");
  return sequence(iterated, assignData(writer, "collect", span, setAtPath(data, output, variable("results"))));
}

function itemsOf({ context }: Writer, state: ForeachState): Expression {
  const path = pathAt(context, state, "inputCollection", data);
  if (!path) return literal([]);
  if (!path.definite) return collect(path.query);
  const items = variable("items");
  const message = `The collection ${state.inputCollection} of foreach state ${state.name} is not an array.`;
  const refused = call("error", literal({ name: "DataError", message }));
  const checked = conditional(binary("==", call("type", items), literal("array")), items, refused);
  return bind("items", firstOr(path.query, literal([])), checked);
}

function pathNames(
  { context }: Writer,
  state: ForeachState,
  key: "inputParameter" | "outputCollection",
): readonly string[] | undefined {
  const path = pathAt(context, state, key, data);
  if (path && !path.chain) context.report(invalidTargetPath(spanOf(context, state, key), { path: state[key]! }));
  return path?.chain;
}

/** Without an output filter, the output is what the iteration has changed. */
function lowerIteration(writer: Writer, state: ForeachState, collected: boolean) {
  const { context, scope } = writer;
  const plan = scope.plan.inner.get(state)!;
  const input = setAtPath(data, pathNames(writer, state, "inputParameter") ?? [], variable("element"));
  const value = (declareInput: () => void) => (last: State) => {
    if (!collected || last.stateDataFilter?.dataOutputPath !== undefined) return data;
    context.report(unfilteredIteration(spanOf(context, last, "name"), { state: last.name }));
    declareInput();
    return call("difference", data, variable("input"));
  };
  return lowerScope(context, plan, {
    variables: [["data", input]],
    value: (variables) => value(() => variables.set("input", input)),
  });
}
