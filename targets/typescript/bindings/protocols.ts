import {
  type CloudFunction,
  type Credential,
  type Database,
  describeProtocol,
  type ExternalWorkflow,
  type Grpc,
  type Http,
  type HttpOperation,
  type OAuth2,
} from "../../../src/ir/protocols.ts";
import { type JsExpression, js } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import { runtime } from "../emit/runtime-imports.ts";
import { reportIneffective, type Setting, type TypescriptBinding } from "./configuration.ts";
import { headersCode, numberCode, settingCode } from "./print.ts";
import type { Implementation } from "./request.ts";

/** Protocols of functions outside the program. */
export type ExternalProtocol = Http | Grpc | CloudFunction | Database | ExternalWorkflow;

/** Settings that the configuration adds to a definition. */
export type SettingsBinding = TypescriptBinding & { readonly kind: "settings" };

/** Why a program cannot call a function as defined, as a clause. */
export interface UnsupportedProtocol {
  readonly reason: string;
}

/** A setting missing in the configuration, and how to add it. */
export interface MissingSetting {
  readonly needs: string;
  readonly hint: string;
}

interface ProtocolCall {
  readonly code: JsExpression;
  readonly used: readonly string[];
}

/**
 * Implements a function as its definition says, and reports settings without effect:
 *
 *   { kind: "http", failure: "HTTP_CALL_" } → request({ failure: "HTTP_CALL_" })
 *   { kind: "cloudFunction", provider: "yandex", type: "function", id: "d4e" }
 *     → http("POST https://functions.yandexcloud.net/d4e", { headers: … })
 *   { kind: "database", dialect: "mysql", address: "mysql://db/shop", answer: "rows" }
 *     → mysql({ at: "mysql://db/shop", answer: "rows" })
 */
export function implementByProtocol(
  protocol: ExternalProtocol,
  binding: SettingsBinding | undefined,
  report: Report,
): Implementation | UnsupportedProtocol | MissingSetting {
  const call = callByProtocol(protocol, binding);
  if (!("code" in call)) return call;
  if (binding) reportIneffective(binding.spans, call.used, describeProtocol(protocol)!, report);
  return { code: call.code };
}

function callByProtocol(
  protocol: ExternalProtocol,
  binding: SettingsBinding | undefined,
): ProtocolCall | UnsupportedProtocol | MissingSetting {
  switch (protocol.kind) {
    case "http":
      return (
        missingToken(protocol.authorized, binding) ??
        (protocol.operation
          ? callOperation(protocol, protocol.operation, binding)
          : callByRequest(protocol, undefined, binding))
      );
    case "grpc":
      if (protocol.method) return unsupportedProtocol(protocol);
      return missingToken(protocol.authorized, binding) ?? callByReflection(protocol, binding);
    case "cloudFunction":
      return callCloudFunction(protocol, binding);
    case "database":
      return callDatabase(protocol, binding);
    case "workflow":
      return unsupportedProtocol(protocol);
    default:
      return assertNever(protocol);
  }
}

const unsupportedProtocol = (protocol: ExternalProtocol): UnsupportedProtocol => ({
  reason: `this target does not support functions that are reached ${describeProtocol(protocol)}`,
});

function missingToken(
  authorized: boolean | undefined,
  binding: SettingsBinding | undefined,
): MissingSetting | undefined {
  const isShown = [...(binding?.headers.keys() ?? [])].some((name) => name.toLowerCase() === "authorization");
  if (!authorized || isShown) return undefined;
  return {
    needs: "an authorization token",
    hint: "Write `headers: { authorization: { env: TOKEN, prefix: 'Bearer ' } }` at the function in the configuration.",
  };
}

function callByRequest(
  { failure, ...http }: Partial<Omit<Http, "kind">>,
  server: Setting | undefined,
  binding: SettingsBinding | undefined,
): ProtocolCall {
  const options = {
    server: server === undefined ? undefined : settingCode(server),
    failure: http.accept ? undefined : optionalLiteral(failure),
    ...resultCode({ ...http, failure }),
    headers: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  return {
    code: callRuntime("request", options),
    used: ["headers", "timeout", ...(server === undefined ? [] : ["server"])],
  };
}

/** The rest of the argument is the body, if the method allows one. */
function callOperation(
  { failure, ...http }: Http,
  { method, server, path, parameters }: HttpOperation,
  binding: SettingsBinding | undefined,
): ProtocolCall | MissingSetting {
  const at = binding?.server ?? server;
  if (at === undefined) return missingServer;
  const listed = parameters.flatMap(({ name, place }) =>
    place === "path" ? [] : [js.record({ name: js.literal(name), in: js.literal(place) })],
  );
  const operation = js.record({
    method: js.literal(method),
    server: settingCode(at),
    path: js.literal(path),
    parameters: listed.length === 0 ? undefined : js.array(listed),
    body: /^(?:GET|HEAD)$/.test(method) ? undefined : js.literal("rest"),
  });
  const options = {
    failure: http.accept ? undefined : optionalLiteral(failure),
    ...resultCode({ ...http, failure }),
    headers: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  const isPlain = Object.values(options).every((value) => value === undefined);
  const openapi = runtime("openapi");
  const code = js.call(openapi, [operation, ...(isPlain ? [] : [js.record(options)])]);
  return { code, used: ["headers", "timeout", "server"] };
}

/** The accepted statuses, the form of the result, redirections and the access token. */
function resultCode({ accept, answer, hidesRequest, failure, redirects, authentication }: Partial<Omit<Http, "kind">>) {
  const result =
    accept &&
    js.record({
      accept: js.record({ from: js.literal(accept.from), to: js.literal(accept.to) }),
      failure: js.literal(failure ?? "HttpError"),
      answer: answer === undefined || answer === "content" ? undefined : js.literal(answer),
      hidesRequest: hidesRequest && js.literal(true),
    });
  return {
    result,
    follow: redirects === "follow" ? js.literal(true) : undefined,
    token: authentication && tokenCode(authentication),
  };
}

/** `oauth2({ endpoint: "https://…", grant: "client_credentials", client: { … } })` */
function tokenCode({ grant, endpoint, client, user, scopes, audiences, failure }: OAuth2): JsExpression {
  const list = (texts: readonly string[]) => (texts.length === 0 ? undefined : js.array(texts.map(js.literal)));
  return js.call(runtime("oauth2"), [
    js.record({
      endpoint: js.literal(endpoint),
      grant: js.literal(grant),
      client: js.record({ id: credentialCode(client.id), secret: client.secret && credentialCode(client.secret) }),
      inBody: client.place === "body" ? js.literal(true) : undefined,
      user: user && js.record({ name: credentialCode(user.name), password: credentialCode(user.password) }),
      scopes: list(scopes),
      audiences: list(audiences),
      failure: optionalLiteral(failure),
    }),
  ]);
}

const credentialCode = (credential: Credential): JsExpression =>
  credential.kind === "text"
    ? js.literal(credential.text)
    : js.record({ id: js.literal(credential.id), key: js.literal(credential.key) });

const missingServer: MissingSetting = {
  needs: "the address of its server",
  hint: "Write `server: https://shop.example.com` at the function in the configuration.",
};

/** The binding equivalent to a definition with a .proto file; undefined for server reflection. */
export function grpcBinding(
  { method }: Grpc,
  use: Span,
  binding: SettingsBinding | undefined,
): (TypescriptBinding & { readonly kind: "grpc" }) | MissingSetting | undefined {
  if (method?.definition === undefined) return undefined;
  const { definition: file, service, name, endpoint } = method;
  const address = binding?.server ?? endpoint;
  if (address === undefined)
    return {
      needs: "the address of its server",
      hint: "Write `server: shop.example.com:443` at the function in the configuration.",
    };
  const { headers = new Map(), timeout, tls = true } = binding ?? {};
  const configuration: Source = { path: "", text: "" };
  return { kind: "grpc", file, service, method: name, address, tls, headers, timeout, span: use, configuration };
}

function callByReflection({ failure }: Grpc, binding: SettingsBinding | undefined): ProtocolCall {
  const options = {
    tls: binding?.tls === false ? js.literal(false) : undefined,
    failure: optionalLiteral(failure),
    metadata: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  return { code: callRuntime("reflected", options), used: ["headers", "timeout", "tls"] };
}

const cloudAddresses: { readonly [place: string]: ((id: string, tag: string | undefined) => string) | undefined } = {
  "yandex function": (id, tag) =>
    `https://functions.yandexcloud.net/${encode(id)}${tag === undefined ? "" : `?tag=${encode(tag)}`}`,
  "yandex container": (id) => `https://${encode(id)}.containers.yandexcloud.net`,
};

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function callCloudFunction(
  protocol: CloudFunction,
  binding: SettingsBinding | undefined,
): ProtocolCall | UnsupportedProtocol | MissingSetting {
  const { provider, type, id, tag, failure, invalid } = protocol;
  const address = cloudAddresses[`${provider} ${type}`]?.(id, tag);
  if (address === undefined) return unsupportedProtocol(protocol);
  const need = missingToken(true, binding);
  if (need) return need;
  if (type === "container") return callByRequest({ failure }, binding?.server ?? address, binding);
  const options = {
    failure: optionalLiteral(failure),
    invalid: optionalLiteral(invalid),
    headers: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  const http = runtime("http");
  return { code: js.call(http, [js.literal(`POST ${address}`), js.record(options)]), used: ["headers", "timeout"] };
}

function callDatabase(protocol: Database, binding: SettingsBinding | undefined): ProtocolCall | MissingSetting {
  const { dialect, address, encrypted, answer, failure } = protocol;
  const at =
    binding?.server ?? (address === undefined ? undefined : encrypted ? encryptedAddress(address, dialect) : address);
  if (at === undefined)
    return {
      needs: "the address of its database with credentials",
      hint: "Write `server: { env: DATABASE_URL }` at the function in the configuration.",
    };
  const options = {
    at: settingCode(at),
    answer: js.literal(answer),
    failure: optionalLiteral(failure),
    timeout: numberCode(binding?.timeout),
  };
  return { code: callRuntime(dialect, options), used: ["timeout", "server"] };
}

function encryptedAddress(address: string, dialect: Database["dialect"]): string {
  const url = new URL(address);
  if (dialect === "postgres") url.searchParams.set("sslmode", "verify-full");
  else url.searchParams.set("ssl", "{}");
  return url.href;
}

const optionalLiteral = (text: string | undefined): JsExpression | undefined =>
  text === undefined ? undefined : js.literal(text);

function callRuntime(name: string, options: Parameters<typeof js.record>[0]): JsExpression {
  const called = runtime(name);
  const isEmpty = Object.values(options).every((value) => value === undefined);
  return js.call(called, isEmpty ? [] : [js.record(options)]);
}
