import { clip } from "../../../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// What front ends have in common: spelling, durations, languages of conditions, definitions of other workflows

/** A word of the language is in upper or mixed case. */
export const foldedCase = defineInfo("WB2101", (a: { value: string; word: string }) => ({
  message: `\`${clip(a.value)}\` is read as \`${a.word}\`.`,
}));

/** A property has another name than the language gives it. */
export const foldedAlias = defineWarning("WB2102", (a: { alias: string; name: string }) => ({
  message: `\`${a.alias}\` is read as \`${clip(a.name)}\`.`,
  hint: `Write \`${clip(a.name)}\`.`,
}));

/** A subflow uses a definition of the workflow that starts it. */
export const inheritedDefinition = defineWarning("WB2116", (a: { noun: string; name: string; parent: string }) => ({
  message: `There is no ${a.noun} named \`${clip(a.name)}\` here; that of workflow \`${clip(a.parent)}\`, which starts this one, is taken.`,
}));

/** A text that should be a duration, or a repeating one. `problem` is a sentence. */
export const unreadableDuration = defineError("WB4101", (a: { problem: string; meant?: string | undefined }) => ({
  message: a.problem,
  hint: a.meant === undefined ? undefined : `Did you mean \`${a.meant}\`?`,
}));

/** A duration whose length the calendar decides. */
export const inexactDuration = defineWarning("WB4102", (a: { text: string; seconds: number }) => ({
  message: `Years and months have no fixed length; \`${clip(a.text)}\` is taken for ${a.seconds} seconds (365 days a year, 30 a month).`,
}));

/** An expression language that is not read. */
export const unknownExpressionLanguage = defineError("WB4114", (a: { name: string; known: readonly string[] }) => ({
  message: `Expressions in \`${clip(a.name)}\` are not read; ${a.known.map((name) => `\`${name}\``).join(", ")} are.`,
  hint: didYouMean(a.name, a.known),
}));
