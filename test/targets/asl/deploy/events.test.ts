import { expect, test } from "vitest";
import { compileWith } from "../../../../src/compile.ts";
import { readConfiguration } from "../../../../src/configuration/index.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { asl } from "../../../../targets/asl/index.ts";
import { targets } from "../../../../targets/index.ts";
import { languages } from "../../../languages.ts";
import { allowed, readTemplate, textOf } from "./stack.ts";

// The settings of the events table, the rules of events, and what happens to events that cannot be delivered.

const substitution = (name: string): string => `$${`{${name}}`}`;

const definition = `
id: order
name: Order
version: '1.0'
functions: [{ name: charge, resource: charge }, { name: vote, resource: vote }]
events:
- { name: Paid, type: order.paid, source: shop }
- { name: Refunded, type: order.refunded, source: bank }
- { name: Anything, type: order.audit }
- { name: Packed, type: order.packed, source: shop }
- { name: PackedElsewhere, type: order.packed, source: shop }
states:
- name: Wait
  type: switch
  start: { kind: default }
  eventConditions:
  - { eventRef: Paid, transition: { nextState: Vote } }
  - { eventRef: Refunded, transition: { nextState: Vote } }
  - { eventRef: Anything, transition: { nextState: Vote } }
  - { eventRef: PackedElsewhere, transition: { nextState: Vote } }
  eventTimeout: PT1H
  default: { nextState: Vote }
- name: Vote
  type: parallel
  completionType: n_of_m
  n: 2
  branches:
  - name: A
    states:
    - { name: InA, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: vote } }], end: { kind: default } }
  - name: B
    states:
    - { name: InB, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: vote } }], end: { kind: default } }
  - name: C
    states:
    - { name: InC, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: vote } }], end: { kind: default } }
  end: { kind: event, produceEvent: { eventRef: Packed, data: $.order } }
`;

async function compiled(eventsTable: string, events = "") {
  const faults: string[] = [];
  const text = `targets: { asl: { template: sam, eventsTable: ${eventsTable} } }\n${events}`;
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], targets, ({ message }) =>
    faults.push(message),
  );
  const sources = [{ path: "main.yaml", text: definition }];
  const { files, diagnostics } = await compileWith(
    { sources, options: {}, configurationOf: () => configuration },
    languages,
    asl,
  );
  const errors = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code} ${message}`);
  const yaml = textOf(files, "template.yaml");
  const template = yaml === undefined ? undefined : readTemplate(yaml);
  const runtime = textOf(files, "runtime/events.mjs")!;
  return { faults, errors, runtime, template: template!, resource: (name: string) => template!.Resources[name]! };
}

/** The event sources of `ingest`. */
const sourcesOf = ({ resource }: Awaited<ReturnType<typeof compiled>>) =>
  resource("OrderIngestFunction").Properties["Events"] as { readonly [name: string]: JsonObject };

const propertiesOf = (source: JsonObject | undefined) => source?.["Properties"] as JsonObject;

test("the table expires items, and costs nothing that was not asked for", async () => {
  const { resource } = await compiled("{}");
  const { Properties, ...table } = resource("EventsTable");
  expect(table).toMatchObject({ DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" });
  expect(Properties["TimeToLiveSpecification"]).toEqual({ AttributeName: "ttl", Enabled: true });
  for (const name of ["PointInTimeRecoverySpecification", "DeletionProtectionEnabled", "SSESpecification"])
    expect(Properties).not.toHaveProperty(name);
  for (const name of ["OrderWaitFunction", "OrderIngestFunction"])
    expect(resource(name).Properties["Environment"]).toMatchObject({ Variables: { EVENTS_KEPT_SECONDS: "604800" } });
});

test("the table can be recovered, protected and encrypted, and all that read it may use its key", async () => {
  const key = "arn:aws:kms:eu-west-1:123456789012:key/1f-2";
  const settings = `{ keepEvents: 3600, pointInTimeRecovery: true, deletionProtection: true, kmsKey: "${key}" }`;
  const { resource, faults } = await compiled(settings);
  expect(faults).toEqual([]);
  expect(resource("EventsTable")).toMatchObject({
    DeletionPolicy: "Retain",
    Properties: {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
      SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: key },
    },
  });
  for (const name of ["OrderWaitFunction", "OrderIngestFunction", "OrderStateMachine"])
    expect(allowed(resource(name).Properties["Policies"]!)).toContain(`kms:Decrypt on ${JSON.stringify(key)}`);
  expect(resource("OrderIngestFunction").Properties["Environment"]).toMatchObject({
    Variables: { EVENTS_KEPT_SECONDS: "3600" },
  });
});

test("the key can be a parameter", async () => {
  const { resource, template } = await compiled(`{ kmsKey: "${substitution("Key")}" }`);
  expect(template.Parameters).toHaveProperty("Key");
  expect(resource("EventsTable").Properties["SSESpecification"]).toMatchObject({ KMSMasterKeyId: { Ref: "Key" } });
});

test("the functions have the permissions on the table that their runtime uses", async () => {
  const { runtime, resource } = await compiled("{}");
  const requests = {
    getItem: "GetItem",
    query: "Query",
    batchGetItem: "BatchGetItem",
    batchWriteItem: "BatchWriteItem",
  };
  const writes = { Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem", ConditionCheck: "ConditionCheckItem" };
  const used = [
    ...Object.entries(requests).flatMap(([method, action]) => (runtime.includes(`.${method}(`) ? [action] : [])),
    ...Object.entries(writes).flatMap(([kind, action]) =>
      new RegExp(`\\b${kind}: \\{`).test(runtime) ? [action] : [],
    ),
  ];
  const given = allowed(resource("OrderIngestFunction").Properties["Policies"]!).flatMap(
    (each) => /^dynamodb:(\w+)/.exec(each)?.[1] ?? [],
  );
  expect(given.sort()).toEqual(used.sort());
  expect(used).toContain("Query");
});

test("events that EventBridge cannot hand over go to the queue, which only its rules may use", async () => {
  const stack = await compiled("{}");
  const rules = Object.entries(sourcesOf(stack)).filter(([name]) => name.endsWith("Rule"));
  expect(rules.map(([name]) => name)).toEqual(["PaidRule", "RefundedRule", "AnythingRule", "PackedElsewhereRule"]);
  for (const [, rule] of rules)
    expect(propertiesOf(rule)).toMatchObject({
      DeadLetterConfig: { Arn: { "Fn::GetAtt": ["FailedEventsQueue", "Arn"] } },
      RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
    });
  const { PolicyDocument: document, Queues: queues } = stack.resource("FailedEventsQueuePolicy").Properties;
  expect(queues).toEqual([{ Ref: "FailedEventsQueue" }]);
  const [statement, ...others] = (document as JsonObject)["Statement"] as readonly JsonObject[];
  expect(others).toEqual([]);
  expect(statement).toMatchObject({
    Principal: { Service: "events.amazonaws.com" },
    Action: ["sqs:SendMessage"],
    Condition: { ArnLike: { "aws:SourceArn": { "Fn::Sub": expect.stringMatching(/:rule\/\*$/) } } },
  });
});

test("a schedule lets `ingest` complete what was left", async () => {
  const { Sweep: sweep } = sourcesOf(await compiled("{}"));
  expect(sweep).toMatchObject({
    Type: "Schedule",
    Properties: { Schedule: "rate(5 minutes)", Input: '{"sweep":true}' },
  });
});

test("an event is received from its bus, from the bus on which the program puts it, or from the parameter's", async () => {
  const stack = await compiled(
    "{}",
    `events: { Paid: { asl: { bus: payments } }, Packed: { asl: { bus: "${substitution("Depot")}" } } }`,
  );
  const buses = Object.entries(sourcesOf(stack)).map(([name, source]): [string, Json | undefined] => [
    name,
    propertiesOf(source)["EventBusName"],
  ]);
  expect(Object.fromEntries(buses)).toEqual({
    PaidRule: "payments",
    RefundedRule: { Ref: "EventBus" },
    AnythingRule: { Ref: "EventBus" },
    PackedElsewhereRule: { Ref: "Depot" },
    Sweep: undefined,
  });
  expect(propertiesOf(sourcesOf(await compiled("{}"))["PackedElsewhereRule"])["EventBusName"]).toBe("default");
});

test("an event that is bound to another bus than the program puts it on is an error", async () => {
  const { errors } = await compiled("{}", "events: { PackedElsewhere: { asl: { bus: depot } } }");
  expect(errors).toEqual([
    "WB5123 Event `Packed` is put on the default bus, so `PackedElsewhere`, which is received from bus `depot`, never gets it.",
  ]);
});

test("a rule lets only events of the bound sender pass, in either form", async () => {
  const account = substitution("Partner");
  const stack = await compiled(
    "{}",
    `events:
  Paid: { asl: { account: "${account}" } }
  Refunded: { asl: { source: bank.system } }
  Anything: { asl: { account: "123456789012", source: audit } }
`,
  );
  expect([stack.faults, stack.errors]).toEqual([[], []]);
  const patterns = Object.fromEntries(
    Object.entries(sourcesOf(stack)).map(([name, source]) => [name, propertiesOf(source)["Pattern"]]),
  );
  const plain = { detail: { specversion: [{ exists: false }] } };
  const cloudEvent = { specversion: [{ exists: true }] };
  expect(patterns).toEqual({
    PaidRule: {
      $or: [
        { source: ["shop"], "detail-type": ["order.paid"], account: [{ Ref: "Partner" }], ...plain },
        { detail: { ...cloudEvent, type: ["order.paid"], source: ["shop"] }, account: [{ Ref: "Partner" }] },
      ],
    },
    RefundedRule: { detail: { ...cloudEvent, type: ["order.refunded"], source: ["bank"] }, source: ["bank.system"] },
    AnythingRule: {
      $or: [
        { "detail-type": ["order.audit"], account: ["123456789012"], source: ["audit"], ...plain },
        { detail: { ...cloudEvent, type: ["order.audit"] }, account: ["123456789012"], source: ["audit"] },
      ],
    },
    PackedElsewhereRule: {
      $or: [
        { source: ["shop"], "detail-type": ["order.packed"], ...plain },
        { detail: { ...cloudEvent, type: ["order.packed"], source: ["shop"] } },
      ],
    },
    Sweep: undefined,
  });
});

test.each([
  ["{ keepEvents: 1 }", "`keepEvents`"],
  ["{ kmsKey: alias/key }", "`kmsKey`"],
  ["{ keepEvent: 60 }", "`keepEvent`"],
])("%s is rejected", async (settings, name) => {
  const { faults } = await compiled(settings);
  expect(faults.join()).toContain(name);
});

test.each(["{ account: 123456789012 }", "{ account: '1' }", "{ source: '{{resolve:x}}' }", "{}"])(
  "the binding %s of an event is rejected",
  async (binding) => {
    const { faults } = await compiled("{}", `events: { Paid: { asl: ${binding} } }`);
    expect(faults).toHaveLength(1);
  },
);
