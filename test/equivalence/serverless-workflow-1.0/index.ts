import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { CaseChange, CaseGenerator, EquivalenceCase } from "../case.ts";
import { cases } from "./cases.ts";
import { braces, directiveKey } from "./expressions.ts";

/** The keys of task lists; in other values, objects are data. */
const lists: ReadonlySet<string> = new Set(["do", "try", "branches", "before", "after"]);

/** The keys of objects with task lists. */
const owners: ReadonlySet<string> = new Set(["fork", "catch", "foreach"]);

/** Maps each task of a definition, inner ones first. */
function mapTasks(owner: JsonObject, map: (task: JsonObject) => JsonObject): JsonObject {
  const mapItem = (item: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(item).map(([name, task]) => [name, map(mapTasks(task as JsonObject, map))]));
  return Object.fromEntries(
    Object.entries(owner).map(([key, member]): [string, Json] => {
      if (lists.has(key) && Array.isArray(member)) return [key, (member as readonly JsonObject[]).map(mapItem)];
      return [key, owners.has(key) && isObject(member) ? mapTasks(member, map) : member];
    }),
  );
}

const changeOf = (name: string, map: (task: JsonObject) => JsonObject): CaseChange => ({
  name,
  change(original) {
    const [main, ...others] = original.definitions;
    return isObject(main) ? { ...original, definitions: [mapTasks(main, map), ...others] } : undefined;
  },
});

const changes: readonly CaseChange[] = [
  changeOf("order of keys", (task) => Object.fromEntries(Object.entries(task).toReversed())),
  changeOf("metadata", (task) => ({ ...task, metadata: { note: `\${ .a }` } })),
  changeOf("continue", (task) => ({ [directiveKey]: "continue", ...task })),
  changeOf("wrapped expressions", (task) =>
    Object.fromEntries(
      Object.entries(task).map(([key, member]): [string, Json] => {
        if (key === "if" || key === "while") return [key, braces(String(member))];
        return [key, isObject(member) && filters.has(key) ? wrapped(member) : member];
      }),
    ),
  ),
];

const filters: ReadonlySet<string> = new Set(["input", "output", "export"]);

/** A filter whose bare expressions are in delimiters. */
const wrapped = (owner: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(owner).map(([key, member]): [string, Json] => [
      key,
      typeof member === "string" && !member.startsWith("$" + "{") ? braces(member) : member,
    ]),
  );

/** Replaces directives that lead to a task. */
function redirected(value: Json, from: string, to: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => redirected(item, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]): [string, Json] => [
      key,
      key === directiveKey && member === from ? to : redirected(member, from, to),
    ]),
  );
}

/** Removes a task; directives to it lead to the one after it. */
function withoutTask(tasks: readonly JsonObject[], index: number): readonly JsonObject[] | undefined {
  if (tasks.length < 2) return undefined;
  const [name = ""] = Object.keys(tasks[index]!);
  const [next = "exit"] = Object.keys(tasks[index + 1] ?? {});
  return tasks.filter((_, i) => i !== index).map((task) => redirected(task, name, next) as JsonObject);
}

const workflow = (tasks: readonly JsonObject[]): EquivalenceCase => ({
  language: "serverless-workflow-1.0",
  definitions: [{ document: { dsl: "1.0.3", namespace: "test", name: "large", version: "1.0.0" }, do: tasks }],
  options: {},
  scenarios: [{ input: { a: 1, n: 0 } }],
});

const chain = (count: number, make: (index: number) => JsonObject): EquivalenceCase =>
  workflow(Array.from({ length: count }, (_, i) => ({ [`t${i}`]: make(i) })));

const add: JsonObject = { set: `\${ . + { n: (.n + 1) } }` };
const call: JsonObject = {
  call: "http",
  with: { method: "get", endpoint: "https://a.example/{n}" },
  output: { as: "$input" },
};

const nested = (depth: number, wrap: (list: readonly JsonObject[]) => JsonObject): JsonObject =>
  depth === 0 ? add : wrap([{ [`t${depth}`]: nested(depth - 1, wrap) }]);

const large: ReadonlyMap<string, EquivalenceCase> = new Map([
  ["900 tasks", chain(900, () => add)],
  ["200 calls", chain(200, () => call)],
  ["25 nested lists", workflow([{ top: nested(25, (list) => ({ do: list })) }])],
  ["8 nested attempts", workflow([{ top: nested(8, (list) => ({ try: list, catch: { do: [{ h: add }] } })) }])],
  ["200 rounds", workflow([{ top: { for: { in: "[range(200)]" }, do: [{ a: add }] } }])],
]);

/** Starts each branch after a wait. */
const separate = (definition: JsonObject): JsonObject =>
  mapTasks(definition, (task) => {
    const fork = task["fork"];
    if (!isObject(fork)) return task;
    const branches = (fork["branches"] as readonly JsonObject[]).map((item) =>
      Object.fromEntries(
        Object.entries(item).map(([name, branch]) => [name, { do: [{ pause: { wait: "PT0S" } }, { late: branch }] }]),
      ),
    );
    return { ...task, fork: { ...fork, branches } };
  });

/** Random programs in Serverless Workflow 1.0. */
export const serverlessWorkflow10: CaseGenerator = {
  language: "serverless-workflow-1.0",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar: { scopes: [...lists], without: withoutTask },
  separate,
};
