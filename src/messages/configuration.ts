import { defineError } from "../diagnostics.ts";
import { didYouMean } from "../suggest.ts";
import { clip } from "./clip.ts";

// WB05xx: waybill.config.yaml and the options of the languages

/** A key that the configuration does not have. */
export const unknownConfigurationKey = defineError(
  "WB0501",
  "The configuration has a key that means nothing.",
  (a: { name: string; known: readonly string[] }) => ({
    message: `\`${clip(a.name)}\` is no key of the configuration.`,
    hint:
      didYouMean(a.name, a.known) ?? (a.known.length === 1 ? `Its only key is ${quoted(a.known)}.` : `Its keys are ${quoted(a.known)}.`),
  }),
);

/** A value of another kind than its key asks for. */
export const wrongConfigurationValue = defineError(
  "WB0502",
  "A value in the configuration is not of its kind.",
  (a: { name: string; wanted: string }) => ({ message: `${a.name} has to be ${a.wanted}.` }),
);

/** An option that no language declares. */
export const unknownOption = defineError("WB0503", "There is no option of that name.", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no option \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `There are ${quoted(a.known)}.`,
}));

/** A value that an option does not have. */
export const unknownOptionValue = defineError(
  "WB0504",
  "An option does not have that value.",
  (a: { name: string; value: string; known: readonly string[] }) => ({
    message: `The option \`${clip(a.name)}\` cannot be \`${clip(a.value)}\`; it is one of ${quoted(a.known)}.`,
    hint: didYouMean(a.value, a.known),
  }),
);

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
