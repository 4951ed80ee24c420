import { openSecret, severalPlaces, unencryptedSecret } from "../diagnostics/configuration.ts";
import type { Document } from "../document/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import type { CallSettings, EventBinding, FunctionBinding, Setting, TypescriptBinding } from "./bindings.ts";

/** Reads where functions are, from a document that fits the schema. */
export function readFunctions(
  functions: JsonObject,
  document: Document,
  report: Report,
): ReadonlyMap<string, FunctionBinding> {
  return new Map(
    Object.entries(functions).map(([name, given]) => {
      const binding = given as JsonObject;
      const typescript = memberOf(binding, "typescript");
      const read = typescript && readPlace(typescript, document.spanOf(binding, "typescript", "key"), document, report);
      return [
        name,
        { name: { name, span: document.spanOf(functions, name, "key") }, typescript: read, ...others(binding) },
      ];
    }),
  );
}

/** Reads where events go, from a document that fits the schema. */
export function readEvents(events: JsonObject, document: Document, report: Report): ReadonlyMap<string, EventBinding> {
  return new Map(
    Object.entries(events).map(([name, given]) => {
      const typescript = memberOf(given as JsonObject, "typescript");
      const read = typescript && {
        ...readSettings(typescript, document, report),
        sink: settingOf(own(typescript, "sink")!),
      };
      return [
        name,
        {
          name: { name, span: document.spanOf(events, name, "key") },
          typescript: read,
          ...others(given as JsonObject),
        },
      ];
    }),
  );
}

const others = (binding: JsonObject) => ({ asl: memberOf(binding, "asl"), openwhisk: memberOf(binding, "openwhisk") });

function memberOf(object: JsonObject, name: string): JsonObject | undefined {
  const value = own(object, name);
  return isObject(value) ? value : undefined;
}

const places = ["module", "http", "openapi", "grpc"] as const;

function readPlace(binding: JsonObject, key: Span, document: Document, report: Report): TypescriptBinding | undefined {
  const [place, ...more] = places.filter((name) => Object.hasOwn(binding, name));
  for (const second of more) report(severalPlaces(document.spanOf(binding, second, "key"), { first: place!, second }));
  if (more.length > 0) return undefined;
  const settings = readSettings(binding, document, report);
  if (place === undefined) return { kind: "settings", ...settings, span: key };
  const text = own(binding, place) as string;
  const span = document.spanOf(binding, place);
  if (isOpen(place, text, binding)) {
    for (const [name, value] of settings.headers)
      if (typeof value !== "string") report(unencryptedSecret(span, { header: name }));
  }
  return { ...placeOf(place, text, binding), ...settings, span };
}

/** Whether what is sent there can be read on the way: not where it stays on the machine. */
function isOpen(place: (typeof places)[number], text: string, binding: JsonObject): boolean {
  const server =
    place === "http" ? text.slice(text.indexOf(" ") + 1) : own(binding, place === "grpc" ? "address" : "server");
  if (typeof server !== "string" || (place === "grpc" ? own(binding, "tls") !== false : !/^http:/i.test(server)))
    return false;
  return !/^(?:http:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(server);
}

function placeOf(place: (typeof places)[number], text: string, binding: JsonObject) {
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
  const given = memberOf(binding, "headers") ?? {};
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
