import type { Json, JsonObject } from "../../../src/json.ts";
import { allStates, type Machine, type State } from "../machine.ts";
import type { Service, Services } from "../services.ts";
import { arnOf } from "./values.ts";

/** What the role of a machine allows: actions of IAM on resources. */
export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly Json[];
  readonly condition?: JsonObject | undefined;
}

/** What stands in a template for a text of a machine: for an ARN itself, for `${ChargeArn}` what the deployment puts there. */
export interface Places {
  /** The ARN of the machine. */
  readonly own: Json;
  /** Its executions, those of its Distributed Maps included. */
  readonly ownExecutions: Json;
  /** The value of a text that is a substitution or has none in it. */
  valueOf(text: string): Json;
  /** All executions of a machine that is given as a text. */
  executionsOf(machine: string): Json;
  /** The ARN of the table of the stack. */
  readonly table: Json;
  /** What an integration acts on, where nothing says it. */
  actedOn(name: string): Json;
}

/** The function whose permissions are not known, and what it is called by. */
export interface Unknown {
  readonly name: string;
  readonly integration: string;
}

/** What the role of a machine has to allow for its states, each action once for each resource, and which calls nothing is known of. */
export function statementsOf(
  machine: Machine,
  services: Services,
  places: Places,
): { readonly statements: readonly Statement[]; readonly unknown: readonly Unknown[] } {
  const all: Statement[] = [];
  const unknown = new Map<string, Unknown>();
  for (const state of allStates(machine)) {
    if (state.isDistributed) all.push(...forIterations(places));
    if (state.type !== "Task") continue;
    const needed = statementsFor(state, services, places);
    if ("integration" in needed) unknown.set(needed.name, needed);
    else all.push(...needed);
  }
  return { statements: merged(all), unknown: [...unknown.values()] };
}

function statementsFor(state: State, services: Services, places: Places): readonly Statement[] | Unknown {
  const fields = new Map(state.fields);
  const resource = String(fields.get("Resource"));
  const given = fields.get("Arguments") as JsonObject;
  const { performs } = state;
  switch (performs?.kind) {
    case "function":
      return forCall(performs.name, services.serviceOf(performs.name), places);
    case "workflow":
      return forStart(String(given["StateMachineArn"]), resource.endsWith(".sync:2"), places);
    case "event":
      return (given["Entries"] as readonly JsonObject[]).map(({ EventBusName: bus }) => ({
        actions: ["events:PutEvents"],
        resources: [busOf(bus as string | undefined, places)],
      }));
    case undefined: {
      if (asksTable(state))
        return [{ actions: actionsFor(resource.replace(integrations, ""))!, resources: [places.table] }];
      const called = resource.includes(":states:::lambda:invoke") ? String(given["FunctionName"]) : resource;
      return [{ actions: ["lambda:InvokeFunction"], resources: [places.valueOf(called)] }];
    }
  }
}

/** What the resource of an integration begins with. */
const integrations = /^arn:[^:]*:states:::/;

/** Whether a state asks the table of the stack by itself. */
export const asksTable = ({ type, performs, fields }: State): boolean =>
  type === "Task" &&
  performs === undefined &&
  fields.some(([name, value]) => name === "Resource" && String(value).includes(":states:::dynamodb:"));

/** What calling a service needs. An activity needs nothing: its workers ask for tasks. */
function forCall(
  name: string,
  { kind, resource, around, actions, actsOn }: Service,
  places: Places,
): readonly Statement[] | Unknown {
  switch (kind) {
    case "lambda":
      return [{ actions: ["lambda:InvokeFunction"], resources: [places.valueOf(resource)] }];
    case "activity":
      return [];
    case "http":
      return forRequest(around!, places);
    case "integration": {
      const integration = resource.replace(integrations, "");
      const known = actions ?? actionsFor(integration);
      if (!known) return { name, integration };
      return [{ actions: known, resources: [actsOn === undefined ? places.actedOn(name) : places.valueOf(actsOn)] }];
    }
  }
}

/** An HTTP Task may send requests to its address only, and reads what its connection keeps. */
function forRequest({ ApiEndpoint, Method, Authentication }: JsonObject, places: Places): readonly Statement[] {
  const [address = "", query] = String(ApiEndpoint).split("?");
  const endpoint = { "states:HTTPEndpoint": query === undefined ? address : `${address}?*` };
  const method = { "states:HTTPMethod": Method! };
  return [
    {
      actions: ["states:InvokeHTTPEndpoint"],
      resources: [places.own],
      condition:
        query === undefined
          ? { StringEquals: { ...endpoint, ...method } }
          : { StringEquals: method, StringLike: endpoint },
    },
    {
      actions: ["events:RetrieveConnectionCredentials"],
      resources: [places.valueOf(String((Authentication as JsonObject)["ConnectionArn"]))],
    },
    {
      actions: ["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"],
      resources: [arnOf("secretsmanager", "secret:events!connection/*")],
    },
  ];
}

/** A Distributed Map starts executions of its own machine, looks at them and stops them. */
const forIterations = ({ own, ownExecutions }: Places): readonly Statement[] => [
  { actions: ["states:StartExecution"], resources: [own] },
  { actions: ["states:DescribeExecution", "states:StopExecution"], resources: [ownExecutions] },
];

/** Starting a machine; where it is waited for, its execution is looked at and stopped, and a rule that Step Functions keeps tells when it is over. */
function forStart(machine: string, waits: boolean, places: Places): readonly Statement[] {
  const start = { actions: ["states:StartExecution"], resources: [places.valueOf(machine)] };
  if (!waits) return [start];
  return [
    start,
    { actions: ["states:DescribeExecution", "states:StopExecution"], resources: [places.executionsOf(machine)] },
    {
      actions: ["events:DescribeRule", "events:PutRule", "events:PutTargets"],
      resources: [arnOf("events", "rule/StepFunctionsGetEventsForStepFunctionsExecutionRule")],
    },
  ];
}

/** The ARN of a bus that is given by its name, as an ARN, or as a substitution, which then has to be an ARN. */
function busOf(bus: string | undefined, places: Places): Json {
  if (bus === undefined) return arnOf("events", "event-bus/default");
  return /^[\w./-]+$/.test(bus) ? arnOf("events", `event-bus/${bus}`) : places.valueOf(bus);
}

/** The actions of IAM that an integration needs, where it is one that only does what its name says. */
function actionsFor(integration: string): readonly string[] | undefined {
  const [service = "", action = ""] = integration.replace(/^aws-sdk:/, "").split(":");
  const known = services.get(service);
  if (!known?.actions.includes(action)) return undefined;
  return [`${known.prefix}:${action.charAt(0).toUpperCase()}${action.slice(1)}`];
}

const service = (prefix: string, ...actions: readonly string[]) => ({ prefix, actions });

/** Services by their names in integrations, with the actions that IAM has under the same names. */
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

/** Statements with the resources of those that allow the same put together. */
function merged(statements: readonly Statement[]): readonly Statement[] {
  const groups = Map.groupBy(statements, ({ actions, condition }) => JSON.stringify([actions, condition]));
  return [...groups.values()].map((group): Statement => {
    const resources = new Map(group.flatMap(({ resources }) => resources.map((each) => [JSON.stringify(each), each])));
    return { ...group[0]!, resources: [...resources.values()] };
  });
}

/** The text of a template that stands for a machine of the stack by its name. */
export const machineNamed = (name: string): Json => arnOf("states", `stateMachine:\${AWS::StackName}-${name}`);

/** The executions of a machine of the stack. */
export const executionsNamed = (name: string): Json => executionsIn(`\${AWS::StackName}-${name}`);

const executionsIn = (name: string): JsonObject => arnOf("states", `execution:${name}:*`);

/** The executions of a machine whose name is the value of a variable. */
export const executionsWhere = (variable: string, values: JsonObject): Json => ({
  "Fn::Sub": [String(executionsIn(`\${${variable}}`)["Fn::Sub"]), values],
});
