import { defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
import { didYouMean, truncate } from "../text/messages.ts";
import { joinAlternatives } from "./reading.ts";

// WB05xx: configuration files and language options

/** An unknown configuration key. */
export const unknownConfigurationKey = defineError("WB0501", (a: { name: string; known: readonly string[] }) => ({
  message: `Unknown configuration key \`${truncate(a.name)}\`.`,
  hint:
    didYouMean(a.name, a.known) ??
    (a.known.length === 1 ? `The only valid key is ${quoted(a.known)}.` : `Valid keys: ${quoted(a.known)}.`),
}));

/** A configuration value of the wrong type. */
export const wrongConfigurationValue = defineError("WB0502", (a: { name: string; wanted: string }) => ({
  message: `${a.name} must be ${a.wanted}.`,
}));

/** An unknown language option. */
export const unknownOption = defineError("WB0503", (a: { name: string; known: readonly string[] }) => ({
  message: `Unknown option \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? (a.known.length > 0 ? `Available options: ${quoted(a.known)}.` : undefined),
}));

/** An unqualified option that several languages have. */
export const ambiguousOption = defineError("WB0516", (a: { name: string; languages: readonly string[] }) => ({
  message: `\`${truncate(a.name)}\` is an option of several languages: ${quoted(a.languages)}.`,
  hint: `Qualify it: \`${a.languages[0]}: { ${truncate(a.name)}: … }\` in a file, or \`${a.languages[0]}.${truncate(a.name)}=…\` on the command line.`,
}));

/** An invalid option value. */
export const unknownOptionValue = defineError(
  "WB0504",
  (a: { name: string; value: string; known: readonly string[]; wanted?: string | undefined }) => ({
    message: `Option \`${truncate(a.name)}\` must be ${a.wanted ?? joinAlternatives(a.known.map((name) => `\`${name}\``))}, not \`${truncate(a.value)}\`.`,
    hint: didYouMean(a.value, a.known),
  }),
);

/** A function with two exclusive bindings. */
export const conflictingBindings = defineError("WB0505", (a: { first: string; second: string }) => ({
  message: `This function is already bound by \`${a.first}\`; it cannot also be bound by \`${a.second}\`.`,
  hint: "Keep one of the two.",
}));

/** A binding whose name resembles a defined one. */
export const unknownBoundName = defineWarning(
  "WB0508",
  (a: { noun: string; name: string; known: readonly string[] }) => ({
    message: `No definition has ${a.noun === "event" ? "an" : "a"} ${a.noun} \`${truncate(a.name)}\`, so this binding has no effect.`,
    hint: didYouMean(a.name, a.known),
  }),
);

/** A binding without a target. */
export const emptyBinding = defineWarning("WB0522", (a: { name: string }) => ({
  message: `The binding of \`${truncate(a.name)}\` names no target.`,
  hint: "Nest the binding under the name of a target, or remove it.",
}));

/** A binding of an unused name. */
export const unusedBinding = defineWarning("WB0509", (a: { noun: string; verb: string; name: string }) => ({
  message: `No workflow ${a.verb} the ${a.noun} \`${truncate(a.name)}\`, so this binding is unused.`,
}));

/** A key that is not a target. `owner`: the target whose bindings have such a member. */
export const unknownTarget = defineWarning(
  "WB0510",
  (a: { name: string; known: readonly string[]; owner: string | undefined }) => ({
    message: `\`${truncate(a.name)}\` is not a target that can be configured here; it is ignored.`,
    hint:
      a.owner === undefined
        ? (didYouMean(a.name, a.known) ?? `Valid targets: ${quoted(a.known)}.`)
        : `Nest it under its target: \`${a.owner}: { ${a.name}: … }\`.`,
  }),
);

/** A setting of another target. */
export const misplacedSetting = defineError("WB0511", (a: { name: string; target: string; owner: string }) => ({
  message: `\`${truncate(a.name)}\` is a setting of target ${a.owner}, not of target ${a.target}.`,
  hint: `Move it under \`${a.owner}\`.`,
}));

/** Bindings, but not for this target. */
export const bindingsForOtherTargets = defineInfo(
  "WB0512",
  (a: { target: string; targets: readonly string[]; names: readonly string[] }) => ({
    message: `Target ${a.target} uses none of these bindings: ${shortened(a.names)} ${a.names.length === 1 ? "is" : "are"} bound only for ${a.targets.join(" and ")}.`,
  }),
);

/** A path under `workflows` that is not among the sources, and whose workflow is started. */
export const missingDefinition = defineInfo("WB0528", (a: { id: string; path: string }) => ({
  message: `\`${truncate(a.path)}\` is not among the sources, so the workflow \`${truncate(a.id)}\` has no definition here.`,
  hint: "Correct the path, which is relative to this file, or compile the definition too.",
}));

/** A glob of a project without files. `count`: files that match, and none has the wanted content. */
export const noProjectFiles = defineError("WB0529", (a: { noun: string; pattern: string; count: number }) => ({
  message: `No ${a.noun} matches \`${truncate(a.pattern)}\`.`,
  hint:
    a.count === 0
      ? "Correct the glob, which is relative to this file, or remove it."
      : `${a.count === 1 ? "1 file matches, but it" : `${a.count} files match, but none`} is${a.count === 1 ? " not" : ""} a ${a.noun}.`,
}));

/** A path that leaves the folder of the project. */
export const outsideProject = defineError("WB0530", (a: { path: string }) => ({
  message: `\`${truncate(a.path)}\` is outside of the project.`,
  hint: "Move the configuration to a folder that contains these files, or give them a project of their own.",
}));

/** An output for an unknown target. */
export const unknownOutputTarget = defineError("WB0531", (a: { name: string; known: readonly string[] }) => ({
  message: `Unknown target \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `Available targets: ${quoted(a.known)}.`,
}));

/** An option that is set twice, with and without its language. */
export const duplicateOption = defineError("WB0514", (a: { name: string }) => ({
  message: `Option \`${truncate(a.name)}\` is already set.`,
  hint: "Remove one of the two.",
}));

/** Several configuration files in one folder. */
export const duplicateConfiguration = defineError("WB0517", (a: { first: string }) => ({
  message: `This folder already has a configuration, \`${a.first}\`.`,
  hint: "Keep one of the two.",
}));

/** A file with a name that other tools use for their configurations. */
export const unsupportedConfiguration = defineWarning("WB0533", () => ({
  message: "This file is not read: a configuration is YAML or JSON.",
  hint: "Move its content to `waybill.config.yaml`, or remove it.",
}));

/** Configurations of one program bind the same name differently. */
export const contradictingBindings = defineError("WB0518", (a: { noun: "function" | "event"; name: string }) => ({
  message: `Another configuration of this program binds the ${a.noun} \`${truncate(a.name)}\` differently.`,
  hint: "Use the same binding in both, rename one of them, or compile the definitions into separate programs.",
}));

/** Bindings of names that these definitions lack. */
export const bindingsOfOtherDefinitions = defineInfo("WB0519", (a: { names: readonly string[] }) => ({
  message: `These definitions have no ${shortened(a.names)}; ${a.names.length === 1 ? "its binding is" : "their bindings are"} unused here.`,
}));

/** An invalid entry of `diagnostics`. */
export const invalidLevel = defineError("WB0520", (a: { detail: string }) => ({
  message: `${a.detail}.`,
  hint: "Map the code of a warning or an info to a level, such as `WB4103: off`.",
}));

/** A suppression without a diagnostic. */
export const unusedSuppression = defineWarning("WB0521", (a: { code: string; isLine: boolean }) => ({
  message: `Unused suppression: ${a.isLine ? "the next line" : "the object with this `metadata`"} does not produce ${truncate(a.code)}.`,
  hint: "Remove the suppression.",
}));

/** A signature that `trust: types` cannot read. */
export const unreadableSignature = defineError(
  "WB0523",
  (a: { name: string; module: string; reason: string; hint?: string | undefined }) => ({
    message: `Cannot read the types of \`${truncate(a.name)}\` in \`${truncate(a.module)}\`: ${a.reason}.`,
    hint: a.hint,
  }),
);

/** A module with type errors, whose types are not trusted. */
export const moduleWithErrors = defineWarning("WB0524", (a: { module: string; message: string; count: number }) => ({
  message: `The results of functions in \`${truncate(a.module)}\` are not trusted, because TypeScript reports ${a.count === 1 ? "an error" : `${a.count} errors`} in it. ${a.message}.`,
}));

/** A part of a signature that is not JSON. */
export const inexactSignature = defineWarning(
  "WB0525",
  (a: { name: string; of: "parameter" | "result"; path: string; what: string; others: number }) => ({
    message: `The ${a.of} of \`${truncate(a.name)}\` has ${a.what}${a.path === "" ? "" : ` at \`${truncate(a.path)}\``}, which is not JSON${a.others === 0 ? "" : `, and ${a.others} other such ${a.others === 1 ? "part" : "parts"}`}.`,
    hint: "Declare a type with a JSON value; until then, any value is assumed there.",
  }),
);

/** A function that is not bound to a module. */
export const ineffectiveTrust = defineWarning("WB0526", () => ({
  message: "`trust: types` has no effect, because this function is not bound to a module.",
  hint: "Bind the function to a module, or describe its result by a JSON Schema under `result`.",
}));

/** A result schema that no value of the declared type fits. */
export const contradictingResult = defineError("WB0527", (a: { name: string }) => ({
  message: `The type of \`${truncate(a.name)}\` contradicts the schema under \`result\`.`,
  hint: "Correct one of the two, or remove the schema.",
}));

/** A configuration to extend that cannot be read. */
export const unreadableBase = defineError("WB0532", (a: { path: string; reason: string }) => ({
  message: `Cannot extend \`${truncate(a.path)}\`: ${a.reason}.`,
}));

/** A plug-in that cannot be loaded or used. */
export const unusablePlugin = defineError("WB0540", (a: { module: string; reason: string }) => ({
  message: `Cannot use the plug-in \`${truncate(a.module)}\`: ${a.reason}.`,
}));

const shortened = (names: readonly string[]): string => {
  const shown = names.slice(0, names.length > 4 ? 3 : 4).map((name) => `\`${truncate(name)}\``);
  return shown.length < names.length ? `${shown.join(", ")} and ${names.length - shown.length} more` : shown.join(", ");
};

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
