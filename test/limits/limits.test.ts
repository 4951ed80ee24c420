import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { hostileInputs } from "./kinds.ts";

// No input may stall the compiler or a run: each ends within two seconds of processor time and 512 MB, including 256 MB
// are for data.

/** In milliseconds. Allows for a machine with a quarter of the speed. */
const bound = 8_000;

const steps = "LimitError: More than 200000 steps were taken in a row without a call, a delay, an event or an end.";
const launches =
  "LimitError: More than 2000 subflows that nobody waits for were started in a row without a call, a delay or an event.";
const succeeded = "succeeded";

const everywhere = (outcome: string) => ({
  reference: outcome,
  asl: outcome,
  openwhisk: outcome,
  typescript: outcome,
});

/** The result of each kind on the reference and on each target. */
const expected: { readonly [kind in keyof typeof hostileInputs]: { readonly [on: string]: string } } = {
  "a string of 200 paths": everywhere(succeeded),
  "a string of 1,000 paths": everywhere(succeeded),
  "a path of 600 names": everywhere(succeeded),
  "1,000 retries": {
    ...everywhere(succeeded),
    typescript: "WB4004 This workflow is nested too deeply for a program.",
  },
  "a state that does nothing and leads to itself": everywhere(
    "WB3004 This loop never waits and has no exit: `S` → `S`.",
  ),
  "a state with an error handler that leads to itself": {
    ...everywhere(steps),
    asl: "WB5108 Amazon States Language has no exact form for states from which no path leads to an end.",
  },
  "a switch that loops without waiting": everywhere(steps),
  "a subflow that starts itself without waiting": everywhere(launches),
  "a subflow that starts itself and emits an event": everywhere(launches),
  "endless outputs": everywhere("LimitError: An expression takes too many steps."),
  "a string of a gigabyte": everywhere("LimitError: A repeated string is too long."),
};

interface ChildResult {
  readonly kind: string;
  readonly on: string;
  readonly outcome: string;
  readonly compiling: number;
  readonly cpu: number;
}

const shortOf = (outcome: string): string => {
  if (!outcome.startsWith("{")) return outcome;
  const [[status, of] = []] = Object.entries(
    JSON.parse(outcome) as { [status: string]: { name?: string; message?: string } },
  );
  return status === "failed" ? `${of?.name}: ${of?.message}` : String(status);
};

test("hostile input of every kind ends soon on the reference and on every target, with a clear result", () => {
  const flags = ["--max-old-space-size=256", "--max-semi-space-size=16", "--no-warnings"];
  const output = execFileSync(process.execPath, [...flags, join(import.meta.dirname, "child.ts")], {
    encoding: "utf8",
  });
  const lines = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ChildResult);
  const outcomes = Object.fromEntries(
    Object.keys(expected).map((kind) => [
      kind,
      Object.fromEntries(lines.filter((line) => line.kind === kind).map(({ on, outcome }) => [on, shortOf(outcome)])),
    ]),
  );
  expect(outcomes).toEqual(expected);
  expect(lines.filter(({ compiling, cpu }) => compiling > bound || cpu - compiling > bound)).toEqual([]);
}, 120_000);
