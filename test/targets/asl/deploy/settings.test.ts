import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compileWith, generate } from "../../../../src/compile.ts";
import { readConfiguration } from "../../../../src/configuration/index.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { asl } from "../../../../targets/asl/index.ts";
import { targets } from "../../../../targets/index.ts";
import { goldenNames, readGolden } from "../../../golden/folder.ts";
import { compileGolden } from "../../../golden/make.ts";
import { languages } from "../../../languages.ts";
import { allowed, namesUsed, readTemplate, textOf, withTemplate } from "./stack.ts";

// Settings of state machines and stacks, in templates for SAM and for CloudFormation.

const substitution = (name: string): string => `$${`{${name}}`}`;

const order = `
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
  transition: { nextState: Ship }
- { name: Ship, type: subflow, workflowId: ship, waitForCompletion: true, end: { kind: default } }
`;

const ship = `
id: ship
name: Ship
version: '1.0'
functions: [{ name: pack, resource: pack }]
states:
- name: Pack
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: pack } }]
  end: { kind: default }
`;

async function compiled(settings: string, texts: readonly string[] = [order, ship], others = settings) {
  const faults: string[] = [];
  const configurationOf = (values: string) =>
    readConfiguration(
      { path: "waybill.config.yaml", text: `targets: { asl: ${values} }` },
      [],
      targets,
      ({ message }) => faults.push(message),
    );
  const [first, rest] = [configurationOf(settings), configurationOf(others)];
  const sources = texts.map((text, i) => ({ path: `${i}.yaml`, text }));
  const { files, diagnostics } = await compileWith(
    { sources, options: {}, configurationOf: ({ path }) => (path === "0.yaml" ? first : rest) },
    languages,
    asl,
  );
  const reports = diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ code, message, span }) => ({
      code,
      message,
      line: span.source.text.slice(0, span.start).split("\n").length,
      at: span.source.text.slice(span.start, span.end),
    }));
  const yaml = textOf(files, "template.yaml");
  const template = yaml === undefined ? undefined : readTemplate(yaml);
  return {
    faults,
    files,
    reports,
    readme: textOf(files, "README.md")!,
    template: template!,
    resource: (name: string) => template!.Resources[name]!,
  };
}

const all = (template: "sam" | "cloudformation") => `{
  template: ${template}, tracing: true, runtime: nodejs24.x, tags: { team: orders, 'cost:center': '42' },
  logging: { level: all, executionData: true, retentionDays: 7 },
  alias: { name: live, deployment: canary, percentage: 20, interval: 5, alarms: [orders-failed] },
  kmsKey: '${substitution("Key")}', permissionsBoundary: 'arn:aws:iam::123456789012:policy/limits' }`;

const tags = [
  { Key: "team", Value: "orders" },
  { Key: "cost:center", Value: "42" },
];

test("by default, errors are logged without data for 30 days, and nothing else is set", async () => {
  const { resource, template } = await compiled("{ template: sam }");
  const { Properties } = resource("OrderStateMachine");
  expect(Properties["Logging"]).toMatchObject({ Level: "ERROR", IncludeExecutionData: false });
  expect(resource("OrderLog").Properties["RetentionInDays"]).toBe(30);
  for (const name of ["Type", "Tracing", "Tags", "PermissionsBoundary", "AutoPublishAlias", "EncryptionConfiguration"])
    expect(Properties).not.toHaveProperty(name);
  expect(template.Globals["Function"]).toEqual({ Runtime: "nodejs22.x", CodeUri: ".", Timeout: 60, MemorySize: 256 });
});

test("settings reach the resources of a SAM template", async () => {
  const { resource, template, faults } = await compiled(all("sam").replace(/kmsKey: '[^']*', /, ""));
  expect(faults).toEqual([]);
  expect(resource("OrderStateMachine").Properties).toMatchObject({
    Tracing: { Enabled: true },
    Logging: { Level: "ALL", IncludeExecutionData: true },
    PermissionsBoundary: "arn:aws:iam::123456789012:policy/limits",
    AutoPublishAlias: "live",
    DeploymentPreference: { Type: "CANARY", Percentage: 20, Interval: 5, Alarms: ["orders-failed"] },
    Tags: { team: "orders", "cost:center": "42" },
  });
  expect(template.Globals["Function"]).toMatchObject({
    Runtime: "nodejs24.x",
    Tracing: "Active",
    PermissionsBoundary: "arn:aws:iam::123456789012:policy/limits",
    Tags: { team: "orders" },
  });
  expect(resource("OrderLog").Properties).toMatchObject({ RetentionInDays: 7, Tags: tags });
  for (const name of ["EventsTable", "FailedEventsQueue"]) expect(resource(name).Properties["Tags"]).toEqual(tags);
});

test("executions are started by the alias, with permissions on the machine", async () => {
  const { resource, template, readme } = await compiled("{ template: sam, alias: { name: live } }");
  const { DefinitionSubstitutions, Policies, DeploymentPreference } = resource("OrderStateMachine").Properties;
  const machine = (name: string) =>
    `arn:${substitution("AWS::Partition")}:states:${substitution("AWS::Region")}:${substitution("AWS::AccountId")}:stateMachine:${substitution("AWS::StackName")}-${name}`;
  expect(DefinitionSubstitutions).toMatchObject({ ShipStateMachineArn: { "Fn::Sub": `${machine("Ship")}:live` } });
  expect(allowed(Policies!)).toContain(`states:StartExecution on ${JSON.stringify({ "Fn::Sub": machine("Ship") })}`);
  expect(DeploymentPreference).toEqual({ Type: "ALL_AT_ONCE" });
  expect(template.Outputs["OrderStateMachineArn"]!["Value"]).toEqual({
    "Fn::Sub": `${substitution("OrderStateMachine")}:live`,
  });
  expect(readme).toContain("The alias `live` of each state machine refers to its current version.");
});

test("a log can be off, without a group and permissions for it", async () => {
  const { template, resource } = await compiled("{ template: sam, logging: { level: off } }");
  expect(Object.keys(template.Resources)).not.toContain("OrderLog");
  const { Properties } = resource("OrderStateMachine");
  expect(Properties).not.toHaveProperty("Logging");
  expect(allowed(Properties["Policies"]!).filter((each) => each.startsWith("logs:"))).toEqual([]);
});

test("a key for state machines makes them plain resources in a SAM template, and all roles may use it", async () => {
  const { resource, template, readme } = await compiled(`{ template: sam, kmsKey: '${substitution("Key")}' }`);
  expect(template.Parameters).toHaveProperty("Key");
  expect(resource("OrderStateMachine")).toMatchObject({
    Type: "AWS::StepFunctions::StateMachine",
    Properties: { EncryptionConfiguration: { Type: "CUSTOMER_MANAGED_KMS_KEY", KmsKeyId: { Ref: "Key" } } },
  });
  const role = resource("OrderStateMachineRole").Properties["Policies"] as readonly JsonObject[];
  const statements = [
    ...allowed(role.map(({ PolicyDocument }) => PolicyDocument!)),
    ...allowed(resource("OrderWaitFunction").Properties["Policies"]!),
  ];
  expect(statements.filter((each) => each.startsWith("kms:GenerateDataKey on "))).toHaveLength(2);
  expect(readme).toContain("`delivery.logs.amazonaws.com` to decrypt with it");
});

test("a CloudFormation template has the roles, rules and permissions that SAM would add", async () => {
  const { template, resource, readme } = await compiled(all("cloudformation"));
  const types = Object.values(template.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => type.includes("Serverless"))).toEqual([]);
  expect(template).not.toHaveProperty("Transform");
  expect(template).not.toHaveProperty("Globals");
  expect(new Set(types)).toContain("AWS::StepFunctions::StateMachineAlias");
  expect(resource("OrderStateMachine").Properties).toMatchObject({
    DefinitionS3Location: "order.asl.json",
    TracingConfiguration: { Enabled: true },
    LoggingConfiguration: { Level: "ALL", IncludeExecutionData: true },
    RoleArn: { "Fn::GetAtt": ["OrderStateMachineRole", "Arn"] },
    Tags: tags,
  });
  expect(resource("OrderStateMachineAlias").Properties).toMatchObject({
    Name: "live",
    DeploymentPreference: { Type: "CANARY", StateMachineVersionArn: { Ref: "OrderStateMachineVersion" } },
  });
  expect(resource("OrderIngestFunction").Properties).toMatchObject({
    Code: ".",
    Runtime: "nodejs24.x",
    TracingConfig: { Mode: "Active" },
    Role: { "Fn::GetAtt": ["OrderIngestFunctionRole", "Arn"] },
  });
  expect(resource("OrderIngestFunctionPaidRule").Properties["Targets"]).toMatchObject([
    { Arn: { "Fn::GetAtt": ["OrderIngestFunction", "Arn"] }, RetryPolicy: { MaximumRetryAttempts: 185 } },
  ]);
  expect(resource("OrderIngestFunctionPaidRulePermission").Properties).toMatchObject({
    Principal: "events.amazonaws.com",
    SourceArn: { "Fn::GetAtt": ["OrderIngestFunctionPaidRule", "Arn"] },
  });
  const known = [...Object.keys(template.Resources), ...Object.keys(template.Parameters ?? {})];
  const used = namesUsed([template.Resources, template.Outputs] as unknown as Json);
  expect(used.filter((name) => !name.startsWith("AWS::") && !known.includes(name))).toEqual([]);
  expect(readme).toContain("aws cloudformation package");
});

test("the roles of a CloudFormation template allow what those of the SAM template do", async () => {
  const sam = await compiled("{ template: sam }");
  const plain = await compiled("{ template: cloudformation }");
  for (const [name, { Type, Properties }] of Object.entries(sam.template.Resources)) {
    if (!Type.startsWith("AWS::Serverless::")) continue;
    const policies = (plain.resource(`${name}Role`).Properties["Policies"] ?? []) as readonly JsonObject[];
    expect(allowed(policies.map(({ PolicyDocument }) => PolicyDocument!))).toEqual(
      allowed(Properties["Policies"] ?? []),
    );
  }
});

test("settings of a stack must be the same in all configurations", async () => {
  const { reports } = await compiled(
    "{ template: sam, tags: { a: b } }",
    [order, ship],
    "{ template: cloudformation }",
  );
  expect(reports).toMatchObject([
    { code: "WB5125", message: expect.stringContaining("`template`"), at: "template" },
    { code: "WB5125", message: expect.stringContaining("`tags`"), at: "tags" },
  ]);
});

test.each([
  ["{ tags: { a: b }, tracing: true }", ["tags", "tracing"]],
  ["{ eventsTable: { keepEvents: 3600 } }", ["eventsTable"]],
  ["{ template: sam, alias: { name: live, percentage: 5 } }", ["alias.percentage"]],
  ["{ template: sam, alias: { name: live, deployment: linear, percentage: 5 } }", []],
])("settings without effect are reported: %s", async (settings, names) => {
  const { reports } = await compiled(settings, [ship]);
  expect(reports.map(({ code, message, at }) => `${code} ${message.split(" has no effect")[0]} ${at}`)).toEqual(
    names.map((name) => `WB5132 The setting \`${name}\` ${name.split(".").at(-1)}`),
  );
});

test.each([
  ["tags: { 'aws:x': y }"],
  ["tags: { a: '{{resolve:x}}' }"],
  ["alias: { name: '12' }"],
  ["alias: { deployment: linear }"],
  ["logging: { retentionDays: 2 }"],
  ["permissionsBoundary: limits"],
  ["kmsKey: alias/x"],
  ["runtime: nodejs14.x"],
])("%s is rejected", async (setting) => {
  expect((await compiled(`{ template: sam, ${setting} }`)).faults).not.toEqual([]);
});

const express = (states: string, more = ""): string => `
id: short
name: Short
version: '1.0'
functions: [{ name: f, resource: ${more || "f"} }]
events: [{ name: Paid, type: order.paid, source: shop }]
states:
${states}
`;

test.each([
  [
    "- { name: A, type: event, start: { kind: default }, eventsActions: [{ eventRefs: [Paid], actions: [] }], end: { kind: default } }",
    "waits for events",
    "",
  ],
  [
    "- { name: A, type: subflow, start: { kind: default }, workflowId: ship, waitForCompletion: true, end: { kind: default } }",
    "waits for subflows",
    "",
  ],
  [
    "- { name: A, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: f } }], end: { kind: default } }",
    "activities",
    "'arn:aws:states:eu-west-1:123456789012:activity:f'",
  ],
])("an Express Workflow is refused: %s", async (states, construct, resource) => {
  const { reports } = await compiled(
    "{ template: sam, type: express }",
    [express(states, resource), ship],
    "{ template: sam }",
  );
  expect(reports).toMatchObject([
    { code: "WB5130", message: `Express Workflows do not support ${construct}.`, line: 8 },
  ]);
});

test("an Express Workflow is refused if its parent waits for it", async () => {
  const { reports } = await compiled("{ template: sam }", [order, ship], "{ template: sam, type: express }");
  expect(reports).toMatchObject([
    { code: "WB5130", message: expect.stringContaining("a parent that waits"), line: 13 },
  ]);
});

test("times over five minutes are reported at their place, and an Express Workflow that fits is one", async () => {
  const long = express(`- { name: A, type: delay, start: { kind: default },
    timeDelay: PT1H, end: { kind: default } }`);
  expect((await compiled("{ template: sam, type: express }", [long])).reports).toMatchObject([
    { code: "WB5131", line: 9 },
  ]);
  const fitting = await compiled("{ template: sam, type: express }", [ship]);
  expect(fitting.reports).toEqual([]);
  expect(fitting.resource("ShipStateMachine").Properties["Type"]).toBe("EXPRESS");
});

test("strings that Terraform's templates would replace are escaped", async () => {
  const { files } = await compiled("{}", [
    ship
      .replace("end: { kind: default }", "dataOutputPath: $.a\n  end: { kind: default }")
      .replace("refName: pack }", "refName: pack, parameters: { text: '100%{x}' } }"),
  ]);
  const machine = textOf(files, "ship.asl.json")!;
  expect(machine).not.toContain("%{");
  expect(machine).toContain("100\\u0025{x}");
});

/** Some goldens of all languages. */
const sampled = goldenNames().filter((_, i) => i % 12 === 0);

test.each(sampled)("the construct of %s is TypeScript", async (name) => {
  const { program, settings } = compileGolden(readGolden(name, (text) => parse(text)));
  if (!program) return;
  const { files } = await generate(program, asl, withTemplate(settings("asl"), "cdk"));
  const text = textOf(files, "workflows.ts");
  if (text === undefined) return;
  const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
});

const hasLinter = spawnSync("cfn-lint", ["--version"]).status === 0;

test.skipIf(!hasLinter)("cfn-lint accepts the templates", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-lint-"));
  try {
    for (const template of ["sam", "cloudformation"] as const) {
      const { files } = await compiled(all(template));
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, template, path)), { recursive: true });
        writeFileSync(join(folder, template, path), text);
      }
      // W3002: `aws cloudformation package` replaces the paths.
      const { stdout } = spawnSync("cfn-lint", [
        "--ignore-checks",
        "W3002",
        "--",
        join(folder, template, "template.yaml"),
      ]);
      expect(String(stdout)).toBe("");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
