import { type Expression, printExpression } from "../expressions/index.ts";
import { assertNever, printJson } from "../json.ts";
import { truncate } from "../text/messages.ts";

/** How a function is reached. Without one, `resource` or the configuration locates it. */
export type Protocol = Http | Grpc | CloudFunction | Database | ExternalWorkflow | Script | BuiltIn;

/** One HTTP request. The result is the body: parsed JSON, or else a string. */
export interface Http {
  readonly kind: "http";
  /**
   * Members of the argument are its parameters and JSON body. If undefined, the argument is `{ url, method, headers,
   * query, body }`.
   */
  readonly operation?: HttpOperation | undefined;
  /** The prefix of error names for statuses from 400. If undefined, no status is an error. */
  readonly failure?: string | undefined;
  /** Sends an access token of the run's identity. */
  readonly authorized?: boolean | undefined;
}

/** A request of an OpenAPI document. */
export interface HttpOperation {
  readonly method: string;
  /** If undefined, the configuration supplies it. */
  readonly server?: string | undefined;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly place: "path" | "query" | "header" }[];
}

/** One unary gRPC call. The result is the response as JSON. */
export interface Grpc {
  readonly kind: "grpc";
  /** The argument is the request. If undefined, it is `{ endpoint, method, headers, body }`. */
  readonly method?: GrpcMethod | undefined;
  /** The prefix of error names for statuses other than `OK`. */
  readonly failure?: string | undefined;
  readonly authorized?: boolean | undefined;
}

/** A method of a gRPC service. */
export interface GrpcMethod {
  readonly endpoint?: string | undefined;
  /** Qualified, such as `orders.v1.Orders`. */
  readonly service: string;
  readonly name: string;
  /** A .proto file; by default, server reflection. */
  readonly definition?: string | undefined;
}

/** A function, container or action of a provider. */
export interface CloudFunction {
  readonly kind: "cloudFunction";
  /** Such as `yandex` or `openwhisk`. */
  readonly provider: string;
  /** `function`, `container` or `action`. */
  readonly type: string;
  readonly id: string;
  /** The version. */
  readonly tag?: string | undefined;
  /** The prefix of error names for statuses from 400. If undefined, errors are the function's own. */
  readonly failure?: string | undefined;
  /** The error for a response that is not JSON. If undefined, strings are allowed. */
  readonly invalid?: string | undefined;
}

/**
 * A database statement on its own connection. The argument is `{ query }`, optionally with `connection: { simple: {
 * username, password } }`. The result is `{ ResultSets }` for `rows`, each an array of objects, and `{ RowsAffected,
 * LastInsertId }` for `count`.
 */
export interface Database {
  readonly kind: "database";
  readonly dialect: "postgres" | "mysql";
  /** A URL; if undefined, the configuration supplies it. */
  readonly address?: string | undefined;
  readonly encrypted?: boolean | undefined;
  readonly answer: "rows" | "count";
  /** The prefix of `CONNECTION_FAILED`, `UNAVAILABLE`, `CONSTRAINT_VIOLATION` and `DEADLOCK`. */
  readonly failure?: string | undefined;
}

/** A workflow outside the program. */
export interface ExternalWorkflow {
  readonly kind: "workflow";
  readonly id: string;
}

/**
 * A function in the definition, run in strict mode on a copy of the argument. An exception becomes the result `{ error:
 * "An error has occurred: …" }`. The result is converted to JSON, and wrapped in `{ value }` unless it is an object;
 * nothing and promises become `{}`. A function with variables takes `{ params, variables }`; one that may change some
 * returns `{ params, variables }` with these, unchanged after an exception. The call fails if the result has no JSON
 * form, or a time or memory limit is exceeded.
 */
export interface Script {
  readonly kind: "script";
  readonly language: "javascript";
  /** Evaluates to a function of one parameter. */
  readonly text: string;
  /** Used in addition to the parameter. */
  readonly variables: readonly string[];
  /** Those that it may change. */
  readonly changes: readonly string[];
  /** Whether it ends, and has no other effect and the same result for the same argument. */
  readonly isPure: boolean;
  /** For targets that cannot run the source inline. */
  readonly expression?: ScriptExpression | undefined;
}

/** A function as an expression over `$params` and its variables. It changes no variables and never fails. */
export interface ScriptExpression {
  /** Tests the types for which `value` equals the function's result. */
  readonly when: Expression;
  readonly value: Expression;
}

/**
 * A function that every target implements. Its result is recorded with the run, so a resumed run sees the same value.
 * `clock` returns seconds since 1970 (UTC) with a fraction; `random` a number in [0, 1); `id` a unique string. They
 * cannot fail.
 *
 * `secret` looks up `{ id, key, version? }`. Its value is never stored: not in a journal, run record or error. A
 * missing secret raises `SecretNotFound`.
 */
export interface BuiltIn {
  readonly kind: "clock" | "random" | "id" | "secret";
}

/** The built-in function of a protocol, if any. */
export function builtInOf(protocol: Protocol | undefined): BuiltIn | undefined {
  switch (protocol?.kind) {
    case "clock":
    case "random":
    case "id":
    case "secret":
      return protocol;
    default:
      return undefined;
  }
}

/** Describes a protocol: `by HTTP`, `as a container of yandex`. */
export function describeProtocol(protocol: Protocol | undefined): string | undefined {
  switch (protocol?.kind) {
    case "http":
      return "by HTTP";
    case "grpc":
      return "by gRPC";
    case "cloudFunction":
      return `as ${/^[aeiou]/.test(protocol.type) ? "an" : "a"} ${protocol.type} of ${truncate(protocol.provider)}`;
    case "database":
      return `as a statement to ${protocol.dialect === "postgres" ? "PostgreSQL" : "MySQL"}`;
    case "workflow":
      return `as the workflow \`${truncate(protocol.id)}\``;
    case undefined:
    case "script":
    case "clock":
    case "random":
    case "id":
    case "secret":
      return undefined;
    default:
      return assertNever(protocol);
  }
}

/** Names a function of a provider: `yandex function d4e, tag prod`. */
export const cloudFunctionName = ({ provider, type, id, tag }: CloudFunction): string =>
  `${provider} ${type} ${id}${tag === undefined ? "" : `, tag ${tag}`}`;

/** Whether a function is neither built in nor a script. */
export const isExternal = (protocol: Protocol | undefined): boolean =>
  !builtInOf(protocol) && protocol?.kind !== "script";

/**
 * Prints a protocol in the IR.
 *
 *   { kind: "http", operation: { method: "GET", server: "https://a", path: "/{id}",
 *     parameters: [{ name: "id", place: "path" }] }, failure: "HTTP_CALL_" }
 *     → http GET "https://a/{id}" with id in path failing as HTTP_CALL_
 *   { kind: "database", dialect: "postgres", address: "postgres://db/shop", answer: "rows" }
 *     → postgres at "postgres://db/shop" giving rows
 */
export function printProtocol(protocol: Protocol): string {
  switch (protocol.kind) {
    case "http":
      return joinWords("http", printOperation(protocol.operation), ...printErrorPrefix(protocol));
    case "grpc":
      return joinWords("grpc", printMethod(protocol.method), ...printErrorPrefix(protocol));
    case "cloudFunction": {
      const { provider, type, id, tag, invalid } = protocol;
      return joinWords(
        provider,
        type,
        printJson(id),
        tag === undefined ? "" : `tag ${printJson(tag)}`,
        invalid === undefined ? "" : `giving JSON or ${invalid}`,
        ...printErrorPrefix(protocol),
      );
    }
    case "database": {
      const { dialect, address, encrypted, answer } = protocol;
      const place = address === undefined ? "" : `at ${printJson(address)}`;
      return joinWords(dialect, place, encrypted ? "encrypted" : "", `giving ${answer}`, ...printErrorPrefix(protocol));
    }
    case "workflow":
      return joinWords("workflow", printJson(protocol.id));
    case "script":
      return joinWords(
        protocol.language,
        printJson(protocol.text),
        printVariables("using", protocol.variables),
        printVariables("changing", protocol.changes),
        protocol.isPure ? "and pure" : "",
        printEquivalent(protocol.expression),
      );
    case "clock":
    case "random":
    case "id":
    case "secret":
      return joinWords("built-in", protocol.kind);
    default:
      return assertNever(protocol);
  }
}

const printVariables = (use: "using" | "changing", variables: readonly string[]): string =>
  variables.length === 0 ? "" : `${use} ${variables.join(", ")}`;

function printEquivalent(expression: ScriptExpression | undefined): string {
  if (!expression) return "";
  const when = printExpression(expression.when);
  return joinWords("which is", printExpression(expression.value), when === "true" ? "" : `when ${when}`);
}

const joinWords = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join(" ");

function printOperation(operation: HttpOperation | undefined): string {
  if (!operation) return "";
  const { method, server = "", path, parameters } = operation;
  const placed = parameters.map(({ name, place }) => `${name} in ${place}`).join(", ");
  return joinWords(method, printJson(server + path), placed === "" ? "" : `with ${placed}`);
}

function printMethod(method: GrpcMethod | undefined): string {
  if (!method) return "";
  const { endpoint, service, name, definition } = method;
  return joinWords(
    `${service}/${name}`,
    endpoint === undefined ? "" : `at ${printJson(endpoint)}`,
    definition === undefined ? "" : `defined by ${printJson(definition)}`,
  );
}

const printErrorPrefix = ({
  failure,
  authorized,
}: {
  readonly failure?: string | undefined;
  readonly authorized?: boolean | undefined;
}): readonly string[] => [failure === undefined ? "" : `failing as ${failure}`, authorized ? "authorized" : ""];
