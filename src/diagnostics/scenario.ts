import { clip } from "../text/clip.ts";
import { defineError, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB60xx: scenario files

/** A key that scenario files do not have. */
export const unknownScenarioKey = defineError(
  "WB6001",
  (a: { name: string; owner: string; known: readonly string[] }) => ({
    message: `\`${a.name}\` is no key of ${a.owner}.`,
    hint: didYouMean(a.name, a.known) ?? `Its keys are ${a.known.map((key) => `\`${key}\``).join(", ")}.`,
  }),
);

/** A key that has to be there. */
export const missingScenarioKey = defineError(
  "WB6002",
  (a: { name: string; owner: string; hint?: string | undefined }) => ({
    message: `There is no \`${a.name}\` in ${a.owner}.`,
    hint: a.hint,
  }),
);

/** A value of another kind than has to be there; `subject` begins the sentence. */
export const wrongScenarioValue = defineError("WB6003", (a: { subject: string; wanted: string }) => ({
  message: `${a.subject} has to be ${a.wanted}.`,
}));

/** A text that names none of the things it can. */
export const unknownScenarioWord = defineError(
  "WB6004",
  (a: { name: string; word: string; known: readonly string[] }) => ({
    message: `\`${a.name}\` cannot be \`${a.word}\`; it is one of ${a.known.map((word) => `\`${word}\``).join(", ")}.`,
    hint: didYouMean(a.word, a.known),
  }),
);

/** A duration or an instant that cannot be read. */
export const unreadableTime = defineError("WB6005", (a: { problem: string }) => ({
  message: a.problem,
}));

/** A definition that the scenario file names and that cannot be read. */
export const unreadableDefinition = defineError("WB6007", (a: { path: string; reason: string }) => ({
  message: `\`${a.path}\` cannot be read: ${a.reason}.`,
}));

/** A function that no workflow of the program has; a warning, as the scenario may hold all the same. */
export const unusedAnswer = defineWarning("WB6008", (a: { name: string; known: readonly string[] }) => ({
  message: `The workflow has no function named \`${a.name}\`.`,
  hint: didYouMean(a.name, a.known),
}));

/** A secret that no workflow of the program reads. */
export const unusedSecret = defineWarning("WB6009", (a: { id: string; key: string }) => ({
  message: `No workflow reads the secret \`${clip(a.id)}\` by the key \`${clip(a.key)}\`, so this is not used.`,
}));

/** A name under `subflows` that is the id of none of the definitions, so that a workflow which is started by it is external. */
export const unknownSubflow = defineWarning("WB6010", (a: { name: string; known: readonly string[] }) => ({
  message: `No definition that the scenarios name has the id \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `Their ids are ${a.known.map((id) => `\`${clip(id)}\``).join(", ")}.`,
}));
