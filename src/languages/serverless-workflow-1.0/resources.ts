import type { ExternalResource as Written } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Source } from "../../text/source.ts";
import type { OperationReader, PlacedName } from "../shared/operations.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context, Writer } from "./context.ts";
import { unreadableResource, withoutEffect } from "./diagnostics/references.ts";
import { checkRelative } from "./identity.ts";
import { isFunctionBound } from "./names.ts";

/** The URI of an external resource. */
export function uriOf(context: Context, written: Written): PlacedName {
  const { endpoint } = written;
  const name = typeof endpoint === "string" ? endpoint : endpoint.uri;
  const span = spanOf(context, written, "endpoint");
  reportAuthentication(context, endpoint);
  checkRelative(context, name, span);
  return { name, span };
}

/** Reports credentials of a file, which is read when the definition is compiled. */
export function reportAuthentication(context: Context, endpoint: Written["endpoint"]): void {
  if (typeof endpoint !== "object" || endpoint.authentication === undefined) return;
  const span = spanOf(context, endpoint, "authentication", "key");
  context.report(withoutEffect(span, { name: "authentication", reason: "only files of the project are read" }));
}

/** Reads the documents of a task's function; reports nothing about those of a function that is bound. */
export const operationReader = (writer: Writer): OperationReader => {
  const { document, report, lowering, documents } = writer.context;
  return { document, lowering, documents, report: isFunctionBound(writer) ? () => {} : report };
};

/** The file of an external resource; reports and returns undefined if it cannot be read. */
export function sourceAt(context: Context, written: Written): Source | undefined {
  const { name: uri, span } = uriOf(context, written);
  const found = context.lowering.textAt?.(uri, span);
  if (found && "text" in found) return found;
  context.report(
    unreadableResource(span, { uri, reason: found?.reason ?? "it is not among the files of the project" }),
  );
  return undefined;
}
