import type { ExternalResource as Written } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Source } from "../../text/source.ts";
import type { Resource as ExternalResource } from "../../text/uris.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { unreadableResource, withoutEffect } from "./diagnostics/references.ts";

/** The URI of an external resource. */
export const resourceUri = ({ endpoint }: Written): string => (typeof endpoint === "string" ? endpoint : endpoint.uri);

/** Reports credentials of a file, which is read when the definition is compiled. */
export function reportAuthentication(context: Context, endpoint: Written["endpoint"]): void {
  if (typeof endpoint !== "object" || endpoint.authentication === undefined) return;
  const span = spanOf(context, endpoint, "authentication", "key");
  context.report(withoutEffect(span, { name: "authentication", reason: "only files of the project are read" }));
}

/** The file of an external resource; reports and returns undefined if it cannot be read. */
export function resourceAt(context: Context, written: Written): Source | undefined {
  const uri = resourceUri(written);
  reportAuthentication(context, written.endpoint);
  const span = spanOf(context, written, "endpoint");
  const found: ExternalResource | undefined = context.lowering.textAt?.(uri, span);
  if (found && "text" in found) return found;
  context.report(
    unreadableResource(span, { uri, reason: found?.reason ?? "it is not among the files of the project" }),
  );
  return undefined;
}
