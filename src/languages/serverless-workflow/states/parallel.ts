import {
  call,
  comma,
  type Expression,
  firstOr,
  identity,
  literal,
  member,
  object,
  variable,
} from "../../../expressions/index.ts";
import type { Branch, Fork } from "../../../ir/workflow.ts";
import { spanOf } from "../context.ts";
import { data } from "../data/paths.ts";
import type { ParallelState, Branch as Written } from "../definition.ts";
import { unreachableJoin, withoutEffect } from "../diagnostics/kinds.ts";
import { assignData, type Fragment, sequence, step } from "../fragments.ts";
import { lowerScope } from "../scope.ts";
import { declare, type Writer } from "../writer.ts";

/** A parallel state runs its branches on copies of the data; what each of those that count has changed is merged into the data, in the order of the branches. */
export function parallel(writer: Writer, state: ParallelState): Fragment {
  const { context } = writer;
  const span = spanOf(context, state, state.completionType === undefined ? "name" : "completionType");
  const join = joinOf(writer, state);
  const branches = state.branches.map((branch) => branchOf(writer, branch));
  const results = declare(writer, "results");
  const failure = join.kind === "all" ? "fatal" : "spare";
  const common = { join, failure, retries: [], handlers: [], bind: results } as const;
  const forked = step(writer, "branches", span, (base, next) => ({ ...base, kind: "fork", branches, ...common, next }));
  const merged = assignData(writer, "join", span, withBranches(state.branches, join.kind === "all"));
  return sequence(forked, merged);
}

function joinOf({ context }: Writer, state: ParallelState): Fork["join"] {
  const { branches, completionType = "and", n } = state;
  if (n !== undefined && completionType !== "n_of_m") {
    context.report(
      withoutEffect(spanOf(context, state, "n", "key"), {
        name: "n",
        why: "it counts only where `completionType` is `n_of_m`",
      }),
    );
  }
  if (completionType === "and") return { kind: "all" };
  if (completionType === "xor") return { kind: "some", count: 1 };
  const count = n ?? 0;
  if (count >= 1 && count <= branches.length) return { kind: "some", count };
  const span = spanOf(context, state, n === undefined ? "completionType" : "n");
  context.report(unreachableJoin(span, { n: count, branches: branches.length }));
  return { kind: "all" };
}

function branchOf({ context, scope }: Writer, branch: Written): Branch {
  const plan = scope.plan.inner.get(branch)!;
  const lowered = lowerScope(context, plan, { variables: [["data", data]], value: () => () => data });
  return { name: branch.name, scope: lowered, span: spanOf(context, branch, "name") };
}

/** More branches than this are merged by a loop, so that expressions stay shallow. */
const mostNested = 16;

function withBranches(branches: readonly Written[], all: boolean): Expression {
  const results = variable("results");
  const changes = (value: Expression) => call("changes", value, data);
  if (branches.length > mostNested) {
    const entries = branches.map(({ name }) =>
      object([
        ["name", literal(name)],
        ["value", changes(member(results, name))],
      ]),
    );
    const [each, value] = [variable("each"), member(variable("each"), "value")];
    const update = call("absorb", identity, value, member(each, "name"));
    return { kind: "reduce", source: comma(...entries), name: "each", initial: data, update };
  }
  return branches.reduce((merged, { name }) => {
    const changed = changes(member(results, name));
    return call("absorb", merged, all ? changed : firstOr(changed, literal(null)), literal(name));
  }, data);
}
