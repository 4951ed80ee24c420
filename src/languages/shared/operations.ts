import { readDocuments } from "../../documents/index.ts";
import {
  type OpenapiDocument,
  type OpenapiOperation,
  operationsIn,
  parametersOf,
  parseOpenapi,
  serverOf,
} from "../../documents/openapi.ts";
import type { HttpOperation, Protocol } from "../../ir/protocols.ts";
import type { LowerContext } from "../../language.ts";
import type { Source, Span } from "../../text/source.ts";
import { resolveUri } from "../../text/uris.ts";
import { missingOperation, uncallableOperation, unreadableDocument, unusableOperation } from "./diagnostics/kinds.ts";
import { describeFailure } from "./included.ts";
import { type ReadContext, spanOf } from "./properties.ts";

/** Reads the operations of functions. */
export interface OperationReader extends ReadContext {
  readonly lowering: Pick<LowerContext, "textAt">;
  /** The OpenAPI documents by their path; undefined for unreadable ones. */
  readonly documents: Map<string, OpenapiDocument | undefined>;
  /** The URI that a name in an operation stands for. Default: the name itself. */
  readonly uriOf?: ((name: string) => string) | undefined;
}

/** A function whose operation names what it calls. */
export interface WrittenOperation {
  readonly operation: string;
}

/** The protocol of an operation of OpenAPI (`rest`) or gRPC (`rpc`); reports and returns undefined if it defines none. */
export function protocolOf(
  reading: OperationReader,
  definition: WrittenOperation,
  type: "rest" | "rpc",
): Protocol | undefined {
  const { operation } = definition;
  const [uri = "", ...names] = operation.split("#");
  const wanted = type === "rest" ? "`<OpenAPI document>#<operationId>`" : "`<proto file>#<service>#<method>`";
  if (uri.trim() === "" || names.length !== (type === "rest" ? 1 : 2) || names.some((name) => name.trim() === "")) {
    reading.report(unusableOperation(spanOf(reading, definition, "operation"), { operation, wanted, type }));
    return undefined;
  }
  return type === "rest" ? restOf(reading, definition, uri, names[0]!) : rpcOf(reading, definition, uri, names);
}

function restOf(reading: OperationReader, definition: WrittenOperation, uri: string, id: string): Protocol | undefined {
  const { document, report } = reading;
  const span = document.spanWithin(definition, "operation", 0, uri.length);
  const openapi = openapiAt(reading, reading.uriOf?.(uri) ?? uri, span);
  if (!openapi) return undefined;
  const operations = operationsIn(openapi);
  const found = operations.find((each) => each.id === id);
  const place = document.spanWithin(definition, "operation", uri.length + 1, definition.operation.length);
  if (!found) {
    report(missingOperation(place, { noun: "operation", name: id, uri, known: operations.map((each) => each.id) }));
    return undefined;
  }
  const operation = operationOf(openapi, found);
  if (!("reason" in operation)) return { kind: "http", operation, failure: "HTTP_" };
  report(uncallableOperation(place, { name: id, reason: operation.reason }));
  return undefined;
}

function operationOf(openapi: OpenapiDocument, found: OpenapiOperation): HttpOperation | { readonly reason: string } {
  const parameters = parametersOf(openapi, found);
  if (!parameters) return { reason: "one of its parameters has no `name` or no `in`" };
  const odd = parameters.find(({ place }) => place !== "path" && place !== "query" && place !== "header");
  if (odd) return { reason: `its parameter \`${odd.name}\` is sent in a ${odd.place}` };
  const server = serverOf(openapi, found);
  return {
    method: found.method,
    server: server !== undefined && /^https?:\/\/[^\s"<>\\^`|{}]+$/i.test(server) ? server : undefined,
    path: found.path,
    parameters: parameters.map(({ name, place }) => ({ name, place: place as "path" | "query" | "header" })),
  };
}

function openapiAt(reading: OperationReader, uri: string, span: Span): OpenapiDocument | undefined {
  const { path } = resolveUri(uri, span.source);
  if (reading.documents.has(path)) return reading.documents.get(path);
  const source = sourceAt(reading, "OpenAPI document", uri, span);
  const [document] = source ? readDocuments(source, reading.report) : [];
  const found = document && parseOpenapi(document);
  const openapi = found && "root" in found ? found : undefined;
  if (found && "detail" in found)
    reading.report(unreadableDocument(span, { what: "document", uri, reason: found.detail.replace(/\.$/, "") }));
  reading.documents.set(path, openapi);
  return openapi;
}

function sourceAt({ lowering, report }: OperationReader, what: string, uri: string, span: Span): Source | undefined {
  const found = lowering.textAt?.(uri, span);
  if (found && "text" in found) return found;
  report(unreadableDocument(span, { what, uri, reason: describeFailure(uri, found) }));
  return undefined;
}

function rpcOf(
  reading: OperationReader,
  definition: WrittenOperation,
  uri: string,
  names: readonly string[],
): Protocol | undefined {
  const { document, report } = reading;
  const [service = "", method = ""] = names;
  const from = uri.length + 1;
  const spans = {
    uri: document.spanWithin(definition, "operation", 0, uri.length),
    service: document.spanWithin(definition, "operation", from, from + service.length),
    method: document.spanWithin(definition, "operation", from + service.length + 1, definition.operation.length),
  };
  const source = sourceAt(reading, "proto file", reading.uriOf?.(uri) ?? uri, spans.uri);
  if (!source) return undefined;
  const services = protoServices(source.text);
  const found =
    services.find(({ name }) => name === service) ?? services.find(({ name }) => name.endsWith(`.${service}`));
  if (!found) {
    report(
      missingOperation(spans.service, {
        noun: "service",
        name: service,
        uri,
        known: services.map((each) => each.name),
      }),
    );
    return undefined;
  }
  if (!found.methods.includes(method)) {
    report(missingOperation(spans.method, { noun: "method", name: method, uri, known: found.methods }));
    return undefined;
  }
  const { path } = resolveUri(uri, spans.uri.source);
  return { kind: "grpc", method: { service: found.name, name: method, definition: path } };
}

/** A service of a .proto file. */
export interface ProtoService {
  readonly name: string;
  readonly methods: readonly string[];
}

/**
 * The services in a .proto file, by its tokens, without validation.
 *
 *   package shop.v1; service Desk { rpc Pack (Order) returns (Box); } → [{ name: "shop.v1.Desk", methods: ["Pack"] }]
 */
export function protoServices(text: string): readonly ProtoService[] {
  const words = [...text.matchAll(token)].map(([word]) => word).filter((word) => !/^(?:\/\/|\/\*)/.test(word));
  const services: { readonly name: string; readonly methods: string[]; readonly depth: number }[] = [];
  let scope = "";
  let depth = 0;
  let service: (typeof services)[number] | undefined;
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? "";
    if (word === "{") depth += 1;
    else if (word === "}") {
      depth -= 1;
      if (service && depth <= service.depth) service = undefined;
    } else if (word === "package" && depth === 0 && name.test(next)) scope = `${next}.`;
    else if (word === "service" && depth === 0 && name.test(next) && words[i + 2] === "{") {
      service = { name: scope + next, methods: [], depth };
      services.push(service);
    } else if (word === "rpc" && service && depth === service.depth + 1 && name.test(next)) service.methods.push(next);
  }
  return services.map(({ name: called, methods }) => ({ name: called, methods }));
}

const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w.]+|[^\s\w]/g;

const name = /^[A-Za-z_][\w.]*$/;
