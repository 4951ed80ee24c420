import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../src/json.ts";
import { among, weighted } from "./arbitraries.ts";

/** Scalars that comparisons, conversions and printers tend to treat differently. */
const scalar: Arbitrary<Json> = weighted<Json>(
  [6, among<Json>(0, 1, 2, "x", "y", true, null, false, "")],
  [
    2,
    among<Json>(
      1.5,
      -1,
      1e21,
      1e-7,
      1e308,
      -1e308,
      0.1,
      9007199254740991,
      1234567890123456,
      "1",
      "01",
      "1.0",
      "true",
      "null",
    ),
  ],
  [
    1,
    among<Json>(
      "2026-01-01T00:00:00Z",
      "2026-01-01T01:00:00+01:00",
      "PT1S",
      "$.a",
      "\\$.a",
      "é",
      "a\u2028b",
      "🚚",
      "ß",
      "%",
      "{}",
    ),
  ],
);

/** A small value over the given keys, mostly an object or an array if `depth` allows. */
export const valueOver = (keys: readonly string[], depth: number): Arbitrary<Json> =>
  depth === 0
    ? scalar
    : weighted<Json>(
        [4, scalar],
        [5, objectOver(keys, depth)],
        [2, fc.array(valueOver(keys, depth - 1), { maxLength: 3 })],
        [1, among<Json>({}, [], [[]], [[1]], [1], [null], { a: {} }, { sequence: [1] }, [{ a: 1 }, { a: 2 }])],
      );

/** A small object over the given keys; `list` is mostly an array. */
export const objectOver = (keys: readonly string[], depth: number): Arbitrary<JsonObject> =>
  fc
    .record(
      Object.fromEntries(
        keys.map((key) => [
          key,
          key === "list"
            ? weighted<Json>(
                [4, fc.array(valueOver(keys, Math.max(0, depth - 2)), { maxLength: 4 })],
                [1, valueOver(keys, depth - 1)],
              )
            : valueOver(keys, depth - 1),
        ]),
      ),
      { requiredKeys: [] },
    )
    .map((object) => ({ ...object }) as JsonObject);
