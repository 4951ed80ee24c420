import { expect, test } from "vitest";
import { definition, events, lower, stepsOf } from "./lowering.ts";

test("an end produces its event from filtered data, or else from the original data", () => {
  const read = lower(
    definition(
      `
- name: Add
  type: inject
  start: { kind: default }
  data: { a: 1 }
  stateDataFilter: { dataOutputPath: $.a }
  end: { kind: event, produceEvent: { eventRef: E, data: $.a } }
`,
      events,
    ),
  );
  expect(stepsOf(read)).toMatchInlineSnapshot(`
    "Add: data := assign($data, {"a":1})   # inject state "Add"
    Add/output: assign
      unfiltered := $data
      data := first($data.a, $data)
    Add/emit: emit E(first($data.a, first($unfiltered.a, null))) correlated by (first($data.order, null))
    Add/end: end with $data
    "
  `);
});

test("so do paths inside an object as event data", () => {
  const emitting = (data: string) =>
    stepsOf(
      lower(
        definition(
          `
- name: Add
  type: inject
  start: { kind: default }
  stateDataFilter: { dataOutputPath: $.a }
  end: { kind: event, produceEvent: { eventRef: E, data: ${data} } }
`,
          events,
        ),
      ),
    );
  expect(emitting("{ one: $.a, all: '$.b[*]', fixed: 1 }")).toMatchInlineSnapshot(`
    "Add: assign   # inject state "Add"
      unfiltered := $data
      data := first($data.a, $data)
    Add/emit: emit E({ one: first($data.a, first($unfiltered.a, null)), all: if exists($data.b[*]) then [$data.b[*]] else [$unfiltered.b[*]] end, fixed: 1 }) correlated by (first($data.order, null))
    Add/end: end with $data
    "
  `);
  expect(emitting("{ fixed: 1, text: $5 }")).toMatchInlineSnapshot(`
    "Add: data := first($data.a, $data)   # inject state "Add"
    Add/emit: emit E({"fixed":1,"text":"$5"}) correlated by (first($data.order, null))
    Add/end: end with $data
    "
  `);
});
