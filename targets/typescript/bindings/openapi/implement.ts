import { unknownOperation, unusableOperation } from "../../diagnostics/kinds.ts";
import type { TypescriptBinding } from "../configured.ts";
import type { FunctionUse, Implementation } from "../functions.ts";
import type { Context } from "../implementation.ts";
import { once } from "../shared.ts";
import { callOptions, listText, objectText, quoted, settingText } from "../text.ts";
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
  const shared = once(context.shared.openapi, binding.file, () => read(binding, context));
  const found = shared && operationOf(shared.document, binding, context);
  if (!shared || !found) return undefined;
  const callable = callableOf(found, shared.document, binding.server);
  if ("found" in callable) return implement(use, callable, shared, binding, context);
  context.report(unusableOperation(binding.span, { name: found.id, ...callable }));
  return undefined;
}

function read({ file, span }: Binding, context: Context): SharedDocument | undefined {
  const document = openapiDocument(file, span, context);
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
  const options = callOptions(binding);
  return {
    text: `openapi(${operationText(callable, shared.document)}${options === undefined ? "" : `, ${options}`})`,
    doc: `\`${id}\` of ${binding.file}: ${method} ${path}`,
    imports: [{ module: "./runtime/functions/openapi.ts", name: "openapi" }],
    types: [
      {
        name: names.type(`${name} argument`),
        doc: `What \`${id}\` takes.`,
        text: argumentType(callable, shared.types),
      },
      {
        name: names.type(`${name} answer`),
        doc: `What \`${id}\` answers.`,
        text: answerType(callable, shared.document.root, shared.types),
      },
    ],
  };
}

/** The operation, as the runtime takes it. */
function operationText({ found, parameters, body, server }: Callable, document: OpenapiDocument): string {
  const listed = parameters.flatMap((parameter) => {
    const { name, place, required } = parameter;
    if (place === "path") return [];
    const style = styleOf(document, parameter) || undefined;
    const flags = [
      ["required", required ? "true" : undefined],
      ["style", style && quoted(style)],
    ] as const;
    return [objectText([["name", quoted(name)], ["in", quoted(place)], ...flags])];
  });
  const members = [
    ["method", quoted(found.method)],
    ["server", settingText(server)],
    ["path", quoted(found.path)],
    ["parameters", listed.length === 0 ? undefined : listText(listed)],
    ["body", body && quoted(body.place)],
    ["bodyRequired", body?.required ? "true" : undefined],
  ] as const;
  return objectText(members);
}
