import { defineError, defineInfo, defineProgramInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// WB26xx: versions, names and references of Serverless Workflow 1.0

/** A version other than 1.0.x. */
export const unsupportedVersion = defineError("WB2601", (a: { version: string }) => ({
  message: `This compiler reads Serverless Workflow 1.0.x, not \`${truncate(a.version)}\`.`,
}));

/** A pre-release of 1.0.0. */
export const preRelease = defineWarning("WB2602", (a: { version: string }) => ({
  message: `\`${truncate(a.version)}\` is a pre-release of 1.0.0 and is read as 1.0.3.`,
  hint: "Write `1.0.3`.",
}));

/** A version without a patch number. */
export const shortVersion = defineWarning("WB2603", (a: { version: string }) => ({
  message: `\`${truncate(a.version)}\` is read as \`1.0.0\`.`,
  hint: "Write `'1.0.0'`.",
}));

/** A version that is a number. */
export const numericVersion = defineWarning("WB2604", () => ({
  message: "YAML reads this version as a number.",
  hint: "Write `'1.0.0'`.",
}));

/** A namespace or name that is not a DNS label. */
export const badName = defineWarning("WB2605", (a: { key: string; name: string }) => ({
  message: `\`${truncate(a.name)}\` is not a valid \`${a.key}\`: other engines reject it.`,
  hint: "Use lowercase letters, digits and hyphens.",
}));

/** A workflow version that is not a semantic version. */
export const versionWithoutParts = defineWarning("WB2606", (a: { version: string }) => ({
  message: `\`${truncate(a.version)}\` is not a semantic version; it is compared as a string.`,
  hint: "Write three numbers, such as `1.0.0`.",
}));

/** Tasks in the form of alpha versions. */
export const mappedTasks = defineError("WB2607", (a: { key: string }) => ({
  message: `\`${a.key}\` is a mapping, as in alpha versions of 1.0.`,
  hint: "Write an array whose items have one key each: `- name: …`.",
}));

/** A spelling of older versions. */
export const olderSpelling = defineInfo("WB2608", (a: { from: string; to: string }) => ({
  message: `\`${a.from}\` is read as \`${a.to}\`.`,
}));

/** Named arguments of a process. */
export const namedArguments = defineWarning("WB2609", () => ({
  message: "`arguments` is a mapping, as in versions up to 1.0.2; it is read as `environment`.",
  hint: "Write an array, or rename it to `environment`.",
}));

/** The key `on` that a YAML 1.1 parser read as a boolean. */
export const onAsTrue = defineError("WB2610", () => ({
  message: "The key is `true`: a converter read `on` as a boolean.",
  hint: "Write `on`.",
}));

/** A task without a kind. */
export const taskWithoutKind = defineError("WB2611", (a: { name: string; meant: string | undefined }) => ({
  message: `Task \`${truncate(a.name)}\` has no kind, such as \`set\` or \`call\`.`,
  hint: a.meant === undefined ? undefined : `Did you mean \`${a.meant}\`?`,
}));

/** A task with several kinds. */
export const severalKinds = defineError("WB2612", (a: { name: string; kinds: readonly string[] }) => ({
  message: `Task \`${truncate(a.name)}\` has several kinds: ${a.kinds.map((kind) => `\`${kind}\``).join(", ")}.`,
  hint: "Write one task for each.",
}));

/** A directive that names no task. */
export const unknownTask = defineError("WB2614", (a: { name: string; known: readonly string[] }) => ({
  message: `The list has no task \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known),
  misspelt: { ...a, isOpen: true },
}));

/** A directive that names a task of another list. */
export const taskElsewhere = defineError("WB2615", (a: { name: string; pointer: string }) => ({
  message: `Task \`${truncate(a.name)}\` is not in this list, but at \`${truncate(a.pointer)}\`.`,
  hint: "`then` names tasks of the same list.",
}));

/** A component that is not defined. */
export const unknownComponent = defineError(
  "WB2616",
  (a: { noun: string; name: string; known: readonly string[]; under: string }) => ({
    message: `Unknown ${a.noun} \`${truncate(a.name)}\`.`,
    hint: didYouMean(a.name, a.known) ?? `Define it under \`${a.under}\`.`,
  }),
);

/** A call of something unknown. */
export const unknownCall = defineError("WB2617", (a: { name: string; meant: string | undefined }) => ({
  message: `\`${truncate(a.name)}\` is neither a kind of call nor a function.`,
  hint: a.meant === undefined ? "Define it under `use.functions`." : `Did you mean \`${truncate(a.meant)}\`?`,
}));

/** A function that calls itself. */
export const recursiveFunction = defineError("WB2618", (a: { cycle: readonly string[] }) => ({
  message: `Function \`${truncate(a.cycle.at(-1)!)}\` calls itself: ${a.cycle.map((name) => `\`${truncate(name)}\``).join(" → ")}.`,
  hint: "Functions are inlined where they are called. Write a workflow of its own, and start it with `run.workflow`.",
}));

/** A file that cannot be read. */
export const unreadableResource = defineWarning("WB2619", (a: { uri: string; reason: string }) => ({
  message: `Cannot read \`${truncate(a.uri)}\`: ${a.reason}.`,
  hint: "Save a copy in the project, and refer to it by a relative path.",
}));

/** A kind of call that has to be bound. */
export const unboundProtocol = defineWarning("WB2622", (a: { protocol: string; name: string }) => ({
  message: `Calls of kind \`${a.protocol}\` need a binding of function \`${truncate(a.name)}\`.`,
  hint: "Bind it in `waybill.config.yaml`.",
}));

/** A subscription of asyncapi. */
export const unsupportedSubscription = defineError("WB2623", () => ({
  message: "Messages of a channel cannot be consumed.",
  hint: "Use `listen` for events.",
}));

/** A policy that is not supported; `what` is a subject. */
export const unsupportedAuthentication = defineError("WB2624", (a: { what: string }) => ({
  message: `${a.what} is not supported for authentication.`,
  hint: "Bind the function in `waybill.config.yaml` to a function that authenticates itself.",
}));

/** A policy whose parts are neither constants of the definition nor secrets. */
export const computedAuthentication = defineWarning("WB2629", (a: { kind: string }) => ({
  message: `This \`${a.kind}\` policy is not in the definition itself: the function needs a binding.`,
  hint: `Write \`authority\` and \`client\` here, with credentials such as \`\${ $secrets.NAME.KEY }\`, or bind the function in \`waybill.config.yaml\`.`,
}));

/** A token endpoint that is not discovered. */
export const assumedTokenEndpoint = defineWarning("WB2630", (a: { endpoint: string }) => ({
  message: `Token endpoints are not discovered: \`${truncate(a.endpoint)}\` is used.`,
  hint: "Add `endpoints.token`, the path at the authority.",
}));

/** A language of scripts that is not supported. */
export const unknownScript = defineError("WB2625", (a: { language: string }) => ({
  message: `Unknown script language \`${truncate(a.language)}\`.`,
  hint: "Write `js` or `python`.",
}));

/** A workflow without version. */
export const subflowWithoutVersion = defineWarning("WB2626", (a: { name: string }) => ({
  message: `No version of workflow \`${truncate(a.name)}\` is given.`,
  hint: "Add `version`, such as `1.0.0` or `latest`.",
}));

/** An expression language that is not supported. */
export const unknownEvaluation = defineError("WB2627", (a: { language: string }) => ({
  message: `Expressions in \`${truncate(a.language)}\` are not supported.`,
  hint: "Write them in `jq`.",
}));

/** The mode `loose`. */
export const looseEvaluation = defineError("WB2628", () => ({
  message: "`loose` is not supported: an expression that fails would become data.",
  hint: `Write \`strict\`, and put expressions in \`\${ }\`.`,
}));

/** More tasks than a workflow may have. */
export const tooManyTasks = defineError("WB2631", () => ({
  message: "The workflow has too many tasks, with functions inlined and extensions applied.",
  hint: "Write a workflow of its own, and start it with `run.workflow`.",
}));

/** A task named like a directive. */
export const reservedName = defineWarning("WB2632", (a: { name: string }) => ({
  message: `\`then: ${a.name}\` is a directive and never leads to this task.`,
  hint: "Rename the task.",
}));

/** A property that the declared version does not have. */
export const newerProperty = defineInfo("WB2633", (a: { what: string; version: string; since: string }) => ({
  message: `\`${a.what}\` is not in Serverless Workflow ${truncate(a.version)}: it was added ${a.since}.`,
}));

/** The catalog of an engine. */
export const engineCatalog = defineError("WB2634", (a: { name: string }) => ({
  message: "The catalog `default` is that of an engine, and Waybill has none.",
  hint: `Define \`default\` under \`use.catalogs\`, or bind the function \`${truncate(a.name)}\` in \`waybill.config.yaml\`.`,
}));

/** A workflow of another version. */
export const otherVersion = defineError("WB2635", (a: { name: string; version: string; wanted: string }) => ({
  message: `Workflow \`${truncate(a.name)}\` has the version \`${truncate(a.version)}\`, not \`${truncate(a.wanted)}\`.`,
  hint: "Write the version of the workflow, or `latest`.",
}));

/** A property whose meaning Waybill cannot keep. */
export const unsupportedProperty = defineError("WB2636", (a: { what: string; hint: string }) => ({
  message: `${a.what} is not supported.`,
  hint: a.hint,
}));

/** A property that is accepted and changes nothing; `reason` is a clause. */
export const withoutEffect = defineInfo("WB2637", (a: { name: string; reason: string }) => ({
  message: `\`${a.name}\` has no effect: ${a.reason}.`,
}));

/** A credential that would be copied into the emitted program. */
export const literalCredential = defineWarning("WB2639", (a: { name: string; hint: string }) => ({
  message: `The value of \`${truncate(a.name)}\` is probably a secret, and would be copied into the emitted program.`,
  hint: a.hint,
}));

/** Secrets that would be sent unencrypted; `what` is a subject. */
export const unencryptedSecrets = defineWarning("WB2640", (a: { what: string }) => ({
  message: `${a.what} contains secrets, and would be sent unencrypted.`,
  hint: "Write an `https` address.",
}));

/** URIs that are relative to the definition. */
export const relativeUri = defineProgramInfo("WB2638", (a: { version: string }) => ({
  message: `Engines of Serverless Workflow ${truncate(a.version)} may reject relative URIs: they were added after 1.0.3.`,
}));
