import { binary, literal, variable } from "../../expressions/index.ts";
import type { Extension } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Assign, Reference } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, noSteps, type ReservedStep, reserve, type StepFragment, sequence } from "../shared/steps.ts";
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
  const detour = hasOwnRoutes(writer.task) ? createDetour(writer) : undefined;
  const conditions = extensions.map((each) => conditionOf(writer, each));
  const values: Assign["values"][number][] = conditions.flatMap(({ value }) => (value ? [value] : []));
  if (detour) values.push(detour.initial);
  const begin = assign(writer, "extend", construct.span, ...values);
  const part = (index: number, key: "before" | "after"): StepFragment => {
    const { extension, name, pointer } = extensions[index]!;
    if (!extension[key]) return noSteps;
    const scope: TaskScope = { ...innerScope(writer), isExtension: true };
    const path = [...scope.path, `${name}-${key}`];
    const list = { owner: extension, key, pointer: `${pointer}/${key}`, role: "list" as const };
    const skip = key === "before" ? () => skipTo! : undefined;
    const tasks = () => lowerTasks(context, { ...scope, path }, { ...list, exit: skip });
    const { when } = conditions[index]!;
    const span = spanOf(context, extension, "extend");
    return when ? choose(writer, key, span, [{ when, span, build: tasks }], () => noSteps) : tasks();
  };
  const before = extensions.map((_, index) => part(index, "before"));
  const work = lower(detour?.inner ?? writer);
  const after = extensions.map((_, index) => part(index, "after")).toReversed();
  return (next) => {
    skipTo = next;
    const rest = sequence(...after);
    const entry = detour ? detour.through(rest) : rest(next);
    const begun = sequence(begin, ...before, work)(entry);
    detour?.complete(next);
    return begun;
  };
}

/** Leads the directives of a task to the steps after it, and from there to where they lead. */
interface Detour {
  readonly initial: Assign["values"][number];
  /** The writer of the task itself. */
  readonly inner: Writer;
  /** Starts the steps after the task, which end with a test of the directive. */
  through(rest: StepFragment): Reference;
  /** Completes the test, once the steps of the task are complete. */
  complete(next: Reference): void;
}

function createDetour(writer: Writer): Detour {
  const { span } = writer.construct;
  const exit = freshVariable(writer.scope, "exit");
  const leaving = new Map<string, Reference>();
  let test: ReservedStep | undefined;
  let after: Reference | undefined;
  const route = (directive: string): Reference => {
    const value = literal(directive);
    const found = leaving.get(directive) ?? assign(writer, "leave", span, { variable: exit, value })(after!);
    leaving.set(directive, found);
    return found;
  };
  return {
    initial: { variable: exit, value: literal(null) },
    inner: { ...writer, route },
    through(rest) {
      test = reserve(writer, "exit", span);
      after = rest(test.reference);
      return after;
    },
    complete(next) {
      const cases = [...leaving.keys()].map((directive) => ({
        when: binary("==", variable(exit), literal(directive)),
        next: writer.route(directive),
        span,
      }));
      test?.fill({ ...test.base, kind: "choose", cases, otherwise: next });
    },
  };
}

/** Whether a task has directives other than its own `then`, which the tasks after it must not be skipped by. */
const hasOwnRoutes = (task: Writer["task"]): boolean => task.switch !== undefined || task.catch?.then !== undefined;

/** The condition of an extension, decided before the task. */
function conditionOf(writer: Writer, { extension }: NamedExtension) {
  if (extension.when === undefined) return { when: undefined, value: undefined };
  const condition = conditionAt(writer.context, { owner: extension, key: "when" }, inputRow(writer));
  if (condition.kind === "literal") return { when: condition, value: undefined };
  const name = freshVariable(writer.scope, "extends");
  return { when: variable(name), value: { variable: name, value: condition } };
}
