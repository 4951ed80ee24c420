import { variable } from "../../../src/expressions/core/build.ts";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { type JsonPath, parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";

/** The value of `$` in these tests. */
export const root = variable("data");

/** Parses a path over the data; throws its error. */
export function parse(text: string, strict = false): JsonPath {
  const path = parseJsonPath(text, root, { strict });
  if (isParseError(path)) throw new Error(`${text}: ${path.message}`);
  return path;
}

/** Evaluates a path over the data. */
export const evaluate = (path: JsonPath, data: Json): readonly Json[] =>
  evaluateAll(path.query, { input: null, variables: new Map([["data", data]]) });

/** The error of a path: the source at fault and the message. */
export function errorIn(text: string, strict = true): readonly [string, string] | undefined {
  const path = parseJsonPath(text, root, { strict });
  return isParseError(path) ? [text.slice(path.from, path.to), path.message] : undefined;
}
