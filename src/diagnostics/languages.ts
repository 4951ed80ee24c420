import { defineError, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB01xx: which language a document is in

/** `--from` names no language. */
export const unknownLanguage = defineError("WB0101", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no language \`${a.name}\`; Waybill reads ${list(a.known)}.`,
  hint: didYouMean(a.name, a.known),
}));

/** No front end takes the document for its own. */
export const unknownDialect = defineError("WB0102", (a: { known: readonly string[]; dialect: string | undefined }) => ({
  message: a.dialect
    ? `This looks like ${a.dialect}, which Waybill does not read; it reads ${list(a.known)}.`
    : `This does not look like a workflow in a language that Waybill reads (${list(a.known)}).`,
  hint: a.dialect ? undefined : "If it is one, say which with `--from`.",
}));

/** A file in a folder is left out although it may have been meant as a workflow. */
export const passedOver = defineWarning("WB0103", (a: { language: string; dialect: string | undefined }) => ({
  message: a.dialect
    ? `This file is passed over: it looks like ${a.dialect}, which Waybill does not read.`
    : `This file is passed over: it has a little of a \`${a.language}\` definition, but not enough to be taken for one.`,
  hint: a.dialect ? undefined : `If it is one, name the file itself and say \`--from ${a.language}\`.`,
}));

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
