import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import { objectOver } from "../values.ts";

/** Drops undefined members. */
export function plain(object: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Wraps jq in the delimiters of a definition. */
export const braces = (jq: string): string => `\${ ${jq} }`;

/** The definitions of events. `asked` is for one run if it has the key of the run. */
export const events: Arbitrary<readonly JsonObject[]> = fc
  .record({ isKeyed: perhaps(30, among(undefined, braces(".a | tostring"), "x")), isTyped: fc.boolean() })
  .map(({ isKeyed, isTyped }) => [
    { name: "told", type: "t.told", ...(isTyped ? { source: "/a" } : {}) },
    {
      name: "asked",
      type: "t.asked",
      dataOnly: false,
      ...(isKeyed === undefined
        ? {}
        : { correlation: [{ contextAttributeName: "key", contextAttributeValue: isKeyed }] }),
    },
    { name: "grouped", type: "t.grouped", correlation: [{ contextAttributeName: "key" }] },
    { name: "said", type: "t.said", source: "/said", kind: "produced" },
  ]);

/** An action that produces an event and may wait for another. */
export const eventAction: Arbitrary<JsonObject> = fc
  .record({
    resultEventRef: perhaps(70, among("told", "grouped")),
    data: perhaps(50, among(".a", "{a: .n}", ".").map(braces)),
    resultEventTimeout: perhaps(60, among("PT3S", "PT0S")),
  })
  .map(({ resultEventRef, data, resultEventTimeout }) => ({
    eventRef: {
      triggerEventRef: "said",
      ...(data === undefined ? {} : { data }),
      ...(resultEventRef === undefined ? {} : { resultEventRef, resultEventTimeout: resultEventTimeout ?? "PT20S" }),
    },
  }));

/** An action that runs the subflow. */
export const subflowAction: Arbitrary<JsonObject> = weighted<JsonObject>(
  [3, fc.constant({ subFlowRef: "child" })],
  [1, fc.constant({ subFlowRef: { workflowId: "child", version: "1.0" } })],
  [1, fc.constant({ subFlowRef: { workflowId: "child", invoke: "async", onParentComplete: "continue" } })],
);

/** The subflow: it calls `f`, fails, or returns a value. */
export const child: Arbitrary<JsonObject> = fc
  .record({
    work: weighted<JsonObject>(
      [3, fc.constant({ type: "operation", actions: [{ functionRef: "f" }] })],
      [1, objectOver(["a", "b"], 1).map((data) => ({ type: "inject", data }))],
      [1, fc.constant({ type: "sleep", duration: "PT2S" })],
    ),
    output: perhaps(30, among(".a", "{b: .}", "[.a]").map(braces)),
    end: weighted<JsonObject | boolean>([8, fc.constant(true)], [1, fc.constant({ terminate: true })]),
  })
  .map(({ work, output, end }) => ({
    id: "child",
    version: "1.0",
    specVersion: "0.8",
    functions: [{ name: "f", type: "custom", operation: "f" }],
    states: [
      { name: "Only", ...work, ...(output === undefined ? {} : { stateDataFilter: { output } }), end },
    ] as JsonObject["states"] & object,
  }));

/** How events choose the next state, given transitions by position. */
export const eventConditions: Arbitrary<(exit: (which: number) => JsonObject) => JsonObject> = fc
  .record({
    refs: fc.array(fc.tuple(among("told", "asked", "grouped"), fc.nat(), perhaps(30, fc.constant(".b"))), {
      minLength: 1,
      maxLength: 3,
    }),
    timeout: among("PT3S", "PT9S"),
  })
  .map(({ refs, timeout }) => (exit) => ({
    type: "switch",
    eventConditions: refs.map(([eventRef, which, path]) => ({
      eventRef,
      ...(path === undefined ? {} : { eventDataFilter: { toStateData: braces(path) } }),
      ...exit(which),
    })),
    timeouts: { eventTimeout: timeout },
    defaultCondition: exit(0),
  }));

/** A state that undoes others. */
export const undo: Arbitrary<JsonObject> = weighted<JsonObject>(
  [2, fc.constant({ type: "operation", actions: [{ functionRef: "g" }] })],
  [1, objectOver(["a", "undone"], 1).map((data) => ({ type: "inject", data }))],
).map((work) => ({ name: "Undo", usedForCompensation: true, ...work }));

/** A first state that events start. */
export const startingState = (exclusive: boolean, exit: JsonObject): JsonObject => ({
  name: "Begin",
  type: "event",
  exclusive,
  onEvents: [
    { eventRefs: ["told"], actions: [{ functionRef: "f" }] },
    { eventRefs: ["grouped"], actions: [] },
  ],
  ...exit,
});

/** Arrivals of the events that `events` defines. */
export const arrivals = (data: Arbitrary<JsonObject[string]>): Arbitrary<readonly JsonObject[]> =>
  fc
    .array(
      fc.record({
        at: among("PT0S", "PT2S", "PT8S", "PT15S"),
        data,
        type: among("t.told", "t.asked", "t.grouped"),
        key: perhaps(70, among("x", "1")),
      }),
      { maxLength: 4 },
    )
    .map((all) =>
      all.map(({ at, data, type, key }, index) => ({
        at,
        event: { specversion: "1.0", id: `e${index}`, type, source: "/a", ...(key ? { key } : {}), data },
      })),
    );
