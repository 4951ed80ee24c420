import { expect, test } from "vitest";
import { generate } from "../../src/compile.ts";
import type { Timer } from "../../src/ir/definitions.ts";
import { programOf, type Workflow } from "../../src/ir/workflow.ts";
import { noSettings } from "../../src/target/contract.ts";
import { openwhisk } from "../../targets/openwhisk/index.ts";
import { alarmOf } from "../../targets/openwhisk/timers.ts";
import { data, end, scope, span, workflow } from "../reference/build.ts";
import { failuresOnAll } from "./on-all.ts";

const timers: readonly Timer[] = [
  { kind: "every", seconds: 3600, span },
  { kind: "cron", expression: "30 6 * * MON", span },
];
const timed = (each: Workflow): Workflow => ({ ...each, start: { ...each.start, timers } });

const report = `id: report
name: Report
version: '1.0'
functions: [{ name: write, resource: write }]
states:
- name: Write
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: write } }]
  end: { kind: default }
`;

test("a timer that fires starts a run on all targets", async () => {
  const scenarios = `scenarios:
- name: at six
  fires: [{ at: PT6H }, { at: P2DT6H30M, timer: 1 }]
  functions: { write: [{ returns: { page: 1 }, takes: PT5S }, { returns: { page: 2 } }] }
  expect: { status: succeeded, outputIs: { page: 1 }, calls: [write: {}], elapsed: PT5S, tasks: { first: Write, last: Write } }
  runs: [{ id: second, firing: 1, expect: { status: succeeded, output: { page: 2 }, items: {} } }]
- name: without a list
  fires: [{ at: PT6H }, { at: PT7H }]
  functions: { write: { returns: {} } }
  expect: { status: succeeded, calls: [write: {}, write: {}] }
`;
  expect(await failuresOnAll(scenarios, [report], timed)).toEqual([]);
});

test.each<[Timer, object]>([
  [
    { kind: "every", seconds: 120, span },
    { feed: "/whisk.system/alarms/interval", inputs: { minutes: 2 } },
  ],
  [
    { kind: "every", seconds: 60, from: "2026-01-01T00:00:00Z", times: 2, span },
    {
      feed: "/whisk.system/alarms/interval",
      inputs: { minutes: 1, startDate: "2026-01-01T00:00:00.000Z", stopDate: "2026-01-01T00:01:30.000Z" },
    },
  ],
  [
    { kind: "cron", expression: "*/30 8 * 1-3 0", timezone: "UTC", until: "2027-01-01T00:00:00Z", span },
    {
      feed: "/whisk.system/alarms/alarm",
      inputs: { cron: "0 0,30 8 * jan,feb,mar sun", stopDate: "2027-01-01T00:00:00.000Z" },
    },
  ],
  [{ kind: "every", seconds: 90, span }, { construct: "an interval of 90 s: alarms have whole minutes" }],
  [
    { kind: "cron", expression: "0 8 * * *", timezone: "Europe/Berlin", span },
    { construct: "a timer in the time zone Europe/Berlin: alarms use UTC" },
  ],
  [{ kind: "cron", expression: "0 0 8 * * ? 2027", span }, { construct: "a timer for certain years" }],
  [
    { kind: "cron", expression: "0 8 1 * 1", span },
    {
      construct: "a cron expression with both days of the month and days of the week",
      hint: "Use two schedules, or state one of them as `*`.",
    },
  ],
  [
    { kind: "after", seconds: 60, span },
    { construct: "a timer that counts from the end of the run before", hint: "Use an interval or a cron expression." },
  ],
])("an alarm for %o", (timer, expected) => {
  expect(JSON.parse(JSON.stringify(alarmOf(timer)))).toEqual(expected);
});

test("a program for OpenWhisk has a trigger and a rule for each timer", async () => {
  const made = { ...timed(workflow(scope(["data"], end("End", data)))), id: "report" };
  const { files, diagnostics } = await generate(programOf([made]), openwhisk, noSettings);
  expect(diagnostics).toEqual([]);
  const textOf = (path: string) => files.find((each) => each.path === path)!.text;
  expect(textOf("manifest.yaml")).toContain(`    triggers:
      report-timer:
        feed: /whisk.system/alarms/interval
        inputs:
          minutes: 60
          trigger_payload: {}
      report-timer-2:
        feed: /whisk.system/alarms/alarm
        inputs:
          cron: 0 30 6 * * mon
          trigger_payload: {}
    rules:
      report-timer-start:
        trigger: report-timer
        action: /_/waybill/report
`);
  expect(textOf("README.md")).toContain("- `report-timer-2` starts ");
  expect(textOf("README.md")).toContain("at `0 30 6 * * mon`");
  const refused = { ...made, start: { span, timers: [{ kind: "after", seconds: 1, span } as const] } };
  const { diagnostics: found } = await generate(programOf([refused]), openwhisk, noSettings);
  expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "WB5201 OpenWhisk does not support a timer that counts from the end of the run before.",
  ]);
});
