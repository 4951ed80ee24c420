import { type Expression, js } from "../../../../src/code/index.ts";
import { unknownOperation, unusableOperation } from "../../diagnostics/kinds.ts";
import type { TypescriptBinding } from "../configured.ts";
import { pathOf } from "../documents.ts";
import type { FunctionUse, Implementation } from "../functions.ts";
import type { Context } from "../implementation.ts";
import { callOptions, settingCode } from "../settings.ts";
import { once } from "../shared.ts";
import { exportedType } from "../types.ts";
import { answerType, argumentType } from "./argument.ts";
import { type Callable, callableOf } from "./callable.ts";
import { type OpenapiDocument, openapiDocument } from "./document.ts";
import { type FoundOperation, operationsIn } from "./operations.ts";
import { styleOf } from "./styles.ts";
import { type SchemaTypes, schemaTypes } from "./types.ts";

type Binding = TypescriptBinding & { readonly kind: "openapi" };

interface SharedDocument {
  readonly document: OpenapiDocument;
  readonly types: SchemaTypes;
}

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

function read(binding: Binding, context: Context): SharedDocument | undefined {
  const document = openapiDocument(pathOf(binding), binding.span, context);
  return document && { document, types: schemaTypes(document.root, context.names) };
}

function operationOf(
  document: OpenapiDocument,
  { operation, span }: Binding,
  { report }: Context,
): FoundOperation | undefined {
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
  const openapi = js.imported("openapi", "./runtime/functions/openapi.ts");
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
function operationCode({ found, parameters, body, server }: Callable, document: OpenapiDocument): Expression {
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
