import {
  emittedAttributes,
  eventBridgePattern,
  matchesAttributes,
  mayMatchEmitted,
  receivedEvents,
} from "../../../src/ir/event-patterns.ts";
import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Emit, EventDefinition } from "../../../src/ir/workflow.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { machineVariable, startedWorkflows } from "../event-groups.ts";
import { getAtt, ref, stackArn } from "./cloudformation.ts";
import { table, tableStatement } from "./events-table.ts";
import {
  functionResource,
  functionResourceName,
  handlerOf,
  pascalCase,
  policyOf,
  type StackMachine,
} from "./resources.ts";
import { executionArns, machineArn, type PolicyStatement } from "./statements.ts";

const queue = "FailedEventsQueue";

/** The dead-letter queue of events, and the policy that lets EventBridge send to it. */
export const queueResources = (tags: readonly JsonObject[]): readonly (readonly [string, Json])[] => [
  [
    queue,
    {
      Type: "AWS::SQS::Queue",
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: {
        MessageRetentionPeriod: 1_209_600,
        SqsManagedSseEnabled: true,
        ...(tags.length > 0 && { Tags: tags }),
      },
    },
  ],
  [
    `${queue}Policy`,
    {
      Type: "AWS::SQS::QueuePolicy",
      Properties: {
        Queues: [ref(queue)],
        PolicyDocument: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { Service: "events.amazonaws.com" },
              Action: ["sqs:SendMessage"],
              Resource: [getAtt(queue, "Arn")],
              Condition: { ArnLike: { "aws:SourceArn": stackArn("events", "rule/*") } },
            },
          ],
        },
      },
    },
  ],
];

/** What event functions share in a stack. */
export interface EventContext {
  readonly machines: readonly StackMachine[];
  readonly keepEvents: number;
  /** The permissions on the keys of the table and the machines, if they have some. */
  readonly keyStatements: readonly PolicyStatement[];
  /** The alias by which executions are started. */
  readonly alias: string | undefined;
  /** The value of a string of a machine's configuration. */
  resolve(machine: StackMachine, text: string): Json;
  /** The bus of events that neither a binding nor a workflow of the stack puts on another. */
  defaultBus(): Json;
}

/** The event functions of a workflow that are called, and what calls `ingest`: EventBridge rules, and a schedule. */
export function eventResources(machine: StackMachine, context: EventContext): readonly (readonly [string, Json])[] {
  const { modules, workflow, group } = machine;
  const file = modules.events;
  if (file === undefined || !group) return [];
  const members = context.machines.filter((each) => group.members.includes(each.workflow));
  const started = startedWorkflows(group.members).map(
    (each) => members.find((member) => member.workflow === each)!.stem,
  );
  const machines = started.map((each, i): [string, Json] => [machineVariable(i), machineArn(each, context.alias)]);
  const variables = {
    EVENTS_TABLE: ref(table),
    EVENTS_KEPT_SECONDS: String(context.keepEvents),
    ...Object.fromEntries(machines),
  };
  const common: JsonObject = { Environment: { Variables: variables } };
  const statements = [...eventStatements(started, members), ...context.keyStatements];
  const waiting = functionResource(handlerOf(file, "wait"), { ...common, Policies: [policyOf(statements)] });
  const wait = callsWait(machine) ? ([[functionResourceName(machine.stem, "wait"), waiting]] as const) : [];
  if (group.leader !== workflow) return wait;
  const failed: PolicyStatement = { actions: ["sqs:SendMessage"], resources: [getAtt(queue, "Arn")] };
  const ingest: JsonObject = {
    ...common,
    EventInvokeConfig: {
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Type: "SQS", Destination: getAtt(queue, "Arn") } },
    },
    Policies: [policyOf([...statements, failed])],
    Events: { ...eventRules(members, context), Sweep: sweep },
  };
  return [...wait, [functionResourceName(machine.stem, "ingest"), functionResource(handlerOf(file, "ingest"), ingest)]];
}

/** Whether a state waits for events, and not only their start of executions. */
const callsWait = ({ services, text }: StackMachine): boolean =>
  [...services.substitutions].some(
    ([name, target]) => target.kind === "own" && target.what === "wait" && text.includes(`\${${name}}`),
  );

/** Completes what functions that failed have left: Tasks to complete, and executions to start. */
const sweep: Json = {
  Type: "Schedule",
  Properties: {
    Schedule: "rate(5 minutes)",
    Description: "Completes waits and starts that earlier calls have left.",
    Input: JSON.stringify({ sweep: true }),
    RetryPolicy: { MaximumRetryAttempts: 0 },
  },
};

/** The limits of EventBridge, which are its defaults. */
const retryPolicy: JsonObject = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 };

/** A rule for each bus and pattern, so that no event arrives by two rules of one definition. */
function eventRules(members: readonly StackMachine[], context: EventContext): JsonObject {
  const received = members.flatMap((machine) =>
    receivedEvents(machine.workflow).map((event) => ({ machine, event, ...senderOf(machine, event, context) })),
  );
  const isRestricted = received.some(({ account, source }) => account !== undefined || source !== undefined);
  const rules = received.flatMap(({ machine, event, account, source }) =>
    busesOf(machine, event, context).map((bus) => ({
      name: event.name,
      properties: { EventBusName: bus, Pattern: rulePattern(event, { account, source }, isRestricted) },
    })),
  );
  const distinct = Map.groupBy(rules, ({ properties }) => JSON.stringify(properties));
  const names = createNames(["Sweep"], identifierStyle);
  return Object.fromEntries(
    [...distinct.values()].map(([rule]) => [
      names.fresh(`${pascalCase(rule!.name).slice(0, 60)}Rule`),
      {
        Type: "EventBridgeRule",
        Properties: {
          ...rule!.properties,
          DeadLetterConfig: { Arn: getAtt(queue, "Arn") },
          RetryPolicy: retryPolicy,
        },
      },
    ]),
  );
}

/** From where an event is received, if its binding says so. */
interface EventSender {
  readonly account?: Json | undefined;
  readonly source?: string | undefined;
}

function senderOf(machine: StackMachine, { name }: EventDefinition, { resolve }: EventContext): EventSender {
  const { account, source } = machine.services.eventBinding(name);
  return { account: account === undefined ? undefined : resolve(machine, account), source };
}

/** The bus in an event's binding, or those on which workflows of the stack put the event, or the default bus. */
function busesOf(machine: StackMachine, event: EventDefinition, context: EventContext): readonly Json[] {
  const bound = machine.services.eventBinding(event.name).bus;
  if (bound !== undefined) return [context.resolve(machine, bound)];
  const producers = context.machines.flatMap((producer) =>
    stepsOf(producer.workflow).flatMap((step) =>
      step.kind === "emit" && mayMatchEmitted(event, emittedAttributes(step, producer.workflow))
        ? [producedOn(producer, step, context)]
        : [],
    ),
  );
  return producers.length > 0 ? producers : [context.defaultBus()];
}

function producedOn(producer: StackMachine, { event }: Emit, { resolve }: EventContext): Json {
  const { bus } = producer.services.eventBinding(event.name);
  return bus === undefined ? "default" : resolve(producer, bus);
}

/**
 * A pattern for the events of a definition from its senders. `isRestricted`: some definition has a sender, so no rule
 * lets a CloudEvent of another definition pass in an entry whose type and source are its own.
 */
function rulePattern(event: EventDefinition, { account, source }: EventSender, isRestricted: boolean): JsonObject {
  const pattern = eventBridgePattern(event);
  const sender = {
    ...(account !== undefined && { account: [account] }),
    ...(source !== undefined && { source: [source] }),
  };
  const [plain, structured] = (pattern["$or"] ?? []) as readonly JsonObject[];
  if (!isRestricted || !plain || !structured) return { ...pattern, ...sender };
  const isPossible =
    source === undefined || matchesAttributes({ ...event, type: undefined, subject: undefined }, { source });
  if (!isPossible) return { ...structured, ...sender };
  return {
    $or: [
      { ...plain, ...sender, detail: { specversion: [{ exists: false }] } },
      { ...structured, ...sender },
    ],
  };
}

function eventStatements(started: readonly string[], members: readonly StackMachine[]): readonly PolicyStatement[] {
  const machines = members.map((each) => machineArn(each.stem));
  return [
    tableStatement,
    { actions: ["states:SendTaskFailure", "states:SendTaskSuccess"], resources: machines },
    ...(started.length > 0
      ? [{ actions: ["states:StartExecution"], resources: started.map((each) => machineArn(each)) }]
      : []),
    { actions: ["states:GetExecutionHistory"], resources: members.map((each) => executionArns(each.stem)) },
  ];
}
