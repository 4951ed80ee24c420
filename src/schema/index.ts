import type { Document } from "../documents/index.ts";
import type { Json } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { findSchemaErrors } from "./check.ts";
import { isIgnorable } from "./errors.ts";
import { explain, mergeErrors } from "./explain.ts";
import { correctNames } from "./names.ts";

export { type CreatePlaceholder, recover } from "./recover.ts";

/** Checks a document against a schema; returns whether it is valid. */
export type Validator = (document: Document, report: Report) => boolean;

/**
 * Creates a validator from a compiled schema, which decides in microseconds, and the schema itself, loaded to explain a
 * rejection. If unknown properties are warnings, a document with no other error is valid; one that is likely misspelled or
 * misplaced is an error in any case.
 */
export function createValidator(
  validate: (value: unknown) => boolean,
  schema: () => Json,
  unknown: "warning" | "error" = "warning",
): Validator {
  return (document, report) => {
    if (validate(document.value)) return true;
    const root = schema();
    const { document: corrected, errors: names } = correctNames(document, root);
    const errors = findSchemaErrors(root, root, { value: corrected.value, owner: undefined, key: undefined });
    if (errors.length === 0 && names.length === 0)
      throw new Error("The compiled schema rejects a document that the schema accepts.");
    for (const each of names) report(explain(each.document, each.error, unknown));
    for (const error of mergeErrors(errors)) report(explain(corrected, error, unknown));
    return unknown === "warning" && names.length === 0 && errors.every(isIgnorable);
  };
}
