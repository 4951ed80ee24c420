import { expect, test } from "vitest";
import { parse } from "yaml";
import { generate } from "../../../../src/compile.ts";
import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";
import type { OutputFile } from "../../../../src/target/contract.ts";
import { asl } from "../../../../targets/asl/index.ts";
import { goldenNames, readGolden } from "../../../golden/folder.ts";
import { compileGolden } from "../../../golden/make.ts";
import {
  allowed,
  type DeployedTemplate,
  functionsIn,
  namesUsed,
  readTemplate,
  type TemplateResource,
  tasksIn,
  textOf,
  withTemplate,
} from "./stack.ts";

// Templates of all goldens satisfy cfn-lint's rules, and roles allow exactly what the states do.

/** The files of each compiling golden, with its template. */
const stacks = (
  await Promise.all(
    goldenNames().map(async (name) => {
      const { program, settings } = compileGolden(readGolden(name, (text) => parse(text)));
      const files = program ? (await generate(program, asl, withTemplate(settings("asl"), "sam"))).files : [];
      return { name, files };
    }),
  )
).filter(({ files }) => files.length > 0);

const templateOf = (files: readonly OutputFile[]): DeployedTemplate => readTemplate(textOf(files, "template.yaml")!);
const ofType = (template: DeployedTemplate, type: string): readonly (readonly [string, TemplateResource])[] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
const functions = (template: DeployedTemplate) => ofType(template, "AWS::Serverless::Function");
const machines = (template: DeployedTemplate) => ofType(template, "AWS::Serverless::StateMachine");
const rows = stacks.map(({ name, files }) => [name, files] as const);

test("the goldens cover every part of a template", () => {
  const types = new Set(
    stacks.flatMap(({ files }) => Object.values(templateOf(files).Resources).map(({ Type }) => Type)),
  );
  expect(stacks.length).toBeGreaterThan(100);
  expect([...types].sort()).toEqual([
    "AWS::DynamoDB::Table",
    "AWS::Logs::LogGroup",
    "AWS::SQS::Queue",
    "AWS::SQS::QueuePolicy",
    "AWS::Serverless::Function",
    "AWS::Serverless::StateMachine",
  ]);
});

test.each(rows)("%s: references exist, and parameters are used", (_, files) => {
  const template = templateOf(files);
  const parameters = Object.keys(template.Parameters ?? {});
  const resources = Object.keys(template.Resources);
  const used = namesUsed([template.Resources, template.Outputs] as unknown as Json);
  const ofStack = used.filter((name) => !name.startsWith("AWS::"));
  expect(ofStack.filter((name) => !resources.includes(name) && !parameters.includes(name))).toEqual([]);
  expect(parameters.filter((name) => !used.includes(name))).toEqual([]);
  const names = [...parameters, ...resources].map((name) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
  const pseudo = new Set(used.filter((name) => name.startsWith("AWS::")));
  for (const name of pseudo)
    expect(["AWS::AccountId", "AWS::Partition", "AWS::Region", "AWS::StackName"]).toContain(name);
});

test.each(rows)("%s: named machines belong to the stack", (_, files) => {
  const template = templateOf(files);
  const names = machines(template).map(([, { Properties }]) => (Properties["Name"] as JsonObject)["Fn::Sub"]);
  const named = functionsIn(template.Resources as unknown as Json).flatMap(([, given]) =>
    typeof given === "string" ? (/:(?:stateMachine|execution):(\$\{AWS::StackName\}-\w+)/.exec(given)?.[1] ?? []) : [],
  );
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test.each(rows)("%s: files and handlers exist", (_, files) => {
  const template = templateOf(files);
  for (const [, { Properties }] of machines(template))
    expect(textOf(files, String(Properties["DefinitionUri"]))).toBeDefined();
  for (const [, { Properties }] of functions(template)) {
    const [module, name, ...more] = String(Properties["Handler"]).split(".");
    expect([more, String(Properties["Handler"]).length <= 128]).toEqual([[], true]);
    expect(textOf(files, `${module}.mjs`)).toMatch(
      new RegExp(`^export (?:const ${name} =|\\{[^}]*\\b${name}\\b[^}]*\\};)`, "m"),
    );
  }
});

test.each(rows)("%s: exactly the machine's substitutions are defined", (_, files) => {
  for (const [, { Properties }] of machines(templateOf(files))) {
    const text = textOf(files, String(Properties["DefinitionUri"]))!;
    const wanted = new Set([...text.matchAll(/\$\{(.*?)\}/g)].map(([, name]) => name));
    expect(Object.keys((Properties["DefinitionSubstitutions"] ?? {}) as JsonObject).sort()).toEqual([...wanted].sort());
  }
});

const arn = (service: string, resource: string): string =>
  JSON.stringify({
    "Fn::Sub": `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`,
  });

/** The permissions that a Task needs, derived from its fields. */
function needed(task: JsonObject, own: string, filledIn: (text: Json | undefined) => Json): readonly string[] {
  const resource = String(task["Resource"]);
  const given = (task["Arguments"] ?? {}) as JsonObject;
  const on = (action: string, what: Json): string => `${action} on ${JSON.stringify(what)}`;
  const action = resource.replace(/^arn:[^:]*:states:::/, "");
  if (action === resource)
    return resource.includes(":activity:") ? [] : [on("lambda:InvokeFunction", filledIn(resource))];
  switch (action) {
    case "lambda:invoke":
    case "lambda:invoke.waitForTaskToken":
      return [on("lambda:InvokeFunction", filledIn(given["FunctionName"]))];
    case "events:putEvents":
      return (given["Entries"] as readonly JsonObject[]).map(
        ({ EventBusName: bus = "default" }) => `events:PutEvents on ${arn("events", `event-bus/${String(bus)}`)}`,
      );
    case "http:invoke":
      return [
        `states:InvokeHTTPEndpoint on ${own}`,
        on("events:RetrieveConnectionCredentials", filledIn((given["Authentication"] as JsonObject)["ConnectionArn"])),
        `secretsmanager:DescribeSecret on ${arn("secretsmanager", "secret:events!connection/*")}`,
        `secretsmanager:GetSecretValue on ${arn("secretsmanager", "secret:events!connection/*")}`,
      ];
    case "states:startExecution":
      return given["StateMachineArn"] === "{% $states.context.StateMachine.Id %}"
        ? [`states:StartExecution on ${own}`]
        : [on("states:StartExecution", filledIn(given["StateMachineArn"]))];
    case "states:startExecution.sync:2": {
      const machine = filledIn(given["StateMachineArn"]) as JsonObject;
      const inStack = typeof machine["Fn::Sub"] === "string";
      const executions = inStack
        ? { "Fn::Sub": `${String(machine["Fn::Sub"]).replace(":stateMachine:", ":execution:")}:*` }
        : {
            "Fn::Sub": [
              JSON.parse(arn("states", `execution:\${Machine}:*`))["Fn::Sub"],
              { Machine: { "Fn::Select": [6, { "Fn::Split": [":", machine] }] } },
            ],
          };
      const rule = arn("events", "rule/StepFunctionsGetEventsForStepFunctionsExecutionRule");
      return [
        on("states:StartExecution", machine),
        on("states:DescribeExecution", executions),
        on("states:StopExecution", executions),
        ...["events:DescribeRule", "events:PutRule", "events:PutTargets"].map((each) => `${each} on ${rule}`),
      ];
    }
    case "sqs:sendMessage":
      return ["sqs:SendMessage on *"];
    case "dynamodb:getItem":
    case "dynamodb:putItem":
    case "dynamodb:updateItem": {
      const table = { "Fn::GetAtt": [(filledIn(given["TableName"]) as JsonObject)["Ref"]!, "Arn"] };
      return [
        on(
          action.replace(/:(\w)/, (initial) => initial.toUpperCase()),
          table,
        ),
      ];
    }
    case "aws-sdk:dynamodb:getItem":
      return ["dynamodb:GetItem on *"];
    case "aws-sdk:s3:putObject":
      return ["s3:PutObject on *"];
    default:
      throw new Error(`What does ${action} need?`);
  }
}

test.each(rows)("%s: a machine's role allows exactly what its states do", (_, files) => {
  for (const [, { Properties }] of machines(templateOf(files))) {
    const machine = parse(textOf(files, String(Properties["DefinitionUri"]))!) as JsonObject;
    const substitutions = (Properties["DefinitionSubstitutions"] ?? {}) as JsonObject;
    const filledIn = (text: Json | undefined): Json =>
      substitutions[/^\$\{(\w+)\}$/.exec(String(text))?.[1] ?? ""] ?? text!;
    const own = arn("states", `stateMachine:${String((Properties["Name"] as JsonObject)["Fn::Sub"])}`);
    const executions = own.replace(":stateMachine:", ":execution:").replace(/"\}$/, ':*"}');
    const distributed = JSON.stringify(machine).includes('"Mode":"DISTRIBUTED"')
      ? [
          `states:StartExecution on ${own}`,
          `states:DescribeExecution on ${executions}`,
          `states:StopExecution on ${executions}`,
        ]
      : [];
    const wanted = new Set([...tasksIn(machine).flatMap((task) => needed(task, own, filledIn)), ...distributed]);
    const given = allowed(Properties["Policies"]!).filter((each) => !each.startsWith("logs:"));
    const integrations = [...wanted].filter((each) => each.endsWith(" on *")).map((each) => each.replace("*", ""));
    const shown = given.map((each) => integrations.find((start) => each.startsWith(start))?.concat("*") ?? each);
    expect(shown.sort()).toEqual([...wanted].sort());
  }
});

/** The module of a workflow, with the module of its group that it imports. */
function withLeader(text: string, files: Parameters<typeof textOf>[0]): string {
  const [, leader] = /from "\.\/(.+-events\.mjs)";/.exec(text) ?? [];
  return leader === undefined ? text : `${textOf(files, leader)}${text}`;
}

test.each(rows)("%s: functions have the permissions they need, on their own resources", (_, files) => {
  for (const [, { Properties }] of functions(templateOf(files))) {
    const handler = String(Properties["Handler"]);
    const receives = /-events\.(?:wait|ingest)$/.test(handler);
    const given = receives ? [...new Set(allowed(Properties["Policies"]!))] : [];
    const calls = [...new Set(given.map((each) => each.split(" on ")[0]!))];
    const started = withLeader(textOf(files, handler.replace(/\..*$/, ".mjs"))!, files).match(/ machine: "/g) ?? [];
    const starts = started.length > 0 ? ["states:StartExecution"] : [];
    expect(given.filter((each) => each.startsWith("states:StartExecution on ")).length).toBe(started.length);
    expect(calls.sort()).toEqual(
      !receives
        ? []
        : [
            ...["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"],
            ...(handler.endsWith(".ingest") ? ["sqs:SendMessage"] : []),
            "states:GetExecutionHistory",
            "states:SendTaskFailure",
            "states:SendTaskSuccess",
            ...starts,
          ].sort(),
    );
    expect(receives || Properties["Policies"] === undefined).toBe(true);
  }
});

test.each(rows)("%s: names, sizes and policies are valid for CloudFormation and IAM", (_, files) => {
  const text = textOf(files, "template.yaml")!;
  const template = templateOf(files);
  expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
  expect(Buffer.byteLength(template.Description)).toBeLessThanOrEqual(1024);
  expect(readTemplate(text, "1.2")).toEqual(template);
  const ids = [template.Parameters ?? {}, template.Resources, template.Outputs].flatMap((part) => Object.keys(part));
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{1,200}$/);
  for (const [, { Properties }] of machines(template))
    expect(String((Properties["Name"] as JsonObject)["Fn::Sub"])).toMatch(/^\$\{AWS::StackName\}-[A-Za-z0-9]{1,39}$/);
  for (const policy of policiesIn(template.Resources as unknown as Json)) {
    expect(policy["Version"]).toBe("2012-10-17");
    for (const statement of policy["Statement"] as readonly JsonObject[]) {
      expect(statement["Effect"]).toBe("Allow");
      for (const action of statement["Action"] as readonly string[]) {
        expect(action).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/);
        if (!action.startsWith("logs:")) expect(statement["Resource"]).not.toContain("*");
      }
    }
  }
  for (const [, given] of functionsIn(template as unknown as Json).filter(([name]) => name === "Fn::Sub"))
    expect(Array.isArray(given) ? given[0] : given).toContain("${");
});

/** The machines of a golden's stack, with their substitutions and permissions, except for logging. */
function machinesOfStack(name: string) {
  const template = templateOf(stacks.find((stack) => stack.name === name)!.files);
  return machines(template).map(([resource, { Properties }]) => ({
    resource,
    filledIn: Object.keys((Properties["DefinitionSubstitutions"] ?? {}) as JsonObject),
    actions: policiesIn(Properties["Policies"] as Json)
      .flatMap((policy) => (policy["Statement"] as readonly JsonObject[]).flatMap(({ Action }) => Action as string[]))
      .filter((action) => !action.startsWith("logs:")),
  }));
}

test("the stack includes machines for calls without waiting", () => {
  expect(machinesOfStack("sm4c/calls-not-waited")).toEqual([
    {
      resource: "CallsNotWaitedStateMachine",
      filledIn: ["QuoteFunctionArn", "CallsNotWaitedLogStateMachineArn"],
      actions: ["lambda:InvokeFunction", "states:StartExecution"],
    },
    { resource: "CallsNotWaitedLogStateMachine", filledIn: ["LogFunctionArn"], actions: ["lambda:InvokeFunction"] },
  ]);
});

test("the stack includes machines for subflows that may end their caller", () => {
  const waits = ["states:DescribeExecution", "states:StopExecution"];
  const rules = ["events:DescribeRule", "events:PutRule", "events:PutTargets"];
  expect(machinesOfStack("serverless-workflow/subflow-terminates")).toEqual([
    { resource: "ChildStateMachine", filledIn: ["WorkFunctionArn"], actions: ["lambda:InvokeFunction"] },
    {
      resource: "ParentStateMachine",
      filledIn: ["AfterFunctionArn", "ChildCalledStateMachineArn"],
      actions: ["states:StartExecution", ...waits, ...rules, "lambda:InvokeFunction"],
    },
    { resource: "ChildCalledStateMachine", filledIn: ["WorkFunctionArn"], actions: ["lambda:InvokeFunction"] },
  ]);
});

test("the README lists reserved error names, if any", () => {
  const reservedIn = (name: string) =>
    /must not throw errors named (.*): /.exec(
      textOf(stacks.find((stack) => stack.name === name)!.files, "README.md")!,
    )?.[1];
  expect(reservedIn("serverless-workflow/parallel-first-of")).toBe("`Waybill.Joined`");
  expect(reservedIn("serverless-workflow/terminate-in-branch")).toBe("`Waybill.RunEnds`");
  expect(reservedIn("serverless-workflow/parallel-merge")).toBeUndefined();
});

function policiesIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => policiesIn(item));
  if (!isObject(value)) return [];
  return [...("Statement" in value ? [value] : []), ...Object.values(value).flatMap(policiesIn)];
}
