import { clip } from "../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
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

/** An option that no language has. */
export const unknownOption = defineError("WB0503", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no option \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? (a.known.length > 0 ? `There are ${quoted(a.known)}.` : undefined),
}));

/** An option by itself that several languages have. */
export const ambiguousOption = defineError("WB0516", (a: { name: string; languages: readonly string[] }) => ({
  message: `\`${clip(a.name)}\` is an option of ${quoted(a.languages)}.`,
  hint: `Say of which: \`${a.languages[0]}: { ${clip(a.name)}: … }\` in a file, \`${a.languages[0]}.${clip(a.name)}=…\` on the command line.`,
}));

/** A value that an option does not have. */
export const unknownOptionValue = defineError(
  "WB0504",
  (a: { name: string; value: string; known: readonly string[]; wanted?: string | undefined }) => ({
    message: `The option \`${clip(a.name)}\` cannot be \`${clip(a.value)}\`; it is ${a.wanted ?? `one of ${quoted(a.known)}`}.`,
    hint: didYouMean(a.value, a.known),
  }),
);

/** A binding that names two places. */
export const severalPlaces = defineError("WB0505", (a: { first: string; second: string }) => ({
  message: `The function is bound by \`${a.first}\` already, so it cannot be by \`${a.second}\` too.`,
}));

/** A binding of what no definition has, and which is nearly called as what one has. */
export const unknownBoundName = defineWarning(
  "WB0508",
  (a: { noun: string; name: string; known: readonly string[] }) => ({
    message: `No definition has ${a.noun === "event" ? "an" : "a"} ${a.noun} \`${clip(a.name)}\`, so this binds nothing.`,
    hint: didYouMean(a.name, a.known),
  }),
);

/** A binding that binds to nothing. */
export const emptyBinding = defineWarning("WB0522", (a: { name: string }) => ({
  message: `This says for no target where \`${clip(a.name)}\` is.`,
  hint: "Write it under the name of a target, or leave it out.",
}));

/** A binding of what is defined and not used. */
export const unusedBinding = defineWarning("WB0509", (a: { noun: "function" | "event"; name: string }) => ({
  message: `No workflow ${a.noun === "event" ? "emits" : "calls"} the ${a.noun} \`${clip(a.name)}\`, so this binding is not used.`,
}));

/** A target that does not exist, where the configuration speaks to one. `owner`: the target whose bindings have a member of that name. */
export const unknownTarget = defineWarning(
  "WB0510",
  (a: { name: string; known: readonly string[]; owner: string | undefined }) => ({
    message: `There is no target \`${clip(a.name)}\` that takes this, so it is not used.`,
    hint:
      a.owner === undefined
        ? (didYouMean(a.name, a.known) ?? `There are ${quoted(a.known)}.`)
        : `\`${a.name}\` is said for the target ${a.owner}: write \`${a.owner}: { ${a.name}: … }\`.`,
  }),
);

/** A member of one target's bindings in another's. */
export const misplacedMember = defineError("WB0511", (a: { name: string; target: string; owner: string }) => ({
  message: `\`${clip(a.name)}\` is what target ${a.owner} reads; target ${a.target} has no such binding.`,
  hint: `Write it under \`${a.owner}\`.`,
}));

/** What is bound for other targets than the one that is compiled to. */
export const unreadBindings = defineInfo(
  "WB0512",
  (a: { target: string; targets: readonly string[]; names: readonly string[] }) => ({
    message: `Target ${a.target} reads nothing of what is bound here: ${shortened(a.names)} ${a.names.length === 1 ? "is" : "are"} bound for ${a.targets.join(" and ")} only.`,
  }),
);

/** A choice that is made already, by itself or under the name of its language. */
export const optionTwice = defineError("WB0514", (a: { name: string }) => ({
  message: `The option \`${clip(a.name)}\` is chosen already.`,
  hint: "Leave one of the two out.",
}));

/** Several configurations in one folder. */
export const severalConfigurations = defineError("WB0517", (a: { first: string }) => ({
  message: `In this folder \`${a.first}\` is the configuration already.`,
  hint: "Keep one of the two.",
}));

/** Definitions that become one program have different configurations, which contradict each other. */
export const contradictingBindings = defineError("WB0518", (a: { noun: "function" | "event"; name: string }) => ({
  message: `The ${a.noun} \`${clip(a.name)}\` is bound otherwise by another configuration, and one program has only one ${a.noun} of that name.`,
  hint: `Bind it alike in both, call one of them otherwise, or compile the definitions to programs of their own.`,
}));

/** What is bound, and these definitions have not: others may have it that share the configuration. */
export const bindingsOfOthers = defineInfo("WB0519", (a: { names: readonly string[] }) => ({
  message: `These definitions have no ${shortened(a.names)}, so what is bound for ${a.names.length === 1 ? "it" : "them"} is for others, or for none.`,
}));

/** A grade of diagnostics that means nothing. */
export const unknownGrade = defineError("WB0520", (a: { detail: string }) => ({
  message: `${a.detail}.`,
  hint: "Write the code of a warning or an info and what becomes of it, such as `WB4103: off`.",
}));

/** A kind of diagnostic that is to be ignored in a line, or in an object, where there is none. */
export const unusedIgnore = defineWarning("WB0521", (a: { code: string; isLine: boolean }) => ({
  message: `${a.isLine ? "The next line" : "The object with this `metadata`"} has no ${clip(a.code)} to ignore.`,
  hint: "Leave it out here.",
}));

const shortened = (names: readonly string[]): string => {
  const shown = names.slice(0, names.length > 4 ? 3 : 4).map((name) => `\`${clip(name)}\``);
  return shown.length < names.length ? `${shown.join(", ")} and ${names.length - shown.length} more` : shown.join(", ");
};

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
