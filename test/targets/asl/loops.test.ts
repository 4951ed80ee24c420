import { describe, expect, test } from "vitest";
import { compile } from "../../../src/index.ts";
import { calling, ends, starts, workflow } from "./compiled.ts";

/** The reports of unlimited loops: the text at their spans, the message, and the notes. */
async function loopsOf(states: string): Promise<readonly string[]> {
  const text = workflow(states);
  const { diagnostics } = await compile({ sources: [{ path: "w.yaml", text }], target: "asl" });
  return diagnostics
    .filter(({ code }) => code === "WB5127")
    .flatMap(({ span, message, notes }) => [
      `${text.slice(span.start, span.end)}: ${message}`,
      ...notes.map((note) => `${text.slice(note.span.start, note.span.end)}: ${note.message}`),
    ]);
}

const done = `- { name: Done, type: inject, data: { done: true }, ${ends} }`;
const decide = (next: string, name = "Decide"): string =>
  `- { name: ${name}, type: switch, dataConditions: [{ path: $.state, value: ready, operator: equals, transition: { nextState: Done } }], default: { nextState: ${next} } }`;

describe("a loop without a limit", () => {
  test("that polls has 9 events in a round", async () => {
    const states = [
      `- { name: Pause, ${starts}, type: delay, timeDelay: PT1M, transition: { nextState: Ask } }`,
      `- { name: Ask, type: operation, ${calling("f")}, transition: { nextState: Decide } }`,
      decide("Pause"),
      done,
    ];
    expect(await loopsOf(states.join("\n"))).toEqual([
      `Pause: The 25,000 history events of an execution allow at most ${Math.floor((25_000 - 15) / 9).toLocaleString("en-US")} rounds of \`Pause\`.`,
    ]);
  });

  test("that only computes is not reported", async () => {
    const add = `- { name: Add, ${starts}, type: inject, data: { state: ready }, transition: { nextState: Decide } }`;
    expect(await loopsOf([add, decide("Add"), done].join("\n"))).toEqual([]);
  });

  test("is reported with the others of its machine", async () => {
    const each = `- { name: Each, ${starts}, type: foreach, inputCollection: $.list, inputParameter: $.it, states: [{ name: X, ${starts}, type: operation, ${calling("f")}, ${ends} }], transition: { nextState: Pause } }`;
    const pause = "- { name: Pause, type: delay, timeDelay: PT1M, transition: { nextState: Decide } }";
    expect(await loopsOf([each, pause, decide("Pause"), done].join("\n"))).toEqual([
      expect.stringMatching(
        /^Pause: The 25,000 history events of an execution allow at most 6,\d{3} rounds of `Pause`\.$/,
      ),
      expect.stringMatching(/^Each: They also allow at most 3,\d{3} elements of `Each`\.$/),
    ]);
  });
});

test("retries, which have a limit, are not reported", async () => {
  const retried = (rule: string): string =>
    `- { name: A, ${starts}, type: operation, ${calling("f")}, retry: [{ expression: { body: ${rule} }, interval: PT2S, multiplier: PT3S, maxAttempts: 9 }], ${ends} }`;
  expect(await loopsOf(retried(`"name eq 'Busy'"`))).toEqual([]);
  expect(await loopsOf(retried("$.code == 1"))).toEqual([]);
});

test("a collection of a known length is not reported", async () => {
  const inject = `- { name: I, ${starts}, type: inject, data: { list: [1, 2] }, transition: { nextState: Each } }`;
  const each = `- { name: Each, type: foreach, inputCollection: $.list, inputParameter: $.it, states: [{ name: X, ${starts}, type: delay, timeDelay: PT1S, ${ends} }], ${ends} }`;
  expect(await loopsOf([inject, each].join("\n"))).toEqual([]);
});
