import { expect, test } from "vitest";
import { parse } from "yaml";
import { check, generate } from "../../../src/compile.ts";
import { hosts } from "../../../src/generated/typescript-hosts.ts";
import { emptyConfiguration } from "../../../src/target/contract.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { readGolden } from "../../golden/folder.ts";
import { languages } from "../../languages.ts";

const { sources } = readGolden("serverless-workflow/event-wait", (text) => parse(text));

/** The files of a program with settings, by their paths. */
async function emitted(
  values: { readonly [name: string]: string },
  given: typeof sources = sources,
): Promise<ReadonlyMap<string, string>> {
  const { program } = check({ sources: given, options: {} }, languages);
  const { files } = await generate(program!, typescript, {
    configurationOf: () => ({ ...emptyConfiguration, values }),
  });
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** The hosts with a module of their own and a server. */
const serverHosts = hosts.filter(({ module, hasServer }) => module && hasServer).map(({ name }) => name);

test.each(serverHosts)(
  "the host %s changes only entry point, packages, container files, README and the division of the runtime",
  async (host) => {
    const [sqlite, other] = [await emitted({}), await emitted({ host })];
    const differing = [...new Set([...sqlite.keys(), ...other.keys()])].filter(
      (path) => sqlite.get(path) !== other.get(path),
    );
    expect(differing.sort()).toEqual(
      [
        ".gitattributes",
        `${host}.d.ts`,
        `${host}.js`,
        "Dockerfile",
        "README.md",
        "compose.yaml",
        "main.ts",
        "package.json",
        "runtime.internal.js",
        "runtime.js",
      ].sort(),
    );
    expect(await emitted({ host: "sqlite" })).toEqual(sqlite);
  },
);

test("a program on Restate imports the engine of restate.js and depends on its packages", async () => {
  const files = await emitted({ host: "restate" });
  expect(files.get("main.ts")).toContain('const { openEngine } = await import("./restate.js");');
  expect(JSON.parse(files.get("package.json")!).dependencies).toEqual({ "@restatedev/restate-sdk": "1.17.2" });
  expect(files.get("Dockerfile")).not.toContain("/data");
  expect(Object.keys(parse(files.get("compose.yaml")!).services)).toEqual(["restate", "program"]);
});

test("a program on DBOS imports the engine of dbos.js and depends on its packages", async () => {
  const files = await emitted({ host: "dbos" });
  expect(files.get("main.ts")).toContain('const { openEngine } = await import("./dbos.js");');
  expect(JSON.parse(files.get("package.json")!).dependencies).toEqual({ "@dbos-inc/dbos-sdk": "5.3.0", pg: "8.23.1" });
  expect(files.get("Dockerfile")).not.toContain("/data");
  expect(Object.keys(parse(files.get("compose.yaml")!).services)).toEqual(["database", "program"]);
});

test("a host finds the runtime even if it is a package", async () => {
  const files = await emitted({ host: "dbos", runtime: "package" });
  expect(files.get("runtime.internal.js")).toMatch(/^export \* from "waybill-runtime\/internal";\n$/m);
  expect(files.get("dbos.d.ts")).toContain('import type { main } from "waybill-runtime";');
  for (const values of [{ host: "dbos", runtime: "package" }, { runtime: "package" }])
    expect([...(await emitted(values)).keys()]).not.toContain("runtime.js");
});

/** The names that a module exports in one statement. */
const exportedNames = (text: string): readonly string[] =>
  /^export \{([^{}]*)\}/m
    .exec(text)![1]!
    .split(",")
    .map((each) => each.trim().replace(/^.* as /, ""));

test("programs see only the public face of the runtime, on every host", async () => {
  const [sqlite, other] = [await emitted({}), await emitted({ host: "dbos" })];
  const [names, shared] = [sqlite, other].map((files) => exportedNames(files.get("runtime.js")!));
  expect(shared).toEqual(names);
  const internal = exportedNames(other.get("runtime.internal.js")!);
  const imported = /^import \{([^{}]*)\} from ".\/runtime.internal.js";$/m
    .exec(other.get("dbos.js")!)![1]!
    .split(",")
    .map((each) => each.trim().replace(/ as .*$/, ""));
  const own = ["announce", "runWorkflow"];
  expect(internal).toEqual(expect.arrayContaining([...names!, ...own, ...imported]));
  for (const name of own) {
    expect(names).not.toContain(name);
    expect(sqlite.get("runtime.d.ts")).not.toMatch(new RegExp(`\\b${name}\\b`));
  }
});

const calling = readGolden("serverless-workflow/delay", (text) => parse(text)).sources;

test("a program on AWS Lambda has a handler, a template and the same workflow modules", async () => {
  const [sqlite, lambda] = [await emitted({}, calling), await emitted({ host: "lambda" }, calling)];
  const differing = [...new Set([...sqlite.keys(), ...lambda.keys()])].filter(
    (path) => sqlite.get(path) !== lambda.get(path),
  );
  expect(differing.sort()).toEqual([
    ".dockerignore",
    ".gitattributes",
    "Dockerfile",
    "README.md",
    "assemble.mjs",
    "handler.mjs",
    "lambda.d.ts",
    "lambda.js",
    "main.ts",
    "package.json",
    "pause.graph.json",
    "runtime.internal.js",
    "runtime.js",
    "template.yaml",
    "tsconfig.json",
  ]);
  expect(lambda.get("handler.mjs")).toMatch(
    /^export const handler = durable\(\{ workflows: \[\w+\], functions \}\);$/m,
  );
});

const { sources: emitting } = readGolden("serverless-workflow/produced-events", (text) => parse(text));

test("a program on AWS Lambda depends on the EventBridge client if it emits events", async () => {
  const packages = async (given: typeof sources) => {
    const { dependencies } = JSON.parse((await emitted({ host: "lambda" }, given)).get("package.json")!);
    return Object.keys(dependencies);
  };
  expect(await packages(calling)).toEqual(["@aws/durable-execution-sdk-js"]);
  expect(await packages(emitting)).toEqual(["@aws-sdk/client-eventbridge", "@aws/durable-execution-sdk-js"]);
});

test("the role of the function has only the permissions that the workflows need", async () => {
  const templates = [await emitted({ host: "lambda" }, calling), await emitted({ host: "lambda" }, emitting)];
  const [plain, events] = templates.map((files) => parse(files.get("template.yaml")!, { logLevel: "silent" }));
  const allowed = (template: typeof plain): readonly string[] =>
    template.Resources.WorkflowsFunction.Properties.Policies[0].Statement.flatMap(
      ({ Action }: { readonly Action: readonly string[] }) => Action,
    );
  const always = ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState"];
  expect(allowed(plain)).toEqual(always);
  expect(allowed(events)).toEqual([...always, "events:PutEvents"]);
  expect(plain.Parameters).toBeUndefined();
  expect(Object.keys(events.Parameters)).toEqual(["EventBus"]);
  const { Handler, Runtime, DurableConfig, Timeout, AutoPublishAlias } = plain.Resources.WorkflowsFunction.Properties;
  expect({ Handler, Runtime, DurableConfig, Timeout, AutoPublishAlias }).toEqual({
    Handler: "handler.handler",
    Runtime: "nodejs24.x",
    DurableConfig: { ExecutionTimeout: 31_622_400, RetentionPeriodInDays: 90 },
    Timeout: 900,
    AutoPublishAlias: "live",
  });
});

const { sources: startedBy } = readGolden("sm4c/event-groups", (text) => parse(text));

test("a second function receives events, with a table, a rule for each event type and a dead-letter queue", async () => {
  const files = await emitted({ host: "lambda" });
  expect(files.get("handler.mjs")).toMatch(/^const workflows = \[payment\];$/m);
  expect(files.get("handler.mjs")).toMatch(
    /^export const handler = durable\(\{ workflows, functions, receives: true \}\);$/m,
  );
  expect(files.get("handler.mjs")).toMatch(/^export const ingest = receiving\(\{ workflows \}\);$/m);
  expect(Object.keys(JSON.parse(files.get("package.json")!).dependencies)).toEqual([
    "@aws-sdk/client-dynamodb",
    "@aws-sdk/client-lambda",
    "@aws/durable-execution-sdk-js",
  ]);
  const { EventsFunction } = templateOf(files).Resources;
  expect(EventsFunction.Properties.Events).toMatchObject({
    Rule1: { Type: "EventBridgeRule", Properties: { EventBusName: "EventBus" } },
    Over: { Type: "EventBridgeRule", Properties: { Pattern: { source: ["aws.lambda"] } } },
  });
  expect(EventsFunction.Properties.Handler).toBe("handler.ingest");
});

const templateOf = (files: ReadonlyMap<string, string>) => parse(files.get("template.yaml")!, { logLevel: "silent" });

test("the events table is retained, and its recovery, protection and key are parameters", async () => {
  const { Resources, Parameters } = templateOf(await emitted({ host: "lambda" }));
  expect(Resources.EventStore).toMatchObject({
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: "PointInTimeRecovery" },
      DeletionProtectionEnabled: "DeletionProtection",
      SSESpecification: ["HasEventsKey", { SSEType: "KMS", KMSMasterKeyId: "EventsKey" }, "AWS::NoValue"],
    },
  });
  expect(Parameters).toMatchObject({
    PointInTimeRecovery: { Default: "true" },
    DeletionProtection: { Default: "false" },
    EventsKey: { Default: "" },
    KeepEvents: { Default: 604_800 },
  });
});

test("CloudFormation refuses to update a stack whose table an earlier version has created", async () => {
  const earlier = {
    EventsTable: {
      Type: "AWS::DynamoDB::Table",
      Properties: { KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }] },
    },
  };
  const files = await emitted({ host: "lambda" });
  const { Resources } = templateOf(files);
  expect(changedTypes(earlier, Resources)).toEqual(["EventsTable"]);
  expect(changedTypes(Resources, Resources)).toEqual([]);
  expect(files.get("README.md")).toContain("A stack with their table `EventsTable` cannot be updated");
  const called = await emitted({ host: "lambda" }, calling);
  expect(Object.keys(templateOf(called).Resources)).toEqual(["WorkflowsFunction"]);
  expect(called.get("README.md")).not.toContain("EventsTable");
});

/** The resources for which CloudFormation reports "Update of resource type is not permitted". */
const changedTypes = (before: TypedResources, after: TypedResources): readonly string[] =>
  Object.keys(before).filter((id) => after[id] && after[id].Type !== before[id]!.Type);

interface TypedResources {
  readonly [id: string]: { readonly Type: string };
}

const waits = [
  "dynamodb:DeleteItem",
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:Query",
  "lambda:SendDurableExecutionCallbackSuccess",
];
const { sources: starting } = readGolden("serverless-workflow/partial-events-dropped", (text) => parse(text));

test.each([
  { given: sources, more: [] },
  { given: startedBy, more: [] },
  { given: starting, more: ["lambda:InvokeFunction"] },
])("both functions have only the permissions that they need, and all references resolve", async ({ given, more }) => {
  const files = await emitted({ host: "lambda" }, given);
  const { Resources, Parameters = {} } = templateOf(files);
  const allowed = ({ Properties }: { readonly Properties: { readonly Policies: readonly Policy[] } }) =>
    Properties.Policies[0]!.Statement.flatMap(({ Action = [] }) => Action).filter(
      (action) => action !== "events:PutEvents",
    );
  const always = ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState"];
  expect(allowed(Resources.WorkflowsFunction).sort()).toEqual([...always, ...more, ...waits].sort());
  expect(allowed(Resources.EventsFunction).sort()).toEqual([...waits, ...more, "sqs:SendMessage"].sort());
  const names = [...files.get("template.yaml")!.matchAll(/!(?:Ref|GetAtt) (\w+)/g)].map(([, name]) => name);
  for (const name of names) expect([...Object.keys(Resources), ...Object.keys(Parameters)]).toContain(name);
});

interface Policy {
  /** Conditional statements are arrays without `Action` here. */
  readonly Statement: readonly { readonly Action?: readonly string[] }[];
}

test.each(hosts)("the package versions of $name are those of its tests", async ({ name: host }) => {
  const { default: manifest } = await import("../../../package.json", { with: { type: "json" } });
  const { default: hosts } = await import("../../hosts/package.json", { with: { type: "json" } });
  const installed = { ...manifest.devDependencies, ...hosts.dependencies };
  const { dependencies } = JSON.parse((await emitted({ host }, emitting)).get("package.json")!);
  for (const [name, version] of Object.entries(dependencies ?? {}))
    expect(installed).toMatchObject({ [name]: version });
});
