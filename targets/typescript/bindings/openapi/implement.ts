import { readDocuments } from "../../../../src/documents/index.ts";
import {
  jsonSchemaIn,
  type OpenapiDocument,
  type OpenapiOperation,
  operationsIn,
  parseOpenapi,
  resolveReference,
  styleOf,
} from "../../../../src/documents/openapi.ts";
import { type JsExpression, js, type TypeNode } from "../../../../src/js-ast/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Span } from "../../../../src/text/source.ts";
import { unknownOperation, unusableDocument, unusableOperation } from "../../diagnostics/kinds.ts";
import { runtime } from "../../emit/runtime-imports.ts";
import type { TypescriptBinding } from "../configuration.ts";
import { type DocumentAccess, documentPath, readBoundDocument } from "../configuration.ts";
import type { BindingContext } from "../implementation.ts";
import { callOptions, settingCode } from "../print.ts";
import type { FunctionUse, Implementation } from "../request.ts";
import { combineTypes, exportedType, getOrCreate, jsonObject } from "../shared.ts";
import { type CallableOperation, makeCallable } from "./callable.ts";
import { type SchemaTypes, schemaTypes } from "./types.ts";

/** Implements a function by an OpenAPI operation, or reports an error. */
export function implementByOpenapi(
  use: FunctionUse,
  binding: OpenApiBinding,
  context: BindingContext,
): Implementation | undefined {
  const shared = getOrCreate(context.shared.openapi, documentPath(binding), () => readTypedDocument(binding, context));
  const found = shared && operationOf(shared.document, binding, context);
  if (!shared || !found) return undefined;
  const callable = makeCallable(found, shared.document, binding.server);
  if ("operation" in callable) return implement(use, callable, shared, binding, context);
  context.report(unusableOperation(binding.span, { name: found.id, ...callable }));
  return undefined;
}

/** The type of the parameters and the body. */
export function argumentType({ parameters, body }: CallableOperation, types: SchemaTypes): TypeNode {
  const members = parameters.map(({ name, required, parameter }) =>
    js.propertySignature(name, types.typeOf(own(parameter, "schema")), { optional: !required }),
  );
  const asMember =
    body?.place === "member"
      ? [js.propertySignature("body", types.typeOf(body.schema), { optional: !body.required })]
      : [];
  const all = [...members, ...asMember];
  const parts = [
    ...(all.length === 0 ? [] : [js.objectType(all)]),
    ...(body?.place === "rest" ? [types.typeOf(body.schema)] : []),
  ];
  return parts.length === 0 ? jsonObject : combineTypes(parts, "&");
}

type OpenApiBinding = TypescriptBinding & { readonly kind: "openapi" };

interface TypedDocument {
  readonly document: OpenapiDocument;
  readonly types: SchemaTypes;
}

function readTypedDocument(binding: OpenApiBinding, context: BindingContext): TypedDocument | undefined {
  const document = openapiDocument(documentPath(binding), binding.span, context);
  return document && { document, types: schemaTypes(document.root, context.names) };
}

function openapiDocument(file: string, span: Span, documents: DocumentAccess): OpenapiDocument | undefined {
  const source = readBoundDocument(file, span, documents);
  const [document] = source ? readDocuments(source, documents.report) : [];
  const found = document && parseOpenapi(document);
  if (!found || "root" in found) return found;
  documents.report(unusableDocument(document!.start, found));
  return undefined;
}

function operationOf(
  document: OpenapiDocument,
  { operation, span }: OpenApiBinding,
  { report }: BindingContext,
): OpenapiOperation | undefined {
  const operations = operationsIn(document);
  const found = operations.find(({ id }) => id === operation);
  const { path } = document.document.source;
  if (!found)
    report(unknownOperation(span, { path, noun: "operation", name: operation, known: operations.map(({ id }) => id) }));
  return found;
}

function implement(
  { name }: FunctionUse,
  callable: CallableOperation,
  shared: TypedDocument,
  binding: OpenApiBinding,
  { names }: BindingContext,
): Implementation {
  const { id, method, path } = callable.operation;
  const openapi = runtime("openapi");
  return {
    code: js.call(openapi, [operationCode(callable, shared.document), ...callOptions(binding)]),
    doc: `\`${id}\` of ${binding.file}: ${method} ${path}`,
    types: [
      exportedType(names.type(`${name} argument`), `The argument of \`${id}\`.`, argumentType(callable, shared.types)),
      exportedType(
        names.type(`${name} answer`),
        `The result of \`${id}\`.`,
        resultType(callable, shared.document.root, shared.types),
      ),
    ],
  };
}

function operationCode(
  { operation: found, parameters, body, server }: CallableOperation,
  document: OpenapiDocument,
): JsExpression {
  const listed = parameters.flatMap((parameter) => {
    const { name, place, required } = parameter;
    if (place === "path") return [];
    const style = styleOf(document, parameter) || undefined;
    return [
      js.record({
        name: js.literal(name),
        in: js.literal(place),
        required: required ? js.literal(true) : undefined,
        style: style && js.literal(style),
      }),
    ];
  });
  return js.record({
    method: js.literal(found.method),
    server: settingCode(server),
    path: js.literal(found.path),
    parameters: listed.length === 0 ? undefined : js.array(listed),
    body: body && js.literal(body.place),
    bodyRequired: body?.required ? js.literal(true) : undefined,
  });
}

function resultType({ operation: found }: CallableOperation, root: JsonObject, types: SchemaTypes): TypeNode {
  return types.typeOf(resultSchema(root, own(found.operation, "responses")));
}

function resultSchema(root: JsonObject, responses: Json | undefined): Json {
  if (!isObject(responses)) return {};
  const status = Object.keys(responses).find((name) => /^2(?:\d\d|XX)$/i.test(name)) ?? "default";
  const response = resolveReference(root, own(responses, status));
  if (!isObject(response)) return {};
  return Object.hasOwn(response, "content") ? (jsonSchemaIn(response["content"]) ?? {}) : { type: "null" };
}
