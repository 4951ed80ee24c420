import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import type { Construct } from "constructs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileWith } from "../../src/compile.ts";
import { readConfiguration } from "../../src/configuration/index.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { asl } from "../../targets/asl/index.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";
import { type DeployedTemplate, readTemplate, textOf } from "../targets/asl/deploy/stack.ts";

// The construct for the AWS CDK has the resources, settings and permissions of the CloudFormation template.

const definition = `
id: order
name: Order
version: '1.0'
functions: [{ name: charge, resource: charge }]
events: [{ name: Paid, type: order.paid, source: shop }]
states:
- name: Wait
  type: event
  start: { kind: default }
  eventsActions: [{ eventRefs: [Paid], actions: [{ functionRef: { refName: charge } }] }]
  end: { kind: default }
`;

const key = "arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555";

const settingsFor = (template: "cdk" | "cloudformation"): string => `targets: { asl: {
  template: ${template}, tracing: true, runtime: nodejs24.x, tags: { team: orders },
  logging: { level: all, executionData: true, retentionDays: 7 },
  alias: { name: live, deployment: canary, percentage: 20, interval: 5 },
  eventsTable: { pointInTimeRecovery: true, deletionProtection: true, kmsKey: '${key}' },
  kmsKey: '${key}', permissionsBoundary: 'arn:aws:iam::123456789012:policy/limits' } }`;

const folder = mkdtempSync(join(import.meta.dirname, "node_modules/.construct-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function filesFor(template: "cdk" | "cloudformation") {
  const configuration = readConfiguration(
    { path: "waybill.config.yaml", text: settingsFor(template) },
    [],
    targets,
    ({ message }) => expect(message).toBe(""),
  );
  const sources = [{ path: "order.yaml", text: definition }];
  const request = { sources, options: {}, configurationOf: () => configuration };
  return (await compileWith(request, languages, asl)).files;
}

type WorkflowsConstructor = new (
  scope: Construct,
  id: string,
  props: { readonly folder: string; readonly chargeFunctionArn: string },
) => Construct & { readonly orderStateMachine: Construct };

let synthesized: DeployedTemplate;
let plain: DeployedTemplate;

beforeAll(async () => {
  plain = readTemplate(textOf(await filesFor("cloudformation"), "template.yaml")!);
  for (const { path, text } of await filesFor("cdk")) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { Workflows } = (await import(join(folder, "workflows.ts"))) as { readonly Workflows: WorkflowsConstructor };
  const stack = new Stack(new App(), "orders");
  const chargeFunctionArn = "arn:aws:lambda:eu-west-1:123456789012:function:charge";
  const workflows = new Workflows(stack, "Workflows", { folder, chargeFunctionArn });
  expect(workflows.orderStateMachine.node.id).toBe("OrderStateMachine");
  synthesized = Template.fromStack(stack).toJSON() as unknown as DeployedTemplate;
}, 120_000);

const ofType = (template: DeployedTemplate, type: string): readonly JsonObject[] =>
  Object.values(template.Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));

test("the construct has the resources of the template", () => {
  const typesOf = ({ Resources }: DeployedTemplate) =>
    Object.values(Resources)
      .map(({ Type }) => Type)
      // The construct library puts policies into resources of their own.
      .filter((type) => type !== "AWS::IAM::Policy")
      .sort();
  expect(typesOf(synthesized)).toEqual(typesOf(plain));
});

test("settings reach the construct's resources", () => {
  expect(ofType(synthesized, "AWS::StepFunctions::StateMachine")).toMatchObject([
    {
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: "ALL", IncludeExecutionData: true },
      EncryptionConfiguration: { Type: "CUSTOMER_MANAGED_KMS_KEY", KmsKeyId: key },
      Tags: [{ Key: "team", Value: "orders" }],
    },
  ]);
  expect(ofType(synthesized, "AWS::StepFunctions::StateMachineAlias")).toMatchObject([
    { Name: "live", DeploymentPreference: { Type: "CANARY", Percentage: 20, Interval: 5 } },
  ]);
  expect(ofType(synthesized, "AWS::DynamoDB::Table")).toMatchObject([
    { DeletionProtectionEnabled: true, SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: key } },
  ]);
  expect(ofType(synthesized, "AWS::Logs::LogGroup")).toMatchObject([{ RetentionInDays: 7 }]);
  for (const role of ofType(synthesized, "AWS::IAM::Role"))
    expect(role["PermissionsBoundary"]).toBe("arn:aws:iam::123456789012:policy/limits");
  expect(new Set(ofType(synthesized, "AWS::Lambda::Function").map(({ Runtime }) => Runtime))).toEqual(
    new Set(["nodejs24.x"]),
  );
});

test("rules have the patterns, targets and retries of the template", () => {
  const rulesOf = (template: DeployedTemplate): Json =>
    ofType(template, "AWS::Events::Rule").map(({ EventPattern, ScheduleExpression, Targets }) => ({
      pattern: EventPattern ?? ScheduleExpression!,
      targets: (Targets as readonly JsonObject[]).map(({ Id, Input, RetryPolicy }) => ({
        id: Id!,
        retry: RetryPolicy!,
        ...(Input !== undefined && { input: Input }),
      })),
    }));
  expect(rulesOf(synthesized)).toEqual(rulesOf(plain));
});

test("roles may do what those of the template may, and what the construct library grants in addition", () => {
  const allowedIn = (template: DeployedTemplate) =>
    new Set(
      ["AWS::IAM::Role", "AWS::IAM::Policy", "AWS::SQS::QueuePolicy"].flatMap((type) =>
        ofType(template, type).flatMap((properties) => actionsIn(properties)),
      ),
    );
  const [wanted, granted] = [allowedIn(plain), allowedIn(synthesized)];
  expect([...wanted].filter((action) => !granted.has(action))).toEqual([]);
  const added = [...granted].filter((action) => !wanted.has(action) && !action.startsWith("kms:"));
  expect(added.sort()).toEqual(["sqs:GetQueueAttributes", "sqs:GetQueueUrl"]);
});

function actionsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => actionsIn(each));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "Action" ? [part].flat().map(String) : actionsIn(part),
  );
}
