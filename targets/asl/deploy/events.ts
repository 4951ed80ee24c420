import { eventBridgePattern, receivedEvents } from "../../../src/ir/event-patterns.ts";
import { createNames, identifierStyle } from "../../../src/ir/names.ts";
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

/** The logical ID of the stack's table. */
export const table = "EventsTable";
const queue = "FailedEventsQueue";

/** The table shared by all workflows that receive events or count branches. */
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

/** The dead-letter queue for events. */
export const queueResource = (): readonly [string, Json] => [
  queue,
  {
    Type: "AWS::SQS::Queue",
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: { MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true },
  },
];

/** The two event functions of a workflow, and the EventBridge rules that call `ingest`, on the bus of a parameter. */
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
        { Type: "EventBridgeRule", Properties: { EventBusName: ref(bus), Pattern: eventBridgePattern(event) } },
      ]),
    ),
  };
  return [
    [functionResourceName(stem, "wait"), wait],
    [functionResourceName(stem, "ingest"), functionResource(handlerOf(file, "ingest"), ingest)],
  ];
}

/** One definition per pattern, so that no event arrives by two rules. */
function eventsOf({ members }: EventGroup): readonly EventDefinition[] {
  const patterns = Map.groupBy(members.flatMap(receivedEvents), (event) => JSON.stringify(eventBridgePattern(event)));
  return [...patterns.values()].map(([first]) => first!);
}

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
