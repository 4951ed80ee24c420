import {
  collect,
  comma,
  type Expression,
  firstOr,
  iterate,
  literal,
  member,
  variable,
} from "../../expressions/index.ts";
import type { Branch, Reference } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, complete, end, type StepFragment, sequence, step, stepsIn } from "../shared/steps.ts";
import { workflowOutputRow } from "./arguments.ts";
import {
  contextName,
  createPartWriter,
  dataName,
  type Frame,
  freshVariable,
  type TaskScope,
  type Writer,
} from "./context.ts";
import { workflowOutputSteps } from "./data-flow.ts";
import { competingBranches } from "./diagnostics/flow.ts";
import { lowerTasks } from "./lists.ts";

/** Branches run concurrently, each on a copy of the data and the context. */
export function lowerFork(writer: Writer): StepFragment {
  const { context, task, scope, construct } = writer;
  const { branches: items, compete = false } = task.fork!;
  const span = spanOf(context, task, "fork", "key");
  if (items.length === 0)
    return assign(writer, "join", span, { variable: dataName, value: compete ? literal(null) : collect(undefined) });
  if (compete) context.report(competingBranches(spanOf(context, task.fork!, "compete"), {}));
  const bound = freshVariable(scope, "branches");
  const branches = items.map((_, index): Branch => lowerBranch(writer, index));
  const joined = branches.map(({ name }) => firstOr(member(variable(bound), name), literal(null)));
  const value = compete
    ? firstOr(iterate(variable(bound)), literal(null))
    : collect(joined.length === 1 ? joined[0] : comma(...joined));
  const run = step(writer, "fork", span, (base, next) => ({
    ...base,
    kind: "fork",
    branches,
    join: compete ? { kind: "some", count: 1 } : { kind: "all" },
    failure: compete ? "spare" : "fatal",
    retries: [],
    bind: bound,
    handlers: [],
    next,
  }));
  return sequence(run, assign(writer, "join", construct.span, { variable: dataName, value }));
}

function lowerBranch(writer: Writer, index: number): Branch {
  const { context, task, scope, pointer } = writer;
  const items = task.fork!.branches;
  const [name = String(index)] = Object.keys(items[index] ?? {});
  const span = spanOf(context, items[index]!, name, "key");
  const variables = new Map<string, Expression | undefined>([
    [dataName, variable(dataName)],
    ...(context.hasExports ? [[contextName, variable(contextName)] as const] : []),
  ]);
  const frame: Frame = { variables, names: scope.frame.names.inner(variables.keys()), isBranch: true };
  const slots: Writer["slots"] = [];
  const prefix = [...scope.path, writer.name, name].join("/");
  const steps = createPartWriter({ noun: "branch", name, span, pointer }, prefix, context.ids, { slots, variables });
  let ending: Reference | undefined;
  const branchScope: TaskScope = {
    ...scope,
    frame,
    slots,
    path: [...scope.path, writer.name],
    end() {
      const leave = () => end(steps, "end", span, { outcome: "leave", extent: "run", value: variable(dataName) });
      ending ??= complete(sequence(workflowOutputSteps(context, steps, workflowOutputRow), leave()), span);
      return ending;
    },
  };
  const single = {
    owner: { branches: [items[index]!] },
    key: "branches",
    pointer: `${pointer}/fork/branches`,
    role: "branch",
  } as const;
  const body = lowerTasks(context, branchScope, { ...single, first: index });
  const done = end(steps, "done", span, { outcome: "leave", extent: "scope", value: variable(dataName) });
  const entry = complete(sequence(body, done), span);
  const declared = [...variables].map(([variableName, initial]) => ({ name: variableName, initial }));
  const scopeOfBranch = { entry, variables: declared, steps: stepsIn({ slots }), span };
  return { name: branchName(name, index, items), scope: scopeOfBranch, span };
}

/** The name of the task, with the index of the branch where the name alone is not unique, or no ordinary key. */
function branchName(name: string, index: number, items: readonly object[]): string {
  const isUnique = items.filter((item) => Object.hasOwn(item, name)).length === 1;
  const isPlain = /^\p{L}[\p{L}\p{N}_ -]*$/u.test(name) && !(name in Object.prototype);
  return isUnique && isPlain ? name : `${index}-${name}`;
}
