import type { Task, TaskItem } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Reference } from "../../ir/workflow.ts";
import { type Json, own } from "../../json.ts";
import { nearestName } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { createStepWriter, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { type Context, freshVariable, type TaskScope, taskKinds, type Writer } from "./context.ts";
import { emptyList, endWithin, exitFromBranch, exitFromRound, nestedEnd } from "./diagnostics/flow.ts";
import {
  reservedName,
  severalKinds,
  taskElsewhere,
  taskWithoutKind,
  tooManyTasks,
  unknownTask,
} from "./diagnostics/references.ts";
import { extended } from "./extensions.ts";
import { escapeName } from "./names.ts";
import { checkDefault } from "./switch.ts";
import { lowerTask } from "./tasks.ts";

/** A task list in the source. */
export interface TaskListPlace {
  readonly owner: object;
  readonly key: string;
  /** Its JSON Pointer. */
  readonly pointer: string;
  readonly role: "list" | "round" | "branch";
  /** The index of the first task in the source. Default: 0. */
  readonly first?: number | undefined;
  /** Where `exit` leads, if not to the successor of the list. */
  readonly exit?: (() => Reference) | undefined;
}

const directives: ReadonlySet<string> = new Set(["continue", "exit", "end"]);

/** Lowers a task list. The fragment leads to its successor after the last task, and on `exit`. */
export function lowerTasks(context: Context, scope: TaskScope, place: TaskListPlace): StepFragment {
  const items = (place.owner as { readonly [key: string]: readonly TaskItem[] })[place.key] ?? [];
  if (items.length === 0) {
    context.report(emptyList(spanOf(context, place.owner, place.key), { key: place.key }));
    return noSteps;
  }
  context.budget.tasks -= items.length;
  if (context.budget.tasks < 0) {
    if (context.budget.tasks + items.length >= 0)
      context.report(tooManyTasks(spanOf(context, place.owner, place.key), {}));
    return noSteps;
  }
  const named = items.flatMap((item, index) => {
    const [name] = Object.keys(item);
    return name === undefined
      ? []
      : [{ item, name, index, pointer: `${place.pointer}/${index + (place.first ?? 0)}/${escapeName(name)}` }];
  });
  const list: TaskList = { place, entries: new Map(), after: undefined };
  const writers = named.map(({ item, name, pointer }) => {
    const span = spanOf(context, item, name, "key");
    if (directives.has(name)) context.report(reservedName(span, { name }));
    const id = context.ids.entry(scope.path, name);
    const entry: Reference = { name: id, span };
    if (!list.entries.has(name)) list.entries.set(name, entry);
    return { entry, item, name, pointer: scope.caller ?? pointer, span };
  });
  const fragments = writers.map(({ entry, item, name, pointer, span }, index) => {
    const following = (): Reference => writers[index + 1]?.entry ?? list.after!;
    const writer = createTaskWriter(context, scope, {
      task: item[name]!,
      name,
      pointer,
      id: entry.name,
      span,
      route: (directive) => routeIn(list, directive, following, scope),
      check: (owner, key) => checkDirective(context, list, scope, owner, key),
    });
    if (writer.task.then !== undefined) writer.check(writer.task, "then");
    if (writer.kind === "switch") checkDefault(writer, writers[index + 1]?.name);
    return extended(writer, lowerTask);
  });
  return (after) => {
    list.after = after;
    for (const [index, fragment] of fragments.entries()) {
      const { item, name } = writers[index]!;
      fragment(routeIn(list, item[name]!.then ?? "continue", () => writers[index + 1]?.entry ?? after, scope));
    }
    return writers[0]!.entry;
  };
}

interface TaskList {
  readonly place: TaskListPlace;
  readonly entries: Map<string, Reference>;
  after: Reference | undefined;
}

function routeIn(list: TaskList, directive: string, following: () => Reference, scope: TaskScope): Reference {
  if (directive === "continue") return following();
  if (directive === "exit") return list.place.exit?.() ?? list.after!;
  if (directive === "end") return scope.end();
  return (list.place.role === "branch" ? undefined : list.entries.get(directive)) ?? list.after!;
}

/** Where a task is created from. */
export interface TaskSource extends Pick<Writer, "task" | "name" | "pointer" | "route" | "check"> {
  readonly id: string;
  readonly span: Span;
}

/** Creates the writer of a task. */
export function createTaskWriter(context: Context, scope: TaskScope, source: TaskSource): Writer {
  const { id, span, ...rest } = source;
  const kind = kindOf(context, rest.task, rest.name, span);
  const isUnique = (context.nameCounts.get(rest.name) ?? 0) < 2 && scope.functions.length === 0 && !scope.isExtension;
  const name = isUnique ? rest.name : [...scope.path, rest.name].join("/");
  const construct = { noun: "task", name, span, pointer: rest.pointer };
  const { frame, slots } = scope;
  const steps = createStepWriter(construct, id, context.ids, { slots, variables: frame.variables });
  const keeps = (pattern: RegExp, wanted: string, value: Json): string | undefined =>
    mentions(value, pattern) ? freshVariable(scope, wanted) : undefined;
  const { output, export: exported, catch: caught, foreach } = rest.task;
  const after = [output, exported, rest.task.while, withoutTasks(caught), withoutTasks(foreach)] as unknown as Json;
  const whole = [after, withoutTasks(rest.task)] as unknown as Json;
  const { retry } = caught ?? {};
  const policy = typeof retry === "string" ? own(context.definition.use?.retries ?? {}, retry) : undefined;
  const { to } = rest.task.listen ?? {};
  const repeated = foreach && to?.until !== undefined && mentions(to as unknown as Json, /\$/);
  const readAfter = [after, policy] as unknown as Json;
  return {
    ...steps,
    ...rest,
    context,
    scope,
    kind,
    keptInput: repeated ? freshVariable(scope, "input") : keeps(/\$input\b/, "input", readAfter),
    rawInput: keeps(/\$task\b(?!\s*\.\s*(?!input)[a-zA-Z])/, "rawInput", whole),
    rawOutput: keeps(/\$task\b(?!\s*\.\s*(?!output)[a-zA-Z])/, "rawOutput", after),
    startedAt: keeps(/\$task\b(?!\s*\.\s*(?!startedAt)[a-zA-Z])/, "taskStartedAt", whole),
  };
}

/** An object without the members that contain tasks. */
function withoutTasks(owner: object | undefined): Json {
  const entries = Object.entries(owner ?? {}).filter(
    ([key]) => !["do", "try", "fork", "catch", "foreach"].includes(key),
  );
  return Object.fromEntries(entries) as Json;
}

function mentions(value: Json | undefined, pattern: RegExp): boolean {
  if (typeof value === "string") return pattern.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some((each) => mentions(each, pattern));
}

function kindOf(context: Context, task: Task, name: string, span: Span): Writer["kind"] {
  const found = taskKinds.filter((kind) => Object.hasOwn(task, kind) && !(kind === "do" && Object.hasOwn(task, "for")));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) context.report(severalKinds(span, { name, kinds: found }));
  else if (Object.keys(task).every((key) => commonKeys.has(key))) {
    const meant = Object.keys(task).map((key) => nearestName(key, taskKinds));
    context.report(taskWithoutKind(span, { name, meant: meant.find((each) => each !== undefined) }));
  }
  return found[0] ?? "none";
}

/** Properties of tasks of several kinds. The schema reports others. */
const commonKeys: ReadonlySet<string> = new Set(
  "if input output export timeout then metadata with catch while foreach".split(" "),
);

function checkDirective(context: Context, list: TaskList, scope: TaskScope, owner: object, key: string): void {
  const directive = String((owner as { readonly [key: string]: unknown })[key]);
  const span = spanOf(context, owner, key);
  const { role } = list.place;
  if (directive === "exit" && role === "round") context.report(exitFromRound(span, {}));
  if (directive === "end" && scope.frame.isBranch) context.report(nestedEnd(span, {}));
  else if (directive === "end" && scope.path.length > 0) context.report(endWithin(span, {}));
  if (directives.has(directive)) return;
  if (role === "branch") context.report(exitFromBranch(span, { name: directive }));
  else if (!list.entries.has(directive)) {
    const elsewhere = context.places.get(directive);
    if (elsewhere !== undefined) context.report(taskElsewhere(span, { name: directive, pointer: elsewhere }));
    else context.report(unknownTask(span, { name: directive, known: [...list.entries.keys(), ...directives] }));
  }
}

/** The scope of the tasks inside a task. */
export const innerScope = ({ scope, name }: Writer, bindings: TaskScope["bindings"] = new Map()): TaskScope => ({
  ...scope,
  path: [...scope.path, name],
  bindings: new Map([...scope.bindings, ...bindings]),
});

/** Lowers the tasks in a member of the task. */
export const lowerInner = (
  writer: Writer,
  scope: TaskScope,
  { owner, key, at, role = "list" }: { owner: object; key: string; at: string; role?: TaskListPlace["role"] },
): StepFragment =>
  sequence(lowerTasks(writer.context, scope, { owner, key, pointer: `${writer.pointer}/${at}`, role }));
