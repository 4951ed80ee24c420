import {
  access,
  and,
  binary,
  bind,
  call,
  concatenate,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  or,
  variable,
} from "../expressions/index.ts";
import type { JsonObject } from "../json.ts";
import type { ErrorValue } from "./recovery.ts";

/** A standard error of a language whose errors are problem details (RFC 9457). */
export type StandardError = {
  readonly status: number;
  readonly title: string;
};

/** The standard errors of a language, and which of them an error without a standard name is. */
export interface StandardErrors {
  /** Precedes the name of a standard error in `type`. */
  readonly prefix: string;
  readonly errors: { readonly [name: string]: StandardError };
  /** By origin; `function` stands for errors of functions with other names. */
  readonly origins: { readonly [origin in ErrorValue["origin"]]: string };
}

/**
 * `Workflow.raisedError` for problem details: `data` is `{ type, status, title, detail, instance }`, with the pointer as
 * `instance`. If a function names its error by a standard name or a URI, which is the type, its message is the title.
 * Another name is the title of the standard error for functions, and the message the detail. `type`, `status` and
 * `detail` in the data of an error take precedence. Failed expressions and timeouts have no detail.
 */
export function problemDetails({ prefix, errors, origins }: StandardErrors): Expression {
  const kind = conditional(isStandard, variable("name"), access(literal(origins as JsonObject), text("origin")));
  return bindAll(
    [
      ["origin", textOf("origin", "fail")],
      ["name", textOf("name", "Error")],
      ["message", textOf("message", "")],
      ["data", firstOr(member(variable("error"), "data"), literal(null))],
      ["standard", conditional(isOfFunction, access(literal(errors), text("name")), literal(null))],
      ["isUri", and(isOfFunction, call("nodeMatches", variable("name"), literal(uri)))],
      ["kind", call("text", kind)],
      ["known", access(literal(errors), text("kind"))],
      ["type", given("type", "string", conditional(variable("isUri"), variable("name"), standardType(prefix)))],
      ["status", given("status", "number", firstOr(member(variable("known"), "status"), literal(null)))],
      ["title", titleOf],
      ["detail", given("detail", "string", conditional(or(isNamed, isGeneric), literal(null), variable("message")))],
    ],
    object([
      ["name", conditional(binary("==", variable("type"), standardType(prefix)), variable("kind"), variable("type"))],
      ["message", variable("title")],
      ["data", conditional(isMissing("detail"), details([]), details(["detail"]))],
    ]),
  );
}

/** A variable that is a string: the analysis of failures does not know it. */
const text = (name: string): Expression => call("text", variable(name));

/** An I-Regexp. */
const uri = "[A-Za-z][A-Za-z0-9+.\\-]*://.*";

const isMissing = (name: string): Expression =>
  or(binary("==", variable(name), literal(null)), binary("==", variable(name), literal("")));

const isOfFunction = binary("==", variable("origin"), literal("function"));

const isStandard = binary("!=", variable("standard"), literal(null));

/** The message of a failed expression differs between platforms, and that of a timeout says no more than its title. */
const isGeneric = or(
  binary("==", variable("origin"), literal("expression")),
  binary("==", variable("origin"), literal("timeout")),
);

const isNamed = or(isStandard, variable("isUri"));

const standardType = (prefix: string): Expression => concatenate([literal(prefix), text("kind")]);

/** The message of an error that its name identifies; the name of another one of a function; else a fixed text. */
const titleOf = conditional(
  isNamed,
  conditional(
    binary("==", variable("message"), literal("")),
    firstOr(member(variable("known"), "title"), literal("")),
    variable("message"),
  ),
  conditional(
    or(isOfFunction, binary("==", variable("origin"), literal("fail"))),
    variable("name"),
    firstOr(member(variable("known"), "title"), literal("")),
  ),
);

const textOf = (name: string, otherwise: string): Expression =>
  call("text", firstOr(member(variable("error"), name), literal(otherwise)));

/** A member of the error's data if it has the type. */
const given = (name: string, type: string, otherwise: Expression): Expression =>
  conditional(
    call("exists", member(variable("data"), name)),
    bind(
      "value",
      firstOr(member(variable("data"), name), literal(null)),
      conditional(binary("==", call("type", variable("value")), literal(type)), variable("value"), otherwise),
    ),
    otherwise,
  );

const details = (more: readonly string[]): Expression =>
  object([
    ...["type", "status", "title", ...more].map((name) => [name, variable(name)] as const),
    ["instance", variable("pointer")],
  ]);

const bindAll = (bindings: readonly (readonly [string, Expression])[], body: Expression): Expression =>
  bindings.reduceRight((inner, [name, value]) => bind(name, value, inner), body);
