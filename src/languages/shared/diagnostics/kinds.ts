import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// Shared by several languages: spelling, durations, expression languages, inherited definitions

/** A keyword in another case. */
export const foldedCase = defineInfo("WB2101", (a: { value: string; word: string }) => ({
  message: `\`${truncate(a.value)}\` is read as \`${a.word}\`.`,
}));

/** Another name of a property or keyword. */
export const foldedAlias = defineWarning("WB2102", (a: { alias: string; name: string }) => ({
  message: `\`${a.alias}\` is read as \`${truncate(a.name)}\`.`,
  hint: `Write \`${truncate(a.name)}\`.`,
}));

/** A subflow inherits a definition. */
export const inheritedDefinition = defineWarning("WB2116", (a: { noun: string; name: string; parent: string }) => ({
  message: `This workflow does not define ${a.noun} \`${truncate(a.name)}\`; the definition in \`${truncate(a.parent)}\`, which starts this workflow, is used.`,
}));

/** An invalid duration or interval; `message` is a sentence. */
export const invalidDuration = defineError("WB4101", (a: { message: string; suggestion?: string | undefined }) => ({
  message: a.message,
  hint: a.suggestion === undefined ? undefined : `Did you mean \`${a.suggestion}\`?`,
}));

/** A duration with years or months. */
export const inexactDuration = defineWarning("WB4102", (a: { text: string; seconds: number }) => ({
  message: `Years and months have no fixed length; \`${truncate(a.text)}\` is converted to ${a.seconds} seconds (365 days per year, 30 per month).`,
}));

/** An unsupported expression language. */
export const unknownExpressionLanguage = defineError("WB4114", (a: { name: string; known: readonly string[] }) => ({
  message: `Unknown expression language \`${truncate(a.name)}\`; supported are ${a.known.map((name) => `\`${name}\``).join(", ")}.`,
  hint: didYouMean(a.name, a.known),
}));

/** An expression in the delimiters of another language. */
export const foreignExpression = defineWarning("WB4117", (a: { text: string; meant?: string | undefined }) => ({
  message: `\`${truncate(a.text)}\` is not evaluated here: it is plain text.`,
  hint: a.meant === undefined ? undefined : `Write \`${truncate(a.meant)}\` for the value in the data.`,
}));
