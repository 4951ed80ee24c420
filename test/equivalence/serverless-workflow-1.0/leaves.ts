import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import { braces, errorType, plain, template } from "./expressions.ts";

/** A request. */
export const http: Arbitrary<JsonObject> = fc
  .record({
    endpoint: among("https://a.example/{a}", braces('"https://a.example/" + (.n | tostring)'), "https://a.example"),
    body: perhaps(50, template),
    query: perhaps(20, among<Json>({ a: braces(".a"), n: 1 }, { x: null }, braces("{q: .a}"))),
    headers: perhaps(10, among<Json>({ "x-a": braces(".a"), "x-b": "b" }, braces("{h: .n}"))),
    output: perhaps(12, among("response", "raw")),
    redirect: perhaps(8, fc.constant(true)),
    secret: perhaps(2, fc.constant({ authorization: braces('"Bearer " + $secrets.token.key') })),
  })
  .map(({ secret, ...given }) => ({
    call: "http",
    with: plain({ method: "get", ...given, ...(secret ? { headers: secret } : {}) }),
  }));

/** A call of a function of the definition. */
export const callOfFunction: Arbitrary<JsonObject> = fc
  .record({ call: among("f", "g"), given: perhaps(60, template) })
  .map(({ call, given }) =>
    plain({ call, with: given === undefined || typeof given === "string" ? undefined : given }),
  );

/** A run of the other workflow. */
export const subflow: Arbitrary<JsonObject> = fc
  .record({ input: perhaps(50, template), await: perhaps(15, fc.boolean()) })
  .map(({ input, await: wait }) => ({
    run: plain({ workflow: plain({ namespace: "test", name: "child", version: "1.0.0", input }), await: wait }),
  }));

/** An error: inline, or one of the definition. */
export const raise: Arbitrary<JsonObject> = weighted<JsonObject>(
  [
    3,
    fc
      .record({
        type: errorType,
        status: among<Json>(400, 500, braces("if .n == 1 then 404 else 500 end")),
        title: perhaps(50, among("Broken", braces(".a | tostring"))),
        detail: perhaps(30, among("no", braces(".n | tostring"))),
      })
      .map((error) => ({ raise: { error: plain(error) } })),
  ],
  [1, among("broken", "late").map((error) => ({ raise: { error } }))],
);

/** A pause. */
export const wait: Arbitrary<JsonObject> = weighted<Json>(
  [6, among<Json>("PT1S", "PT3S", { seconds: 2 })],
  [2, fc.constant(braces('if .n == 1 then "PT4S" else { seconds: 1 } end'))],
).map((duration) => ({ wait: duration }));

/** A produced event. */
export const emit: Arbitrary<JsonObject> = fc
  .record({
    data: perhaps(80, template),
    subject: perhaps(50, among("s", braces(".a | tostring"))),
    type: weighted<string>([4, fc.constant("t.made")], [1, among("t.one", braces('"t.\\(.n | tostring)"'))]),
    extra: perhaps(20, among<Json>(7, braces(".n"), "text")),
  })
  .map((given) => ({ emit: { event: { with: plain(given) } } }));

const correlate: Arbitrary<JsonObject> = among<JsonObject>(
  { key: { from: ".data.a" } },
  { key: { from: ".data.a", expect: braces(".a") } },
  { key: { from: ".data.a", expect: 1 } },
  { key: { from: ".data | tostring" }, other: { from: ".source", expect: "/a" } },
);

const eventFilter: Arbitrary<JsonObject> = fc
  .record({
    wanted: weighted<JsonObject>(
      [6, among<JsonObject>({ type: "t.one" }, { type: "t.two" })],
      [1, among<JsonObject>({ type: "t.two", data: braces(".a == 1") }, { source: "/a" }, { data: { a: 1 } })],
    ),
    correlate: perhaps(15, correlate),
  })
  .map(({ wanted, correlate: keys }) => plain({ with: wanted, correlate: keys }));

const filters = fc.array(eventFilter, { minLength: 1, maxLength: 3 });

/** How events complete a wait, without `until`. */
export const strategy: Arbitrary<JsonObject> = weighted<JsonObject>(
  [3, eventFilter.map((one) => ({ one }))],
  [2, filters.map((any) => ({ any }))],
  [2, filters.map((all) => ({ all }))],
);

const until: Arbitrary<Json> = weighted<Json>(
  [3, among<Json>("length > 1", '(.[-1] | type) != "null"', ". != []")],
  [2, among<JsonObject>({ one: { with: { type: "t.two" } } }, { any: [{ with: { type: "t.two", source: "/a" } }] })],
);

/** A wait for events. */
export const listen: Arbitrary<JsonObject> = fc
  .record({
    to: weighted<JsonObject>(
      [4, strategy],
      [2, fc.record({ any: filters, until }).map(({ any, until: end }) => ({ any, until: end }))],
    ),
    read: perhaps(20, among("envelope", "raw")),
  })
  .map(({ to, read }) => ({ listen: plain({ to, read }) }));
