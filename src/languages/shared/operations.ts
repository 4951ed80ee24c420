import { readDocuments } from "../../documents/index.ts";
import {
  type OpenapiDocument,
  type OpenapiOperation,
  operationsIn,
  parametersOf,
  parseOpenapi,
  serverOf,
} from "../../documents/openapi.ts";
import type { GrpcMethod, HttpOperation, Protocol } from "../../ir/protocols.ts";
import type { LowerContext } from "../../language.ts";
import type { Source, Span } from "../../text/source.ts";
import { resolveUri } from "../../text/uris.ts";
import { missingOperation, uncallableOperation, unreadableDocument, unusableOperation } from "./diagnostics/kinds.ts";
import { describeFailure } from "./included.ts";
import { type ReadContext, spanOf } from "./properties.ts";

/** Reads the documents of functions. */
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

/** A name and where it is. */
export interface PlacedName {
  readonly name: string;
  readonly span: Span;
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
  let from = 0;
  const placed = [uri, ...names].map((name): PlacedName => {
    const span = reading.document.spanWithin(definition, "operation", from, from + name.length);
    from += name.length + 1;
    return { name, span };
  });
  const [document, ...parts] = placed as [PlacedName, ...PlacedName[]];
  const resource = { name: reading.uriOf?.(uri) ?? uri, span: document.span };
  if (type === "rest") {
    const found = restOperation(reading, resource, parts[0]!);
    return found && { kind: "http", operation: found, failure: "HTTP_" };
  }
  const method = grpcMethod(reading, resource, { service: parts[0]!, method: parts[1]! });
  return method && { kind: "grpc", method };
}

/** The request of an operation of an OpenAPI document; reports and returns undefined without one. */
export function restOperation(
  reading: OperationReader,
  uri: PlacedName,
  { name, span }: PlacedName,
): HttpOperation | undefined {
  const { report } = reading;
  const openapi = openapiAt(reading, uri);
  if (!openapi) return undefined;
  const operations = operationsIn(openapi);
  const found = operations.find(({ id }) => id === name);
  if (!found) {
    const known = operations.map(({ id }) => id);
    report(missingOperation(span, { noun: "operation", name, uri: uri.name, known }));
    return undefined;
  }
  const operation = operationOf(openapi, found);
  if (!("reason" in operation)) return operation;
  report(uncallableOperation(span, { name, reason: operation.reason }));
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

function openapiAt(reading: OperationReader, uri: PlacedName): OpenapiDocument | undefined {
  const { path } = resolveUri(uri.name, uri.span.source);
  if (reading.documents.has(path)) return reading.documents.get(path);
  const source = sourceAt(reading, "OpenAPI document", uri);
  const [document] = source ? readDocuments(source, reading.report) : [];
  const found = document && parseOpenapi(document);
  const openapi = found && "root" in found ? found : undefined;
  if (found && "detail" in found) {
    const reason = found.detail.replace(/\.$/, "");
    reading.report(unreadableDocument(uri.span, { what: "document", uri: uri.name, reason }));
  }
  reading.documents.set(path, openapi);
  return openapi;
}

function sourceAt({ lowering, report }: OperationReader, what: string, { name, span }: PlacedName): Source | undefined {
  const found = lowering.textAt?.(name, span);
  if (found && "text" in found) return found;
  report(unreadableDocument(span, { what, uri: name, reason: describeFailure(name, found) }));
  return undefined;
}

/** A unary method of a .proto file; reports and returns undefined without one. */
export function grpcMethod(
  reading: OperationReader,
  uri: PlacedName,
  { service, method }: { readonly service: PlacedName; readonly method: PlacedName },
): GrpcMethod | undefined {
  const { report } = reading;
  const source = sourceAt(reading, "proto file", uri);
  if (!source) return undefined;
  const services = protoServices(source.text);
  const found =
    services.find(({ name }) => name === service.name) ??
    services.find(({ name }) => name.endsWith(`.${service.name}`));
  const missing = (noun: string, { name, span }: PlacedName, known: readonly string[]): undefined =>
    report(missingOperation(span, { noun, name, uri: uri.name, known })) as undefined;
  if (!found)
    return missing(
      "service",
      service,
      services.map(({ name }) => name),
    );
  if (!found.methods.includes(method.name)) return missing("method", method, found.methods);
  if (found.streaming.includes(method.name)) {
    report(uncallableOperation(method.span, { name: method.name, reason: "it streams messages" }));
    return undefined;
  }
  const { path } = resolveUri(uri.name, uri.span.source);
  return { service: found.name, name: method.name, definition: path };
}

/** A service of a .proto file. */
export interface ProtoService {
  readonly name: string;
  readonly methods: readonly string[];
  /** The methods whose requests or responses are streams. */
  readonly streaming: readonly string[];
}

/**
 * The services in a .proto file, by its tokens, without validation.
 *
 *   package shop.v1; service Desk { rpc Pack (Order) returns (Box); } → [{ name: "shop.v1.Desk", methods: ["Pack"], streaming: [] }]
 */
export function protoServices(text: string): readonly ProtoService[] {
  const words = [...text.matchAll(token)].map(([word]) => word).filter((word) => !/^(?:\/\/|\/\*)/.test(word));
  const services: (ReadService & { readonly depth: number })[] = [];
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
      service = { name: scope + next, methods: [], streaming: [], depth };
      services.push(service);
    } else if (word === "rpc" && service && depth === service.depth + 1 && name.test(next)) {
      service.methods.push(next);
      if (streams(words, i + 2)) service.streaming.push(next);
    }
  }
  return services.map(({ depth: _, ...found }) => found);
}

interface ReadService {
  readonly name: string;
  readonly methods: string[];
  readonly streaming: string[];
}

/** Whether the request or response of a method is a stream; a type may be named `stream`. */
function streams(words: readonly string[], from: number): boolean {
  const [open, type, ...rest] = words.slice(from, from + 7);
  const returns = rest.indexOf("returns");
  const isStream = (at: string | undefined, first: string | undefined, second: string | undefined): boolean =>
    at === "(" && first === "stream" && second !== ")";
  return (
    isStream(open, type, rest[0]) ||
    (returns >= 0 && isStream(...(rest.slice(returns + 1) as [string, string, string])))
  );
}

const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w.]+|[^\s\w]/g;

const name = /^[A-Za-z_][\w.]*$/;
