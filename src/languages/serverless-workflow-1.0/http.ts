import {
  binary,
  type Expression,
  effectsOf,
  expandUri,
  freeVariables,
  literal,
  object,
  uriTemplateNames,
  variable,
} from "../../expressions/index.ts";
import type { RequestOverHTTP } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Http } from "../../ir/protocols.ts";
import { isObject } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, type StepFragment, sequence } from "../shared/steps.ts";
import type { Row } from "./arguments.ts";
import { authenticationOf, type RequestAuthentication } from "./authentication.ts";
import { callSteps } from "./calls.ts";
import { argumentsOf, dataName, freshVariable, type Writer } from "./context.ts";
import { checkEncryption, checkHeader } from "./credentials.ts";
import { invalidUriTemplate } from "./diagnostics/data.ts";
import { expressionAt, templateAt, type ValuePlace, valueAt } from "./expressions.ts";
import { checkSince } from "./identity.ts";
import { wholeExpression } from "./interpolations.ts";
import { jqProgram } from "./programs.ts";
import { isSecretName, type SecretReads, secretReads } from "./secrets.ts";

const withoutNulls = jqProgram("with_entries(select(.value != null))");

const asResponse = jqProgram(`if type == "object" and has("request") then . else { request: $request } + . end`, [
  "request",
]);

/** An HTTP request: the argument has the members that the definition gives. */
export function lowerHttp(writer: Writer): StepFragment {
  const { context, task } = writer;
  const given = argumentsOf(writer) as unknown as RequestOverHTTP;
  const secrets = secretReads(writer, spanOf(context, task, "with"));
  const { row } = secrets;
  const { endpoint } = given;
  const address: ValuePlace =
    typeof endpoint === "string" ? { owner: given, key: "endpoint" } : { owner: endpoint, key: "uri" };
  const policy = typeof endpoint === "string" ? undefined : endpoint.authentication;
  const authentication = authenticationOf(writer, policy, secrets);
  const headers = headersOf(writer, given, authentication, row);
  const url = addressAt(writer, address, row);
  const entries: (readonly [string, Expression])[] = [
    ["method", templateAt(context, { owner: given, key: "method" }, row)],
    ["url", url],
  ];
  if (headers) entries.push(["headers", headers]);
  if (given.query !== undefined) entries.push(["query", presentAt(writer, { owner: given, key: "query" }, row)]);
  if (Object.hasOwn(given, "body")) entries.push(["body", templateAt(context, { owner: given, key: "body" }, row)]);
  const argument = secrets.resolve(object(entries));
  if (secrets.reads.length > 0 || authentication)
    checkEncryption(writer, leadingText(url), spanOf(context, address.owner, address.key), "This request");
  return requestSteps(writer, { argument, secrets, given, authentication });
}

/** The constant text that a string begins with. */
function leadingText(value: Expression): string {
  if (value.kind === "let") return leadingText(value.body);
  if (value.kind === "call" && value.name === "+" && !value.isLocal) return leadingText(value.args[0]!);
  return value.kind === "literal" && typeof value.value === "string" ? value.value : "";
}

interface RequestParts {
  readonly argument: Expression;
  readonly secrets: SecretReads;
  readonly given: RequestOverHTTP;
  readonly authentication: RequestAuthentication | undefined;
}

function requestSteps(writer: Writer, { argument, secrets, given, authentication }: RequestParts): StepFragment {
  const { output, redirect } = given;
  const { scope, construct } = writer;
  const policy = authentication?.kind === "token" ? authentication.policy : undefined;
  const protocol: Http = {
    kind: "http",
    failure: "communication",
    answer: output ?? "content",
    accept: { from: 200, to: redirect ? 399 : 299 },
    ...(policy ? { authentication: policy } : {}),
  };
  const isBound = authentication?.kind === "binding";
  const hidesSecrets = output === "response" && secrets.reads.length > 0;
  const hiding = hidesSecrets ? { ...protocol, hidesRequest: true as const } : protocol;
  const definition = { type: "http", stepKind: "http", protocol: isBound ? undefined : hiding };
  if (output !== "response") return callSteps(writer, { definition, argument, secrets });
  const request = freshVariable(scope, "request");
  const sent = variable(request);
  const described = jqRequest(sent);
  const shown = hidesSecrets ? withoutSecrets(argument, new Set(secrets.reads.map(({ bind }) => bind))) : argument;
  return sequence(
    assign(writer, "request", construct.span, { variable: request, value: shown }),
    callSteps(writer, hidesSecrets ? { definition, argument, secrets } : { definition, argument: sent }),
    assign(writer, "response", construct.span, {
      variable: dataName,
      value: asResponse(variable(dataName), new Map([["request", described]])),
    }),
  );
}

/** The parts of a request, and of its headers, that read no secrets. */
function withoutSecrets(value: Expression, secrets: ReadonlySet<string>): Expression {
  const isShown = (part: Expression): boolean => ![...freeVariables(part)].some((name) => secrets.has(name));
  if (isShown(value)) return value;
  if (value.kind !== "object") return literal(null);
  const entries = value.entries.flatMap((entry) => {
    const part =
      entry.key.kind === "literal" && entry.key.value === "headers"
        ? withoutSecrets(entry.value, secrets)
        : entry.value;
    return isShown(entry.key) && isShown(part) ? [{ ...entry, value: part }] : [];
  });
  return { ...value, entries };
}

const jqRequest = jqProgram("{ method, uri: .url, headers: (.headers // {}) }");

/** Headers or query parameters without null members, and more of them. */
function presentAt(
  { context }: Writer,
  place: ValuePlace,
  row: Row,
  more: readonly (readonly [string, Expression])[] = [],
): Expression {
  const value = valueAt(place);
  if (!isObject(value)) {
    checkSince(context, place.owner, String(place.key), `${place.key}: \${ … }`, 1);
    const given = withoutNulls(templateAt(context, place, row));
    return more.length === 0 ? given : binary("+", given, object(more));
  }
  const entries = Object.keys(value).map((key) => [key, templateAt(context, { owner: value, key }, row)] as const);
  if (place.key === "headers")
    for (const [key, each] of entries) checkHeader(context, { owner: value, key, value: each, row });
  const all = object([...entries, ...more]);
  return entries.every(([, each]) => isPresent(each)) ? all : withoutNulls(all);
}

/** Whether a value is never null: a constant, a secret, or of a known type. */
function isPresent(value: Expression): boolean {
  if (value.kind === "literal") return value.value !== null;
  const { type, free } = effectsOf(value);
  return (type !== undefined && type !== "null") || (free.size > 0 && [...free.keys()].every(isSecretName));
}

function headersOf(
  writer: Writer,
  given: RequestOverHTTP,
  authentication: RequestAuthentication | undefined,
  row: Row,
): Expression | undefined {
  const added = authentication?.kind === "header" ? [["authorization", authentication.value] as const] : [];
  if (given.headers !== undefined) return presentAt(writer, { owner: given, key: "headers" }, row, added);
  return added.length > 0 ? object(added) : undefined;
}

/** The address at a place: an expression, or a URI template over members of the data. */
export function addressAt(writer: Writer, place: ValuePlace, row: Row): Expression {
  const { context } = writer;
  const text = String(valueAt(place));
  if (wholeExpression(text)) return expressionAt(context, place, row);
  const names = uriTemplateNames(text);
  if (!("invalid" in names)) return expandUri(text, row.input);
  context.report(invalidUriTemplate(spanOf(context, place.owner, place.key), { part: names.invalid }));
  return literal(text);
}
