import { conflictingBindings } from "../../../src/diagnostics/configuration.ts";
import type { Document } from "../../../src/documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { Binding, TargetConfiguration } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { ResourceReader } from "../../../src/text/resources.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import {
  hostFromData,
  ineffectiveSetting,
  literalSecret,
  missingDocument,
  passwordInAddress,
  unencryptedSecret,
} from "../diagnostics/kinds.ts";

/** How a TypeScript program reaches a function. `settings`: where the definition says, with these settings. */
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
  | ({ readonly kind: "settings" } & OwnSettings)
) &
  CallSettings & {
    /** What names the place: the value, or the key of the whole binding where there is none. */
    readonly span: Span;
    /** The file of the configuration: relative paths start from its folder. */
    readonly configuration: Source;
  };

/** What is set about the calls of a function. */
export interface CallSettings {
  readonly headers: ReadonlyMap<string, Setting>;
  /** Seconds. */
  readonly timeout?: number | undefined;
  /** How many calls go on at once, and how many begin in a second. */
  readonly limits?: { readonly concurrency?: number | undefined; readonly rate?: number | undefined } | undefined;
}

/** What is set about a function that is reached as its definition says. */
export interface OwnSettings {
  readonly server?: Setting | undefined;
  readonly tls?: boolean | undefined;
  /** Where each setting is written, by its name. */
  readonly written: ReadonlyMap<string, Span>;
}

/** A text, or the name of a variable of the environment that holds it when the program needs it. */
export type Setting = string | { readonly env: string; readonly prefix?: string | undefined };

/** Where an event is sent. */
export type EventBinding = CallSettings & { readonly sink: Setting };

/** What the configuration says for TypeScript programs: where functions are and where events go, by their names. */
export interface Bindings {
  readonly functions: ReadonlyMap<string, TypescriptBinding>;
  readonly events: ReadonlyMap<string, EventBinding>;
}

/** Reads what fits the schema. */
export function readBindings(
  { functions, events }: Pick<TargetConfiguration, "functions" | "events">,
  report: Report,
): Bindings {
  const places = [...functions].map(([name, binding]) => [name, readPlace(binding, report)] as const);
  const sinks = [...events].map(([name, { value, document }]) => {
    const sink = settingOf(own(value, "sink")!);
    if (typeof sink === "string") checkAddress(sink, document.spanOf(value, "sink"), report);
    return [name, { ...readSettings(value, document, report), sink }] as const;
  });
  return {
    functions: new Map(places),
    events: new Map(sinks),
  };
}

/** The files that bindings name, read once they are asked for. */
export interface Documents {
  readonly read: ResourceReader | undefined;
  readonly report: Report;
}

/** A file that a binding names; undefined where it cannot be read, which is reported at `span`. */
export function documentNamed(path: string, span: Span, { read, report }: Documents): Source | undefined {
  const found = read?.(path);
  if (found && "text" in found) return found;
  report(missingDocument(span, { path, reason: found?.reason ?? "the file was not passed to the compiler" }));
  return undefined;
}

/** The path of the file that a binding names: a relative one starts from the folder of its configuration. */
export const pathOf = ({ configuration, file }: { readonly configuration: Source; readonly file: string }): string =>
  beside(configuration.path, file);

/** The path of a file that another file names, in the form of that one's own path. */
export function beside(from: string, file: string): string {
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

const placeKeys = ["module", "http", "openapi", "grpc"] as const;

const settingKeys = ["headers", "timeout", "server", "tls"] as const;

/** How a function is reached by a binding, and which settings say something there. */
const placesWays: {
  readonly [place in (typeof placeKeys)[number]]: { readonly way: string; readonly used: readonly string[] };
} = {
  module: { way: "within the program", used: [] },
  http: { way: "by HTTP", used: ["headers", "timeout"] },
  openapi: { way: "by HTTP", used: ["headers", "timeout", "server"] },
  grpc: { way: "by gRPC", used: ["headers", "timeout", "tls"] },
};

const writtenAt = (binding: JsonObject, name: string, document: Document): readonly (readonly [string, Span])[] =>
  Object.hasOwn(binding, name) ? [[name, document.spanOf(binding, name, "key")]] : [];

function ownSettings(binding: JsonObject): Omit<OwnSettings, "written"> {
  const [server, tls] = [own(binding, "server"), own(binding, "tls")];
  return {
    server: server === undefined ? undefined : settingOf(server),
    tls: tls === undefined ? undefined : tls !== false,
  };
}

/** Reports the settings that say nothing of a function which is reached in a way. */
export function reportUnused(
  written: ReadonlyMap<string, Span>,
  used: readonly string[],
  way: string,
  report: Report,
): void {
  for (const [name, span] of written) if (!used.includes(name)) report(ineffectiveSetting(span, { name, way }));
}

/** Reports an address of HTTP of which the data of a run would say the host, or that has a user or a password. */
export function checkAddress(address: string, span: Span, report: Report): void {
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(address) ?? [];
  if (authority === undefined) return;
  if (authority.includes("@")) report(passwordInAddress(span, {}));
  if (/[{}]/.test(authority)) report(hostFromData(span, { address }));
}

/** Of two places the first counts, so that what else is wrong with it is told too. */
function readPlace({ value: binding, key, document }: Binding, report: Report): TypescriptBinding {
  const [place, ...more] = placeKeys.filter((name) => Object.hasOwn(binding, name));
  for (const second of more)
    report(conflictingBindings(document.spanOf(binding, second, "key"), { first: place!, second }));
  const settings = readSettings(binding, document, report);
  const configuration = document.source;
  const written = new Map(settingKeys.flatMap((name) => writtenAt(binding, name, document)));
  if (place === undefined)
    return { kind: "settings", ...settings, ...ownSettings(binding), written, span: key, configuration };
  const { way, used } = placesWays[place];
  reportUnused(written, used, way, report);
  const text = own(binding, place) as string;
  const span = document.spanOf(binding, place);
  const server = own(binding, "server");
  if (place === "http") checkAddress(text.slice(text.indexOf(" ") + 1), span, report);
  else if (typeof server === "string") checkAddress(server, document.spanOf(binding, "server"), report);
  if (isOpen(place, text, binding)) {
    for (const [name, value] of settings.headers)
      if (typeof value !== "string") report(unencryptedSecret(span, { header: name }));
  }
  return { ...placeOf(place, text, binding), ...settings, span, configuration };
}

/** Whether what is sent there can be read on the way: not where it stays on the machine. */
function isOpen(place: (typeof placeKeys)[number], text: string, binding: JsonObject): boolean {
  const server =
    place === "http" ? text.slice(text.indexOf(" ") + 1) : own(binding, place === "grpc" ? "address" : "server");
  if (typeof server !== "string" || (place === "grpc" ? own(binding, "tls") !== false : !/^http:/i.test(server)))
    return false;
  return !/^(?:http:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(server);
}

function placeOf(place: (typeof placeKeys)[number], text: string, binding: JsonObject) {
  const at = text.indexOf("#");
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  if (place === "http") return { kind: "http", request: text } as const;
  if (place === "module") return { kind: "module", module: before, name: after } as const;
  const server = own(binding, "server");
  if (place === "openapi")
    return {
      kind: "openapi",
      file: before,
      operation: after,
      server: server === undefined ? undefined : settingOf(server),
    } as const;
  const [service = "", method = ""] = after.split("/");
  const address = settingOf(own(binding, "address")!);
  return { kind: "grpc", file: before, service, method, address, tls: own(binding, "tls") !== false } as const;
}

function readSettings(binding: JsonObject, document: Document, report: Report): CallSettings {
  const headers = own(binding, "headers");
  const given = isObject(headers) ? headers : {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string" && isSecret(name))
      report(literalSecret(document.spanOf(given, name), { header: name }));
  }
  const [timeout, concurrency, rate] = (["timeout", "concurrency", "rate"] as const).map((name) => {
    const value = own(binding, name);
    return typeof value === "number" ? value : undefined;
  });
  return {
    headers: new Map(Object.entries(given).map(([name, value]) => [name, settingOf(value)])),
    timeout,
    ...(concurrency === undefined && rate === undefined ? {} : { limits: { concurrency, rate } }),
  };
}

/** Whether the header of this name usually holds a secret. */
const isSecret = (name: string): boolean =>
  /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?key|token|secret|password)$/i.test(name);

function settingOf(value: Json): Setting {
  if (!isObject(value)) return String(value);
  const prefix = own(value, "prefix");
  return { env: String(own(value, "env")), prefix: typeof prefix === "string" ? prefix : undefined };
}
