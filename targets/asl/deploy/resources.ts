import type { Workflow } from "../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { EventGroup } from "../event-groups.ts";
import type { Machine } from "../machine.ts";
import type { Services } from "../services.ts";
import type { MachineSettings } from "./settings.ts";
import type { PolicyStatement } from "./statements.ts";

/** A machine to deploy, with its generated modules. */
export interface DeployedMachine {
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly services: Services;
  /** Error names reserved for ending the run or a branch; functions must not throw them. */
  readonly endErrors: readonly string[];
  readonly group: EventGroup | undefined;
  readonly file: string;
  readonly text: string;
  readonly modules: { readonly [what in "expressions" | "functions" | "events"]?: string | undefined };
}

/** A machine with its settings. */
export interface ConfiguredMachine extends DeployedMachine {
  readonly settings: MachineSettings;
}

/** A machine with its place in a stack. */
export interface StackMachine extends ConfiguredMachine {
  /** The prefix of its logical IDs: `Order` in `OrderWaitFunction`. */
  readonly stem: string;
}

/** An IAM policy document. */
export const policyOf = (statements: readonly PolicyStatement[]): JsonObject => ({
  Version: "2012-10-17",
  Statement: statements.map(({ actions, resources, condition }) => ({
    Effect: "Allow",
    Action: actions,
    Resource: resources,
    ...(condition && { Condition: condition }),
  })),
});

/** A Lambda function resource. */
export const functionResource = (handler: string, more: JsonObject = {}): JsonObject => ({
  Type: "AWS::Serverless::Function",
  Properties: { Handler: handler, ...more },
});

/** The handler `order-events.wait` for the export `wait` of `order-events.mjs`. */
export const handlerOf = (file: string, name: string): string => `${file.replace(/\.mjs$/, "")}.${name}`;

/** The logical ID of a generated function. */
export const functionResourceName = (stem: string, what: "expressions" | "functions" | "wait" | "ingest"): string =>
  `${stem}${what.charAt(0).toUpperCase()}${what.slice(1)}Function`;

/** Joins the words of a name: `order-desk` → `OrderDesk`. */
export const pascalCase = (name: string): string =>
  name
    .normalize("NFKD")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** User text on one line, without dynamic references of CloudFormation. */
export const singleLine = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").replaceAll("{{", "{ {");
