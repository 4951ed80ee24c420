import type { Document } from "../documents/index.ts";
import type { Json } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { faultsOf } from "./check.ts";
import { explain, joinFaults } from "./explain.ts";

export { recover, type StandIn } from "./recover.ts";

/** Checks a document's shape against a language's JSON Schema and reports what does not fit; true when it fits. */
export type Validator = (document: Document, report: Report) => boolean;

/**
 * Makes a validator from a compiled schema, which is quick and only says yes or no, and the schema itself, which is asked for
 * when the answer is no, to find out why: the titles in it are the nouns of the messages. Where unknown properties are warnings, a
 * document with no other fault fits.
 *
 * There are two readings of a schema on purpose. The one that ajv compiled at build time decides, in microseconds, and a definition that fits never
 * meets the other. The reading here only words faults: it finds those that people can mend, one for each mistake and in the schema's own nouns, where
 * ajv's errors are those of every branch of every union.
 */
export function validatorOf(
  validate: (value: unknown) => boolean,
  schema: () => Json,
  unknown: "warning" | "error" = "warning",
): Validator {
  return (document, report) => {
    if (validate(document.value)) return true;
    const root = schema();
    const faults = faultsOf(root, root, { value: document.value, owner: undefined, key: undefined });
    if (faults.length === 0) throw new Error("A document fits its schema by one reading of it and not by the other.");
    for (const fault of joinFaults(faults)) report(explain(document, fault, unknown));
    return unknown === "warning" && faults.every(({ kind }) => kind === "unknown");
  };
}
