import type { Document } from "../documents/index.ts";
import type { Json } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { findSchemaErrors } from "./check.ts";
import { explain, mergeErrors } from "./explain.ts";

export { type CreatePlaceholder, recover } from "./recover.ts";

/** Checks a document against a schema; returns whether it is valid. */
export type Validator = (document: Document, report: Report) => boolean;

/**
 * Creates a validator from a compiled schema, which decides in microseconds, and the schema itself, loaded to explain a
 * rejection. If unknown properties are warnings, a document with no other error is valid.
 */
export function createValidator(
  validate: (value: unknown) => boolean,
  schema: () => Json,
  unknown: "warning" | "error" = "warning",
): Validator {
  return (document, report) => {
    if (validate(document.value)) return true;
    const root = schema();
    const errors = findSchemaErrors(root, root, { value: document.value, owner: undefined, key: undefined });
    if (errors.length === 0) throw new Error("The compiled schema rejects a document that the schema accepts.");
    for (const error of mergeErrors(errors)) report(explain(document, error, unknown));
    return unknown === "warning" && errors.every(({ kind }) => kind === "unknown");
  };
}
