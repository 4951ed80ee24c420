import { createNames, shortHash, type NameScope, identifierStyle } from "../../../src/ir/names.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { assertNever, type Json, type JsonObject } from "../../../src/json.ts";
import { truncate } from "../../../src/text/clip.ts";
import { allStates } from "../machine.ts";
import { arnPart, getAtt, ref, sub } from "./cloudformation.ts";
import { eventResources, queueResource, table, tableResource } from "./events.ts";
import {
  type DeployedMachine,
  functionResource,
  functionResourceName,
  handlerOf,
  pascalCase,
  policyOf,
  type StackMachine,
  singleLine,
} from "./resources.ts";
import {
  type ArnResolver,
  executionArns,
  executionArnsByVariable,
  machineArn,
  type PolicyStatement,
  statementsOf,
  type UnknownPermissions,
  usesTable,
} from "./statements.ts";

/** What a deployment is asked for. */
export interface StackParameter {
  readonly name: string;
  readonly description: string;
  readonly pattern?: string | undefined;
  readonly defaultValue?: string | undefined;
}

/** What a template deploys, and what is asked for. */
export interface DeploymentStack {
  readonly template: JsonObject;
  readonly parameters: readonly StackParameter[];
  readonly machines: readonly StackMachine[];
  /** Calls whose permissions are not known: the template lacks them. */
  readonly unknown: readonly (UnknownPermissions & { readonly workflow: Workflow })[];
}

/** The template of CloudFormation, with the transform of the Serverless Application Model, for machines. */
export function createStack(machines: readonly DeployedMachine[]): DeploymentStack {
  const names = resourceNames(machines);
  const deployments = machines.map((each): StackMachine => ({ ...each, stem: names.fresh(stemOf(each.workflow.id)) }));
  const parameters = createParameters(machines);
  const receiving = deployments.filter(({ modules }) => modules.events !== undefined);
  const bus = receiving.length > 0 ? parameters.add("bus", busParameter) : undefined;
  const unknown: (UnknownPermissions & { readonly workflow: Workflow })[] = [];
  const resources = deployments.flatMap((each) => {
    const places = createResolver(each, deployments, parameters);
    const needed = statementsOf(each.machine, each.services, places);
    unknown.push(...needed.unknown.map((call) => ({ ...call, workflow: each.workflow })));
    return [
      ...machineResources(each, needed.statements, places),
      ...functionResources(each),
      ...eventResources(each, deployments, bus),
    ];
  });
  const asked = [...parameters.all.values()];
  return {
    template: {
      AWSTemplateFormatVersion: "2010-09-09",
      Transform: "AWS::Serverless-2016-10-31",
      Description: truncate(singleLine(`Workflows: ${machines.map(({ workflow }) => workflow.name).join(", ")}`), 250),
      ...(asked.length > 0 && { Parameters: Object.fromEntries(asked.map((each) => [each.name, parameterOf(each)])) }),
      Globals: { Function: { Runtime: "nodejs22.x", CodeUri: ".", Timeout: 60, MemorySize: 256 } },
      Resources: Object.fromEntries([...resources, ...sharedResources(deployments, bus !== undefined)]),
      Outputs: Object.fromEntries(deployments.map(outputOf)),
    },
    parameters: asked,
    machines: deployments,
    unknown,
  };
}

/** What all workflows of a stack share: a table for events and for branches that are counted, and what is for events only. */
function sharedResources(
  deployments: readonly StackMachine[],
  receives: boolean,
): readonly (readonly [string, Json])[] {
  const counts = deployments.some(({ machine }) => [...allStates(machine)].some(usesTable));
  return [...(receives || counts ? [tableResource()] : []), ...(receives ? [queueResource()] : [])];
}

/** Names of resources: none that the configuration or a machine has for a parameter. */
function resourceNames(machines: readonly DeployedMachine[]): NameScope {
  const taken = machines.flatMap(({ services }) => [...services.substitutions.keys()]);
  return createNames(taken, { ...identifierStyle, fold: (name) => name.toLowerCase() });
}

/** `order-desk` is `OrderDesk`. Names of machines have 80 characters at most, that of the stack included. */
function stemOf(id: string): string {
  const stem = pascalCase(id) || "Workflow";
  return stem.length > 32 ? `${stem.slice(0, 24)}${shortHash(id)}` : stem;
}

/** The parameters so far; each thing that is asked for has one, whichever machine wants it. */
interface ParameterRegistry {
  readonly all: ReadonlyMap<string, StackParameter>;
  /** The name of the parameter for a thing that is told from others by its key. */
  add(key: string, parameter: StackParameter): string;
}

function createParameters(machines: readonly DeployedMachine[]): ParameterRegistry {
  const all = new Map<string, StackParameter>();
  const configured = machines.flatMap(({ services }) =>
    [...services.substitutions].flatMap(([name, { kind }]) => (kind === "configured" ? [name] : [])),
  );
  const names = createNames(configured, identifierStyle);
  return {
    all,
    add(key, parameter) {
      const known = all.get(key) ?? {
        ...parameter,
        name: key.startsWith("=") ? parameter.name : names.fresh(parameter.name),
      };
      all.set(key, known);
      return known.name;
    },
  };
}

const busParameter: StackParameter = {
  name: "EventBus",
  description: "The name or ARN of the bus on which the events come that workflows receive.",
  defaultValue: "default",
};

const parameterOf = ({ description, pattern, defaultValue: fallback }: StackParameter): JsonObject => ({
  Type: "String",
  Description: description,
  ...(pattern !== undefined && { AllowedPattern: pattern }),
  ...(fallback !== undefined && { Default: fallback }),
});

/** What stands in the template for what a machine refers to. */
function createResolver(
  deployment: StackMachine,
  all: readonly StackMachine[],
  parameters: ParameterRegistry,
): ArnResolver {
  const { services, stem } = deployment;
  const inStack = (id: string) => all.find(({ workflow }) => workflow.id === id);
  const nameIn = (text: string): string | undefined =>
    text.startsWith(`${services.mark}{`) ? text.slice(2, -1) : undefined;
  const parameterOf = (name: string): string => {
    const stands = services.substitutions.get(name)!;
    switch (stands.kind) {
      case "function":
        return parameters.add(`function ${stands.name}`, functionParameter(name, stands.name));
      case "workflow":
        return parameters.add(`workflow ${stands.name}`, workflowParameter(name, stands.name));
      case "configured":
        return parameters.add(`=${name}`, { name, description: `What the configuration calls ${name}.` });
      case "own":
        throw new Error("Functions that are made with a machine are resources.");
      default:
        return assertNever(stands);
    }
  };
  return {
    machine: machineArn(stem),
    executions: executionArns(stem),
    function(text) {
      const name = nameIn(text);
      const stands = name === undefined ? undefined : services.substitutions.get(name);
      if (name === undefined || !stands) return text;
      if (stands.kind === "own")
        return stands.what === "table" ? ref(table) : getAtt(functionResourceName(stem, stands.what), "Arn");
      const machine = stands.kind === "workflow" ? inStack(stands.name) : undefined;
      return machine ? machineArn(machine.stem) : ref(parameterOf(name));
    },
    executionsOf(text) {
      const name = nameIn(text)!;
      const stands = services.substitutions.get(name)!;
      const machine = stands.kind === "workflow" ? inStack(stands.name) : undefined;
      if (machine) return executionArns(machine.stem);
      return executionArnsByVariable("Machine", { Machine: arnPart(parameterOf(name), 6) });
    },
    table: getAtt(table, "Arn"),
    resourceOf: (name) => ref(parameters.add(`resource ${name}`, resourceParameter(name))),
  };
}

const functionParameter = (name: string, of: string): StackParameter => ({
  name,
  description: `The ARN of the Lambda function that is the function ${truncate(singleLine(of))}.`,
  pattern: "arn:aws[a-z-]*:lambda:.+",
});

const workflowParameter = (name: string, of: string): StackParameter => ({
  name,
  description: `The ARN of the state machine that is the workflow ${truncate(singleLine(of))}.`,
  pattern: "arn:aws[a-z-]*:states:.+:stateMachine:.+",
});

const resourceParameter = (of: string): StackParameter => ({
  name: `${stemOf(of)}ResourceArn`,
  description: `The ARN of what the integration acts on that is the function ${truncate(singleLine(of))}.`,
  pattern: "arn:.+",
});

/** The machine and its log. */
function machineResources(
  { stem, file, text, services }: StackMachine,
  statements: readonly PolicyStatement[],
  places: ArnResolver,
): readonly (readonly [string, Json])[] {
  const used = [...services.substitutions.keys()].filter((name) => text.includes(`\${${name}}`));
  const log = `${stem}Log`;
  const machine: JsonObject = {
    Type: "AWS::Serverless::StateMachine",
    Properties: {
      Name: sub(`\${AWS::StackName}-${stem}`),
      DefinitionUri: file,
      ...(used.length > 0 && {
        DefinitionSubstitutions: Object.fromEntries(
          used.map((name) => [name, places.function(`${services.mark}{${name}}`)]),
        ),
      }),
      Logging: {
        Level: "ERROR",
        IncludeExecutionData: false,
        Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: getAtt(log, "Arn") } }],
      },
      Policies: [policyOf([...statements, logging])],
    },
  };
  const logGroup: JsonObject = {
    Type: "AWS::Logs::LogGroup",
    DeletionPolicy: "Delete",
    UpdateReplacePolicy: "Delete",
    Properties: { LogGroupName: sub(`/aws/vendedlogs/states/\${AWS::StackName}-${stem}`), RetentionInDays: 30 },
  };
  return [
    [machineResource(stem), machine],
    [log, logGroup],
  ];
}

/** What Step Functions asks for to write a log: these actions know no narrower resource. */
const logging: PolicyStatement = {
  actions: [
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
  ],
  resources: ["*"],
};

/** The functions that compute expressions and run what the definition has. */
function functionResources({ stem, modules }: StackMachine): readonly (readonly [string, Json])[] {
  return (["expressions", "functions"] as const).flatMap((what) => {
    const file = modules[what];
    return file === undefined
      ? []
      : [[functionResourceName(stem, what), functionResource(handlerOf(file, "handler"))] as const];
  });
}

const machineResource = (stem: string): string => `${stem}StateMachine`;

const outputOf = ({ stem, workflow }: StackMachine): readonly [string, Json] => [
  `${stem}StateMachineArn`,
  { Description: `The state machine of ${truncate(singleLine(workflow.name))}.`, Value: ref(machineResource(stem)) },
];
