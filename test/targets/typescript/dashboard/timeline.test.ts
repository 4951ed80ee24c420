import { expect, test } from "vitest";
import type { StepRecord } from "../../../../targets/typescript/runtime/dashboard/model.ts";
import { parseStepKey } from "../../../../targets/typescript/runtime/dashboard/step-key.ts";
import { timelineRows } from "../../../../targets/typescript/runtime/dashboard/timeline-rows.ts";

// How the page reads the keys of steps, and joins the attempts of a step.

test.each([
  ["Ask", [["Ask", 1, undefined]], undefined],
  ["Ask#3", [["Ask", 3, undefined]], undefined],
  ["Ask#retry#2", [["Ask", 2, undefined]], "retry"],
  ["Ask#timeout", [["Ask", 1, undefined]], "timeout"],
  ["C## in a/b#2", [["C# in a/b", 2, undefined]], undefined],
  [
    "Each#[4]/Ship#2",
    [
      ["Each", 1, "[4]"],
      ["Ship", 2, undefined],
    ],
    undefined,
  ],
  [
    "Sub#/Ask",
    [
      ["Sub", 1, ""],
      ["Ask", 1, undefined],
    ],
    undefined,
  ],
  [
    "Sub#2#/Ask",
    [
      ["Sub", 2, ""],
      ["Ask", 1, undefined],
    ],
    undefined,
  ],
  [
    "Both#a##b#/c/One",
    [
      ["Both", 1, "a#b/c"],
      ["One", 1, undefined],
    ],
    undefined,
  ],
  ["", [["", 1, undefined]], undefined],
])("the key %j", (key, path, timer) => {
  const parsed = parseStepKey(key);
  expect(parsed.path.map(({ name, count, part }) => [name, count, part])).toEqual(path);
  expect(parsed.timer).toBe(timer);
});

let cursor = 0;
const step = (key: string, status: StepRecord["status"], attempt?: number): StepRecord => ({
  cursor: `${cursor++}`,
  key,
  status,
  at: "2026-01-01T00:00:00.000Z",
  ...(attempt !== undefined && { attempt }),
});

const summary = (...args: Parameters<typeof timelineRows>) =>
  timelineRows(...args).map(({ key, attempts, timers, pending }) => [
    key,
    attempts.map((each) => each.key),
    timers.length,
    pending?.key,
  ]);

test("attempts of a step and the timers of its retries are one row; a later visit is another", () => {
  const steps = [
    step("Ask", "failed", 1),
    step("Ask#retry", "fired"),
    step("Ask#2", "done", 2),
    step("Ask#3", "failed", 1),
  ];
  expect(summary(steps, [])).toEqual([
    ["Ask", ["Ask", "Ask#2"], 1, undefined],
    ["Ask#3", ["Ask#3"], 0, undefined],
  ]);
});

test("the times that limit retries are not attempts", () => {
  const steps = [
    step("Ask#time", "done"),
    step("Ask", "failed", 1),
    step("Ask#time#2", "done"),
    step("Ask#retry", "fired"),
    step("Ask#2", "done", 2),
  ];
  expect(summary(steps, [])).toEqual([["Ask", ["Ask", "Ask#2"], 1, undefined]]);
});

test("without recorded numbers, an attempt follows a failure and the timer of a retry", () => {
  const steps = [step("Ask", "failed"), step("Ask#retry", "fired"), step("Ask#2", "done"), step("Ask#3", "done")];
  expect(summary(steps, [])).toEqual([
    ["Ask", ["Ask", "Ask#2"], 1, undefined],
    ["Ask#3", ["Ask#3"], 0, undefined],
  ]);
});

test("steps of different iterations are different rows, and what is pending belongs to its step", () => {
  const steps = [step("Each#[0]/Ask", "failed", 1), step("Each#[1]/Ask", "done", 1)];
  expect(summary(steps, [{ key: "Each#[0]/Ask#retry" }, { key: "Wait", events: ["go"] }])).toEqual([
    ["Each#[0]/Ask", ["Each#[0]/Ask"], 0, "Each#[0]/Ask#retry"],
    ["Each#[1]/Ask", ["Each#[1]/Ask"], 0, undefined],
    ["Wait", [], 0, "Wait"],
  ]);
});

test("a task is one row: its token is hidden, and its answer is the result of the call", () => {
  const [call, first, second] = [step("Ask", "done", 1), step("Ask#answer", "failed"), step("Ask#answer#2", "done")];
  const again = step("Ask#2", "done", 2);
  const tokens = [step("Ask#token", "done"), step("Ask#token#2", "done")];
  const rows = timelineRows([tokens[0]!, call, first, step("Ask#retry", "fired"), tokens[1]!, again, second], []);
  expect(rows.map(({ key, attempts }) => [key, attempts.map((each) => [each.key, each.status, each.attempt])])).toEqual(
    [
      [
        "Ask",
        [
          ["Ask#answer", "failed", 1],
          ["Ask#answer#2", "done", 2],
        ],
      ],
    ],
  );
  const waiting = { key: "Ask#answer", isTask: true } as const;
  expect(summary([step("Ask#token", "done"), step("Ask", "done", 1)], [waiting])).toEqual([
    ["Ask", ["Ask"], 0, "Ask#answer"],
  ]);
  expect(summary([step("Ask#token", "done")], [{ key: "Ask" }, waiting])).toEqual([["Ask", [], 0, "Ask#answer"]]);
});
