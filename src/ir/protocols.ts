import { type Expression, printExpression } from "../expressions/index.ts";
import { assertNever, printJson } from "../json.ts";
import { truncate } from "../text/messages.ts";

/** How a function is reached. Without one, `resource` or the configuration locates it. */
export type Protocol =
  | Http
  | Grpc
  | CloudFunction
  | Database
  | Process
  | ExternalWorkflow
  | Activity
  | Log
  | Script
  | BuiltIn;

/** One HTTP request. By default, the result is the body: parsed JSON, or else a string. */
export interface Http {
  readonly kind: "http";
  /**
   * Members of the argument are its parameters and JSON body. If undefined, the argument is `{ url, method, headers,
   * query, body }`.
   */
  readonly operation?: HttpOperation | undefined;
  /** The prefix of error names for statuses from 400. If undefined, no status is an error. */
  readonly failure?: string | undefined;
  /**
   * Replaces this rule: other statuses are errors with the whole name `failure` and the data `{ status, title, detail }`:
   * the reason phrase, and the body if it is text. A request without a response has status 500.
   */
  readonly accept?: StatusRange | undefined;
  /**
   * The result. `content`: the body, parsed if its media type is JSON, else a string; null without one. `response`: `{
   * request: { method, uri, headers }, statusCode, headers, content }`. `raw`: the body in Base64.
   */
  readonly answer?: "content" | "response" | "raw" | undefined;
  /** Leaves `request` out of a `response`, because results are stored and the argument has secrets. */
  readonly hidesRequest?: true | undefined;
  /** Whether redirections are followed; by default, as the target does. */
  readonly redirects?: "follow" | "return" | undefined;
  /** Sends an access token of the run's identity. */
  readonly authorized?: boolean | undefined;
  /** Sends an access token that a server of OAuth 2.0 issues. It is not part of the argument and never stored. */
  readonly authentication?: OAuth2 | undefined;
}

/** A range of HTTP statuses; both ends belong to it. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/** How to obtain an access token from a server of OAuth 2.0. */
export interface OAuth2 {
  readonly kind: "oauth2";
  readonly grant: "client_credentials" | "password";
  /** The URL of the token endpoint. */
  readonly endpoint: string;
  readonly client: {
    readonly id: Credential;
    readonly secret?: Credential | undefined;
    /** As a header, or as parameters of the request. */
    readonly place: "header" | "body";
  };
  /** For the grant `password`. */
  readonly user?: { readonly name: Credential; readonly password: Credential } | undefined;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  /** The name of the error if no token is issued. */
  readonly failure?: string | undefined;
}

/** A string of the definition, or a secret that is looked up for each request of a token. */
export type Credential =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "secret"; readonly id: string; readonly key: string };

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

/**
 * A process. The argument has, where they are given, `command` (`shell`), `code` (`js`, `python`) or `image` and
 * `command` (`container`), and `arguments`, `environment` and `stdin`. The result is `{ code, stdout, stderr }`,
 * whatever the exit code is.
 */
export interface Process {
  readonly kind: "process";
  readonly program: "shell" | "js" | "python" | "container";
}

/** A workflow outside the program. */
export interface ExternalWorkflow {
  readonly kind: "workflow";
  readonly id: string;
}

/**
 * Work that is offered to pollers under the name of an activity. A worker takes the argument with a token and reports by
 * it: only calls with a callback have this protocol.
 */
export interface Activity {
  readonly kind: "activity";
  readonly activity: string;
}

/**
 * Writes the argument to the log. It needs no binding, never fails and returns null, but is called like any other
 * function and may be bound.
 */
export interface Log {
  readonly kind: "log";
  readonly level: "trace" | "debug" | "info" | "warn" | "error";
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
 * `clock` returns seconds since 1970 (UTC) with a fraction; `random` a number in [0, 1); `id` a unique string; `run` the
 * id of the run, which on some targets a subflow shares. They cannot fail.
 *
 * `secret` looks up `{ id, key, version? }`. Its value is never stored: not in a journal, run record or error. A
 * missing secret raises `SecretNotFound`.
 */
export interface BuiltIn {
  readonly kind: "clock" | "random" | "id" | "run" | "secret";
}

/** The built-in function of a protocol, if any. */
export function builtInOf(protocol: Protocol | undefined): BuiltIn | undefined {
  switch (protocol?.kind) {
    case "clock":
    case "random":
    case "id":
    case "run":
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
    case "process":
      return `as ${processNames[protocol.program]}`;
    case "workflow":
      return `as the workflow \`${truncate(protocol.id)}\``;
    case "activity":
      return `by workers of the activity \`${truncate(protocol.activity)}\``;
    case "log":
      return "as a log line";
    case undefined:
    case "script":
    case "clock":
    case "random":
    case "id":
    case "run":
    case "secret":
      return undefined;
    default:
      return assertNever(protocol);
  }
}

const processNames: { readonly [program in Process["program"]]: string } = {
  shell: "a shell command",
  js: "a JavaScript program",
  python: "a Python program",
  container: "a container",
};

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
      return joinWords(
        "http",
        printOperation(protocol.operation),
        ...printErrorPrefix(protocol),
        ...printAnswer(protocol),
      );
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
    case "process":
      return joinWords("process", protocol.program);
    case "workflow":
      return joinWords("workflow", printJson(protocol.id));
    case "activity":
      return joinWords("activity", printJson(protocol.activity));
    case "log":
      return joinWords("log", protocol.level);
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
    case "run":
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

const printAnswer = ({ accept, answer, hidesRequest, redirects, authentication }: Http): readonly string[] => [
  accept ? `accepting ${accept.from} to ${accept.to}` : "",
  answer === undefined ? "" : `giving its ${answer}${hidesRequest ? " without the request" : ""}`,
  redirects === undefined ? "" : redirects === "follow" ? "following redirects" : "returning redirects",
  authentication ? printAuthentication(authentication) : "",
];

function printAuthentication({ grant, endpoint, client, user, scopes, audiences }: OAuth2): string {
  return joinWords(
    `with a token by ${grant} from ${printJson(endpoint)} for ${printCredential(client.id)}`,
    client.secret ? `and ${printCredential(client.secret)}` : "",
    `in the ${client.place}`,
    user ? `and ${printCredential(user.name)}, ${printCredential(user.password)}` : "",
    scopes.length === 0 ? "" : `with scopes ${scopes.map(printJson).join(", ")}`,
    audiences.length === 0 ? "" : `for audiences ${audiences.map(printJson).join(", ")}`,
  );
}

const printCredential = (credential: Credential): string =>
  credential.kind === "text"
    ? printJson(credential.text)
    : `secret ${printJson(credential.id)} ${printJson(credential.key)}`;
