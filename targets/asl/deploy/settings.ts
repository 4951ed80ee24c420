import { type Json, type JsonObject, own } from "../../../src/json.ts";
import { type EventsTableSettings, eventsTableSettings } from "./events-table.ts";

/** The settings of a state machine in a stack. */
export interface MachineSettings {
  readonly isExpress: boolean;
  readonly isTraced: boolean;
  readonly log: LogSettings;
}

/** The log of a state machine. `level`: undefined for no log. */
export interface LogSettings {
  readonly level: "FATAL" | "ERROR" | "ALL" | undefined;
  readonly includesData: boolean;
  readonly retentionDays: number;
}

/** The settings of a stack. Strings may be substitutions. */
export interface StackSettings {
  readonly template: "sam" | "cloudformation" | "cdk";
  readonly table: EventsTableSettings;
  /** The ARN of the key of state machines. */
  readonly kmsKey: string | undefined;
  /** The ARN of the permissions boundary of all roles. */
  readonly permissionsBoundary: string | undefined;
  readonly alias: AliasSettings | undefined;
  readonly runtime: string;
  readonly tags: { readonly [key: string]: string };
}

/** The alias of all state machines, and how it moves to a new version. */
export interface AliasSettings {
  readonly name: string;
  readonly deployment: "ALL_AT_ONCE" | "CANARY" | "LINEAR";
  readonly percentage: number;
  /** In minutes. */
  readonly interval: number;
  /** Names or ARNs of CloudWatch alarms. */
  readonly alarms: readonly string[];
}

/** The settings that all workflows of a stack share. */
export const stackSettingNames = [
  "template",
  "eventsTable",
  "kmsKey",
  "permissionsBoundary",
  "alias",
  "runtime",
  "tags",
] as const;

/** Reads the settings of a state machine, whose schema has been checked. */
export function machineSettings(values: JsonObject): MachineSettings {
  const log = (own(values, "logging") ?? {}) as JsonObject;
  const level = String(own(log, "level") ?? "error");
  return {
    isExpress: own(values, "type") === "express",
    isTraced: own(values, "tracing") === true,
    log: {
      level: level === "off" ? undefined : (level.toUpperCase() as LogSettings["level"]),
      includesData: own(log, "executionData") === true,
      retentionDays: Number(own(log, "retentionDays") ?? defaultRetentionDays),
    },
  };
}

const defaultRetentionDays = 30;

/** Reads the settings of a stack, whose schema has been checked. */
export function stackSettings(values: JsonObject): StackSettings {
  return {
    template: own(values, "template") as StackSettings["template"],
    table: eventsTableSettings(values),
    kmsKey: own(values, "kmsKey") as string | undefined,
    permissionsBoundary: own(values, "permissionsBoundary") as string | undefined,
    alias: aliasSettings(own(values, "alias") as JsonObject | undefined),
    runtime: String(own(values, "runtime") ?? defaultRuntime),
    tags: (own(values, "tags") ?? {}) as { readonly [key: string]: string },
  };
}

/** The oldest Node.js runtime of AWS Lambda on which generated functions run. */
const defaultRuntime = "nodejs22.x";

function aliasSettings(values: JsonObject | undefined): AliasSettings | undefined {
  if (!values) return undefined;
  const deployment = String(own(values, "deployment") ?? "all-at-once");
  return {
    name: String(own(values, "name")),
    deployment: deployment.toUpperCase().replaceAll("-", "_") as AliasSettings["deployment"],
    percentage: Number(own(values, "percentage") ?? 10),
    interval: Number(own(values, "interval") ?? 10),
    alarms: (own(values, "alarms") ?? []) as readonly Json[] as readonly string[],
  };
}

/** The strings among the settings of a stack that may be substitutions. */
export const substitutableSettings = ({ table, kmsKey, permissionsBoundary }: StackSettings): readonly string[] =>
  [table.kmsKey, kmsKey, permissionsBoundary].filter((each) => each !== undefined);

/** The settings that have no effect: those of a deployment without a template, or of a way that the alias does not move. */
export function unusedSettings(values: JsonObject): readonly UnusedSetting[] {
  const isExpress = own(values, "type") === "express";
  const continued =
    isExpress && own(values, "continue") === true ? [{ path: ["continue"], needed: "type: standard" }] : [];
  return [...continued, ...unusedDeploymentSettings(values)];
}

function unusedDeploymentSettings(values: JsonObject): readonly UnusedSetting[] {
  if (own(values, "template") === undefined)
    return deploymentSettings
      .filter((name) => Object.hasOwn(values, name))
      .map((name) => ({ path: [name], needed: "template" }));
  const alias = (own(values, "alias") ?? {}) as JsonObject;
  if (aliasSettings(alias)?.deployment !== "ALL_AT_ONCE") return [];
  return ["percentage", "interval"]
    .filter((name) => Object.hasOwn(alias, name))
    .map((name) => ({ path: ["alias", name], needed: "alias.deployment: canary" }));
}

/** A setting without effect, and the setting that it needs. */
export interface UnusedSetting {
  readonly path: readonly string[];
  readonly needed: string;
}

const deploymentSettings = [...stackSettingNames.filter((name) => name !== "template"), "logging", "tracing"];

/** Tags as CloudFormation's resources take them. */
export const tagList = (tags: StackSettings["tags"]): readonly JsonObject[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
