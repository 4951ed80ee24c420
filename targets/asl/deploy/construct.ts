import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { type JsExpression, js, printProgram, type Statement } from "../../../src/js-ast/index.ts";
import { type Json, type JsonObject, own } from "../../../src/json.ts";
import {
  type ConstructContext,
  created,
  expressionOf,
  folder,
  functionType,
  type Members,
  machineType,
  member,
  resourceOf,
  run,
  seconds,
  self,
  variableOf,
} from "./construct-values.ts";
import type { StackSettings } from "./settings.ts";
import type { DeploymentStack, StackParameter } from "./template.ts";

// A construct for the AWS CDK with the resources of a SAM template. Only the properties are supported that this target
// generates.

/** The parts of a construct that its file template needs, as TypeScript. */
export interface ConstructParts {
  /** The interface of the construct's properties. */
  readonly props: string;
  /** The names of the properties without a default, except for the folder. */
  readonly required: readonly string[];
  /** Whether it has schedules. */
  readonly isScheduled: boolean;
  /** The names of the fields with state machines. */
  readonly fields: readonly string[];
  /** The statements of the constructor. */
  readonly body: string;
}

/** The construct of a stack. */
export function constructParts(stack: DeploymentStack, settings: StackSettings): ConstructParts {
  const context = contextOf(stack, settings);
  const resources = Object.entries(stack.template["Resources"] as unknown as { readonly [id: string]: Resource });
  // Logs, tables and queues come before what refers to them.
  const ordered = resources.toSorted(([, a], [, b]) => rankOf(a) - rankOf(b));
  const statements = [
    ...stackStatements(settings, context),
    ...ordered.flatMap(([id, resource]) => statementsFor(id, resource, context)),
  ];
  const fields = resources.flatMap(([id, { Type }]) => (Type === machineType ? [variableOf(id)] : []));
  return {
    props: printProgram([propsInterface(stack.parameters, context)], { types: true }).trimEnd(),
    required: stack.parameters.flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [context.props.get(name)!] : [],
    ),
    fields,
    isScheduled: resources.some(([, { Type }]) => Type === "AWS::Scheduler::Schedule"),
    body: printProgram(statements, { types: true })
      .trimEnd()
      .replaceAll(/^(?=.)/gm, "    "),
  };
}

interface Resource {
  readonly Type: string;
  readonly Properties: JsonObject;
  readonly DeletionPolicy?: string;
}

const rankOf = ({ Type }: Resource): number =>
  Type === machineType ? 3 : Type === functionType ? 2 : Type === "AWS::SQS::QueuePolicy" ? 1 : 0;

function contextOf({ template, parameters }: DeploymentStack, settings: StackSettings): ConstructContext {
  const names = createNames(["folder"], identifierStyle);
  const propOf = (name: string): string => names.fresh(/^[A-Za-z]/.test(name) ? variableOf(name) : `value${name}`);
  return {
    settings,
    globals: (template["Globals"] as JsonObject)["Function"] as JsonObject,
    props: new Map(parameters.map(({ name }) => [name, propOf(name)])),
    parameters,
    types: new Map(
      Object.entries(template["Resources"] as JsonObject).map(([id, resource]) => [
        id,
        String((resource as JsonObject)["Type"]),
      ]),
    ),
  };
}

function propsInterface(parameters: readonly StackParameter[], { props }: ConstructContext): Statement {
  const folder = js.propertySignature("folder", js.keyword("string"), { doc: "The folder of the generated files." });
  return {
    kind: "interface",
    name: "WorkflowsProps",
    typeParameters: [],
    extends: [],
    exported: true,
    doc: "The values that the workflows need.",
    members: [
      folder,
      ...parameters.map(({ name, description, defaultValue }) =>
        js.propertySignature(props.get(name)!, js.keyword("string"), {
          doc: defaultValue === undefined ? description : `${description} Default: \`${defaultValue}\`.`,
          optional: defaultValue !== undefined,
        }),
      ),
    ],
  };
}

/** The tags and the permissions boundary of all resources. */
function stackStatements(
  { tags, permissionsBoundary }: StackSettings,
  context: ConstructContext,
): readonly Statement[] {
  const boundary = context.globals["PermissionsBoundary"];
  const all = Object.entries(tags).map(([key, value]) =>
    run(js.method(js.call(member("Tags", "of"), [self]), "add", [js.literal(key), js.literal(value)])),
  );
  if (permissionsBoundary === undefined || boundary === undefined) return all;
  const policy = js.call(member("iam", "ManagedPolicy", "fromManagedPolicyArn"), [
    self,
    js.literal("PermissionsBoundary"),
    expressionOf(boundary, context),
  ]);
  return [...all, run(js.method(js.call(member("iam", "PermissionsBoundary", "of"), [self]), "apply", [policy]))];
}

function statementsFor(id: string, resource: Resource, context: ConstructContext): readonly Statement[] {
  const { Type, Properties: properties } = resource;
  switch (Type) {
    case "AWS::Logs::LogGroup":
      return [
        created(id, member("logs", "LogGroup"), {
          logGroupName: expressionOf(properties["LogGroupName"]!, context),
          retention: js.literal(Number(properties["RetentionInDays"])),
          removalPolicy: member("RemovalPolicy", "DESTROY"),
        }),
      ];
    case "AWS::DynamoDB::Table":
      return [created(id, member("dynamodb", "Table"), tableProps(resource, context))];
    case "AWS::SQS::Queue":
      return [
        created(id, member("sqs", "Queue"), {
          retentionPeriod: seconds(properties["MessageRetentionPeriod"]!),
          encryption: member("sqs", "QueueEncryption", "SQS_MANAGED"),
          removalPolicy: member("RemovalPolicy", "RETAIN"),
        }),
      ];
    case "AWS::SQS::QueuePolicy":
      return policyStatements(properties["PolicyDocument"]!, context).map((statement) =>
        run(js.method(resourceOf((properties["Queues"] as readonly Json[])[0]!), "addToResourcePolicy", [statement])),
      );
    case "AWS::IAM::Role":
      return [roleStatement(id, properties, context)];
    case "AWS::Scheduler::Schedule":
      return [scheduleStatement(id, properties, context)];
    case functionType:
      return functionStatements(id, properties, context);
    case machineType:
      return machineStatements(id, properties, context);
    default:
      throw new Error(`The construct has no form for ${Type}.`);
  }
}

/** The role of EventBridge Scheduler. */
function roleStatement(id: string, { Policies }: JsonObject, context: ConstructContext): Statement {
  const principal = js.newExpression(member("iam", "ServicePrincipal"), [js.literal("scheduler.amazonaws.com")]);
  const condition = js.record({
    StringEquals: js.object([js.property("aws:SourceAccount", member("Aws", "ACCOUNT_ID"))]),
  });
  const [policy] = Policies as readonly JsonObject[];
  const document = js.newExpression(member("iam", "PolicyDocument"), [
    js.record({ statements: js.array(policyStatements(policy!["PolicyDocument"]!, context)) }),
  ]);
  return created(id, member("iam", "Role"), {
    assumedBy: js.method(principal, "withConditions", [condition]),
    inlinePolicies: js.record({ StartExecutions: document }),
  });
}

function scheduleStatement(id: string, properties: JsonObject, context: ConstructContext): Statement {
  const { ScheduleExpression, ScheduleExpressionTimezone, StartDate, EndDate, Target } = properties;
  const optional = (value: Json | undefined): JsExpression | undefined =>
    value === undefined ? undefined : expressionOf(value, context);
  const { Arn, RoleArn, Input } = Target as JsonObject;
  const props = js.record({
    scheduleExpression: optional(ScheduleExpression),
    scheduleExpressionTimezone: optional(ScheduleExpressionTimezone),
    startDate: optional(StartDate),
    endDate: optional(EndDate),
    flexibleTimeWindow: js.record({ mode: js.literal("OFF") }),
    target: js.record({ arn: optional(Arn), roleArn: optional(RoleArn), input: optional(Input) }),
  });
  return run(js.newExpression(member("scheduler", "CfnSchedule"), [self, js.literal(id), props]));
}

function tableProps({ Properties, DeletionPolicy }: Resource, context: ConstructContext): Members {
  const key = (name: string): JsExpression =>
    js.record({ name: js.literal(name), type: member("dynamodb", "AttributeType", "STRING") });
  const isRecoverable = own(Properties, "PointInTimeRecoverySpecification") !== undefined;
  const encryption = own(Properties, "SSESpecification") as JsonObject | undefined;
  return {
    partitionKey: key("pk"),
    sortKey: key("sk"),
    billingMode: member("dynamodb", "BillingMode", "PAY_PER_REQUEST"),
    timeToLiveAttribute: js.literal("ttl"),
    pointInTimeRecoverySpecification: isRecoverable
      ? js.record({ pointInTimeRecoveryEnabled: js.literal(true) })
      : undefined,
    deletionProtection: own(Properties, "DeletionProtectionEnabled") ? js.literal(true) : undefined,
    encryption: encryption && member("dynamodb", "TableEncryption", "CUSTOMER_MANAGED"),
    encryptionKey: encryption && keyOf("EventsTableKey", encryption["KMSMasterKeyId"]!, context),
    removalPolicy: member("RemovalPolicy", DeletionPolicy === "Retain" ? "RETAIN" : "DESTROY"),
  };
}

function functionStatements(id: string, properties: JsonObject, context: ConstructContext): readonly Statement[] {
  const { globals } = context;
  const { Handler, Environment, EventInvokeConfig, Policies, Events } = properties;
  const invoke = EventInvokeConfig as JsonObject | undefined;
  const destination = (invoke?.["DestinationConfig"] as JsonObject | undefined)?.["OnFailure"] as
    | JsonObject
    | undefined;
  const variables = (Environment as JsonObject | undefined)?.["Variables"];
  return [
    created(id, member("lambda", "Function"), {
      runtime: member("lambda", "Runtime", globals["Runtime"] === "nodejs24.x" ? "NODEJS_24_X" : "NODEJS_22_X"),
      handler: expressionOf(Handler!, context),
      code: js.call(member("lambda", "Code", "fromAsset"), [folder]),
      timeout: seconds(globals["Timeout"]!),
      memorySize: expressionOf(globals["MemorySize"]!, context),
      environment: variables === undefined ? undefined : expressionOf(variables, context),
      tracing: globals["Tracing"] === undefined ? undefined : member("lambda", "Tracing", "ACTIVE"),
      retryAttempts: invoke && expressionOf(invoke["MaximumRetryAttempts"]!, context),
      onFailure:
        destination &&
        js.newExpression(member("destinations", "SqsDestination"), [resourceOf(destination["Destination"]!)]),
      initialPolicy:
        Policies === undefined
          ? undefined
          : js.array((Policies as readonly Json[]).flatMap((policy) => policyStatements(policy, context))),
    }),
    ...Object.entries((Events ?? {}) as JsonObject).flatMap(([name, event]) =>
      ruleStatements(id, name, (event as JsonObject)["Properties"] as JsonObject, context),
    ),
  ];
}

/** Rules of the construct library cannot express `$or`. */
function ruleStatements(of: string, name: string, rule: JsonObject, context: ConstructContext): readonly Statement[] {
  const { EventBusName, Pattern, Schedule, Description, Input, DeadLetterConfig, RetryPolicy } = rule;
  const id = `${of}${name}`;
  const optional = (value: Json | undefined): JsExpression | undefined =>
    value === undefined ? undefined : expressionOf(value, context);
  const retry = RetryPolicy as JsonObject;
  const target = js.record({
    id: js.literal(name),
    arn: js.member(js.name(variableOf(of)), "functionArn"),
    input: optional(Input),
    deadLetterConfig:
      DeadLetterConfig === undefined
        ? undefined
        : js.record({ arn: optional((DeadLetterConfig as JsonObject)["Arn"]) }),
    retryPolicy: js.record({
      maximumEventAgeInSeconds: optional(retry["MaximumEventAgeInSeconds"]),
      maximumRetryAttempts: optional(retry["MaximumRetryAttempts"]),
    }),
  });
  return [
    created(id, member("events", "CfnRule"), {
      description: optional(Description),
      eventBusName: optional(EventBusName),
      eventPattern: optional(Pattern),
      scheduleExpression: optional(Schedule),
      targets: js.array([target]),
    }),
    run(
      js.method(js.name(variableOf(of)), "addPermission", [
        js.literal(name),
        js.record({
          principal: js.newExpression(member("iam", "ServicePrincipal"), [js.literal("events.amazonaws.com")]),
          sourceArn: js.member(js.name(variableOf(id)), "attrArn"),
        }),
      ]),
    ),
  ];
}

function machineStatements(id: string, properties: JsonObject, context: ConstructContext): readonly Statement[] {
  const { Name, Type, DefinitionUri, DefinitionSubstitutions, Logging, Tracing, Policies, EncryptionConfiguration } =
    properties;
  const logging = Logging as JsonObject | undefined;
  const file = js.call("join", [folder, expressionOf(DefinitionUri!, context)]);
  const machine = js.newExpression(member("sfn", "StateMachine"), [
    self,
    js.literal(id),
    js.record({
      stateMachineName: expressionOf(Name!, context),
      stateMachineType: Type === undefined ? undefined : member("sfn", "StateMachineType", "EXPRESS"),
      definitionBody: js.call(member("sfn", "DefinitionBody", "fromFile"), [file]),
      definitionSubstitutions:
        DefinitionSubstitutions === undefined ? undefined : expressionOf(DefinitionSubstitutions, context),
      logs: logging && logOptions(logging, context),
      tracingEnabled: Tracing === undefined ? undefined : js.literal(true),
      encryptionConfiguration:
        EncryptionConfiguration === undefined
          ? undefined
          : js.newExpression(member("sfn", "CustomerManagedEncryptionConfiguration"), [
              keyOf(`${id}Key`, (EncryptionConfiguration as JsonObject)["KmsKeyId"]!, context),
            ]),
    }),
  ]);
  const field = js.member(self, variableOf(id));
  // The construct library adds the permissions for logs.
  const policies = (Policies as readonly JsonObject[]).flatMap(({ Version, Statement }) => {
    const needed = (Statement as readonly JsonObject[]).filter(
      ({ Action }) => !(Action as readonly string[]).every((action) => action.startsWith("logs:")),
    );
    return policyStatements({ Version: Version!, Statement: needed }, context);
  });
  return [
    js.assign(field, machine),
    ...policies.map((policy) => run(js.method(field, "addToRolePolicy", [policy]))),
    ...aliasStatements(id, properties, context),
  ];
}

function logOptions(logging: JsonObject, context: ConstructContext): JsExpression {
  const [destination] = logging["Destinations"] as readonly JsonObject[];
  const { LogGroupArn } = destination!["CloudWatchLogsLogGroup"] as JsonObject;
  return js.record({
    destination: resourceOf(LogGroupArn!),
    level: member("sfn", "LogLevel", String(logging["Level"])),
    includeExecutionData: expressionOf(logging["IncludeExecutionData"]!, context),
  });
}

/** The construct library has no constructs of its own for versions and aliases. */
function aliasStatements(id: string, properties: JsonObject, context: ConstructContext): readonly Statement[] {
  const { AutoPublishAlias: name, DeploymentPreference } = properties;
  if (name === undefined) return [];
  const { Type, Percentage, Interval, Alarms } = DeploymentPreference as JsonObject;
  const field = js.member(self, variableOf(id));
  const revision = js.member(
    js.as(js.member(js.member(field, "node"), "defaultChild"), js.type("sfn.CfnStateMachine")),
    "attrStateMachineRevisionId",
  );
  const version = `${id}Version`;
  const optional = (value: Json | undefined): JsExpression | undefined =>
    value === undefined ? undefined : expressionOf(value, context);
  const preference = js.record({
    type: optional(Type),
    stateMachineVersionArn: js.member(js.name(variableOf(version)), "attrArn"),
    percentage: optional(Percentage),
    interval: optional(Interval),
    alarms: optional(Alarms),
  });
  return [
    created(version, member("sfn", "CfnStateMachineVersion"), {
      stateMachineArn: js.member(field, "stateMachineArn"),
      stateMachineRevisionId: revision,
    }),
    js.assign(member(variableOf(version), "cfnOptions", "deletionPolicy"), member("CfnDeletionPolicy", "DELETE")),
    js.assign(member(variableOf(version), "cfnOptions", "updateReplacePolicy"), member("CfnDeletionPolicy", "RETAIN")),
    run(
      js.newExpression(member("sfn", "CfnStateMachineAlias"), [
        self,
        js.literal(`${id}Alias`),
        js.record({ name: expressionOf(name, context), deploymentPreference: preference }),
      ]),
    ),
  ];
}

const policyStatements = (document: Json, context: ConstructContext): readonly JsExpression[] =>
  ((document as JsonObject)["Statement"] as readonly JsonObject[]).map(({ Principal, Action, Resource, Condition }) => {
    const service = (Principal as JsonObject | undefined)?.["Service"];
    return js.newExpression(member("iam", "PolicyStatement"), [
      js.record({
        principals:
          service === undefined
            ? undefined
            : js.array([js.newExpression(member("iam", "ServicePrincipal"), [expressionOf(service, context)])]),
        actions: expressionOf(Action!, context),
        resources: expressionOf(Resource!, context),
        conditions: Condition === undefined ? undefined : expressionOf(Condition, context),
      }),
    ]);
  });

const keyOf = (id: string, arn: Json, context: ConstructContext): JsExpression =>
  js.call(member("kms", "Key", "fromKeyArn"), [self, js.literal(id), expressionOf(arn, context)]);
