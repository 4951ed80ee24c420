import { expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { diffOf, linesOf } from "./programs.ts";

// Differences between state machines are listed by the paths of their fields.

const resource = "arn:aws:lambda:eu-west-1:123456789012:function:charge";

const machineOf = (states: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({ StartAt: Object.keys(states)[0]!, States: states, ...more });

const charge = { Type: "Task", Resource: resource, Next: "Done" };
const done = { Done: { Type: "Succeed" } };
const machineWith = (fields: JsonObject): string => machineOf({ Charge: { ...charge, ...fields }, ...done });

const retry = (attempts: number): JsonObject => ({
  Retry: [{ ErrorEquals: ["Busy"], MaxAttempts: attempts }],
});

test.each<[string, JsonObject, JsonObject, readonly string[]]>([
  ["retries", retry(2), retry(5), ["Retry[0].MaxAttempts: 2 → 5"]],
  ["a result", { ResultPath: "$.a" }, { ResultPath: "$.b" }, ['ResultPath: "$.a" → "$.b"']],
  ["an added field", {}, { ResultPath: "$.b" }, ['+ ResultPath: "$.b"']],
  [
    "arguments",
    { Parameters: { "a.$": "$.a", b: { c: 1 } } },
    { Parameters: { "a.$": "$.x", b: { c: 2 } } },
    ['Parameters.a.$: "$.a" → "$.x"', "Parameters.b.c: 1 → 2"],
  ],
  ["a resource", {}, { Resource: "arn:aws:lambda:eu-west-1:1:function:f" }, ["Resource:"]],
  [
    "a comment in a changed state",
    { TimeoutSeconds: 1 },
    { TimeoutSeconds: 2, Comment: "c" },
    ["TimeoutSeconds: 1 → 2"],
  ],
])("%s", async (_, old, created, lines) => {
  const found = await linesOf(machineWith(old), machineWith(created));
  expect(found[0]).toBe("~ Task state Charge");
  expect(found.slice(1, 1 + lines.length)).toEqual(lines.map((line) => `    ${line}`));
});

test("an inserted rule does not change those behind it", async () => {
  const rule = (value: number) => ({ Variable: "$.n", NumericEquals: value, Next: "Done" });
  const choice = (...rules: JsonObject[]) =>
    machineOf({ Choice: { Type: "Choice", Choices: rules, Default: "Done" }, ...done });
  expect(await linesOf(choice(rule(1), rule(2)), choice(rule(3), rule(1), rule(2)))).toEqual([
    "~ Choice state Choice",
    '    + Choices[0]: {"Variable":"$.n","NumericEquals":3,"Next":"Done"}',
  ]);
});

test("states are matched by name, then by what they do", async () => {
  const old = machineOf({ Charge: charge, ...done });
  const created = machineOf({ Pay: charge, ...done });
  expect(await linesOf(old, created)).toContain("~ Task state Pay (renamed from Charge)");
});

test("layout, comments, the order of states and defaults do not change the meaning", async () => {
  const old = machineWith(retry(3));
  const same = machineOf(
    { Charge: { ...charge, Comment: "c", Retry: [{ Comment: "c", ErrorEquals: ["Busy"] }] }, ...done },
    { Comment: "another" },
  );
  expect((await diffOf(old, JSON.stringify(JSON.parse(same), null, 2))).isEqual).toBe(true);
  const [first, ...rest] = Object.entries({ Charge: charge, ...done }).toReversed();
  const reversed = { StartAt: "Charge", States: Object.fromEntries([first!, ...rest]) };
  expect((await diffOf(machineWith({}), JSON.stringify(reversed))).isEqual).toBe(true);
});

test("a comment in data is data", async () => {
  const output = (text: string) => machineWith({ Parameters: { Comment: text } });
  expect(await linesOf(output("a"), output("b"))).toEqual(["~ Task state Charge", '    Parameters.Comment: "a" → "b"']);
});

test("fields of the machine itself", async () => {
  const timed = (seconds: number) => machineOf({ Charge: charge, ...done }, { TimeoutSeconds: seconds });
  expect(await linesOf(timed(60), timed(90))).toEqual(["~ workflow old", "    TimeoutSeconds: 60 → 90"]);
});
