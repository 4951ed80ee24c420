import type { Workflow } from "../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { Machine } from "../machine.ts";
import type { Group } from "../receiving.ts";
import type { Services } from "../services.ts";
import type { Statement } from "./statements.ts";

/** A machine that is to be deployed, with the modules that are made with it. */
export interface Deployed {
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly services: Services;
  /** The names of the errors by which it ends what goes on beside an end: its functions must not throw such. */
  readonly raised: readonly string[];
  /** The workflows with which it receives events. */
  readonly group: Group | undefined;
  /** The file of the machine, and its text. */
  readonly file: string;
  readonly text: string;
  /** The files of its functions. */
  readonly modules: { readonly [what in "expressions" | "functions" | "events"]?: string | undefined };
}

/** A machine in a stack. */
export interface Deployment extends Deployed {
  /** What its resources are called by: `Order` of `OrderStateMachine` and `OrderWaitFunction`. */
  readonly stem: string;
}

/** A policy of IAM. */
export const policyOf = (statements: readonly Statement[]): JsonObject => ({
  Version: "2012-10-17",
  Statement: statements.map(({ actions, resources, condition }) => ({
    Effect: "Allow",
    Action: actions,
    Resource: resources,
    ...(condition && { Condition: condition }),
  })),
});

/** A Lambda function by its handler, with what else it has. */
export const functionOf = (handler: string, more: JsonObject = {}): JsonObject => ({
  Type: "AWS::Serverless::Function",
  Properties: { Handler: handler, ...more },
});

/** `order-events.wait` for the export `wait` of `order-events.mjs`. */
export const handlerOf = (file: string, name: string): string => `${file.replace(/\.mjs$/, "")}.${name}`;

/** The resource of a function that is made with a machine. */
export const functionNamed = (stem: string, what: "expressions" | "functions" | "wait" | "ingest"): string =>
  `${stem}${what.charAt(0).toUpperCase()}${what.slice(1)}Function`;

/** The words of a name as one: `order-desk` is `OrderDesk`. */
export const joined = (name: string): string =>
  name
    .normalize("NFKD")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** A text of a user's on one line, without what CloudFormation would look up. */
export const plain = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").replaceAll("{{", "{ {");
