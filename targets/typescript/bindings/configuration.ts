import { conflictingBindings } from "../../../src/diagnostics/configuration.ts";
import type { Document } from "../../../src/documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { Binding, TargetConfiguration } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { isLocalServer, isSecretHeader } from "../../../src/text/secrecy.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import type { ResourceReader } from "../../../src/text/uris.ts";
import {
  hostFromData,
  ineffectiveSetting,
  literalSecret,
  missingDocument,
  passwordInAddress,
  unencryptedSecret,
} from "../diagnostics/kinds.ts";

/** How a program calls a function. `settings`: as defined, with these settings. */
export type TypescriptBinding = (
  | { readonly kind: "module"; readonly module: string; readonly name: string }
  | { readonly kind: "http"; readonly request: string }
  | {
      readonly kind: "openapi";
      readonly file: string;
      readonly operation: string;
      readonly server?: Setting | undefined;
    }
  | {
      readonly kind: "grpc";
      readonly file: string;
      readonly service: string;
      readonly method: string;
      readonly address: Setting;
      readonly tls: boolean;
    }
  | ({ readonly kind: "settings" } & DefinitionSettings)
) &
  CallSettings & {
    /** The bound value, or else the key. */
    readonly span: Span;
    /** The configuration file; relative paths start from its folder. */
    readonly configuration: Source;
  };

/** Settings for calls of a function. */
export interface CallSettings {
  readonly headers: ReadonlyMap<string, Setting>;
  /** In seconds. */
  readonly timeout?: number | undefined;
  /** Maximum concurrent calls, and calls per second. */
  readonly limits?: { readonly concurrency?: number | undefined; readonly rate?: number | undefined } | undefined;
}

/** Settings for a function called as defined. */
export interface DefinitionSettings {
  readonly server?: Setting | undefined;
  readonly tls?: boolean | undefined;
  readonly spans: ReadonlyMap<string, Span>;
}

/** A string, or the environment variable to read. */
export type Setting = string | { readonly env: string; readonly prefix?: string | undefined };

/** The sink of an event. */
export type EventBinding = CallSettings & { readonly sink: Setting };

/** The bindings of functions and events by name. */
export interface WorkflowBindings {
  readonly functions: ReadonlyMap<string, TypescriptBinding>;
  readonly events: ReadonlyMap<string, EventBinding>;
}

/** Reads bindings that conform to the schema. */
export function readBindings(
  { functions, events }: Pick<TargetConfiguration, "functions" | "events">,
  report: Report,
): WorkflowBindings {
  const bound = [...functions].map(([name, binding]) => [name, readBinding(binding, report)] as const);
  const sinks = [...events].map(([name, { value, document }]) => {
    const sink = parseSetting(own(value, "sink")!);
    if (typeof sink === "string") checkAddress(sink, document.spanOf(value, "sink"), report);
    return [name, { ...readSettings(value, document, report), sink }] as const;
  });
  return {
    functions: new Map(bound),
    events: new Map(sinks),
  };
}

/** Reads the files that bindings refer to. */
export interface DocumentAccess {
  readonly read: ResourceReader | undefined;
  readonly report: Report;
}

/** Reads a file that a binding refers to, or reports an error. */
export function readBoundDocument(path: string, span: Span, { read, report }: DocumentAccess): Source | undefined {
  const found = read?.(path);
  if (found && "text" in found) return found;
  report(missingDocument(span, { path, reason: found?.reason ?? "the file was not passed to the compiler" }));
  return undefined;
}

/** The path of the file that a binding refers to. */
export const documentPath = ({
  configuration,
  file,
}: {
  readonly configuration: Source;
  readonly file: string;
}): string => resolvePath(configuration.path, file);

/** Resolves a path against the folder of another file. */
export function resolvePath(from: string, file: string): string {
  const path = file.replaceAll("\\", "/");
  if (path.startsWith("/")) return path;
  const steps: string[] = [];
  const folder = from.replaceAll("\\", "/").replace(/[^/]*$/, "");
  for (const step of (folder + path).split("/").slice(folder.startsWith("/") ? 1 : 0)) {
    if (step === "" || step === ".") continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return (folder.startsWith("/") ? "/" : "") + steps.join("/");
}

const bindingKinds = ["module", "http", "openapi", "grpc"] as const;

const settingKeys = ["headers", "timeout", "server", "tls"] as const;

const protocols: {
  readonly [kind in (typeof bindingKinds)[number]]: { readonly way: string; readonly used: readonly string[] };
} = {
  module: { way: "within the program", used: [] },
  http: { way: "by HTTP", used: ["headers", "timeout"] },
  openapi: { way: "by HTTP", used: ["headers", "timeout", "server"] },
  grpc: { way: "by gRPC", used: ["headers", "timeout", "tls"] },
};

const settingSpan = (binding: JsonObject, name: string, document: Document): readonly (readonly [string, Span])[] =>
  Object.hasOwn(binding, name) ? [[name, document.spanOf(binding, name, "key")]] : [];

function readDefinitionSettings(binding: JsonObject): Omit<DefinitionSettings, "spans"> {
  const [server, tls] = [own(binding, "server"), own(binding, "tls")];
  return {
    server: server === undefined ? undefined : parseSetting(server),
    tls: tls === undefined ? undefined : tls !== false,
  };
}

/** Reports settings that have no effect with a protocol. */
export function reportIneffective(
  spans: ReadonlyMap<string, Span>,
  used: readonly string[],
  way: string,
  report: Report,
): void {
  for (const [name, span] of spans) if (!used.includes(name)) report(ineffectiveSetting(span, { name, way }));
}

/** Reports URLs with credentials, or with a host from run data. */
export function checkAddress(address: string, span: Span, report: Report): void {
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(address) ?? [];
  if (authority === undefined) return;
  if (authority.includes("@")) report(passwordInAddress(span, {}));
  if (/[{}]/.test(authority)) report(hostFromData(span, { address }));
}

/** If there are several kinds, the first counts, so that its other problems are reported too. */
function readBinding({ value: binding, key, document }: Binding, report: Report): TypescriptBinding {
  const [kind, ...more] = bindingKinds.filter((name) => Object.hasOwn(binding, name));
  for (const second of more)
    report(conflictingBindings(document.spanOf(binding, second, "key"), { first: kind!, second }));
  const settings = readSettings(binding, document, report);
  const configuration = document.source;
  const spans = new Map(settingKeys.flatMap((name) => settingSpan(binding, name, document)));
  if (kind === undefined)
    return { kind: "settings", ...settings, ...readDefinitionSettings(binding), spans, span: key, configuration };
  const { way, used } = protocols[kind];
  reportIneffective(spans, used, way, report);
  const text = own(binding, kind) as string;
  const span = document.spanOf(binding, kind);
  const server = own(binding, "server");
  if (kind === "http") checkAddress(text.slice(text.indexOf(" ") + 1), span, report);
  else if (typeof server === "string") checkAddress(server, document.spanOf(binding, "server"), report);
  if (isUnencrypted(kind, text, binding)) {
    for (const [name, value] of settings.headers)
      if (typeof value !== "string") report(unencryptedSecret(span, { header: name }));
  }
  return { ...parseBinding(kind, text, binding), ...settings, span, configuration };
}

function isUnencrypted(kind: (typeof bindingKinds)[number], text: string, binding: JsonObject): boolean {
  const server =
    kind === "http" ? text.slice(text.indexOf(" ") + 1) : own(binding, kind === "grpc" ? "address" : "server");
  if (typeof server !== "string" || (kind === "grpc" ? own(binding, "tls") !== false : !/^http:/i.test(server)))
    return false;
  return !isLocalServer(server);
}

function parseBinding(kind: (typeof bindingKinds)[number], text: string, binding: JsonObject) {
  const at = text.indexOf("#");
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  if (kind === "http") return { kind: "http", request: text } as const;
  if (kind === "module") return { kind: "module", module: before, name: after } as const;
  const server = own(binding, "server");
  if (kind === "openapi")
    return {
      kind: "openapi",
      file: before,
      operation: after,
      server: server === undefined ? undefined : parseSetting(server),
    } as const;
  const [service = "", method = ""] = after.split("/");
  const address = parseSetting(own(binding, "address")!);
  return { kind: "grpc", file: before, service, method, address, tls: own(binding, "tls") !== false } as const;
}

function readSettings(binding: JsonObject, document: Document, report: Report): CallSettings {
  const headers = own(binding, "headers");
  const entries = isObject(headers) ? headers : {};
  for (const [name, value] of Object.entries(entries)) {
    if (typeof value === "string" && isSecretHeader(name))
      report(literalSecret(document.spanOf(entries, name), { header: name }));
  }
  const [timeout, concurrency, rate] = (["timeout", "concurrency", "rate"] as const).map((name) => {
    const value = own(binding, name);
    return typeof value === "number" ? value : undefined;
  });
  return {
    headers: new Map(Object.entries(entries).map(([name, value]) => [name, parseSetting(value)])),
    timeout,
    ...(concurrency === undefined && rate === undefined ? {} : { limits: { concurrency, rate } }),
  };
}

function parseSetting(value: Json): Setting {
  if (!isObject(value)) return String(value);
  const prefix = own(value, "prefix");
  return { env: String(own(value, "env")), prefix: typeof prefix === "string" ? prefix : undefined };
}
