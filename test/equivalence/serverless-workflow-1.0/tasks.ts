import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import { braces, condition, directiveKey, errorType, filter, plain, schema, template, value } from "./expressions.ts";
import { callOfFunction, emit, http, listen, raise, subflow, wait } from "./leaves.ts";

/** A task from its name and the names of those after it in its list. */
export type TaskFactory = (name: string, later: readonly string[]) => JsonObject;

/** A task list whose names have a prefix. */
export type ListFactory = (prefix: string) => readonly JsonObject[];

/** What tasks may contain. */
export interface TaskSettings {
  /** How many levels of tasks contain tasks. */
  readonly depth: number;
  /** Whether tasks call functions of the definition and run the other workflow. */
  readonly isMain: boolean;
}

const inside = (settings: TaskSettings): TaskSettings => ({ ...settings, depth: settings.depth - 1 });

/** Tasks in order; each knows the names of those after it. */
export function taskList(settings: TaskSettings, maxLength = 3): Arbitrary<ListFactory> {
  return fc.array(task(settings), { minLength: 1, maxLength }).map((factories) => (prefix) => {
    const names = factories.map((_, i) => `${prefix}${i}`);
    return factories.map((make, i) => ({ [names[i]!]: make(names[i]!, names.slice(i + 1)) }));
  });
}

/** A list that begins with the variables of a loop or handler. */
const withBindings =
  (list: ListFactory, set: Json): ListFactory =>
  (prefix) => [{ [`${prefix}bound`]: { set } }, ...list(prefix)];

const directive: Arbitrary<(later: readonly string[]) => string> = weighted<(later: readonly string[]) => string>(
  [4, fc.nat().map((which) => (later: readonly string[]) => later[which % Math.max(1, later.length)] ?? "continue")],
  [1, among("exit", "continue").map((word) => () => word)],
  [1, fc.constant(() => "end")],
);

/** A task of any kind with filters and a directive. */
export function task(settings: TaskSettings): Arbitrary<TaskFactory> {
  return fc
    .record({
      own: kind(settings),
      if: perhaps(12, condition),
      from: perhaps(12, filter),
      as: perhaps(20, filter),
      schemas: perhaps(4, fc.tuple(among("input", "output", "export"), schema)),
      exported: perhaps(12, among<Json>(".", "{a: .a}", "$context", "[$context, .n]", { a: braces("$output") })),
      onward: perhaps(12, directive),
      timeout: perhaps(6, among<Json>({ after: "PT2S" }, { after: "PT8S" }, "short", "computed")),
    })
    .map(({ own, if: when, from, as, exported, onward, timeout, schemas }) => (name, later) => {
      const made = own(name, later);
      const takesTime = !["set", "switch", "raise", "emit"].some((key) => Object.hasOwn(made, key));
      const filtered = (key: string, given: JsonObject | undefined): JsonObject | undefined =>
        schemas?.[0] === key ? { ...given, schema: schemas[1] } : given;
      return plain({
        if: when,
        input: filtered("input", from === undefined ? undefined : { from }),
        ...made,
        output: filtered("output", as === undefined ? undefined : { as }),
        export: filtered("export", exported === undefined ? undefined : { as: exported }),
        timeout: takesTime ? timeout : undefined,
        [directiveKey]: onward?.(later),
      });
    });
}

const independent = (made: Arbitrary<JsonObject>): Arbitrary<TaskFactory> => made.map((object) => () => object);

type WeightedKind = readonly [weight: number, made: Arbitrary<TaskFactory>];

function kind(settings: TaskSettings): Arbitrary<TaskFactory> {
  const { depth, isMain } = settings;
  const leaves: readonly WeightedKind[] = [
    [5, independent(template.map((set) => ({ set }) as JsonObject))],
    [4, independent(http)],
    [1, independent(raise)],
    [1, independent(wait)],
    [1, independent(emit)],
    [isMain ? 2 : 0, independent(callOfFunction)],
    [isMain ? 1 : 0, independent(subflow)],
    [2, choice],
  ];
  if (depth === 0) return weighted<TaskFactory>(...leaves, [1, independent(listen)]);
  const inner = taskList(inside(settings));
  return weighted<TaskFactory>(
    ...leaves,
    [1, inner.map((list) => (name) => ({ do: list(`${name}-`) }))],
    [1, loop(inner)],
    [1, fork(settings)],
    [1, waitForEvents(inner)],
    [
      2,
      fc.record({ list: inner, caught: catching(settings) }).map(({ list, caught }) => (name, later) => ({
        try: list(`${name}-`),
        catch: caught(name, later),
      })),
    ],
  );
}

const choice: Arbitrary<TaskFactory> = fc
  .record({
    cases: fc.array(fc.tuple(condition, directive), { minLength: 1, maxLength: 2 }),
    otherwise: perhaps(30, directive),
  })
  .map(({ cases, otherwise }) => (_name, later) => ({
    switch: [
      ...cases.map(([when, then], i) => ({ [`c${i}`]: { when, [directiveKey]: then(later) } })),
      ...(otherwise ? [{ other: { [directiveKey]: otherwise(later) } }] : []),
    ],
  }));

const loop = (inner: Arbitrary<ListFactory>): Arbitrary<TaskFactory> =>
  fc
    .record({
      list: inner,
      in: among<Json>("[1, 2]", ".list // []", [1, braces(".n")], ".a"),
      names: perhaps(50, fc.record({ each: among("item", "each1"), at: perhaps(50, fc.constant("place")) })),
      while: perhaps(25, weighted<string>([3, condition], [1, fc.constant("$index < 1")])),
    })
    .map(({ list, in: items, while: holds, names }) => (name) => {
      const bound = {
        a: `\${ $${names?.each ?? "item"} }`,
        n: `\${ $${names?.at ?? "index"} }`,
        list: braces(".list?"),
      };
      const isIndexed = holds === "$index < 1" && names?.at !== undefined;
      return plain({
        for: plain({ in: items, ...(names ?? {}) }),
        while: isIndexed ? "$place < 1" : holds,
        do: names ? withBindings(list, bound)(`${name}-`) : list(`${name}-`),
      });
    });

const fork = (settings: TaskSettings): Arbitrary<TaskFactory> =>
  fc
    .record({
      branches: fc.array(task(inside(settings)), { minLength: 1, maxLength: 2 }),
      compete: perhaps(25, fc.constant(true)),
    })
    .map(({ branches, compete }) => (name) => ({
      fork: plain({
        branches: branches.map((make, i) => ({ [`${name}-b${i}`]: make(`${name}-b${i}`, []) })),
        compete,
      }),
    }));

/** A wait for events, mostly with tasks for each. */
const waitForEvents = (inner: Arbitrary<ListFactory>): Arbitrary<TaskFactory> =>
  fc
    .record({
      listen,
      list: perhaps(60, inner),
      item: perhaps(30, fc.constant("event1")),
      at: perhaps(30, fc.constant("place")),
      as: perhaps(30, value),
      exported: perhaps(20, among("{a: .a?}", "$context")),
    })
    .map(({ listen: made, list, item, at, as, exported }) => (name) => {
      if (!list) return { ...made, output: { as: "map(.a? // .)" } };
      const bound = { a: `\${ $${item ?? "item"} }`, n: `\${ $${at ?? "index"} }` };
      return {
        ...made,
        foreach: plain({
          item,
          at,
          do: withBindings(list, bound)(`${name}-`),
          output: as === undefined ? undefined : { as },
          export: exported === undefined ? undefined : { as: exported },
        }),
      };
    });

const retry: Arbitrary<Json> = among<Json>(
  { limit: { attempt: { count: 1 } } },
  { delay: "PT1S", backoff: { exponential: {} }, limit: { attempt: { count: 2 } } },
  { delay: "PT1S", backoff: { linear: {} }, limit: { attempt: { count: 3 }, duration: "PT4S" } },
  { delay: "PT1S", jitter: { from: "PT1S", to: "PT1S" }, limit: { attempt: { count: 1 } } },
  { delay: "PT1S", limit: { attempt: { count: 1, duration: "PT5S" } } },
  { when: ".status == 503", limit: { attempt: { count: 2 } } },
  "twice",
);

const catching = (settings: TaskSettings): Arbitrary<TaskFactory> =>
  fc
    .record({
      wanted: perhaps(
        40,
        weighted<JsonObject>(
          [3, errorType.map((type) => ({ type }))],
          [1, among<JsonObject>({ status: 503 }, { status: 500, title: "Broken" }, { detail: "no" })],
        ),
      ),
      as: perhaps(20, fc.constant("fault")),
      when: perhaps(15, among(".status == 500", ".title != null", "$error.status > 400")),
      exceptWhen: perhaps(8, among(".status == 404", ".detail == null")),
      retry: perhaps(40, retry),
      handler: perhaps(60, taskList(inside(settings), 2)),
      isBound: fc.boolean(),
      onward: perhaps(15, directive),
    })
    .map(({ wanted, as, when, exceptWhen, retry: policy, handler, isBound, onward }) => (name, later) => {
      const fault = as ?? "error";
      const bound = { a: `\${ $${fault}.status }`, n: `\${ $${fault}.type }`, list: [`\${ $${fault}.instance }`] };
      return plain({
        errors: wanted === undefined ? undefined : { with: wanted },
        as,
        when: as === undefined ? when : when?.replace("$error", `$${as}`),
        exceptWhen,
        retry: policy,
        do: handler && isBound ? withBindings(handler, bound)(`${name}-h`) : handler?.(`${name}-h`),
        [directiveKey]: onward?.(later),
      });
    });
