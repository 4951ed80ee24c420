import { expect, test } from "vitest";
import { generate } from "../../../../src/compile.ts";
import type { Timer } from "../../../../src/ir/definitions.ts";
import { programOf } from "../../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { emptyConfiguration } from "../../../../src/target/contract.ts";
import { asl } from "../../../../targets/asl/index.ts";
import { scheduleOf } from "../../../../targets/asl/schedules.ts";
import { data, end, scope, span, workflow } from "../../../reference/build.ts";
import { readTemplate } from "./stack.ts";

const every = (seconds: number, more: object = {}): Timer => ({ kind: "every", seconds, span, ...more });
const cron = (expression: string, more: object = {}): Timer => ({ kind: "cron", expression, span, ...more });

test.each<[Timer, object]>([
  [every(60), { expression: "rate(1 minute)" }],
  [every(5400), { expression: "rate(90 minutes)" }],
  [every(7200), { expression: "rate(2 hours)" }],
  [every(86_400, { from: "2026-01-01T00:00:00Z" }), { expression: "rate(1 day)", start: "2026-01-01T00:00:00Z" }],
  [
    every(3600, { from: "2026-01-01T00:00:00Z", times: 3, until: "2027-01-01T00:00:00Z" }),
    { expression: "rate(1 hour)", start: "2026-01-01T00:00:00Z", end: "2026-01-01T02:30:00.000Z" },
  ],
  [cron("*/15 8-10,12 * * *"), { expression: "cron(0,15,30,45 8-10,12 * * ? *)" }],
  [cron("0 0 6 ? * MON-FRI"), { expression: "cron(0 6 ? * MON,TUE,WED,THU,FRI *)" }],
  [
    cron("0 6 1 jan *", { timezone: "Europe/Berlin", until: "2027-01-01T00:00:00Z" }),
    { expression: "cron(0 6 1 1 ? *)", timezone: "Europe/Berlin", end: "2027-01-01T00:00:00Z" },
  ],
  [cron("0 0 6 1 * ? 2027"), { expression: "cron(0 6 1 * ? 2027)" }],
  [every(90), { construct: "an interval of 90 s: schedules have whole minutes" }],
  [
    every(60, { times: 2 }),
    { construct: "a number of firings: a schedule ends at an instant", hint: "State when the interval begins." },
  ],
  [cron("30 0 6 * * *"), { construct: "a cron expression with seconds: schedules have whole minutes" }],
  [
    cron("0 6 13 * 5"),
    {
      construct: "a cron expression with both days of the month and days of the week",
      hint: "Use two schedules, or state one of them as `*`.",
    },
  ],
  [
    { kind: "after", seconds: 60, span },
    { construct: "a timer that counts from the end of the run before", hint: "Use an interval or a cron expression." },
  ],
])("%o", (timer, expected) => {
  expect(JSON.parse(JSON.stringify(scheduleOf(timer)))).toEqual(expected);
});

const timed = (...timers: readonly Timer[]) => ({
  ...workflow(scope(["data"], end("End", data))),
  id: "report",
  start: { span, timers },
});

async function compiled(values: JsonObject, ...timers: readonly Timer[]) {
  const { files, diagnostics } = await generate(programOf([timed(...timers)]), asl, {
    configurationOf: () => ({ ...emptyConfiguration, values }),
  });
  const found = diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`);
  return { found, files: new Map(files.map(({ path, text }) => [path, text])) };
}

test.each(["sam", "cloudformation"])(
  "the template of %s has a schedule for each timer, and their role",
  async (template) => {
    const values = { template, alias: { name: "live" }, permissionsBoundary: "arn:aws:iam::123456789012:policy/b" };
    const { found, files } = await compiled(values, every(60), cron("0 6 * * *"));
    expect(found).toEqual([]);
    const { Resources } = readTemplate(files.get("template.yaml")!);
    const { ReportSchedule, ReportSchedule2, ReportScheduleRole } = Resources;
    const arn = `arn:\${AWS::Partition}:states:\${AWS::Region}:\${AWS::AccountId}:stateMachine:\${AWS::StackName}-Report`;
    expect(ReportSchedule!.Properties).toEqual({
      ScheduleExpression: "rate(1 minute)",
      FlexibleTimeWindow: { Mode: "OFF" },
      Target: {
        Arn: { "Fn::Sub": `${arn}:live` },
        RoleArn: { "Fn::GetAtt": ["ReportScheduleRole", "Arn"] },
        Input: "{}",
      },
    });
    expect(ReportSchedule2!.Properties["ScheduleExpression"]).toBe("cron(0 6 * * ? *)");
    expect(ReportScheduleRole!.Properties).toMatchObject({
      PermissionsBoundary: "arn:aws:iam::123456789012:policy/b",
      Policies: [
        {
          PolicyDocument: {
            Statement: [
              {
                Action: ["states:StartExecution"],
                Resource: [{ "Fn::Sub": arn }, { "Fn::Sub": `${arn}:live` }],
              },
            ],
          },
        },
      ],
    });
    expect(files.get("README.md")).toContain("## Schedules");
  },
);

test("a construct has schedules", async () => {
  const { files } = await compiled({ template: "cdk" }, every(60, { from: "2026-01-01T00:00:00Z" }));
  const construct = files.get("workflows.ts")!;
  expect(construct).toContain('import * as scheduler from "aws-cdk-lib/aws-scheduler";');
  expect(construct).toContain('startDate: "2026-01-01T00:00:00Z"');
  expect((await compiled({ template: "cdk" })).files.get("workflows.ts")).not.toContain("scheduler");
});

test("timers without a template, and of workflows that only events start, are reported", async () => {
  expect((await compiled({}, every(60))).found).toEqual([
    "warning WB5136 Without `template`, only the state machine of `report` is generated, and no schedule that starts it.",
  ]);
  expect((await compiled({ template: "sam" }, { kind: "after", seconds: 60, span })).found).toEqual([
    "error WB5108 Amazon States Language has no exact form for a timer that counts from the end of the run before.",
  ]);
});
