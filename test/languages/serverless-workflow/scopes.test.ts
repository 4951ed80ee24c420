import { describe, expect, test } from "vitest";
import { definition, functions, last, lower, stepsOf } from "./lowering.ts";

const rest = (name: string, ending: string): string => `{ name: ${name}, type: delay, timeDelay: PT1S, ${ending} }`;

describe("a parallel state", () => {
  test("runs branches on copies of the data and merges their changes", () => {
    const read = lower(
      definition(`
- name: Both
  type: parallel
  start: { kind: default }
  branches:
  - name: A
    states:
    - ${rest("X", "start: { kind: scheduled, schedule: { interval: 2026-01-01T00:00:00Z/P1M } }, transition: { nextState: Y }")}
    - ${rest("Y", "end: { kind: terminate }")}
  - name: B
    states: [${rest("X", "start: { kind: default }, end: { kind: default }")}]
  end: { kind: default }
`),
    );
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "Both: fork joining all -> results   # parallel state "Both"
        branch A
          var data = $data
          active from 2026-01-01T00:00:00Z until 2026-02-01T00:00:00Z
          Both/A/X: wait for 1 s   # delay state "X"
          Both/A/Y: wait for 1 s   # delay state "Y"
          Both/A/Y/end: end the run with $data
        branch B
          var data = $data
          Both/B/X: wait for 1 s   # delay state "X"
          Both/B/X/end: end with $data
      Both/join: data := mergeResult(mergeResult($data, difference($results.A, $data), "A"), difference($results.B, $data), "B")
      Both/end: end with $data
      "
    `);
  });

  test.each([
    ["completionType: and", "fork joining all"],
    ["completionType: xor", "fork joining 1 of 2, sparing failures"],
    ["completionType: n_of_m, n: 2", "fork joining 2 of 2, sparing failures"],
  ])("joins: %s", (properties, expected) => {
    const branches = ["A", "B"]
      .map((name) => `{ name: ${name}, states: [${rest("X", "start: { kind: default }, end: { kind: default }")}] }`)
      .join(", ");
    const read = lower(
      definition(
        `- { name: Both, type: parallel, start: { kind: default }, ${properties}, branches: [${branches}], end: { kind: default } }\n`,
      ),
    );
    expect(stepsOf(read)).toContain(`Both: ${expected} -> results`);
  });

  test("merges many branches without nesting", () => {
    const branches = Array.from(
      { length: 17 },
      (_, i) => `{ name: B${i}, states: [${rest("X", "start: { kind: default }, end: { kind: default }")}] }`,
    );
    const read = lower(
      definition(
        `- { name: Many, type: parallel, start: { kind: default }, branches: [${branches.join(", ")}], end: { kind: default } }\n`,
      ),
    );
    expect(stepsOf(read)).toContain("($data; mergeResult(., $each.value, $each.name))");
  });
});

describe("a foreach state", () => {
  const each = (properties: string, body = "end: { kind: default }"): string =>
    definition(
      `
- name: Each
  type: foreach
  start: { kind: default }
  inputParameter: $.one.item
${properties}  states:
  - { name: Do, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: f, parameters: { item: $.one.item } } }], ${body} }
  end: { kind: default }
`,
      functions,
    );

  test("runs its states for each element, with the element in the data", () => {
    expect(stepsOf(lower(each("  inputCollection: $.items\n  max: 3\n  timeDelay: PT2S\n")))).toMatchInlineSnapshot(`
      "Each: for each element in first($data.items, []) as $items | if type($items) == "array" then $items else error({"name":"DataError","message":"The collection $.items of foreach state Each is not an array."}) end, 3 at once, 2 s apart   # foreach state "Each"
        var data = place($data, ["one","item"], $element)
        var result
        Each/Do: call f({ item: first($data.one.item, null) }) -> result   # operation state "Do"
        Each/Do/merge: data := assignResult($data, $result, "f")
        Each/Do/end: end with $data
      Each/end: end with $data
      "
    `);
  });

  test("collects the changes of iterations", () => {
    expect(
      stepsOf(lower(each("  inputCollection: '$.items[?(@.open)]'\n  outputCollection: $.all.results\n"))),
    ).toMatchInlineSnapshot(`
      "Each: for each element in [$data.items[?truthy(.open)]] -> results   # foreach state "Each"
        var data = place($data, ["one","item"], $element)
        var result
        var input = place($data, ["one","item"], $element)
        Each/Do: call f({ item: first($data.one.item, null) }) -> result   # operation state "Do"
        Each/Do/merge: data := assignResult($data, $result, "f")
        Each/Do/end: end with difference($data, $input)
      Each/collect: data := place($data, ["all","results"], $results)
      Each/end: end with $data
      "
    `);
  });

  test("collects the selection of an output filter", () => {
    const read = lower(
      each(
        "  inputCollection: $.items\n  outputCollection: $.results\n",
        "stateDataFilter: { dataOutputPath: $.r }, end: { kind: default }",
      ),
    );
    expect(stepsOf(read)).toContain("Each/Do/end: end with $data");
    expect(stepsOf(read)).not.toContain("difference");
  });

  test("is unbounded if `max` is 0", () => {
    const [step] = lower(each("  inputCollection: $.items\n  max: 0\n")).workflow?.body.steps ?? [];
    expect(step?.kind === "foreach" && step.width).toBeUndefined();
  });
});

describe("transitions", () => {
  const go = (nextState: string, more = ""): string =>
    `- { name: A, id: a1, type: inject, start: { kind: default }, transition: { nextState: ${nextState} } }\n${more}${last}`;
  const target = (text: string): string => {
    const [step] = lower(definition(text)).workflow?.body.steps ?? [];
    return step?.kind === "assign" ? step.next.name : "";
  };

  test("refer to a state by name, or else by id", () => {
    expect(target(go("Last"))).toBe("Last");
    expect(target(go("z9", "- { name: Z, id: z9, type: inject, end: { kind: default } }\n"))).toBe("Z");
  });

  test("prefer states of their own scope", () => {
    const branch = `{ name: B, states: [${rest("X", "start: { kind: default }, transition: { nextState: Last }")}, ${rest("Last", "end: { kind: default }")}] }`;
    const read = lower(
      definition(
        `- { name: P, type: parallel, start: { kind: default }, branches: [${branch}], transition: { nextState: Last } }\n${last}`,
      ),
    );
    expect(stepsOf(read)).toContain("P/B/X: wait for 1 s");
    expect(stepsOf(read)).toMatchInlineSnapshot(`
      "P: fork joining all -> results   # parallel state "P"
        branch B
          var data = $data
          P/B/X: wait for 1 s   # delay state "X"
          P/B/Last: wait for 1 s   # delay state "Last"
          P/B/Last/end: end with $data
      P/join: data := mergeResult($data, difference($results.B, $data), "B")
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("out of their scope name the target, for the analysis to reject", () => {
    const branch = `{ name: B, states: [${rest("X", "start: { kind: default }, transition: { nextState: Last }")}] }`;
    const read = lower(
      definition(
        `- { name: P, type: parallel, start: { kind: default }, branches: [${branch}], transition: { nextState: X } }\n${last}`,
      ),
    );
    expect(stepsOf(read)).toContain("then P/B/X");
  });

  test("to unknown states keep the name, and never match a generated step", () => {
    expect(target(go("Nowhere"))).toBe("Nowhere");
    const read = lower(
      definition(
        "- { name: A, type: inject, start: { kind: default }, data: {}, transition: { nextState: A/pass } }\n- { name: B, type: delay, timeDelay: PT1S, stateDataFilter: { dataInputPath: $.x }, transition: { nextState: B/delay } }\n",
      ),
    );
    expect(read.findings.filter((finding) => finding.includes("WB2001"))).toEqual([
      "6 WB2001 <B/delay> Unknown state `B/delay`.",
    ]);
  });

  test("to states with equal or step-like names have distinct ids", () => {
    const read = lower(
      definition(
        "- { name: A, type: inject, start: { kind: default }, data: {}, end: { kind: default } }\n- { name: A/end, type: delay, timeDelay: PT1S, end: { kind: default } }\n- { name: A, type: inject, end: { kind: default } }\n",
      ),
    );
    expect(read.workflow?.body.steps.map(({ id }) => id)).toEqual(["A", "A/end-2", "A/end", "A/end/end", "A-2"]);
  });
});
