import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { objectOver, valueOver } from "../values.ts";
import { condition, filter, plain, schema } from "./expressions.ts";
import { strategy } from "./leaves.ts";
import { type TaskFactory, task, taskList } from "./tasks.ts";

/** Random workflows with scenarios. Directives lead only to later tasks, so only `for` and `listen` loop. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      tasks: taskList({ depth: 2, isMain: true }),
      input: perhaps(15, filter),
      inputSchema: perhaps(4, schema),
      output: perhaps(25, filter),
      outputSchema: perhaps(4, schema),
      timeout: perhaps(5, among("PT20S", "PT1H")),
      functions: fc.tuple(task({ depth: 1, isMain: false }), task({ depth: 1, isMain: false })),
      extension: perhaps(8, extension),
      schedule: perhaps(5, schedule),
      child: taskList({ depth: 1, isMain: false }),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ tasks, input, inputSchema, output, outputSchema, timeout, functions, extension: added, ...rest }) => {
      const main = plain({
        document: identity("random"),
        input: input === undefined && !inputSchema ? undefined : plain({ from: input, schema: inputSchema }),
        output: output === undefined && !outputSchema ? undefined : plain({ as: output, schema: outputSchema }),
        timeout: timeout === undefined ? undefined : { after: timeout },
        schedule: rest.schedule,
        do: tasks("t"),
      });
      const use = usedBy(main, functions, added);
      const child: JsonObject = { document: identity("child"), use: { ...common }, do: rest.child("c") };
      return {
        language: "serverless-workflow-1.0",
        definitions: [{ ...main, use }, ...(JSON.stringify(main).includes('"child"') ? [child] : [])],
        options: {},
        scenarios: rest.scenarios.map(({ input: given, ...each }) =>
          plain({ ...each, input: rest.schedule ? undefined : given, secrets: { token: { key: "s3cret" } } }),
        ),
      };
    });

const identity = (name: string): JsonObject => ({ dsl: "1.0.3", namespace: "test", name, version: "1.0.0" });

const common: JsonObject = {
  errors: {
    broken: { type: "https://a.example/broken", status: 500, title: "Broken" },
    late: { type: "https://open-workflow-specification.org/spec/1.0.0/errors/timeout", status: 408 },
  },
  retries: { twice: { delay: "PT1S", backoff: { constant: {} }, limit: { attempt: { count: 2 } } } },
  timeouts: { short: { after: "PT3S" }, computed: { after: `\${ if .n == 1 then "PT2S" else "PT9S" end }` } },
  secrets: ["token"],
};

/** The components of a definition: the functions that it calls, and perhaps an extension. */
function usedBy(main: JsonObject, functions: readonly TaskFactory[], added: JsonObject | undefined): JsonObject {
  const text = JSON.stringify(main);
  const called = ["f", "g"].flatMap((name, i): readonly (readonly [string, JsonObject])[] =>
    text.includes(`"call":"${name}"`) ? [[name, functions[i]!(`${name}0`, [])]] : [],
  );
  return plain({
    ...common,
    functions: called.length > 0 ? Object.fromEntries(called) : undefined,
    extensions: added === undefined ? undefined : [{ note: added }],
  });
}

const extension: Arbitrary<JsonObject> = fc
  .record({
    extend: among("all", "call", "set", "composite", "try", "switch", "for", "raise"),
    when: perhaps(40, condition),
    before: perhaps(70, taskList({ depth: 0, isMain: false }, 2)),
    after: perhaps(70, taskList({ depth: 0, isMain: false }, 2)),
  })
  .map(({ extend, when, before, after }) => plain({ extend, when, before: before?.("x"), after: after?.("y") }));

const schedule: Arbitrary<JsonObject> = fc
  .record({ on: strategy, read: weighted<string>([2, fc.constant("data")], [1, fc.constant("envelope")]) })
  .map(({ on, read }) => ({ on, read }));

const response: Arbitrary<JsonObject> = weighted<JsonObject>(
  [6, objectOver(["a", "n", "list"], 2).map((returns) => ({ returns }))],
  [2, valueOver(["a", "n"], 2).map((returns) => ({ returns }))],
  [1, objectOver(["a"], 1).map((returns) => ({ returns, takes: "PT7S" }))],
  [2, among("communication", "timeout", "Odd").map((name) => ({ throws: { name, message: "no", status: 503 } }))],
);

interface ScenarioParts {
  readonly input: Json;
  readonly functions: JsonObject;
  readonly events: readonly JsonObject[];
}

const scenario: Arbitrary<ScenarioParts> = fc
  .record({
    input: objectOver(["a", "b", "n", "list"], 2),
    answers: fc.array(response, { minLength: 1, maxLength: 4 }),
    events: fc.array(fc.record({ at: among("PT0S", "PT2S", "PT9S"), data: valueOver(["a"], 1) }), { maxLength: 4 }),
  })
  .map(({ input, answers, events }) => ({
    input,
    functions: { http: answers },
    events: events.map(({ at, data }, i) => ({
      at,
      event: { specversion: "1.0", id: `e${i}`, type: i % 2 === 0 ? "t.one" : "t.two", source: "/a", data },
    })),
  }));
