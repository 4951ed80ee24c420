import {
  type CloudFunction,
  type Database,
  type ExternalWorkflow,
  type Grpc,
  type Http,
  type HttpOperation,
  describeProtocol,
} from "../../../src/ir/protocols.ts";
import { type JsExpression, js } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import { runtime } from "../expressions/runtime.ts";
import { reportUnused, type Setting, type TypescriptBinding } from "./configured.ts";
import { headersCode, numberCode, settingCode } from "./print.ts";
import type { Implementation } from "./request.ts";

/** The protocols by which functions outside of the program are reached. */
export type Reached = Http | Grpc | CloudFunction | Database | ExternalWorkflow;

/** What the configuration adds to what a definition says. */
export type SettingsBinding = TypescriptBinding & { readonly kind: "settings" };

/** Why a program cannot call a function as its definition says, as the end of a sentence. */
export interface Obstacle {
  readonly obstacle: string;
}

/** What only the configuration can say of a call, and does not; and how it would. */
export interface Need {
  readonly needs: string;
  readonly hint: string;
}

/** A way to a function: what calls it, with the settings that count there. */
interface Way {
  readonly code: JsExpression;
  readonly used: readonly string[];
}

/**
 * The function that calls another as its definition says:
 *
 *   { kind: "http", failure: "HTTP_CALL_" }                        → request({ failure: "HTTP_CALL_" })
 *   { kind: "cloudFunction", provider: "yandex", type: "function", id: "d4e" } → http("POST https://functions.yandexcloud.net/d4e", { headers: … })
 *   { kind: "database", dialect: "mysql", address: "mysql://db/shop", answer: "rows" } → mysql({ at: "mysql://db/shop", answer: "rows" })
 *
 * Settings that say nothing there are reported.
 */
export function implementByProtocol(
  protocol: Reached,
  binding: SettingsBinding | undefined,
  report: Report,
): Implementation | Obstacle | Need {
  const way = wayTo(protocol, binding);
  if (!("code" in way)) return way;
  if (binding) reportUnused(binding.written, way.used, describeProtocol(protocol)!, report);
  return { code: way.code };
}

function wayTo(protocol: Reached, binding: SettingsBinding | undefined): Way | Obstacle | Need {
  switch (protocol.kind) {
    case "http":
      return (
        unlessUnauthorized(protocol.authorized, binding) ??
        (protocol.operation
          ? byOperation(protocol, protocol.operation, binding)
          : byRequest(protocol, undefined, binding))
      );
    case "grpc":
      if (protocol.method) return elsewhere(protocol);
      return unlessUnauthorized(protocol.authorized, binding) ?? byReflection(protocol, binding);
    case "cloudFunction":
      return byCloud(protocol, binding);
    case "database":
      return byStatement(protocol, binding);
    case "workflow":
      return elsewhere(protocol);
    default:
      return assertNever(protocol);
  }
}

const elsewhere = (protocol: Reached): Obstacle => ({
  obstacle: `this target does not support functions that are reached ${describeProtocol(protocol)}`,
});

/** What a call needs that has to show who calls. */
function unlessUnauthorized(authorized: boolean | undefined, binding: SettingsBinding | undefined): Need | undefined {
  const isShown = [...(binding?.headers.keys() ?? [])].some((name) => name.toLowerCase() === "authorization");
  if (!authorized || isShown) return undefined;
  return {
    needs: "a token that shows who calls",
    hint: "Write `headers: { authorization: { env: TOKEN, prefix: 'Bearer ' } }` at the function in the configuration.",
  };
}

function byRequest(
  { failure }: { readonly failure?: string | undefined },
  server: Setting | undefined,
  binding: SettingsBinding | undefined,
): Way {
  const options = {
    server: server === undefined ? undefined : settingCode(server),
    failure: optional(failure),
    headers: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  return {
    code: calling("request", options),
    used: ["headers", "timeout", ...(server === undefined ? [] : ["server"])],
  };
}

/** What no parameter of an operation is named after is its body, where requests of its method have one. */
function byOperation(
  { failure }: Http,
  { method, server, path, parameters }: HttpOperation,
  binding: SettingsBinding | undefined,
): Way | Need {
  const at = binding?.server ?? server;
  if (at === undefined) return withoutServer;
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
    failure: optional(failure),
    headers: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  const isPlain = Object.values(options).every((value) => value === undefined);
  const openapi = runtime("openapi");
  const code = js.call(openapi, [operation, ...(isPlain ? [] : [js.record(options)])]);
  return { code, used: ["headers", "timeout", "server"] };
}

/** What only the configuration can say of a server. */
const withoutServer: Need = {
  needs: "the address of its server",
  hint: "Write `server: https://shop.example.com` at the function in the configuration.",
};

/**
 * The binding that says what the definition says of a method whose .proto file it names. Undefined for a server that describes itself.
 */
export function grpcBinding(
  { method }: Grpc,
  use: Span,
  binding: SettingsBinding | undefined,
): (TypescriptBinding & { readonly kind: "grpc" }) | Need | undefined {
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

function byReflection({ failure }: Grpc, binding: SettingsBinding | undefined): Way {
  const options = {
    tls: binding?.tls === false ? js.literal(false) : undefined,
    failure: optional(failure),
    metadata: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  return { code: calling("reflected", options), used: ["headers", "timeout", "tls"] };
}

/** Where the functions and containers of clouds answer: by provider and type. */
const clouds: { readonly [place: string]: ((id: string, tag: string | undefined) => string) | undefined } = {
  "yandex function": (id, tag) =>
    `https://functions.yandexcloud.net/${inAddress(id)}${tag === undefined ? "" : `?tag=${inAddress(tag)}`}`,
  "yandex container": (id) => `https://${inAddress(id)}.containers.yandexcloud.net`,
};

const inAddress = (text: string): string => encodeURIComponent(text.toWellFormed());

function byCloud(protocol: CloudFunction, binding: SettingsBinding | undefined): Way | Obstacle | Need {
  const { provider, type, id, tag, failure, invalid } = protocol;
  const address = clouds[`${provider} ${type}`]?.(id, tag);
  if (address === undefined) return elsewhere(protocol);
  const need = unlessUnauthorized(true, binding);
  if (need) return need;
  if (type === "container") return byRequest({ failure }, binding?.server ?? address, binding);
  const options = {
    failure: optional(failure),
    invalid: optional(invalid),
    headers: headersCode(binding?.headers ?? new Map()),
    timeout: numberCode(binding?.timeout),
  };
  const http = runtime("http");
  return { code: js.call(http, [js.literal(`POST ${address}`), js.record(options)]), used: ["headers", "timeout"] };
}

function byStatement(protocol: Database, binding: SettingsBinding | undefined): Way | Need {
  const { dialect, address, encrypted, answer, failure } = protocol;
  const at =
    binding?.server ?? (address === undefined ? undefined : encrypted ? encryptedAt(address, dialect) : address);
  if (at === undefined)
    return {
      needs: "the address of its database, with who asks",
      hint: "Write `server: { env: DATABASE_URL }` at the function in the configuration.",
    };
  const options = {
    at: settingCode(at),
    answer: js.literal(answer),
    failure: optional(failure),
    timeout: numberCode(binding?.timeout),
  };
  return { code: calling(dialect, options), used: ["timeout", "server"] };
}

/** An address as its driver is told that the connection is encrypted. */
function encryptedAt(address: string, dialect: Database["dialect"]): string {
  const url = new URL(address);
  if (dialect === "postgres") url.searchParams.set("sslmode", "verify-full");
  else url.searchParams.set("ssl", "{}");
  return url.href;
}

const optional = (text: string | undefined): JsExpression | undefined =>
  text === undefined ? undefined : js.literal(text);

/** `name({ … })`, imported from the runtime. */
function calling(name: string, options: Parameters<typeof js.record>[0]): JsExpression {
  const called = runtime(name);
  const isEmpty = Object.values(options).every((value) => value === undefined);
  return js.call(called, isEmpty ? [] : [js.record(options)]);
}
