import { truncate } from "../../../src/text/clip.ts";
import { defineError, defineInfo } from "../../../src/text/diagnostics.ts";

// WB52xx: what the openwhisk target cannot express exactly

/** A construct that has no exact form. */
export const openwhiskInexact = defineError("WB5201", (a: { construct: string; hint?: string | undefined }) => ({
  message: `Target openwhisk has no exact form for ${a.construct}.`,
  hint: a.hint,
}));

/** A timeout that is longer than an action may run. */
export const openwhiskActionTime = defineInfo("WB5202", (a: { name: string; seconds: number }) => ({
  message: `An action takes at most 5 minutes: a call of \`${truncate(a.name)}\` that takes longer fails as a time-out then, not after ${a.seconds} s.`,
}));

/** A value that the platform does not carry, whatever the data of a run is. */
export const openwhiskTooLarge = defineError("WB5203", (a: { bytes: number; most: number }) => ({
  message: `This has at least ${a.bytes} bytes as JSON; what OpenWhisk carries has at most ${a.most}.`,
  hint: "Send where it is stored instead, or a part of it at a time.",
}));

/** More side by side than a namespace has activations at once. */
export const openwhiskWide = defineInfo("WB5205", (a: { count: number; most: number }) => ({
  message: `Up to ${a.count} run here at once. A namespace has ${a.most} activations at once where its provider says nothing else: what is one too many is tried again until there is a place.`,
  hint: "A lower width says what is meant on every target.",
}));

/** A workflow that is none of the program's is called as an action, which answers when its activation ends. */
export const openwhiskExternalFlow = defineInfo("WB5204", (a: { id: string }) => ({
  message: `Workflow \`${truncate(a.id)}\` is called as an action: where its runs may be suspended, the answer is that one was, and not its output.`,
  hint: "Compile it together with this one: its runs are waited for then, however long they take.",
}));
