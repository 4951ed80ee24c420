import type { Schema } from "../../generated/serverless-workflow-1.0-definition.ts";
import { isObject } from "../../json.ts";
import { type SchemaRules, schemaRules, type Type, typeOfSchema } from "../../types/index.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { unenforceableSchema, unknownSchemaFormat } from "./diagnostics/data.ts";
import { uriOf } from "./resources.ts";

/** The type of the values that conform to a schema, if it can be read; reports nothing. */
export function typeOf(context: Context, schema: Schema): Type | undefined {
  const { document, lowering } = context;
  if (schema.document !== undefined)
    return isObject(schema.document)
      ? typeOfSchema(document.withValue(schema.document, new Map()), "", () => {})
      : undefined;
  if (!schema.resource) return undefined;
  const { name, span } = uriOf({ ...context, report: () => {} }, schema.resource);
  return lowering.schemas?.typeAt(name, span);
}

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
  if (!schema.resource) return undefined;
  const { name, span } = uriOf(context, schema.resource);
  return lowering.schemas?.rulesAt(name, span);
}
