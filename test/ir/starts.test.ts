import { expect, test } from "vitest";
import { diffWorkflows } from "../../src/diff/compare.ts";
import { member, variable } from "../../src/expressions/core/build.ts";
import type { Timer } from "../../src/ir/definitions.ts";
import { printWorkflow } from "../../src/ir/print.ts";
import { verify } from "../../src/ir/verify.ts";
import { versionOf } from "../../src/ir/version.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { data, end, invoke, scope, span, workflow } from "../reference/build.ts";

const plain = workflow(scope(["data"], end("End", data)));
const timed = (...timers: readonly Timer[]): Workflow => ({ ...plain, start: { span, timers } });
const until = "2026-02-01T00:00:00Z";

test("timers and the limit of runs are printed and part of the version", () => {
  const limited = {
    ...timed(
      { kind: "every", seconds: 60, from: "2026-01-01T00:00:00Z", until, times: 3, span },
      { kind: "cron", expression: "0 6 * * MON-FRI", timezone: "Europe/Berlin", until, span },
      { kind: "after", seconds: 1.5, span },
    ),
    timeout: { seconds: 90, span },
  };
  expect(verify(limited)).toEqual([]);
  expect(printWorkflow(limited)).toContain(`
  started every 60 s from 2026-01-01T00:00:00Z until 2026-02-01T00:00:00Z, 3 times
  started at "0 6 * * MON-FRI" in Europe/Berlin until 2026-02-01T00:00:00Z
  started 1.5 s after the last run
  runs at most 90 s
`);
  const versions = [
    plain,
    limited,
    { ...limited, timeout: { seconds: 91, span } },
    timed(...(limited.start.timers ?? [])),
  ];
  expect(new Set(versions.map((each) => versionOf(each, new Map()))).size).toBe(4);
});

test("a subflow that stops with its workflow is printed", () => {
  const stops = (wait: boolean): Workflow =>
    workflow(
      scope(
        ["data"],
        { ...invoke("Start", "other", data, "End", { wait }), whenParentEnds: "terminate" },
        end("End", data),
      ),
    );
  expect(printWorkflow(stops(false))).toContain("start other($data) until this ends");
  expect(verify(stops(false))).toEqual([]);
  expect(verify(stops(true))).toEqual(["Step Start waits for its subflow, so it cannot stop with this workflow."]);
});

test.each<[Timer, string]>([
  [{ kind: "every", seconds: 0, span }, "has no interval"],
  [{ kind: "every", seconds: 60, from: "tomorrow", span }, "begins at no instant"],
  [{ kind: "every", seconds: 60, times: 0, span }, "fires no number of times"],
  [{ kind: "cron", expression: "@daily", span }, "has no cron expression"],
  [{ kind: "cron", expression: "0 6 * * *", timezone: "Mars", span }, "has an unknown time zone"],
  [{ kind: "cron", expression: "0 6 * * *", until: "later", span }, "ends at no instant"],
  [{ kind: "after", seconds: Number.POSITIVE_INFINITY, span }, "has no interval"],
])("%s %s", (timer, fault) => {
  expect(verify(timed(timer))).toEqual([`Timer 0 ${fault}.`]);
});

test("a limit of runs may be computed from the input", () => {
  const stated = (name: string) => ({ ...plain, timeout: { seconds: member(variable(name), "limit"), span } });
  expect(verify(stated("data"))).toEqual([]);
  expect(printWorkflow(stated("data"))).toContain("runs at most $data.limit s");
  expect(versionOf(stated("data"), new Map())).not.toBe(versionOf(plain, new Map()));
  expect(verify(stated("other"))).toEqual(["The limit of runs uses the variable `other`, which is not in scope."]);
});

test("a limit of runs is a time", () => {
  expect(verify({ ...plain, timeout: { seconds: 0, span } })).toEqual(["The limit of runs is no time."]);
});

test("changes of timers and of the limit of runs are differences", () => {
  const [old, created] = [60, 90].map((seconds) => ({
    ...timed({ kind: "every", seconds, span }),
    timeout: { seconds: seconds * 10, span },
  })) as [Workflow, Workflow];
  const details = diffWorkflows(old, created).changes.flatMap((change) => ("details" in change ? change.details : []));
  expect(details.map(({ text, old, new: now }) => [text, old?.text, now?.text])).toEqual([
    ["started at times", "every 60 s", "every 90 s"],
    ["time for a run", "10 min", "15 min"],
  ]);
});
