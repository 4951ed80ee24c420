import { type Json, type JsonObject, own } from "../../../src/json.ts";
import { getAtt } from "./cloudformation.ts";
import type { PolicyStatement } from "./statements.ts";

/** The logical ID of the stack's table. */
export const table = "EventsTable";

/** The setting `eventsTable`. */
export interface EventsTableSettings {
  /** How long events are kept that no run has used, in seconds. */
  readonly keepEvents: number;
  readonly pointInTimeRecovery: boolean;
  readonly deletionProtection: boolean;
  /** The ARN of a KMS key, or a substitution. */
  readonly kmsKey?: string | undefined;
}

/** How long unused events are kept by default, in seconds: a week. */
const defaultKeepEvents = 604_800;

/** Reads the setting, whose schema has been checked. */
export function eventsTableSettings(values: JsonObject): EventsTableSettings {
  const given = (own(values, "eventsTable") ?? {}) as JsonObject;
  return {
    keepEvents: Number(own(given, "keepEvents") ?? defaultKeepEvents),
    pointInTimeRecovery: own(given, "pointInTimeRecovery") === true,
    deletionProtection: own(given, "deletionProtection") === true,
    kmsKey: own(given, "kmsKey") as string | undefined,
  };
}

/** The name in a substitution such as `${EventsKey}`; undefined for any other string. */
export const substitutionName = (text: string): string | undefined => /^\$\{(\w+)\}$/.exec(text)?.[1];

/**
 * The table shared by all workflows that receive events or count branches. `kmsKey`: the value of its setting. A
 * protected table would block the deletion of its stack, so CloudFormation retains it.
 */
export function tableResource(
  { pointInTimeRecovery, deletionProtection }: EventsTableSettings,
  { kmsKey, tags }: { readonly kmsKey: Json | undefined; readonly tags: readonly JsonObject[] },
): readonly [string, Json] {
  const policy = deletionProtection ? "Retain" : "Delete";
  const resource: JsonObject = {
    Type: "AWS::DynamoDB::Table",
    DeletionPolicy: policy,
    UpdateReplacePolicy: policy,
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
      ...(pointInTimeRecovery && { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
      ...(deletionProtection && { DeletionProtectionEnabled: true }),
      ...(kmsKey !== undefined && { SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: kmsKey } }),
      ...(tags.length > 0 && { Tags: tags }),
    },
  };
  return [table, resource];
}

/** The permissions of event functions on the table: transactions need those of their operations. */
export const tableStatement: PolicyStatement = {
  actions: ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"],
  resources: [getAtt(table, "Arn")],
};

/** What DynamoDB does with a customer managed key for principals that read and write the table. */
export const keyStatement = (kmsKey: Json): PolicyStatement => ({
  actions: ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"],
  resources: [kmsKey],
  condition: { StringLike: { "kms:ViaService": "dynamodb.*.amazonaws.com*" } },
});
