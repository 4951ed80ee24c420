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

// Files that definitions refer to

/** An unreadable file of definitions. */
export const unreadableDefinitions = defineError("WB2403", (a: { key: string; uri: string; reason: string }) => ({
  message: `Cannot read the ${a.key} in \`${truncate(a.uri)}\`: ${a.reason}.`,
  hint: "Use a path relative to this file, or write the definitions inline.",
}));

/** Files of definitions form a cycle. */
export const circularDefinitions = defineError("WB2404", (a: { cycle: readonly string[] }) => ({
  message: `Circular reference between files: ${joinCycle(a.cycle)}.`,
  hint: "Write the definitions in one of these files.",
}));

/** A file without definitions of the expected kind. */
export const noDefinitions = defineError("WB2405", (a: { key: string; uri: string }) => ({
  message: `\`${truncate(a.uri)}\` contains no ${a.key}.`,
  hint: `Write an array of ${a.key}, or an object with the key \`${a.key}\`.`,
}));

/** An unreadable document of a function. */
export const unreadableDocument = defineWarning("WB2406", (a: { what: string; uri: string; reason: string }) => ({
  message: `Cannot read the ${a.what} \`${truncate(a.uri)}\`: ${a.reason}.`,
  hint: "Add the file, or bind the function in the configuration.",
}));

/** An `operation` of the wrong form. */
export const unusableOperation = defineError("WB2407", (a: { operation: string; wanted: string; type: string }) => ({
  message: `\`${truncate(a.operation)}\` is not a valid operation of a function of type \`${a.type}\`.`,
  hint: `Write ${a.wanted}.`,
}));

/** An unknown operation, service or method. */
export const missingOperation = defineError(
  "WB2408",
  (a: { noun: string; name: string; uri: string; known: Iterable<string> }) => ({
    message: `\`${truncate(a.uri)}\` has no ${a.noun} \`${truncate(a.name)}\`.`,
    hint: didYouMean(a.name, a.known),
  }),
);

/** An operation that cannot be called. */
export const uncallableOperation = defineWarning("WB2412", (a: { name: string; reason: string }) => ({
  message: `Operation \`${truncate(a.name)}\` cannot be called as its document describes it: ${a.reason}.`,
  hint: "Bind the function in the configuration.",
}));

/** Functions of type `expression` form a cycle. */
export const circularFunction = defineError("WB2409", (a: { cycle: readonly string[] }) => ({
  message: `Circular reference between functions: ${joinCycle(a.cycle)}.`,
  hint: "Replace one of the references with an expression of its own.",
}));

/** The members of a cycle, in order. */
export const joinCycle = (names: readonly string[]): string => names.map((name) => `\`${truncate(name)}\``).join(" → ");
