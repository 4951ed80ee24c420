import { describe, expect, test } from "vitest";
import { definition, events, functions, last, lower, stepsOf } from "./lowering.ts";

const working = (properties: string): string =>
  definition(
    `
- name: Work
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: f } }]
${properties}  end: { kind: default }
${last}`,
    functions + events,
  );

const handling = (...handlers: readonly string[]): string =>
  working(`  onError:\n${handlers.map((handler) => `  - { ${handler} }\n`).join("")}`);
const onward = "transition: { nextState: Last }";
const linesWith = (text: string, part: string): readonly string[] =>
  stepsOf(lower(text))
    .split("\n")
    .filter((line) => line.includes(part))
    .map((line) => line.trim());

describe("errors", () => {
  test("are handled by the state, with the error in the data", () => {
    expect(stepsOf(lower(handling(`expression: name eq 'A', ${onward}`)))).toMatchInlineSnapshot(`
      "Work: attempt   # operation state "Work"
        Work/f: call f($data) -> result
        Work/merge: data := assignResult($data, $result, "f")
        Work/done: end with $data
        on error when compareInCondition($error.name, "==", "A") -> error then Work/onError
        then Work/end
      Work/onError: data := place($data, ["error"], merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})))
        then Last
      Work/end: end with $data
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test.each([
    ["name eq 'A'", 'compareInCondition($error.name, "==", "A")'],
    ["$.error.name eq 'A'", 'compareInCondition($error.name, "==", "A")'],
    ["$.exception.message != 'm'", 'compareInCondition($error.message, "!=", "m")'],
    ["error.trace == 't'", 'compareInCondition($error.data.trace, "==", "t")'],
    ["$.error ne null", "true"],
    ["null == $.exception", "false"],
    ["$.error", "true"],
    ["empty($.error)", "false"],
    ["$.code eq 1", 'compareInCondition($data.code, "==", 1)'],
    ["$.error.code eq 1", "false"],
  ])("match %s", (expression, when) => {
    const [line] = linesWith(handling(`expression: "${expression}", ${onward}`), "on error");
    expect(line).toBe(`on error when ${when} -> error then Work/onError`);
  });

  test("match conditions over the data and the error", () => {
    const [line] = linesWith(handling(`expression: $..code eq 1, ${onward}`), "on error");
    expect(line).toMatchInlineSnapshot(
      `"on error when compareInCondition(if type($data) == "object" then $data + { error: merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})), exception: merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})) } else $data end..code, "==", 1) -> error then Work/onError"`,
    );
  });

  test.each([
    ["", 'place($data, ["error"], <error>)'],
    ["errorDataFilter: { dataOutputPath: $.exception },", 'place($data, ["exception"], <error>)'],
    ["errorDataFilter: { dataOutputPath: $.message },", "assign($data, { message: $error.message })"],
    ["errorDataFilter: { dataOutputPath: $ },", 'assignResult($data, <error>, "error")'],
    ["errorDataFilter: { dataOutputPath: $.trace },", 'place($data, ["trace"], first($error.data.trace, <error>))'],
  ])("are merged into the data: %s", (filter, value) => {
    const error =
      'merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {}))';
    expect(linesWith(handling(`expression: name eq 'A', ${filter} ${onward}`), "Work/onError: ")).toEqual([
      `Work/onError: data := ${value.replaceAll("<error>", error)}`,
    ]);
  });

  test("continue with an ordinary transition", () => {
    const produce = "transition: { nextState: Last, expression: $.x, produceEvent: { eventRef: E, data: $.y } }";
    expect(stepsOf(lower(handling(`expression: $.error, ${produce}`)))).toMatchInlineSnapshot(`
      "Work: attempt   # operation state "Work"
        Work/f: call f($data) -> result
        Work/merge: data := assignResult($data, $result, "f")
        Work/done: end with $data
        on error when true -> error then Work/onError
        then Work/end
      Work/onError: data := place($data, ["error"], merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})))
      Work/transition: choose
        when truthy($data.x) then Work/emit
        else Work/denied
      Work/emit: emit E(first($data.y, null)) correlated by (first($data.order, null))
        then Last
      Work/denied: fail with {"origin":"denied","name":"TransitionDenied","message":"The transition from Work to Last was denied: $.x does not hold."}
      Work/end: end with $data
      Last: end with $data   # inject state "Last"
      "
    `);
  });
});

describe("retries", () => {
  const retrying = (retry: string): string => working(`  retry: [{ ${retry} }]\n`);

  test.each([
    ["", "up to 1 times after 0 s"],
    ["maxAttempts: 3,", "up to 3 times after 0 s"],
    ["interval: PT2S,", "up to 1 times after 2 s"],
    ["interval: R5/PT2S,", "up to 5 times after 2 s"],
    ["interval: R5/PT2S, maxAttempts: 3,", "up to 3 times after 2 s"],
    ["interval: R/PT2S, maxAttempts: 3,", "up to 3 times after 2 s"],
    ["interval: R4/PT1M, multiplier: PT2M, maxAttempts: 4,", "up to 4 times after 60 s"],
    ["interval: PT2S, multiplier: 2, maxAttempts: 3,", "up to 3 times after 2 s"],
    ["maxAttempts: 0,", "up to 0 times after 0 s"],
  ])("%s", (properties, expected) => {
    const workflow = lower(retrying(`${properties} expression: name eq 'A'`)).workflow;
    const [step] = workflow?.body.steps ?? [];
    const [retry] = step?.kind === "attempt" ? step.retries : [];
    expect(`up to ${retry?.limit} times after ${retry?.delay.base} s`).toBe(expected);
  });

  test("have delays that grow by addition or by a factor", () => {
    const delayOf = (properties: string) => {
      const [step] = lower(retrying(`${properties} expression: name eq 'A'`)).workflow?.body.steps ?? [];
      return step?.kind === "attempt" ? step.retries[0]?.delay : undefined;
    };
    expect(delayOf("interval: PT1M, multiplier: PT2M,")).toEqual({ base: 60, factor: 1, step: 120 });
    expect(delayOf("interval: PT1M, multiplier: 1.5,")).toEqual({ base: 60, factor: 1.5, step: 0 });
    expect(delayOf("interval: PT1M, multiplier: '2',")).toEqual({ base: 60, factor: 2, step: 0 });
  });

  test("start with the original data", () => {
    expect(stepsOf(lower(retrying("expression: name eq 'A', maxAttempts: 2")))).toMatchInlineSnapshot(`
      "Work: attempt restoring data   # operation state "Work"
        Work/f: call f($data) -> result
        Work/merge: data := assignResult($data, $result, "f")
        Work/done: end with $data
        retry 2 times when compareInCondition($error.name, "==", "A") after 0 s
      Work/end: end with $data
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("depend on results, in a counting loop", () => {
    const text = working(
      "  retry:\n  - { expression: $.error.name eq 'A', interval: R3/PT2S, multiplier: PT1S }\n  - { expression: $.code == 1, interval: PT1S, multiplier: 2, maxAttempts: 4 }\n  - { expression: $.code == 2, maxAttempts: 0 }\n",
    );
    expect(stepsOf(lower(text))).toMatchInlineSnapshot(`
      "Work: assign   # operation state "Work"
        start := $data
        attempts1 := 0
        attempts2 := 0
        delay2 := 1
        attempts3 := 0
      Work/attempt: attempt
        Work/attempt-2: attempt := omit($data, ["error","exception"])
        Work/f: call f($data) -> result
        Work/merge: assign
          attempt := assignResult($attempt, $result, "f")
          data := assignResult($data, $result, "f")
        Work/done: end with $data
        on error when $attempts1 < 3 and compareInCondition($error.name, "==", "A") then Work/wait
        on error when compareInCondition($error.name, "==", "A") -> error then Work/raise
        on error when $attempts2 < 4 and compareInCondition($attempt.code, "==", 1) then Work/wait-2
        on error when compareInCondition($attempt.code, "==", 1) -> error then Work/raise
        on error when compareInCondition($attempt.code, "==", 2) -> error then Work/raise
        then Work/judge
      Work/wait: wait for 2 + $attempts1 * 1 s
      Work/again: assign
        attempts1 := $attempts1 + 1
        data := $start
        then Work/attempt
      Work/wait-2: wait for $delay2 s
      Work/again-2: assign
        attempts2 := $attempts2 + 1
        delay2 := $delay2 * 2
        data := $start
        then Work/attempt
      Work/raise: fail with $error
      Work/judge: choose
        when $attempts1 < 3 and compareInCondition($attempt.error.name, "==", "A") then Work/wait
        when compareInCondition($attempt.error.name, "==", "A") then Work/end
        when $attempts2 < 4 and compareInCondition($attempt.code, "==", 1) then Work/wait-2
        when compareInCondition($attempt.code, "==", 1) then Work/end
        when compareInCondition($attempt.code, "==", 2) then Work/end
        else Work/end
      Work/end: end with $data
      Last: end with $data   # inject state "Last"
      "
    `);
  });

  test("precede handlers, even in a loop", () => {
    const text = working(
      "  retry: [{ expression: $.code == 1 }]\n  onError: [{ expression: $.error, transition: { nextState: Last } }]\n",
    );
    expect(stepsOf(lower(text))).toMatchInlineSnapshot(`
      "Work: attempt   # operation state "Work"
        Work/begin: assign
          start := $data
          attempts1 := 0
        Work/attempt: attempt
          Work/f: call f($data) -> result
          Work/merge: data := assignResult($data, $result, "f")
          Work/done: end with $data
          on error when $attempts1 < 1 and compareInCondition($data.code, "==", 1) then Work/again
          on error when compareInCondition($data.code, "==", 1) -> error then Work/raise
          then Work/judge
        Work/again: assign
          attempts1 := $attempts1 + 1
          data := $start
          then Work/attempt
        Work/raise: fail with $error
        Work/judge: choose
          when $attempts1 < 1 and compareInCondition($data.code, "==", 1) then Work/again
          when compareInCondition($data.code, "==", 1) then Work/done-2
          else Work/done-2
        Work/done-2: end with $data
        on error when true -> error then Work/onError
        then Work/end
      Work/onError: data := place($data, ["error"], merge({ name: first($error.name, ""), message: first($error.message, "") }, first({ trace: $error.data.trace }, {})))
        then Last
      Work/end: end with $data
      Last: end with $data   # inject state "Last"
      "
    `);
  });
});
