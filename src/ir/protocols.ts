import { type Expression, printExpression } from "../expressions/index.ts";
import { assertNever, printJson } from "../json.ts";
import { truncate } from "../text/messages.ts";

/**
 * How a function is reached, and what its argument and its answer are there. A definition without one says where the function is by a text of its own
 * (`resource`), or leaves that to the configuration.
 */
export type Protocol = Http | Grpc | CloudFunction | Database | ExternalWorkflow | Script | BuiltIn;

/** One HTTP request. The answer is the body of the response: JSON where it is that, else a text. */
export interface Http {
  readonly kind: "http";
  /**
   * What the definition fixes of the request. The argument is then an object: its members are the parameters, and those that no parameter is
   * named after are the members of a JSON body. Absent: the argument is the request, `{ url, method, headers, query, body }`.
   */
  readonly operation?: HttpOperation | undefined;
  /** What comes before the status in the name of the error that a status from 400 on is, such as `HTTP_CALL_`. Absent: no status is an error. */
  readonly failure?: string | undefined;
  /** Whether the request carries a token of the identity that the run has where it runs. */
  readonly authorized?: boolean | undefined;
}

/** A request as an OpenAPI document describes it. */
export interface HttpOperation {
  readonly method: string;
  /** The address that the path is behind. Absent: the definition leaves it to the configuration. */
  readonly server?: string | undefined;
  /** With `{name}` where a parameter of the path goes. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly place: "path" | "query" | "header" }[];
}

/** One unary call by gRPC. The answer is the response as JSON. */
export interface Grpc {
  readonly kind: "grpc";
  /** The method that is called with the argument as the request. Absent: the argument is `{ endpoint, method, headers, body }`. */
  readonly method?: GrpcMethod | undefined;
  /** What comes before the status in the name of the error that any but `OK` is, such as `GRPC_CALL_`. */
  readonly failure?: string | undefined;
  readonly authorized?: boolean | undefined;
}

/** A method of a service. */
export interface GrpcMethod {
  readonly endpoint?: string | undefined;
  /** With its package: `orders.v1.Orders`. */
  readonly service: string;
  readonly name: string;
  /** The path or URI of the .proto file that defines the service. Absent: the server tells. */
  readonly definition?: string | undefined;
}

/** A function or a container of a provider, or an action. The argument and the answer are its own. */
export interface CloudFunction {
  readonly kind: "cloudFunction";
  /** Such as `yandex` or `openwhisk`. */
  readonly provider: string;
  /** What it is there: `function`, `container` or `action`. */
  readonly type: string;
  readonly id: string;
  /** The version that is called, where the definition says one. */
  readonly tag?: string | undefined;
  /** What comes before the status in the name of the error that a status from 400 on is. Absent: the errors are the function's own. */
  readonly failure?: string | undefined;
  /** The name of the error that an answer is which is no JSON. Absent: an answer may be a text. */
  readonly invalid?: string | undefined;
}

/**
 * A statement to a database, over a connection of its own. The argument is `{ query }`, with `connection: { simple: { username, password } }` where it
 * says who asks. The answer is `{ ResultSets }` for `rows`, each a list of rows as objects, and `{ RowsAffected, LastInsertId }` for `count`.
 */
export interface Database {
  readonly kind: "database";
  readonly dialect: "postgres" | "mysql";
  /** A URL with host, port and name, such as `postgres://db.example.com:5432/shop`. Absent: the definition leaves it to the configuration. */
  readonly address?: string | undefined;
  readonly encrypted?: boolean | undefined;
  readonly answer: "rows" | "count";
  /** What comes before `CONNECTION_FAILED`, `UNAVAILABLE`, `CONSTRAINT_VIOLATION` and `DEADLOCK` in the names of errors. */
  readonly failure?: string | undefined;
}

/** A workflow that is none of the program's. The argument is its input, the answer its output. */
export interface ExternalWorkflow {
  readonly kind: "workflow";
  readonly id: string;
}

/**
 * A function whose text the definition has. It is run as it is written, in strict mode and without an error that its call could fail with: what it throws is the
 * answer `{ error: "An error has occurred: …" }`. It gets a copy of the argument; what it gives is made to JSON, and to `{ value }` where that is no object; of nothing and
 * of a promise to `{}`. Where it has variables the argument is `{ params, variables }`, with their values, and so is the answer: what it has made of them, and after it
 * has thrown what they were. What no JSON can be made of fails the call, and so does what takes too much time or memory.
 */
export interface Script {
  readonly kind: "script";
  readonly language: "javascript";
  /** An expression that gives a function of one parameter. */
  readonly text: string;
  /** The names of variables that it uses as its own beside its parameter. */
  readonly variables: readonly string[];
  /** What its text says, where that is no more than an expression: for targets that would have to call something to run the text. */
  readonly expression?: ScriptExpression | undefined;
}

/** A function as an expression over `$params` and its variables. It changes none of these, and does not fail. */
export interface ScriptExpression {
  /** Whether what it is given is of the types for which the expression gives what the function does. */
  readonly when: Expression;
  readonly value: Expression;
}

/**
 * What every target has by itself. A step that calls it waits for it, and what it gave is kept with the run, as any answer is: a run that is taken up
 * again has the same. The clock gives seconds since 1970 (UTC) with their fraction, a random number is from 0 up to 1, an id is a text that no other call
 * gives. Their argument means nothing, and they do not fail.
 *
 * A secret is looked up by the argument `{ id, key }`, and perhaps a `version`. Its text is kept nowhere: in no journal, no record of a run, and no error. A secret that there is
 * not is the error `SecretNotFound`.
 */
export interface BuiltIn {
  readonly kind: "clock" | "random" | "id" | "secret";
}

/** The built-in function that a protocol is, if it is one. */
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

/** How a function is reached, for people: `by HTTP`, `as a container of yandex`. Undefined for what is nowhere else: scripts, and what is built in. */
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

/** Whether a function is outside of what is compiled: neither built in nor a text of the definition. */
export const isExternal = (protocol: Protocol | undefined): boolean =>
  !builtInOf(protocol) && protocol?.kind !== "script";

/**
 * A protocol as the IR's text has it.
 *
 *   { kind: "http", operation: { method: "GET", server: "https://a", path: "/{id}", parameters: [{ name: "id", place: "path" }] }, failure: "HTTP_CALL_" }
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
        printVariables(protocol.variables),
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

const printVariables = (variables: readonly string[]): string =>
  variables.length === 0 ? "" : `using ${variables.join(", ")}`;

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
