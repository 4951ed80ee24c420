import { clip } from "../text/clip.ts";
import { defineError, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB10xx: what does not fit a language's JSON Schema

/**
 * A property that is needed is not there, or none of several. `owner` is a noun phrase, such as "The state `Greet`"; `misspelt` is the name of
 * a property that is there instead.
 */
export const missingProperty = defineError(
  "WB1001",
  (a: { owner: string; names: readonly string[]; misspelt: string | undefined }) => ({
    message:
      a.names.length === 1
        ? `${a.owner} has no \`${a.names[0]}\`.`
        : `${a.owner} has neither ${quoted(a.names).join(" nor ")}.`,
    hint: a.misspelt === undefined ? undefined : didYouMean(a.misspelt, a.names),
  }),
);

/** A property that the language does not know. `noun` is a noun with its article, such as "an action". */
export const unknownProperty = defineWarning(
  "WB1002",
  (a: { noun: string; name: string; known: readonly string[] }) => ({
    message: `\`${clip(a.name)}\` is not a property of ${a.noun}; it has no effect.`,
    hint: didYouMean(a.name, a.known),
  }),
);

/** The property that tells the kinds of an object apart has none of the values that there are. */
export const unknownKind = defineError("WB1003", (a: { tag: string; name: string; known: readonly string[] }) => ({
  message: `There is no ${a.tag} \`${clip(a.name)}\`; there ${a.known.length === 1 ? "is" : "are"} ${quoted(a.known).join(", ")}.`,
  hint: didYouMean(a.name, a.known),
}));

/** A value of another type than is needed. `subject` names the value; `found` and `wanted` are types with their articles. */
export const wrongType = defineError("WB1004", (a: { subject: string; found: string; wanted: string }) => ({
  message: `${a.subject} is ${a.found}; ${a.wanted} is needed here.`,
}));

/** A value that is none of those that there are. `name` is what may be a misspelt one. */
export const unknownValue = defineError(
  "WB1005",
  (a: { subject: string; found: string; known: readonly string[]; name: string | undefined }) => ({
    message: `${a.subject} is ${a.found}; it can only be ${quoted(a.known).join(", ")}.`,
    hint: a.name === undefined ? undefined : didYouMean(a.name, a.known),
  }),
);

/** A value of the right type that is otherwise not as it has to be: empty, out of range, with properties that exclude each other. */
export const wrongShape = defineError("WB1006", (a: { detail: string }) => ({
  message: `${a.detail}.`,
}));

function quoted(names: readonly string[]): readonly string[] {
  return names.map((name) => `\`${name}\``);
}
