import { binary, type Expression, firstOr, literal, member, object } from "../../expressions/index.ts";
import { problemDetails } from "../../ir/problems.ts";
import { own } from "../../json.ts";
import { jqProgram } from "./programs.ts";

/** The standard errors and their statuses. */
const standardStatuses: { readonly [name: string]: number } = {
  configuration: 400,
  validation: 400,
  expression: 400,
  authentication: 401,
  authorization: 403,
  timeout: 408,
  communication: 500,
  runtime: 500,
};

/** The prefix of the types of standard errors. */
const standardPrefix = "https://open-workflow-specification.org/spec/1.0.0/errors/";

const standardForms =
  /^https?:\/\/(?:open-workflow-specification\.org|serverlessworkflow\.io(?:\.io)?)\/(?:spec\/1\.0\.0\/errors|dsl\/errors\/types)\/([a-z]+)\/?$/;

/** The names of the standard errors. */
export const standardNames: readonly string[] = Object.keys(standardStatuses);

/** A standard error that a URI of any known form denotes. */
export interface StandardError {
  readonly name: string;
  readonly type: string;
  readonly status: number;
  /** Whether the URI has the form of the specification's text. */
  readonly isCanonical: boolean;
}

/** The standard error that a URI denotes, if any. */
export function standardErrorOf(uri: string): StandardError | undefined {
  const name = standardForms.exec(uri)?.[1];
  const status = name === undefined ? undefined : own(standardStatuses, name);
  if (name === undefined || status === undefined) return undefined;
  return { name, type: standardPrefix + name, status, isCanonical: uri === standardPrefix + name };
}

/** The last part of a URI in a form for standard errors whose name is unknown. */
export const unknownStandardName = (uri: string): string | undefined =>
  standardErrorOf(uri) ? undefined : standardForms.exec(uri)?.[1];

/** The error value of a standard error. */
export function standardError(
  name: string,
  title: string,
  detail: Expression | undefined,
  instance: string,
): Expression {
  return object([
    ["origin", literal("fail")],
    ["name", literal(name)],
    ["message", literal(title)],
    [
      "data",
      object([
        ["type", literal(standardPrefix + name)],
        ["status", literal(own(standardStatuses, name) ?? 500)],
        ["title", literal(title)],
        ...(detail ? [["detail", detail] as const] : []),
        ["instance", literal(instance)],
      ]),
    ],
  ]);
}

/** The problem details of an error that left its step. */
export const problemOf = (error: Expression): Expression => firstOr(member(error, "data"), literal(null));

/** A condition that an error is the one that `type` denotes. */
export const hasType = (error: Expression, type: string): Expression =>
  binary("==", member(error, "name"), literal(standardErrorOf(type)?.name ?? type));

const titles: { readonly [name: string]: string } = {
  configuration: "Configuration Error",
  validation: "Validation",
  expression: "Expression Error",
  authentication: "Authentication Error",
  authorization: "Authorization Error",
  timeout: "Timeout",
  communication: "Communication Error",
  runtime: "Runtime Error",
};

/** What an error becomes when it leaves its step: problem details, with the task as `instance`. */
export const raisedError: Expression = problemDetails({
  prefix: standardPrefix,
  errors: Object.fromEntries(
    standardNames.map((name) => [name, { status: standardStatuses[name]!, title: titles[name]! }]),
  ),
  origins: {
    function: "communication",
    timeout: "timeout",
    heartbeat: "timeout",
    expression: "expression",
    denied: "validation",
    noMatch: "expression",
    limit: "runtime",
    fail: "runtime",
  },
});

/** The error of a process or workflow: names other than standard ones and URIs are titles of `runtime`. */
export const runtimeError = jqProgram(
  `if $statuses[.name] != null or (.name | contains("://")) then .
   else . + { name: "runtime", message: .name, data: ({ detail: .message } + (if .data == null then {} else .data end)) } end`,
  ["statuses"],
);

/** The statuses of the standard errors, for `runtimeError`. */
export const statuses: ReadonlyMap<string, Expression> = new Map([["statuses", literal(standardStatuses)]]);
