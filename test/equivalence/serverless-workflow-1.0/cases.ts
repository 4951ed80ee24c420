import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random workflows with scenarios. Directives lead only to later tasks, so only `for` and `listen` loop. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      tasks: taskList(2),
      input: perhaps(15, value),
      output: perhaps(25, value),
      timeout: perhaps(5, among("PT20S", "PT1H")),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ tasks, input, output, timeout, scenarios }) => ({
      language: "serverless-workflow-1.0",
      definitions: [
        plain({
          document: { dsl: "1.0.3", namespace: "test", name: "random", version: "1.0.0" },
          input: input === undefined ? undefined : { from: input },
          output: output === undefined ? undefined : { as: output },
          timeout: timeout === undefined ? undefined : { after: timeout },
          do: tasks("t"),
        }),
      ],
      options: {},
      scenarios,
    }));

/** Drops undefined members. */
function plain(object: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, member]) => (member === undefined ? [] : [[name, member]])),
  );
}

/** The key of a directive. An object with a literal `then` looks like a promise. */
const directiveKey = "then";

const braces = (jq: string): string => `\${ ${jq} }`;

/** jq over the data of a task. */
const value: Arbitrary<string> = weighted<string>(
  [8, among(".a", ".n", "1", '"x"', "{a: .a, b: 1}", "[.a, .n]", ".list", ". + {b: 1}", ".a // 2", "null", ".")],
  [3, among(".b.c", ".n + 1", "$context", "$input", "{a: ., c: $context}", "(.a | tostring)", '"<\\(.a)>"')],
  [1, among("empty", ".list[]?", 'try error("no") catch .', ".n * 1e308", "$task.name", "$workflow.input.a")],
);

const condition: Arbitrary<string> = weighted<string>(
  [6, among(".a == 1", ".n > 1", ".a != null", "true", "false", '.a == "x"', "(.list // []) == []", ".a", ".b")],
  [1, among(".b.c", "null", "error", "empty", "$context.a == 1")],
);

type TaskFactory = (name: string, later: readonly string[]) => JsonObject;
type ListFactory = (prefix: string) => readonly JsonObject[];

/** Tasks in order; each knows the names of those after it. */
function taskList(depth: number, maxLength = 3): Arbitrary<ListFactory> {
  return fc.array(task(depth), { minLength: 1, maxLength }).map((factories) => (prefix) => {
    const names = factories.map((_, i) => `${prefix}${i}`);
    return factories.map((make, i) => ({ [names[i]!]: make(names[i]!, names.slice(i + 1)) }));
  });
}

const directive: Arbitrary<(later: readonly string[]) => string> = weighted<(later: readonly string[]) => string>(
  [4, fc.nat().map((which) => (later: readonly string[]) => later[which % Math.max(1, later.length)] ?? "continue")],
  [1, among("exit", "continue").map((word) => () => word)],
  [1, fc.constant(() => "end")],
);

/** A task of any kind with filters and a directive. */
function task(depth: number): Arbitrary<TaskFactory> {
  return fc
    .record({
      own: kind(depth),
      if: perhaps(12, condition),
      from: perhaps(12, value),
      as: perhaps(20, value),
      exported: perhaps(12, among(".", "{a: .a}", "$context", "[$context, .n]", "{a: $output}")),
      onward: perhaps(12, directive),
      timeout: perhaps(4, among("PT2S", "PT8S")),
    })
    .map(({ own, if: when, from, as, exported, onward, timeout }) => (name, later) => {
      const made = own(name, later);
      const takesTime = !["set", "switch", "raise", "emit"].some((key) => Object.hasOwn(made, key));
      return plain({
        if: when,
        input: from === undefined ? undefined : { from },
        ...made,
        output: as === undefined ? undefined : { as },
        export: exported === undefined ? undefined : { as: exported },
        timeout: timeout === undefined || !takesTime ? undefined : { after: timeout },
        [directiveKey]: onward?.(later),
      });
    });
}

const template: Arbitrary<Json> = weighted<Json>(
  [3, value.map((jq) => ({ a: braces(jq), n: braces(".n"), list: braces(".list") }))],
  [2, fc.tuple(value, value).map(([x, y]) => ({ a: [braces(x), 1], b: { c: braces(y), d: "plain" } }))],
  [2, value.map(braces)],
);

const independent = (made: Arbitrary<JsonObject>): Arbitrary<TaskFactory> => made.map((object) => () => object);

const http = fc
  .record({
    endpoint: among("https://a.example/{a}", braces('"https://a.example/" + (.n | tostring)'), "https://a.example"),
    body: perhaps(50, template),
    query: perhaps(20, among<JsonObject>({ a: braces(".a"), n: 1 }, { x: null })),
    output: perhaps(10, fc.constant("response")),
  })
  .map((given) => ({ call: "http", with: plain({ method: "get", ...given }) }));

const errorType = among(
  "https://a.example/broken",
  "https://open-workflow-specification.org/spec/1.0.0/errors/timeout",
  "https://open-workflow-specification.org/spec/1.0.0/errors/communication",
);

const raise = fc
  .record({ type: errorType, status: among(400, 500), title: perhaps(50, among("Broken", braces(".a | tostring"))) })
  .map((error) => ({ raise: { error: plain(error) } }));

const emit = value.map((jq) => ({ emit: { event: { with: { type: "t.made", subject: "s", data: braces(jq) } } } }));

const listen: Arbitrary<JsonObject> = fc
  .record({
    to: among<JsonObject>(
      { one: { with: { type: "t.one" } } },
      { any: [{ with: { type: "t.one" } }, { with: { type: "t.two" } }] },
      { all: [{ with: { type: "t.one" } }, { with: { type: "t.two" } }] },
      { one: { with: { type: "t.two", data: braces(".a == 1") } } },
      { any: [{ with: { type: "t.one" } }], until: "length > 1" },
      { any: [{ with: { type: "t.one" } }], until: { one: { with: { type: "t.two" } } } },
    ),
    read: perhaps(20, fc.constant("envelope")),
  })
  .map(({ to, read }) => ({ listen: plain({ to, read }), output: { as: "map(.a? // .)" } }));

function kind(depth: number): Arbitrary<TaskFactory> {
  const leaves: readonly (readonly [number, Arbitrary<TaskFactory>])[] = [
    [5, independent(template.map((set) => ({ set }) as JsonObject))],
    [4, independent(http)],
    [1, independent(raise)],
    [1, independent(among("PT1S", "PT3S").map((wait) => ({ wait })))],
    [1, independent(emit)],
    [1, independent(listen)],
    [
      2,
      fc.array(fc.tuple(condition, directive), { minLength: 1, maxLength: 2 }).map((all) => (_name, later) => ({
        switch: all.map(([when, then], i) => ({ [`c${i}`]: { when, [directiveKey]: then(later) } })),
      })),
    ],
  ];
  if (depth === 0) return weighted<TaskFactory>(...leaves);
  const inner = taskList(depth - 1);
  return weighted<TaskFactory>(
    ...leaves,
    [1, inner.map((list) => (name) => ({ do: list(`${name}-`) }))],
    [
      1,
      fc
        .record({
          list: inner,
          in: among<Json>("[1, 2]", ".list // []", [1, braces(".n")], ".a"),
          while: perhaps(25, condition),
        })
        .map(
          ({ list, in: items, while: holds }) =>
            (name) =>
              plain({ for: { in: items }, while: holds, do: list(`${name}-`) }),
        ),
    ],
    [
      1,
      fc
        .record({
          branches: fc.array(task(depth - 1), { minLength: 1, maxLength: 2 }),
          compete: perhaps(25, fc.constant(true)),
        })
        .map(({ branches, compete }) => (name) => ({
          fork: plain({
            branches: branches.map((make, i) => ({ [`${name}-b${i}`]: make(`${name}-b${i}`, []) })),
            compete,
          }),
        })),
    ],
    [
      2,
      fc.record({ list: inner, caught: catching(depth) }).map(({ list, caught }) => (name, later) => ({
        try: list(`${name}-`),
        catch: caught(name, later),
      })),
    ],
  );
}

const catching = (depth: number): Arbitrary<TaskFactory> =>
  fc
    .record({
      type: perhaps(40, errorType),
      when: perhaps(15, among(".status == 500", ".title != null", "$error.status > 400")),
      retry: perhaps(
        40,
        among<JsonObject>(
          { limit: { attempt: { count: 1 } } },
          { delay: "PT1S", backoff: { exponential: {} }, limit: { attempt: { count: 2 } } },
          { delay: "PT1S", jitter: { from: "PT1S", to: "PT1S" }, limit: { attempt: { count: 1 } } },
        ),
      ),
      handler: perhaps(60, taskList(depth - 1, 2)),
      onward: perhaps(15, directive),
    })
    .map(
      ({ type, when, retry, handler, onward }) =>
        (name, later) =>
          plain({
            errors: type === undefined ? undefined : { with: { type } },
            when,
            retry,
            do: handler?.(`${name}-h`),
            [directiveKey]: onward?.(later),
          }),
    );

const response: Arbitrary<JsonObject> = weighted<JsonObject>(
  [6, valueOver(["a", "n"], 2).map((returns) => ({ returns }))],
  [1, objectOver(["a"], 1).map((returns) => ({ returns, takes: "PT7S" }))],
  [2, among("communication", "timeout", "Odd").map((name) => ({ throws: { name, message: "no", status: 503 } }))],
);

const scenario: Arbitrary<JsonObject> = fc
  .record({
    input: objectOver(["a", "b", "n", "list"], 2),
    answers: fc.array(response, { minLength: 1, maxLength: 4 }),
    events: fc.array(fc.record({ at: among("PT0S", "PT2S", "PT9S"), data: valueOver(["a"], 1) }), { maxLength: 3 }),
  })
  .map(({ input, answers, events }) => ({
    input,
    functions: { http: answers },
    events: events.map(({ at, data }, i) => ({
      at,
      event: { specversion: "1.0", id: `e${i}`, type: i % 2 === 0 ? "t.one" : "t.two", source: "/a", data },
    })),
  }));
