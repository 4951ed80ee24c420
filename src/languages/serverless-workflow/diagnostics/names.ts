import { clip } from "../../../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB21xx: spelling, names and references of Serverless Workflow

/** A word of the language is in upper or mixed case. */
export const foldedCase = defineInfo("WB2101", (a: { value: string; word: string }) => ({
  message: `\`${clip(a.value)}\` is read as \`${a.word}\`.`,
}));

/** A property has another name than the language gives it. */
export const foldedAlias = defineWarning("WB2102", (a: { alias: string; name: string }) => ({
  message: `\`${a.alias}\` is read as \`${clip(a.name)}\`.`,
  hint: `Write \`${clip(a.name)}\`.`,
}));

/** The workflow lacks its id, name or version. */
export const missingIdentity = defineWarning("WB2103", (a: { name: string; fallback: string }) => ({
  message: `The workflow has no \`${clip(a.name)}\`; \`${clip(a.fallback)}\` is taken.`,
}));

/** `startsAt`, which an older draft had. */
export const startsAt = defineWarning("WB2104", (a: { state: string }) => ({
  message: `\`startsAt\` is no property of this draft; state \`${clip(a.state)}\` is taken for the start state.`,
  hint: "Give that state `start: { kind: default }`.",
}));

/** `startsAt` names no state. */
export const unknownStart = defineError("WB2105", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no state \`${clip(a.name)}\` to start at.`,
  hint: didYouMean(a.name, a.known),
}));

/** Nothing says where a workflow, a branch or an iteration begins. */
export const noStart = defineError("WB2106", (a: { owner: string }) => ({
  message: `${a.owner} has no start state.`,
  hint: "Give the first state `start: { kind: default }`.",
}));

/** A second start state. */
export const severalStarts = defineError("WB2107", (a: { owner: string; state: string; first: string }) => ({
  message: `${a.owner} has two start states, \`${clip(a.first)}\` and \`${clip(a.state)}\`.`,
}));

/** The only state starts although nothing says so. */
export const impliedStart = defineWarning("WB2108", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` is not marked as the start state; it is taken for it because it is the only one.`,
  hint: "Give it `start: { kind: default }`.",
}));

/** A transition names two states. */
export const ambiguousState = defineError("WB2109", (a: { name: string; other: string }) => ({
  message: `\`${clip(a.name)}\` is the name of one state and the id of another, \`${clip(a.other)}\`.`,
}));

/** Two states have the same id. */
export const duplicateStateId = defineError("WB2110", (a: { id: string; first: string }) => ({
  message: `The id \`${clip(a.id)}\` is already that of state \`${clip(a.first)}\`.`,
}));

/** Two branches have the same name. */
export const duplicateBranch = defineError("WB2111", (a: { name: string; state: string }) => ({
  message: `The parallel state \`${clip(a.state)}\` has two branches named \`${clip(a.name)}\`.`,
}));

/** An event that is waited for has no source. */
export const eventWithoutSource = defineWarning("WB2112", (a: { name: string; type: string }) => ({
  message: `Event \`${clip(a.name)}\` has no \`source\`: an event of type \`${clip(a.type)}\` from anywhere is taken for it.`,
}));

/** A function has no resource. */
export const functionWithoutResource = defineWarning("WB2113", (a: { name: string }) => ({
  message: `Function \`${clip(a.name)}\` has no \`resource\`; where it lives has to be said when the output is deployed.`,
}));

/** A correlation token that CloudEvents would not allow. */
export const foldedToken = defineInfo("WB2114", (a: { token: string }) => ({
  message: `Names of CloudEvents attributes have only lower-case letters and digits; \`${clip(a.token)}\` is compared without regard to case.`,
}));

/** A state waits for an event that any run could take. */
export const uncorrelatedEvent = defineWarning("WB2115", (a: { event: string }) => ({
  message: `Event \`${clip(a.event)}\` has no \`correlationToken\`: of several runs that wait for it, the oldest gets it.`,
}));

/** A subflow uses a definition of the workflow that starts it. */
export const inheritedDefinition = defineWarning("WB2116", (a: { noun: string; name: string; parent: string }) => ({
  message: `There is no ${a.noun} named \`${clip(a.name)}\` here; that of workflow \`${clip(a.parent)}\`, which starts this one, is taken.`,
}));
