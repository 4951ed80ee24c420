import type {
  Workflow as Definition,
  FunctionDefinition as Written,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { HttpOperation, Log, Protocol } from "../../ir/protocols.ts";
import type { FunctionDefinition } from "../../ir/workflow.ts";
import { isObject, type Json, own } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import { type OperationReader, protocolOf, type WrittenOperation } from "../shared/operations.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { missingOperationText } from "./diagnostics/kinds.ts";

/** Lowers the functions that actions call; expressions are not called. */
export function lowerFunctions(
  reading: ReadContext,
  lowering: LowerContext,
  definition: Definition,
  functions: Iterable<Written>,
): FunctionDefinition[] {
  const uris = uriDefinitions(definition);
  const reader: OperationReader = {
    ...reading,
    lowering,
    documents: new Map(),
    uriOf: (name) => uris.get(name) ?? name,
  };
  return [...functions].flatMap((each): readonly FunctionDefinition[] => {
    const { name, type, operation } = each;
    if (type === "expression") return [];
    const report = lowering.isBound?.(name) ? () => {} : reading.report;
    const protocol = protocolOfFunction({ ...reader, report }, definition, each);
    return [{ name, type, resource: operation, protocol, span: spanOf(reading, each, "name") }];
  });
}

/** The kind of an operation. Without `type`, an operation with two `#` is of gRPC. */
export function operationType({ type, operation = "" }: Written): string {
  return type ?? (operation.split("#").length === 3 ? "rpc" : "rest");
}

function protocolOfFunction(reader: OperationReader, definition: Definition, written: Written): Protocol | undefined {
  const { operation, name } = written;
  const type = operationType(written);
  if (operation === undefined) {
    if (type === "rest" || type === "rpc")
      reader.report(missingOperationText(spanOf(reader, written, "name"), { name }));
    return undefined;
  }
  if (type === "rest" || type === "rpc") return protocolOf(reader, written as WrittenOperation, type);
  if (type !== "custom") return undefined;
  const [isLog, level = "info"] = /^sysout(?::(trace|debug|info|warn|error))?$/i.exec(operation) ?? [];
  if (isLog !== undefined) return { kind: "log", level: level.toLowerCase() as Log["level"] };
  const [, method, uri] = /^rest:(get|put|post|delete|patch|head|options):(.+)$/i.exec(operation) ?? [];
  if (!method || !uri) return undefined;
  return { kind: "http", operation: requestOf(definition, name, method.toUpperCase(), uri), failure: "HTTP_" };
}

/** SonataFlow: arguments fill the path, and the others are the query of a GET request or the body of another. */
function requestOf(definition: Definition, name: string, method: string, uri: string): HttpOperation {
  const [, server, path = "/"] = /^(https?:\/\/[^/?#]+)?(.*)$/i.exec(uri) ?? [];
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, each]) => each!));
  const given = method === "GET" || method === "HEAD" ? argumentNames(definition as unknown as Json, name) : [];
  const inQuery = [...new Set(given)].filter((each) => !inPath.has(each));
  return {
    method,
    server,
    path: path === "" ? "/" : path,
    parameters: [
      ...[...inPath].map((each) => ({ name: each, place: "path" as const })),
      ...inQuery.map((each) => ({ name: each, place: "query" as const })),
    ],
  };
}

function argumentNames(value: Json, name: string): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((each) => argumentNames(each, name));
  if (!isObject(value)) return [];
  const given = own(value, "refName") === name ? own(value, "arguments") : undefined;
  return given !== undefined && isObject(given)
    ? Object.keys(given)
    : Object.values(value).flatMap((each) => argumentNames(each, name));
}

/** Names of URIs, in SonataFlow's extension `workflow-uri-definitions`. */
function uriDefinitions({ extensions }: Definition): ReadonlyMap<string, string> {
  const listed = Array.isArray(extensions) ? (extensions as readonly Json[]) : [];
  const definitions = listed.flatMap((each) =>
    isObject(each) && own(each, "extensionid") === "workflow-uri-definitions" ? [own(each, "definitions") ?? null] : [],
  );
  return new Map(
    definitions.flatMap((each) =>
      isObject(each)
        ? Object.entries(each).filter((entry): entry is [string, string] => typeof entry[1] === "string")
        : [],
    ),
  );
}
