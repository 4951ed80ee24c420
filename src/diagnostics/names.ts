import { clip } from "../text/clip.ts";
import { defineError, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB20xx: names, and what they refer to

/** A transition names nothing that exists. */
export const unknownState = defineError("WB2001", (a: { noun: string; name: string; known: Iterable<string> }) => ({
  message: `There is no ${a.noun} named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known),
}));

/** A call names a function without a definition. */
export const unknownFunction = defineError("WB2002", (a: { name: string; known: Iterable<string> }) => ({
  message: `There is no function named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `Define it under \`functions\`.`,
}));

/** An event is named that has no definition. */
export const unknownEvent = defineError("WB2003", (a: { name: string; known: Iterable<string> }) => ({
  message: `There is no event named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `Define it under \`events\`.`,
}));

/** A subflow is not among the sources. */
export const externalWorkflow = defineWarning("WB2004", (a: { name: string; known: Iterable<string> }) => ({
  message: `Workflow \`${clip(a.name)}\` is not among the sources; it is taken for one that exists elsewhere under this id.`,
  hint: didYouMean(a.name, a.known),
}));

/** Two workflows of one program have the same id. */
export const duplicateWorkflow = defineError("WB2005", (a: { id: string }) => ({
  message: `Another workflow has the id \`${clip(a.id)}\` already.`,
}));

/** Two definitions of one kind have the same name. */
export const duplicateName = defineError("WB2006", (a: { noun: string; name: string }) => ({
  message: `There is another ${a.noun} named \`${clip(a.name)}\`.`,
}));
