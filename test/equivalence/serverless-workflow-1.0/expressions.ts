import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, weighted } from "../arbitraries.ts";

/** Drops undefined members. */
export function plain(object: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, member]) => (member === undefined ? [] : [[name, member]])),
  );
}

/** The key of a directive. An object with a literal `then` looks like a promise. */
export const directiveKey = "then";

/** Wraps jq in the delimiters of a definition. */
export const braces = (jq: string): string => `\${ ${jq} }`;

/** jq over the data of a task. */
export const value: Arbitrary<string> = weighted<string>(
  [8, among(".a", ".n", "1", '"x"', "{a: .a, b: 1}", "[.a, .n]", ".list", ". + {b: 1}", ".a // 2", "null", ".")],
  [3, among(".b.c", ".n + 1", "$context", "$input", "{a: ., c: $context}", "(.a | tostring)", '"<\\(.a)>"')],
  [1, among("empty", ".list[]?", 'try error("no") catch .', ".n * 1e308", "$task.name", "$workflow.input.a")],
  [1, among("$task.input", "$task.reference", "{a: $task.output}", "$workflow.input")],
);

/** jq that decides. */
export const condition: Arbitrary<string> = weighted<string>(
  [6, among(".a == 1", ".n > 1", ".a != null", "true", "false", '.a == "x"', "(.list // []) == []", ".a", ".b")],
  [1, among(".b.c", "null", "error", "empty", "$context.a == 1")],
);

/** Data with expressions. */
export const template: Arbitrary<Json> = weighted<Json>(
  [3, value.map((jq) => ({ a: braces(jq), n: braces(".n"), list: braces(".list") }))],
  [2, fc.tuple(value, value).map(([x, y]) => ({ a: [braces(x), 1], b: { c: braces(y), d: "plain" } }))],
  [1, value.map(braces)],
);

/** A filter of `input`, `output` or `export`. */
export const filter: Arbitrary<Json> = weighted<Json>(
  [4, value.map((jq) => `{a: (${jq}), n: (.n? // 1), list: (.list? // [])}`)],
  [2, value],
  [1, value.map((jq) => ({ a: braces(jq), n: 1, list: [braces(".n")] }))],
);

/** A schema that some data conform to. */
export const schema: Arbitrary<JsonObject> = among<JsonObject>(
  { type: "object" },
  { type: "object", properties: { a: { type: "number" } } },
  { required: ["a"] },
  { properties: { list: { type: "array", maxItems: 2 } } },
).map((document) => ({ document }));

/** The types of errors that tasks raise and catch. */
export const errorType: Arbitrary<string> = among(
  "https://a.example/broken",
  "https://open-workflow-specification.org/spec/1.0.0/errors/timeout",
  "https://open-workflow-specification.org/spec/1.0.0/errors/communication",
);
