import { clip } from "../text/clip.ts";
import { defineInfo, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB43xx: types, as JSON Schemas say them

/** A path leads where nothing can be. */
export const impossiblePath = defineWarning(
  "WB4301",
  (a: { step: string | number; within: readonly string[]; known: readonly string[] }) => ({
    message: `There can be no ${stepName(a.step)} in ${listed(a.within)}.`,
    hint: remedy(a),
  }),
);

/** A path may be misspelt. */
export const unlistedMember = defineInfo("WB4302", (a: { name: string; known: readonly string[] }) => ({
  message: `The schema does not rule out a member \`${clip(a.name)}\`, but it lists none.`,
  hint: didYouMean(a.name, a.known),
}));

/** A schema's file is not there, or cannot be read. */
export const missingSchema = defineWarning("WB4303", (a: { uri: string; reason: string }) => ({
  message: `The schema \`${clip(a.uri)}\` cannot be read: ${a.reason}.`,
}));

/** A schema's file has no such part. */
export const missingSchemaPart = defineWarning("WB4304", (a: { path: string; fragment: string }) => ({
  message: `In \`${clip(a.path)}\` there is no schema at \`#${clip(a.fragment)}\`.`,
}));

/** A schema's text is broken. */
export const brokenSchema = defineWarning("WB4305", (a: { message: string; hint?: string | undefined }) => ({
  message: `This is not a schema. ${a.message}`,
  hint: a.hint,
}));

/** A reference in a schema leads nowhere. */
export const danglingSchemaReference = defineWarning("WB4306", (a: { reference: string }) => ({
  message: `There is no schema at \`${clip(a.reference)}\` in this file.`,
  hint: "Until there is, it allows for anything.",
}));

/** What a workflow gives cannot be what its schema says. */
export const outputMisfit = defineWarning(
  "WB4307",
  (a: { path: readonly string[]; found: readonly string[]; wanted: readonly string[] }) => ({
    message: `The workflow's output does not fit its schema: ${subject(a.path)} is ${listed(a.found)}, and not ${listed(a.wanted)}.`,
  }),
);

const stepName = (step: string | number): string =>
  typeof step === "string" ? `member \`${clip(step)}\`` : `element ${step}`;

function remedy({
  step,
  within,
  known,
}: {
  step: string | number;
  within: readonly string[];
  known: readonly string[];
}): string | undefined {
  if (typeof step === "string" && within.includes("this object")) return didYouMean(step, known);
  return within.includes("an array") ? "Elements of an array are selected by `[0]` or `[*]`." : undefined;
}

const subject = (path: readonly string[]): string => (path.length === 0 ? "it" : `\`${clip(path.join("."))}\``);

/** "a text, a number or null". */
function listed(nouns: readonly string[]): string {
  const [last, ...others] = [...nouns].reverse();
  return others.length === 0 ? (last ?? "nothing") : `${others.reverse().join(", ")} or ${last}`;
}
