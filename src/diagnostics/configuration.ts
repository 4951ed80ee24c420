import { clip } from "../text/clip.ts";
import { defineError, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB05xx: waybill.config.yaml and the options of the languages

/** A key that the configuration does not have. */
export const unknownConfigurationKey = defineError("WB0501", (a: { name: string; known: readonly string[] }) => ({
  message: `\`${clip(a.name)}\` is no key of the configuration.`,
  hint:
    didYouMean(a.name, a.known) ??
    (a.known.length === 1 ? `Its only key is ${quoted(a.known)}.` : `Its keys are ${quoted(a.known)}.`),
}));

/** A value of another kind than its key asks for. */
export const wrongConfigurationValue = defineError("WB0502", (a: { name: string; wanted: string }) => ({
  message: `${a.name} has to be ${a.wanted}.`,
}));

/** An option that no language declares. */
export const unknownOption = defineError("WB0503", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no option \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `There are ${quoted(a.known)}.`,
}));

/** A value that an option does not have. */
export const unknownOptionValue = defineError(
  "WB0504",
  (a: { name: string; value: string; known: readonly string[] }) => ({
    message: `The option \`${clip(a.name)}\` cannot be \`${clip(a.value)}\`; it is one of ${quoted(a.known)}.`,
    hint: didYouMean(a.value, a.known),
  }),
);

/** A binding that names two places. */
export const severalPlaces = defineError("WB0505", (a: { first: string; second: string }) => ({
  message: `The function is bound by \`${a.first}\` already, so it cannot be by \`${a.second}\` too.`,
}));

/** A secret that would stand in the emitted program. */
export const openSecret = defineWarning("WB0506", (a: { header: string }) => ({
  message: `The header \`${clip(a.header)}\` usually holds a secret, and this value will stand in the emitted program.`,
  hint: "`{ env: NAME }` takes it from the environment when it is needed.",
}));

/** A secret that others can read on the way. */
export const unencryptedSecret = defineWarning("WB0507", (a: { header: string }) => ({
  message: `The header \`${clip(a.header)}\` comes from the environment and would be sent by \`http:\`, where it can be read on the way.`,
}));

/** A binding of what no definition has. */
export const unknownBoundName = defineWarning(
  "WB0508",
  (a: { noun: string; name: string; known: readonly string[] }) => ({
    message: `No definition has ${a.noun === "event" ? "an" : "a"} ${a.noun} \`${clip(a.name)}\`, so this binds nothing.`,
    hint: didYouMean(a.name, a.known),
  }),
);

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
