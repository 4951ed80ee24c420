import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { patternOf, receivedBy } from "../../../src/ir/receiving.ts";
import type { EventDefinition } from "../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { type EventGroup, machineVariable, startedWorkflows } from "../event-groups.ts";
import { getAtt, ref } from "./cloudformation.ts";
import {
  functionResource,
  functionResourceName,
  handlerOf,
  pascalCase,
  policyOf,
  type StackMachine,
} from "./resources.ts";
import { executionArns, machineArn, type PolicyStatement } from "./statements.ts";

/** The table of a stack. */
export const table = "EventsTable";
const queue = "FailedEventsQueue";

/** The table that all workflows of a stack share that receive events, or whose branches are counted. */
export const tableResource = (): readonly [string, Json] => [
  table,
  {
    Type: "AWS::DynamoDB::Table",
    DeletionPolicy: "Delete",
    UpdateReplacePolicy: "Delete",
    Properties: {
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    },
  },
];

/** A queue for the events that could not be taken in. */
export const queueResource = (): readonly [string, Json] => [
  queue,
  {
    Type: "AWS::SQS::Queue",
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: { MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true },
  },
];

/** The two functions of a workflow that receives events, and the rules of EventBridge, on the bus that a parameter names, that call one of them. */
export function eventResources(
  { stem, modules, workflow, group }: StackMachine,
  all: readonly StackMachine[],
  bus: string | undefined,
): readonly (readonly [string, Json])[] {
  const file = modules.events;
  if (file === undefined || bus === undefined || !group) return [];
  const members = all.filter((each) => group.members.includes(each.workflow));
  const started = startedWorkflows(group.members).map(
    (each) => members.find((member) => member.workflow === each)!.stem,
  );
  const machines = started.map((each, i): [string, Json] => [machineVariable(i), machineArn(each)]);
  const common: JsonObject = {
    Environment: { Variables: { EVENTS_TABLE: ref(table), ...Object.fromEntries(machines) } },
  };
  const statements = eventStatements(started, members);
  const wait = functionResource(handlerOf(file, "wait"), { ...common, Policies: [policyOf(statements)] });
  if (group.leader !== workflow) return [[functionResourceName(stem, "wait"), wait]];
  const rules = createNames([], identifierStyle);
  const failed: PolicyStatement = { actions: ["sqs:SendMessage"], resources: [getAtt(queue, "Arn")] };
  const ingest: JsonObject = {
    ...common,
    EventInvokeConfig: {
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Type: "SQS", Destination: getAtt(queue, "Arn") } },
    },
    Policies: [policyOf([...statements, failed])],
    Events: Object.fromEntries(
      eventsOf(group).map((event) => [
        rules.fresh(`${pascalCase(event.name).slice(0, 60)}Rule`),
        { Type: "EventBridgeRule", Properties: { EventBusName: ref(bus), Pattern: patternOf(event) } },
      ]),
    ),
  };
  return [
    [functionResourceName(stem, "wait"), wait],
    [functionResourceName(stem, "ingest"), functionResource(handlerOf(file, "ingest"), ingest)],
  ];
}

/** The definitions of events that a group receives: one of those that mean the same events, so that none comes by two rules. */
function eventsOf({ members }: EventGroup): readonly EventDefinition[] {
  const patterns = Map.groupBy(members.flatMap(receivedBy), (event) => JSON.stringify(patternOf(event)));
  return [...patterns.values()].map(([first]) => first!);
}

/** What either function does: it changes the table, tells tasks, looks whether they were told, and starts runs where events do. */
function eventStatements(started: readonly string[], members: readonly StackMachine[]): readonly PolicyStatement[] {
  const machines = members.map((each) => machineArn(each.stem));
  return [
    {
      actions: ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"],
      resources: [getAtt(table, "Arn")],
    },
    { actions: ["states:SendTaskFailure", "states:SendTaskSuccess"], resources: machines },
    ...(started.length > 0 ? [{ actions: ["states:StartExecution"], resources: started.map(machineArn) }] : []),
    { actions: ["states:GetExecutionHistory"], resources: members.map((each) => executionArns(each.stem)) },
  ];
}
