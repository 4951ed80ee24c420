import type { Json, JsonObject } from "../../../src/json.ts";
import { allStates, type Machine, type MachineState } from "../machine.ts";
import type { Service, Services } from "../services.ts";
import { stackArn } from "./cloudformation.ts";

/** A statement of an IAM policy. */
export interface PolicyStatement {
  readonly actions: readonly string[];
  readonly resources: readonly Json[];
  readonly condition?: JsonObject | undefined;
}

/**
 * Resolves a machine's strings to template values: an ARN to itself, `${ChargeArn}` to what the deployment fills in.
 */
export interface ArnResolver {
  readonly machine: Json;
  /** Includes executions of its Distributed Maps. */
  readonly executions: Json;
  /** The value of a string that is a substitution or contains none. */
  function(text: string): Json;
  /** The same for the machine's definition, which starts machines of the stack by their alias. */
  defined(text: string): Json;
  executionsOf(machine: string): Json;
  readonly table: Json;
  /** The permissions on the key of the table, if it has one. */
  readonly tableKey: readonly PolicyStatement[];
  /** The resource of an integration without `actsOn`. */
  resourceOf(name: string): Json;
}

/** A call whose permissions are unknown. */
export interface UnknownPermissions {
  readonly name: string;
  readonly integration: string;
}

/** The permissions of a machine's role, merged by action, and the calls whose permissions are unknown. */
export function statementsOf(
  machine: Machine,
  services: Services,
  arns: ArnResolver,
): { readonly statements: readonly PolicyStatement[]; readonly unknown: readonly UnknownPermissions[] } {
  const all: PolicyStatement[] = [];
  const unknown = new Map<string, UnknownPermissions>();
  for (const state of allStates(machine)) {
    if (state.isDistributed) all.push(...distributedMapStatements(arns));
    if (state.type !== "Task") continue;
    const needed = statementsFor(state, services, arns);
    if ("integration" in needed) unknown.set(needed.name, needed);
    else all.push(...needed);
  }
  return { statements: mergeStatements(all), unknown: [...unknown.values()] };
}

function statementsFor(
  state: MachineState,
  services: Services,
  arns: ArnResolver,
): readonly PolicyStatement[] | UnknownPermissions {
  const fields = new Map(state.fields);
  const resource = String(fields.get("Resource"));
  const given = fields.get("Arguments") as JsonObject;
  const { performs } = state;
  switch (performs?.kind) {
    case "function":
      return callStatements(performs.name, services.serviceOf(performs.name), arns);
    case "continuation":
      return [{ actions: ["states:StartExecution"], resources: [arns.machine] }];
    case "workflow":
      return startStatements(String(given["StateMachineArn"]), resource.endsWith(".sync:2"), arns);
    case "event":
      return (given["Entries"] as readonly JsonObject[]).map(({ EventBusName: bus }) => ({
        actions: ["events:PutEvents"],
        resources: [busArn(bus as string | undefined, arns)],
      }));
    case undefined: {
      if (usesTable(state))
        return [
          { actions: actionsFor(resource.replace(integrations, ""))!, resources: [arns.table] },
          ...arns.tableKey,
        ];
      const called = resource.includes(":states:::lambda:invoke") ? String(given["FunctionName"]) : resource;
      return [{ actions: ["lambda:InvokeFunction"], resources: [arns.function(called)] }];
    }
  }
}

const integrations = /^arn:[^:]*:states:::/;

/** Whether a state queries the stack's table for the machine itself. */
export const usesTable = ({ type, performs, fields }: MachineState): boolean =>
  type === "Task" &&
  performs === undefined &&
  fields.some(([name, value]) => name === "Resource" && String(value).includes(":states:::dynamodb:"));

/** Activities need no permissions: their workers poll. */
function callStatements(
  name: string,
  { kind, resource, argumentsTemplate: around, actions, actsOn }: Service,
  arns: ArnResolver,
): readonly PolicyStatement[] | UnknownPermissions {
  switch (kind) {
    case "lambda":
      return [{ actions: ["lambda:InvokeFunction"], resources: [arns.function(resource)] }];
    case "activity":
      return [];
    case "http":
      return httpStatements(around!, arns);
    case "integration": {
      const integration = resource.replace(integrations, "");
      const known = actions ?? actionsFor(integration);
      if (!known) return { name, integration };
      return [{ actions: known, resources: [actsOn === undefined ? arns.resourceOf(name) : arns.function(actsOn)] }];
    }
  }
}

/** An HTTP Task may only call its endpoint, and reads its connection's secret. */
function httpStatements(
  { ApiEndpoint, Method, Authentication }: JsonObject,
  arns: ArnResolver,
): readonly PolicyStatement[] {
  const [address = "", query] = String(ApiEndpoint).split("?");
  const endpoint = { "states:HTTPEndpoint": query === undefined ? address : `${address}?*` };
  const method = { "states:HTTPMethod": Method! };
  return [
    {
      actions: ["states:InvokeHTTPEndpoint"],
      resources: [arns.machine],
      condition:
        query === undefined
          ? { StringEquals: { ...endpoint, ...method } }
          : { StringEquals: method, StringLike: endpoint },
    },
    {
      actions: ["events:RetrieveConnectionCredentials"],
      resources: [arns.function(String((Authentication as JsonObject)["ConnectionArn"]))],
    },
    {
      actions: ["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"],
      resources: [stackArn("secretsmanager", "secret:events!connection/*")],
    },
  ];
}

const distributedMapStatements = ({
  machine: own,
  executions: ownExecutions,
}: ArnResolver): readonly PolicyStatement[] => [
  { actions: ["states:StartExecution"], resources: [own] },
  { actions: ["states:DescribeExecution", "states:StopExecution"], resources: [ownExecutions] },
];

/** Waiting also inspects and stops the execution, and uses a rule managed by Step Functions. */
function startStatements(machine: string, waits: boolean, arns: ArnResolver): readonly PolicyStatement[] {
  const start = { actions: ["states:StartExecution"], resources: [arns.function(machine)] };
  if (!waits) return [start];
  return [
    start,
    { actions: ["states:DescribeExecution", "states:StopExecution"], resources: [arns.executionsOf(machine)] },
    {
      actions: ["events:DescribeRule", "events:PutRule", "events:PutTargets"],
      resources: [stackArn("events", "rule/StepFunctionsGetEventsForStepFunctionsExecutionRule")],
    },
  ];
}

function busArn(bus: string | undefined, arns: ArnResolver): Json {
  if (bus === undefined) return stackArn("events", "event-bus/default");
  return /^[\w./-]+$/.test(bus) ? stackArn("events", `event-bus/${bus}`) : arns.function(bus);
}

/** Only integrations that need just the action of their own name have a known action. */
function actionsFor(integration: string): readonly string[] | undefined {
  const [service = "", action = ""] = integration.replace(/^aws-sdk:/, "").split(":");
  const known = services.get(service);
  if (!known?.actions.includes(action)) return undefined;
  return [`${known.prefix}:${action.charAt(0).toUpperCase()}${action.slice(1)}`];
}

const service = (prefix: string, ...actions: readonly string[]) => ({ prefix, actions });

/** Services by their names in integrations, with the actions that IAM names alike. */
const services = new Map([
  ["sqs", service("sqs", "sendMessage")],
  ["sns", service("sns", "publish")],
  ["dynamodb", service("dynamodb", "getItem", "putItem", "updateItem", "deleteItem", "query", "scan")],
  ["s3", service("s3", "getObject", "putObject", "deleteObject")],
  ["kinesis", service("kinesis", "putRecord", "putRecords")],
  ["firehose", service("firehose", "putRecord", "putRecordBatch")],
  ["secretsmanager", service("secretsmanager", "getSecretValue")],
  ["ssm", service("ssm", "getParameter", "putParameter")],
  ["sesv2", service("ses", "sendEmail")],
  ["ses", service("ses", "sendEmail", "sendTemplatedEmail")],
  ["sfn", service("states", "startExecution", "startSyncExecution", "describeExecution", "stopExecution")],
  ["eventbridge", service("events", "putEvents")],
  ["events", service("events", "putEvents")],
  ["bedrock", service("bedrock", "invokeModel")],
  ["bedrockruntime", service("bedrock", "invokeModel")],
]);

function mergeStatements(statements: readonly PolicyStatement[]): readonly PolicyStatement[] {
  const groups = Map.groupBy(statements, ({ actions, condition }) => JSON.stringify([actions, condition]));
  return [...groups.values()].map((group): PolicyStatement => {
    const resources = new Map(group.flatMap(({ resources }) => resources.map((each) => [JSON.stringify(each), each])));
    return { ...group[0]!, resources: [...resources.values()] };
  });
}

/** The ARN of a machine of the stack, or of its alias. Permissions refer to the machine. */
export const machineArn = (name: string, alias?: string): Json =>
  stackArn("states", `stateMachine:\${AWS::StackName}-${name}${alias === undefined ? "" : `:${alias}`}`);

/** The ARNs of the executions of a machine of the stack. */
export const executionArns = (name: string): Json => executionArnsOf(`\${AWS::StackName}-${name}`);

const executionArnsOf = (name: string): JsonObject => stackArn("states", `execution:${name}:*`);

/** The ARNs of the executions of a machine whose name is in a variable. */
export const executionArnsByVariable = (variable: string, values: JsonObject): Json => ({
  "Fn::Sub": [String(executionArnsOf(`\${${variable}}`)["Fn::Sub"]), values],
});
