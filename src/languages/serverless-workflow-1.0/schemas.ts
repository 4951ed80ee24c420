import type { Schema } from "../../generated/serverless-workflow-1.0-definition.ts";
import { isObject, own } from "../../json.ts";
import { type SchemaRules, schemaRules } from "../../types/index.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { unenforceableSchema, unknownSchemaFormat } from "./diagnostics/kinds.ts";
import { resourceUri } from "./resources.ts";

/** The rules of a schema that is enforced; undefined if it cannot be, which is reported. */
export function rulesAt(context: Context, schema: Schema): SchemaRules | undefined {
  const { document, report, lowering } = context;
  if (schema.format !== undefined && !/^json(?::.+)?$/i.test(schema.format)) {
    report(unknownSchemaFormat(spanOf(context, schema, "format"), { format: schema.format }));
    return undefined;
  }
  if (schema.document !== undefined) {
    const inline = schema.document;
    if (!isObject(inline)) return inline ? undefined : [false];
    const found = schemaRules(document.withValue(inline, new Map()), "");
    if (Array.isArray(found)) return found;
    const reason = found && "reason" in found ? found.reason : "one of its references leads nowhere";
    report(unenforceableSchema(spanOf(context, schema, "document"), { reason }));
    return undefined;
  }
  const uri = schema.resource && resourceUri(schema.resource);
  if (uri === undefined || own({ ...schema.resource }, "endpoint") === undefined) return undefined;
  return lowering.schemas?.rulesAt(uri, spanOf(context, schema.resource!, "endpoint"));
}
