import { createNames, identifierStyle, type NameSpace, shortHash } from "../../../src/ir/names.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { assertNever, type Json, type JsonObject } from "../../../src/json.ts";
import { truncate } from "../../../src/text/messages.ts";
import { allStates } from "../machine.ts";
import { arnPart, getAtt, ref, sub } from "./cloudformation.ts";
import { type EventContext, eventResources, queueResources } from "./events.ts";
import { keyStatement, substitutionName, table, tableResource } from "./events-table.ts";
import {
  type ConfiguredMachine,
  type DeployedMachine,
  functionResource,
  functionResourceName,
  handlerOf,
  pascalCase,
  policyOf,
  type StackMachine,
  singleLine,
} from "./resources.ts";
import { scheduleResources } from "./schedules.ts";
import { type AliasSettings, type StackSettings, substitutableSettings, tagList } from "./settings.ts";
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
export function createStack(machines: readonly ConfiguredMachine[], settings: StackSettings): DeploymentStack {
  const names = resourceNames(machines, settings);
  const deployments = machines.map((each): StackMachine => ({ ...each, stem: names.fresh(stemOf(each.workflow.id)) }));
  const parameters = createParameters(machines, settings);
  const receives = deployments.some(({ modules }) => modules.events !== undefined);
  const hasTable = receives || deployments.some(({ machine }) => [...allStates(machine)].some(usesTable));
  const keys: StackKeys = {
    table: hasTable ? settingValue(settings.table.kmsKey, parameters) : undefined,
    machines: settingValue(settings.kmsKey, parameters),
  };
  const { alias } = settings;
  const context: StackContext = { all: deployments, parameters, keys, alias: alias?.name };
  const boundary = settingValue(settings.permissionsBoundary, parameters);
  const events: EventContext = {
    machines: deployments,
    keepEvents: settings.table.keepEvents,
    keyStatements: [
      ...(keys.table === undefined ? [] : [keyStatement(keys.table)]),
      ...(keys.machines === undefined ? [] : [machineKeyStatement(keys.machines)]),
    ],
    alias: alias?.name,
    resolve: (machine, text) => createResolver(machine, context).function(text),
    defaultBus: () => ref(parameters.add("bus", busParameter)),
  };
  const tags = tagList(settings.tags);
  const unknown: (UnknownPermissions & { readonly workflow: Workflow })[] = [];
  const resources = deployments.flatMap((each) => {
    const resolver = createResolver(each, context);
    const needed = statementsOf(each.machine, each.services, resolver);
    unknown.push(...needed.unknown.map((call) => ({ ...call, workflow: each.workflow })));
    const statements = keys.machines === undefined ? [] : [machineKeyStatement(keys.machines)];
    return [
      ...machineResources(each, [...needed.statements, ...statements], resolver, { settings, keys, boundary }),
      ...functionResources(each),
      ...eventResources(each, events),
      ...scheduleResources(each, {
        alias: alias?.name,
        boundary,
        keyStatements: keys.machines === undefined ? [] : [machineKeyStatement(keys.machines)],
        tags,
      }),
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
      Globals: {
        Function: {
          Runtime: settings.runtime,
          CodeUri: ".",
          Timeout: 60,
          MemorySize: 256,
          ...(deployments.some((each) => each.settings.isTraced) && { Tracing: "Active" }),
          ...(boundary !== undefined && { PermissionsBoundary: boundary }),
          ...(tags.length > 0 && { Tags: settings.tags }),
        },
      },
      Resources: Object.fromEntries([
        ...resources,
        ...(hasTable ? [tableResource(settings.table, { kmsKey: keys.table, tags })] : []),
        ...(receives ? queueResources(tags) : []),
      ]),
      Outputs: Object.fromEntries(deployments.map((each) => outputOf(each, alias?.name))),
    },
    parameters: allParameters,
    machines: deployments,
    unknown,
  };
}

/** The keys of a stack, as values of its template. */
interface StackKeys {
  readonly table: Json | undefined;
  readonly machines: Json | undefined;
}

/** What the machines of a stack share. */
interface StackContext {
  readonly all: readonly StackMachine[];
  readonly parameters: ParameterRegistry;
  readonly keys: StackKeys;
  readonly alias: string | undefined;
}

/** The value of a setting. A substitution becomes a parameter. */
function settingValue(setting: string | undefined, parameters: ParameterRegistry): Json | undefined {
  const name = setting === undefined ? undefined : substitutionName(setting);
  return name === undefined ? setting : ref(parameters.add(`=${name}`, configuredParameter(name)));
}

/** What Step Functions does with a customer managed key for principals that start, run and read executions. */
const machineKeyStatement = (kmsKey: Json): PolicyStatement => ({
  actions: ["kms:Decrypt", "kms:GenerateDataKey"],
  resources: [kmsKey],
});

/** Logical IDs, distinct from parameters of the configuration and machines. */
function resourceNames(machines: readonly DeployedMachine[], settings: StackSettings): NameSpace {
  const taken = [
    ...machines.flatMap(({ services }) => [...services.substitutions.keys()]),
    ...settingParameters(settings),
  ];
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

/** The names of substitutions in the settings of a stack. */
const settingParameters = (settings: StackSettings): readonly string[] =>
  substitutableSettings(settings).flatMap((each) => substitutionName(each) ?? []);

function createParameters(machines: readonly DeployedMachine[], settings: StackSettings): ParameterRegistry {
  const all = new Map<string, StackParameter>();
  const configured = machines.flatMap(({ services }) =>
    [...services.substitutions].flatMap(([name, { kind }]) => (kind === "configured" ? [name] : [])),
  );
  const names = createNames([...configured, ...settingParameters(settings)], identifierStyle);
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
function createResolver(deployment: StackMachine, { all, parameters, keys, alias }: StackContext): ArnResolver {
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
  const resolve = (text: string, qualifier?: string): Json => {
    const name = nameIn(text);
    const target = name === undefined ? undefined : services.substitutions.get(name);
    if (name === undefined || !target) return text;
    if (target.kind === "own")
      return target.what === "table" ? ref(table) : getAtt(functionResourceName(stem, target.what), "Arn");
    const machine = target.kind === "workflow" ? inStack(target.name) : undefined;
    return machine ? machineArn(machine.stem, qualifier) : ref(parameterOf(name));
  };
  return {
    machine: machineArn(stem),
    executions: executionArns(stem),
    function: (text) => resolve(text),
    defined: (text) => resolve(text, alias),
    executionsOf(text) {
      const name = nameIn(text)!;
      const target = services.substitutions.get(name)!;
      const machine = target.kind === "workflow" ? inStack(target.name) : undefined;
      if (machine) return executionArns(machine.stem);
      return executionArnsByVariable("Machine", { Machine: arnPart(parameterOf(name), 6) });
    },
    table: getAtt(table, "Arn"),
    tableKey: keys.table === undefined ? [] : [keyStatement(keys.table)],
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

/** The settings of a machine's stack, with their values in the template. */
interface MachineContext {
  readonly settings: StackSettings;
  readonly keys: StackKeys;
  readonly boundary: Json | undefined;
}

function machineResources(
  { stem, file, text, services, settings: own }: StackMachine,
  statements: readonly PolicyStatement[],
  resolver: ArnResolver,
  { settings: { alias, tags }, keys, boundary }: MachineContext,
): readonly (readonly [string, Json])[] {
  const {
    isExpress,
    isTraced,
    log: { level, includesData, retentionDays },
  } = own;
  const used = [...services.substitutions.keys()].filter((name) => text.includes(`\${${name}}`));
  const log = `${stem}Log`;
  const machine: JsonObject = {
    Type: "AWS::Serverless::StateMachine",
    Properties: {
      Name: sub(`\${AWS::StackName}-${stem}`),
      ...(isExpress && { Type: "EXPRESS" }),
      DefinitionUri: file,
      ...(used.length > 0 && {
        DefinitionSubstitutions: Object.fromEntries(
          used.map((name) => [name, resolver.defined(`${services.mark}{${name}}`)]),
        ),
      }),
      ...(level && {
        Logging: {
          Level: level,
          IncludeExecutionData: includesData,
          Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: getAtt(log, "Arn") } }],
        },
      }),
      ...(isTraced && { Tracing: { Enabled: true } }),
      Policies: [policyOf([...statements, ...(level ? [logging] : [])])],
      ...(boundary !== undefined && { PermissionsBoundary: boundary }),
      ...(alias && { AutoPublishAlias: alias.name, DeploymentPreference: deploymentPreference(alias) }),
      ...(keys.machines !== undefined && { EncryptionConfiguration: encryption(keys.machines) }),
      ...(Object.keys(tags).length > 0 && { Tags: tags }),
    },
  };
  if (!level) return [[machineResource(stem), machine]];
  const logGroup: JsonObject = {
    Type: "AWS::Logs::LogGroup",
    DeletionPolicy: "Delete",
    UpdateReplacePolicy: "Delete",
    Properties: {
      LogGroupName: sub(`/aws/vendedlogs/states/\${AWS::StackName}-${stem}`),
      RetentionInDays: retentionDays,
      ...(Object.keys(tags).length > 0 && { Tags: tagList(tags) }),
    },
  };
  return [
    [machineResource(stem), machine],
    [log, logGroup],
  ];
}

/** How the alias of a machine moves to a new version. */
const deploymentPreference = ({ deployment, percentage, interval, alarms }: AliasSettings): JsonObject => ({
  Type: deployment,
  ...(deployment !== "ALL_AT_ONCE" && { Percentage: percentage, Interval: interval }),
  ...(alarms.length > 0 && { Alarms: alarms }),
});

const encryption = (kmsKey: Json): JsonObject => ({
  Type: "CUSTOMER_MANAGED_KMS_KEY",
  KmsKeyId: kmsKey,
  KmsDataKeyReusePeriodSeconds: 300,
});

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

const outputOf = ({ stem, workflow }: StackMachine, alias: string | undefined): readonly [string, Json] => [
  `${stem}StateMachineArn`,
  {
    Description: `State machine of workflow ${truncate(singleLine(workflow.name))}.`,
    Value: alias === undefined ? ref(machineResource(stem)) : sub(`\${${machineResource(stem)}}:${alias}`),
  },
];
