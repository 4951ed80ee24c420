import { createNames, identifierStyle, type NameSpace, shortHash } from "../../../src/ir/names.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { assertNever, type Json, type JsonObject } from "../../../src/json.ts";
import { truncate } from "../../../src/text/messages.ts";
import { allStates } from "../machine.ts";
import { arnPart, getAtt, ref, sub } from "./cloudformation.ts";
import { type EventContext, eventResources, queueResources } from "./events.ts";
import { type EventsTableSettings, keyStatement, substitutionName, table, tableResource } from "./events-table.ts";
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

/** A parameter of a template. */
export interface StackParameter {
  readonly name: string;
  readonly description: string;
  readonly pattern?: string | undefined;
  readonly defaultValue?: string | undefined;
}

/** A template and what its README needs. */
export interface DeploymentStack {
  readonly template: JsonObject;
  readonly parameters: readonly StackParameter[];
  readonly machines: readonly StackMachine[];
  /** Calls whose permissions are unknown; the template lacks them. */
  readonly unknown: readonly (UnknownPermissions & { readonly workflow: Workflow })[];
}

/** Creates the SAM template of machines. */
export function createStack(machines: readonly DeployedMachine[], settings: EventsTableSettings): DeploymentStack {
  const names = resourceNames(machines);
  const deployments = machines.map((each): StackMachine => ({ ...each, stem: names.fresh(stemOf(each.workflow.id)) }));
  const parameters = createParameters(machines, settings);
  const receives = deployments.some(({ modules }) => modules.events !== undefined);
  const hasTable = receives || deployments.some(({ machine }) => [...allStates(machine)].some(usesTable));
  const kmsKey = hasTable ? keyOf(settings, parameters) : undefined;
  const events: EventContext = {
    machines: deployments,
    keepEvents: settings.keepEvents,
    keyStatements: kmsKey === undefined ? [] : [keyStatement(kmsKey)],
    resolve: (machine, text) => createResolver(machine, deployments, parameters, kmsKey).function(text),
    defaultBus: () => ref(parameters.add("bus", busParameter)),
  };
  const unknown: (UnknownPermissions & { readonly workflow: Workflow })[] = [];
  const resources = deployments.flatMap((each) => {
    const resolver = createResolver(each, deployments, parameters, kmsKey);
    const needed = statementsOf(each.machine, each.services, resolver);
    unknown.push(...needed.unknown.map((call) => ({ ...call, workflow: each.workflow })));
    return [
      ...machineResources(each, needed.statements, resolver),
      ...functionResources(each),
      ...eventResources(each, events),
    ];
  });
  const allParameters = [...parameters.all.values()];
  return {
    template: {
      AWSTemplateFormatVersion: "2010-09-09",
      Transform: "AWS::Serverless-2016-10-31",
      Description: truncate(singleLine(`Workflows: ${machines.map(({ workflow }) => workflow.name).join(", ")}`), 250),
      ...(allParameters.length > 0 && {
        Parameters: Object.fromEntries(allParameters.map((each) => [each.name, parameterOf(each)])),
      }),
      Globals: { Function: { Runtime: "nodejs22.x", CodeUri: ".", Timeout: 60, MemorySize: 256 } },
      Resources: Object.fromEntries([
        ...resources,
        ...(hasTable ? [tableResource(settings, kmsKey)] : []),
        ...(receives ? queueResources() : []),
      ]),
      Outputs: Object.fromEntries(deployments.map(outputOf)),
    },
    parameters: allParameters,
    machines: deployments,
    unknown,
  };
}

/** The value of the setting `kmsKey`. A substitution becomes a parameter. */
function keyOf({ kmsKey }: EventsTableSettings, parameters: ParameterRegistry): Json | undefined {
  const name = kmsKey === undefined ? undefined : substitutionName(kmsKey);
  return name === undefined ? kmsKey : ref(parameters.add(`=${name}`, configuredParameter(name)));
}

/** Logical IDs, distinct from parameters of the configuration and machines. */
function resourceNames(machines: readonly DeployedMachine[]): NameSpace {
  const taken = machines.flatMap(({ services }) => [...services.substitutions.keys()]);
  return createNames(taken, { ...identifierStyle, fold: (name) => name.toLowerCase() });
}

/** `order-desk` → `OrderDesk`, shortened since a machine's name has at most 80 characters, including the stack's. */
function stemOf(id: string): string {
  const stem = pascalCase(id) || "Workflow";
  return stem.length > 32 ? `${stem.slice(0, 24)}${shortHash(id)}` : stem;
}

/** Collects parameters; machines share those with equal keys. */
interface ParameterRegistry {
  readonly all: ReadonlyMap<string, StackParameter>;
  add(key: string, parameter: StackParameter): string;
}

function createParameters(machines: readonly DeployedMachine[], { kmsKey }: EventsTableSettings): ParameterRegistry {
  const all = new Map<string, StackParameter>();
  const configured = machines.flatMap(({ services }) =>
    [...services.substitutions].flatMap(([name, { kind }]) => (kind === "configured" ? [name] : [])),
  );
  const key = kmsKey === undefined ? undefined : substitutionName(kmsKey);
  const names = createNames([...configured, ...(key === undefined ? [] : [key])], identifierStyle);
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
  description: "Name or ARN of the event bus from which workflows receive events.",
  defaultValue: "default",
};

const parameterOf = ({ description, pattern, defaultValue: fallback }: StackParameter): JsonObject => ({
  Type: "String",
  Description: description,
  ...(pattern !== undefined && { AllowedPattern: pattern }),
  ...(fallback !== undefined && { Default: fallback }),
});

/** Resolves what a machine refers to, adding parameters as needed. */
function createResolver(
  deployment: StackMachine,
  all: readonly StackMachine[],
  parameters: ParameterRegistry,
  kmsKey: Json | undefined,
): ArnResolver {
  const { services, stem } = deployment;
  const inStack = (id: string) => all.find(({ workflow }) => workflow.id === id);
  const nameIn = (text: string): string | undefined =>
    text.startsWith(`${services.mark}{`) ? text.slice(2, -1) : undefined;
  const parameterOf = (name: string): string => {
    const target = services.substitutions.get(name)!;
    switch (target.kind) {
      case "function":
        return parameters.add(`function ${target.name}`, functionParameter(name, target.name));
      case "workflow":
        return parameters.add(`workflow ${target.name}`, workflowParameter(name, target.name));
      case "configured":
        return parameters.add(`=${name}`, configuredParameter(name));
      case "own":
        throw new Error("Functions that are made with a machine are resources.");
      default:
        return assertNever(target);
    }
  };
  return {
    machine: machineArn(stem),
    executions: executionArns(stem),
    function(text) {
      const name = nameIn(text);
      const target = name === undefined ? undefined : services.substitutions.get(name);
      if (name === undefined || !target) return text;
      if (target.kind === "own")
        return target.what === "table" ? ref(table) : getAtt(functionResourceName(stem, target.what), "Arn");
      const machine = target.kind === "workflow" ? inStack(target.name) : undefined;
      return machine ? machineArn(machine.stem) : ref(parameterOf(name));
    },
    executionsOf(text) {
      const name = nameIn(text)!;
      const target = services.substitutions.get(name)!;
      const machine = target.kind === "workflow" ? inStack(target.name) : undefined;
      if (machine) return executionArns(machine.stem);
      return executionArnsByVariable("Machine", { Machine: arnPart(parameterOf(name), 6) });
    },
    table: getAtt(table, "Arn"),
    tableKey: kmsKey === undefined ? [] : [keyStatement(kmsKey)],
    resourceOf: (name) => ref(parameters.add(`resource ${name}`, resourceParameter(name))),
  };
}

const configuredParameter = (name: string): StackParameter => ({
  name,
  description: `Value of ${name} in waybill.config.yaml.`,
});

const functionParameter = (name: string, of: string): StackParameter => ({
  name,
  description: `ARN of the Lambda function for function ${truncate(singleLine(of))}.`,
  pattern: "arn:aws[a-z-]*:lambda:.+",
});

const workflowParameter = (name: string, of: string): StackParameter => ({
  name,
  description: `ARN of the state machine for workflow ${truncate(singleLine(of))}.`,
  pattern: "arn:aws[a-z-]*:states:.+:stateMachine:.+",
});

const resourceParameter = (of: string): StackParameter => ({
  name: `${stemOf(of)}ResourceArn`,
  description: `ARN of the resource that the integration acts on, for function ${truncate(singleLine(of))}.`,
  pattern: "arn:.+",
});

function machineResources(
  { stem, file, text, services }: StackMachine,
  statements: readonly PolicyStatement[],
  resolver: ArnResolver,
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
          used.map((name) => [name, resolver.function(`${services.mark}{${name}}`)]),
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

/** Log delivery actions do not support narrower resources. */
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
  {
    Description: `State machine of workflow ${truncate(singleLine(workflow.name))}.`,
    Value: ref(machineResource(stem)),
  },
];
