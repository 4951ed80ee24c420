import { createNames, identifierStyle, type NameSpace } from "../../../src/ir/names.ts";
import { type Json, type JsonObject, own } from "../../../src/json.ts";
import { getAtt, ref, sub } from "./cloudformation.ts";
import { tagList } from "./settings.ts";

// AWS SAM's resources as plain CloudFormation. Only the properties are supported that this target generates.

type Resources = readonly (readonly [string, Json])[];

/** What the resources of a template share. */
interface PlainContext {
  readonly names: NameSpace;
  /** The `Globals` of functions. */
  readonly globals: JsonObject;
}

/**
 * A SAM template without SAM's resources: `aws cloudformation package` uploads the files that it refers to. `machines`:
 * expands state machines only, whose encryption SAM does not support.
 */
export function toCloudFormation(template: JsonObject, only?: "machines"): JsonObject {
  const { Transform, Globals, Resources: resources, ...rest } = template as JsonObject & { Resources: JsonObject };
  const taken = [...Object.keys(resources), ...Object.keys((own(rest, "Parameters") ?? {}) as JsonObject)];
  const globals = (Globals as JsonObject)["Function"] as JsonObject;
  const context = { names: createNames(taken, { ...identifierStyle, fold: (name) => name.toLowerCase() }), globals };
  const expanded = Object.entries(resources).flatMap(([id, resource]) =>
    expand(id, resource as JsonObject, context, only),
  );
  const { Outputs, ...head } = rest as JsonObject & { Outputs: Json };
  return {
    ...head,
    ...(only && { Transform: Transform!, Globals: Globals! }),
    Resources: Object.fromEntries(expanded),
    Outputs,
  };
}

function expand(id: string, resource: JsonObject, context: PlainContext, only: "machines" | undefined): Resources {
  const properties = resource["Properties"] as JsonObject;
  switch (resource["Type"]) {
    case "AWS::Serverless::StateMachine":
      return machineResources(id, properties, context);
    case "AWS::Serverless::Function":
      return only ? [[id, resource]] : functionResources(id, properties, context);
    default:
      return [[id, resource]];
  }
}

function machineResources(id: string, properties: JsonObject, { names }: PlainContext): Resources {
  const { Name, Type, DefinitionUri, DefinitionSubstitutions, Logging, Tracing, EncryptionConfiguration } = properties;
  const tags = tagsOf(properties);
  const role = names.fresh(`${id}Role`);
  const statements = Tracing === undefined ? [] : [tracingStatement];
  const machine: JsonObject = {
    Type: "AWS::StepFunctions::StateMachine",
    Properties: withoutUndefined({
      StateMachineName: Name,
      StateMachineType: Type,
      DefinitionS3Location: DefinitionUri,
      DefinitionSubstitutions,
      LoggingConfiguration: Logging,
      TracingConfiguration: Tracing,
      EncryptionConfiguration,
      RoleArn: getAtt(role, "Arn"),
      Tags: tags,
    }),
  };
  return [
    [role, roleResource("states", properties, { statements })],
    [id, machine],
    ...aliasResources(id, properties, names),
  ];
}

/** The version of a machine's current definition, and the alias that moves to it. Replaced versions still run. */
function aliasResources(id: string, properties: JsonObject, names: NameSpace): Resources {
  const { AutoPublishAlias: name, DeploymentPreference: preference } = properties;
  if (name === undefined) return [];
  const version = names.fresh(`${id}Version`);
  return [
    [
      version,
      {
        Type: "AWS::StepFunctions::StateMachineVersion",
        DeletionPolicy: "Delete",
        UpdateReplacePolicy: "Retain",
        Properties: { StateMachineArn: ref(id), StateMachineRevisionId: getAtt(id, "StateMachineRevisionId") },
      },
    ],
    [
      names.fresh(`${id}Alias`),
      {
        Type: "AWS::StepFunctions::StateMachineAlias",
        Properties: {
          Name: name,
          DeploymentPreference: { StateMachineVersionArn: ref(version), ...(preference as JsonObject) },
        },
      },
    ],
  ];
}

function functionResources(id: string, given: JsonObject, { names, globals }: PlainContext): Resources {
  const properties: JsonObject = { ...globals, ...given };
  const { Handler, Runtime, CodeUri, Timeout, MemorySize, Environment, Tracing } = properties;
  const role = names.fresh(`${id}Role`);
  const statements = Tracing === undefined ? [] : [tracingStatement];
  const managed = [sub(`arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole`)];
  const lambda: JsonObject = {
    Type: "AWS::Lambda::Function",
    Properties: withoutUndefined({
      Handler,
      Runtime,
      Code: CodeUri,
      Timeout,
      MemorySize,
      Environment,
      TracingConfig: Tracing === undefined ? undefined : { Mode: Tracing },
      Role: getAtt(role, "Arn"),
      Tags: tagsOf(properties),
    }),
  };
  return [
    [role, roleResource("lambda", properties, { statements, managed })],
    [id, lambda],
    ...invocationResources(id, properties, names),
    ...Object.entries((own(properties, "Events") ?? {}) as JsonObject).flatMap(([name, event]) =>
      ruleResources(id, name, event as JsonObject, names),
    ),
  ];
}

/** How asynchronous calls of a function are repeated, and where they go when they fail. */
function invocationResources(id: string, { EventInvokeConfig: given }: JsonObject, names: NameSpace): Resources {
  if (given === undefined) return [];
  const { MaximumRetryAttempts, DestinationConfig } = given as JsonObject;
  const { Destination } = (DestinationConfig as JsonObject)["OnFailure"] as JsonObject;
  const config: JsonObject = {
    Type: "AWS::Lambda::EventInvokeConfig",
    Properties: {
      FunctionName: ref(id),
      Qualifier: "$LATEST",
      MaximumRetryAttempts: MaximumRetryAttempts!,
      DestinationConfig: { OnFailure: { Destination: Destination! } },
    },
  };
  return [[names.fresh(`${id}InvokeConfig`), config]];
}

/** A rule that calls a function, and its permission to do so. */
function ruleResources(id: string, name: string, { Properties: given }: JsonObject, names: NameSpace): Resources {
  const { EventBusName, Pattern, Schedule, Description, Input, DeadLetterConfig, RetryPolicy } = given as JsonObject;
  const rule = names.fresh(`${id}${name}`);
  const resource: JsonObject = {
    Type: "AWS::Events::Rule",
    Properties: withoutUndefined({
      Description,
      EventBusName,
      EventPattern: Pattern,
      ScheduleExpression: Schedule,
      Targets: [withoutUndefined({ Id: name, Arn: getAtt(id, "Arn"), Input, DeadLetterConfig, RetryPolicy })],
    }),
  };
  const permission: JsonObject = {
    Type: "AWS::Lambda::Permission",
    Properties: {
      Action: "lambda:InvokeFunction",
      FunctionName: ref(id),
      Principal: "events.amazonaws.com",
      SourceArn: getAtt(rule, "Arn"),
    },
  };
  return [
    [rule, resource],
    [names.fresh(`${rule}Permission`), permission],
  ];
}

/** The role of a machine or function, with its policies and further statements. */
function roleResource(
  service: "lambda" | "states",
  { Policies, PermissionsBoundary, Tags }: JsonObject,
  { statements, managed }: { readonly statements: readonly Json[]; readonly managed?: readonly Json[] },
): JsonObject {
  const documents = (Policies ?? []) as readonly JsonObject[];
  const own = documents.flatMap(({ Statement }) => Statement as readonly Json[]);
  const all = [...own, ...statements];
  return {
    Type: "AWS::IAM::Role",
    Properties: withoutUndefined({
      AssumeRolePolicyDocument: {
        Version: "2012-10-17",
        Statement: [
          { Effect: "Allow", Principal: { Service: `${service}.amazonaws.com` }, Action: ["sts:AssumeRole"] },
        ],
      },
      ManagedPolicyArns: managed,
      Policies:
        all.length === 0
          ? undefined
          : [{ PolicyName: "Workflow", PolicyDocument: { Version: "2012-10-17", Statement: all } }],
      PermissionsBoundary,
      Tags: tagsOf({ Tags }),
    }),
  };
}

/** X-Ray's actions do not support narrower resources. */
const tracingStatement: JsonObject = {
  Effect: "Allow",
  Action: ["xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:PutTelemetryRecords", "xray:PutTraceSegments"],
  Resource: ["*"],
};

const tagsOf = ({ Tags }: { readonly Tags?: Json | undefined }): Json | undefined =>
  Tags === undefined ? undefined : tagList(Tags as { readonly [key: string]: string });

const withoutUndefined = (values: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
