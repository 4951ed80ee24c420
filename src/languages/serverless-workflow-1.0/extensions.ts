import { variable } from "../../expressions/index.ts";
import type { Extension } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { inputRow } from "./arguments.ts";
import { freshVariable, type LowerTask, type TaskScope, type Writer } from "./context.ts";
import { conditionAt } from "./expressions.ts";
import { innerScope, lowerTasks } from "./lists.ts";
import { escapeName } from "./names.ts";

const composite: ReadonlySet<Writer["kind"]> = new Set(["do", "for", "fork", "try"]);

interface NamedExtension {
  readonly extension: Extension;
  readonly name: string;
  readonly pointer: string;
}

/** The extensions of a task, in the order of their declaration. Tasks of extensions have none. */
function extensionsOf({ context, scope, kind }: Writer): readonly NamedExtension[] {
  if (scope.isExtension) return [];
  const all = (context.definition.use?.extensions ?? []).flatMap((item, index) =>
    Object.entries(item).map(([name, extension]) => ({
      extension,
      name,
      pointer: `/use/extensions/${index}/${escapeName(name)}`,
    })),
  );
  return all.filter(
    ({ extension: { extend } }) =>
      extend === "all" || extend === kind || (extend === "composite" && composite.has(kind)),
  );
}

/**
 * Lowers a task with the tasks of its extensions before and, in reverse order, after it. `then: exit` before it skips
 * the rest, whose output is that of the tasks so far.
 */
export function extended(writer: Writer, lower: LowerTask): StepFragment {
  const extensions = extensionsOf(writer);
  if (extensions.length === 0) return lower(writer);
  const { context, construct } = writer;
  let skipTo: Reference | undefined;
  const conditions = extensions.map((each) => conditionOf(writer, each));
  const values = conditions.flatMap(({ value }) => (value ? [value] : []));
  const begin = assign(writer, "extend", construct.span, ...values);
  const part = (index: number, key: "before" | "after"): StepFragment => {
    const { extension, name, pointer } = extensions[index]!;
    if (!extension[key]) return noSteps;
    const scope: TaskScope = { ...innerScope(writer), isExtension: true };
    const path = [...scope.path, `${name}-${key}`];
    const list = { owner: extension, key, pointer: `${pointer}/${key}`, role: "list" as const };
    const exit = key === "before" ? () => skipTo! : undefined;
    const tasks = () => lowerTasks(context, { ...scope, path }, { ...list, exit });
    const { when } = conditions[index]!;
    const span = spanOf(context, extension, "extend");
    return when ? choose(writer, key, span, [{ when, span, build: tasks }], () => noSteps) : tasks();
  };
  const before = extensions.map((_, index) => part(index, "before"));
  const work = lower(writer);
  const after = extensions.map((_, index) => part(index, "after")).toReversed();
  return (next) => {
    skipTo = next;
    return sequence(begin, ...before, work, ...after)(next);
  };
}

/** The condition of an extension, decided before the task. */
function conditionOf(writer: Writer, { extension }: NamedExtension) {
  if (extension.when === undefined) return { when: undefined, value: undefined };
  const condition = conditionAt(writer.context, { owner: extension, key: "when" }, inputRow(writer));
  if (condition.kind === "literal") return { when: condition, value: undefined };
  const name = freshVariable(writer.scope, "extends");
  return { when: variable(name), value: { variable: name, value: condition } };
}
