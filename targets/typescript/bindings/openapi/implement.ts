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
import { runtime } from "../../expressions/runtime.ts";
import type { TypescriptBinding } from "../configured.ts";
import { type Documents, documentNamed, pathOf } from "../configured.ts";
import type { Context } from "../implementation.ts";
import { callOptions, settingCode } from "../print.ts";
import type { FunctionUse, Implementation } from "../request.ts";
import { exportedType, joined, jsonObject, once } from "../shared.ts";
import { type Callable, callableOf } from "./callable.ts";
import { type SchemaTypes, schemaTypes } from "./types.ts";

/** A function that is an operation of an OpenAPI document; undefined where that cannot be called, which is reported. */
export function implementByOpenapi(use: FunctionUse, binding: Binding, context: Context): Implementation | undefined {
  const shared = once(context.shared.openapi, pathOf(binding), () => read(binding, context));
  const found = shared && operationOf(shared.document, binding, context);
  if (!shared || !found) return undefined;
  const callable = callableOf(found, shared.document, binding.server);
  if ("found" in callable) return implement(use, callable, shared, binding, context);
  context.report(unusableOperation(binding.span, { name: found.id, ...callable }));
  return undefined;
}

/** The type of what an operation takes: its parameters, and its body among them or in a member of that name. */
export function argumentType({ parameters, body }: Callable, types: SchemaTypes): TypeNode {
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
  return parts.length === 0 ? jsonObject : joined(parts, "&");
}

type Binding = TypescriptBinding & { readonly kind: "openapi" };

interface SharedDocument {
  readonly document: OpenapiDocument;
  readonly types: SchemaTypes;
}

function read(binding: Binding, context: Context): SharedDocument | undefined {
  const document = openapiDocument(pathOf(binding), binding.span, context);
  return document && { document, types: schemaTypes(document.root, context.names) };
}

/** Reads an OpenAPI document; undefined where it cannot be used, which is reported. */
function openapiDocument(file: string, span: Span, documents: Documents): OpenapiDocument | undefined {
  const source = documentNamed(file, span, documents);
  const [document] = source ? readDocuments(source, documents.report) : [];
  const found = document && parseOpenapi(document);
  if (!found || "root" in found) return found;
  documents.report(unusableDocument(document!.start, found));
  return undefined;
}

function operationOf(
  document: OpenapiDocument,
  { operation, span }: Binding,
  { report }: Context,
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
  callable: Callable,
  shared: SharedDocument,
  binding: Binding,
  { names }: Context,
): Implementation {
  const { id, method, path } = callable.found;
  const openapi = runtime("openapi");
  return {
    code: js.call(openapi, [operationCode(callable, shared.document), ...callOptions(binding)]),
    doc: `\`${id}\` of ${binding.file}: ${method} ${path}`,
    types: [
      exportedType(names.type(`${name} argument`), `What \`${id}\` takes.`, argumentType(callable, shared.types)),
      exportedType(
        names.type(`${name} answer`),
        `What \`${id}\` answers.`,
        answerType(callable, shared.document.root, shared.types),
      ),
    ],
  };
}

/** The operation, as the runtime takes it. */
function operationCode({ found, parameters, body, server }: Callable, document: OpenapiDocument): JsExpression {
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

/** The type of what an operation answers when it succeeds. */
function answerType({ found }: Callable, root: JsonObject, types: SchemaTypes): TypeNode {
  return types.typeOf(answerSchema(root, own(found.operation, "responses")));
}

function answerSchema(root: JsonObject, responses: Json | undefined): Json {
  if (!isObject(responses)) return {};
  const status = Object.keys(responses).find((name) => /^2(?:\d\d|XX)$/i.test(name)) ?? "default";
  const response = resolveReference(root, own(responses, status));
  if (!isObject(response)) return {};
  return Object.hasOwn(response, "content") ? (jsonSchemaIn(response["content"]) ?? {}) : { type: "null" };
}
