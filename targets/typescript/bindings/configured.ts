import { severalPlaces } from "../../../src/diagnostics/configuration.ts";
import type { Document } from "../../../src/document/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { Binding, Configured } from "../../../src/target.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import { openSecret, unencryptedSecret, unusedCallSetting } from "../diagnostics/kinds.ts";

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
  | { readonly kind: "settings" }
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
  { functions, events }: Pick<Configured, "functions" | "events">,
  report: Report,
): Bindings {
  const places = [...functions].map(([name, binding]) => [name, readPlace(binding, report)] as const);
  const sinks = [...events].map(([name, { value, document }]) => {
    const sink = settingOf(own(value, "sink")!);
    return [name, { ...readSettings(value, document, report), sink }] as const;
  });
  return {
    functions: new Map(places),
    events: new Map(sinks),
  };
}

const placeKeys = ["module", "http", "openapi", "grpc"] as const;

/** Of two places the first counts, so that what else is wrong with it is told too. */
function readPlace({ value: binding, key, document }: Binding, report: Report): TypescriptBinding {
  const [place, ...more] = placeKeys.filter((name) => Object.hasOwn(binding, name));
  for (const second of more) report(severalPlaces(document.spanOf(binding, second, "key"), { first: place!, second }));
  const settings = readSettings(binding, document, report);
  const configuration = document.source;
  for (const name of place === "module" ? ["headers", "timeout"] : [])
    if (Object.hasOwn(binding, name)) report(unusedCallSetting(document.spanOf(binding, name, "key"), { name }));
  if (place === undefined) return { kind: "settings", ...settings, span: key, configuration };
  const text = own(binding, place) as string;
  const span = document.spanOf(binding, place);
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
    if (typeof value === "string" && isSecret(name)) report(openSecret(document.spanOf(given, name), { header: name }));
  }
  const timeout = own(binding, "timeout");
  return {
    headers: new Map(Object.entries(given).map(([name, value]) => [name, settingOf(value)])),
    timeout: typeof timeout === "number" ? timeout : undefined,
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
