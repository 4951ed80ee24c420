import type { Json, JsonObject } from "../../../src/json.ts";
import { isSchedule, type Schedule, scheduleOf } from "../schedules.ts";
import { getAtt, ref } from "./cloudformation.ts";
import { policyOf, type StackMachine } from "./resources.ts";
import { machineArn, type PolicyStatement } from "./statements.ts";

/** What schedules share in a stack. */
export interface ScheduleContext {
  /** The alias by which executions are started. */
  readonly alias: string | undefined;
  readonly boundary: Json | undefined;
  /** The permissions on the key of the machines, if they have one. */
  readonly keyStatements: readonly PolicyStatement[];
  readonly tags: readonly JsonObject[];
}

/** The schedules that start executions of a machine, with the role of EventBridge Scheduler. */
export function scheduleResources(
  { stem, workflow }: StackMachine,
  { alias, boundary, keyStatements, tags }: ScheduleContext,
): readonly (readonly [string, Json])[] {
  const schedules = (workflow.start.timers ?? []).map(scheduleOf).filter(isSchedule);
  if (schedules.length === 0) return [];
  const role = `${stem}ScheduleRole`;
  const target: JsonObject = { Arn: machineArn(stem, alias), RoleArn: getAtt(role, "Arn"), Input: "{}" };
  const start: PolicyStatement = { actions: ["states:StartExecution"], resources: startable(stem, alias) };
  return [
    [
      role,
      {
        Type: "AWS::IAM::Role",
        Properties: {
          AssumeRolePolicyDocument: trustPolicy,
          Policies: [{ PolicyName: "StartExecutions", PolicyDocument: policyOf([start, ...keyStatements]) }],
          ...(boundary !== undefined && { PermissionsBoundary: boundary }),
          ...(tags.length > 0 && { Tags: tags }),
        },
      },
    ],
    ...schedules.map(
      (schedule, i) => [`${stem}Schedule${i === 0 ? "" : i + 1}`, scheduleResource(schedule, target)] as const,
    ),
  ];
}

const startable = (stem: string, alias: string | undefined): readonly Json[] =>
  alias === undefined ? [machineArn(stem)] : [machineArn(stem), machineArn(stem, alias)];

const trustPolicy: JsonObject = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Principal: { Service: "scheduler.amazonaws.com" },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "aws:SourceAccount": ref("AWS::AccountId") } },
    },
  ],
};

const scheduleResource = ({ expression, timezone, start, end }: Schedule, target: JsonObject): JsonObject => ({
  Type: "AWS::Scheduler::Schedule",
  Properties: {
    ScheduleExpression: expression,
    ...(timezone !== undefined && { ScheduleExpressionTimezone: timezone }),
    ...(start !== undefined && { StartDate: start }),
    ...(end !== undefined && { EndDate: end }),
    FlexibleTimeWindow: { Mode: "OFF" },
    Target: target,
  },
});
