import { clip } from "../../../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB41xx: data and expressions of Serverless Workflow

/** A text that should be a duration, or a repeating one. `problem` is a sentence. */
export const unreadableDuration = defineError("WB4101", (a: { problem: string }) => ({
  message: a.problem,
}));

/** A duration whose length the calendar decides. */
export const inexactDuration = defineWarning("WB4102", (a: { text: string; seconds: number }) => ({
  message: `Years and months have no fixed length; \`${clip(a.text)}\` is taken for ${a.seconds} seconds (365 days a year, 30 a month).`,
}));

/** A state filter that may leave everything as it is. */
export const unfilteredData = defineInfo("WB4103", (a: { path: string }) => ({
  message: `Where \`${clip(a.path)}\` selects nothing, the data stays as it is.`,
}));

/** A path goes into what a filter has already taken out. */
export const filteredAway = defineWarning("WB4104", (a: { name: string; filter: string }) => ({
  message: `\`${clip(a.filter)}\` has replaced the data by the value of \`${clip(a.name)}\`, in which another \`${clip(a.name)}\` is unlikely.`,
}));

/** A result is read both from where it is merged and from where it is placed. */
export const doublePlace = defineWarning("WB4105", (a: { path: string; name: string }) => ({
  message: `What \`${clip(a.path)}\` selects in the result is merged as \`${clip(a.name)}\`; only if it selects nothing is the result placed there. This workflow reads both.`,
}));

/** A text that should be a path and is ignored. */
export const ignoredText = defineWarning("WB4106", (a: { text: string }) => ({
  message: `\`${clip(a.text)}\` is no path; it is ignored.`,
  hint: "A path begins with `$`.",
}));

/** A path at which nothing can be placed. */
export const unplaceable = defineWarning("WB4107", (a: { path: string }) => ({
  message: `Nothing can be placed at \`${clip(a.path)}\`; where it selects nothing, nothing is merged.`,
}));

/** A path that must be a place and is none. */
export const placeNeeded = defineError("WB4108", (a: { path: string }) => ({
  message: `\`${clip(a.path)}\` has to name one place in the data, such as \`$.order.item\`.`,
}));

/** The data of an event may come from before the filter. */
export const eventDataBeforeFilter = defineWarning("WB4109", (a: { path: string; filter: string }) => ({
  message: `\`${clip(a.path)}\` is looked for in what \`${clip(a.filter)}\` leaves, and where that does not have it, in the data before the filter.`,
}));

/** An operator whose meaning only metadata tells. */
export const customOperator = defineError("WB4110", (_: object) => ({
  message: "The operator `custom` has no meaning in the language; this condition cannot be compiled.",
}));

/** A comparison with nothing. */
export const missingOperand = defineError("WB4111", (a: { operator: string }) => ({
  message: `The operator \`${a.operator}\` needs \`value\`.`,
}));

/** An order of texts. */
export const textOrder = defineWarning("WB4112", (a: { value: string }) => ({
  message: `\`${clip(a.value)}\` is neither a number nor a time; it is compared character by character, and only with texts.`,
}));

/** A condition that no value satisfies. */
export const neverHolds = defineWarning("WB4113", (a: { why: string }) => ({
  message: `This condition never holds: ${a.why}.`,
}));

/** An expression language that is not read. */
export const unknownExpressionLanguage = defineError("WB4114", (a: { name: string; known: readonly string[] }) => ({
  message: `Expressions in \`${clip(a.name)}\` are not read; ${a.known.map((name) => `\`${name}\``).join(", ")} are.`,
  hint: didYouMean(a.name, a.known),
}));

/** What goes into the output of a foreach state. */
export const iterationChanges = defineInfo("WB4115", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` has no output filter: only what the iteration has changed goes into the collection.`,
}));
