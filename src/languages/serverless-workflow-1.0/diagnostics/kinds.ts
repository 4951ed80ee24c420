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

/** An OpenAPI document that cannot be used. */
export const unusableOperation = defineWarning("WB2620", (a: { reason: string }) => ({ message: a.reason }));

/** An operation that the document does not have. */
export const unknownOperation = defineError("WB2621", (a: { name: string; known: readonly string[] }) => ({
  message: `The document has no operation \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known),
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

/** A policy whose parts are not constants of the definition. */
export const computedAuthentication = defineWarning("WB2629", (a: { kind: string }) => ({
  message: `This \`${a.kind}\` policy is not in the definition itself: the function needs a binding.`,
  hint: "Write `authority` and `client` here, or bind the function in `waybill.config.yaml`.",
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

// WB36xx: control flow

/** A list without tasks. */
export const emptyList = defineWarning("WB3601", (a: { key: string }) => ({
  message: `\`${a.key}\` has no tasks: its output is its input.`,
}));

/** `exit` in a loop. */
export const exitFromRound = defineInfo("WB3602", () => ({
  message: "`exit` ends this round, not the loop; Synapse ends the loop.",
  hint: "To end the loop, use `while`.",
}));

/** `end` in a branch. */
export const nestedEnd = defineInfo("WB3603", () => ({
  message: "`end` ends the run at once; sdk-java waits for the other branches.",
}));

/** A task name in a branch. */
export const exitFromBranch = defineError("WB3604", (a: { name: string }) => ({
  message: `A branch is one task: \`then\` cannot lead to \`${truncate(a.name)}\`.`,
  hint: "Put the tasks of the branch in a `do` task.",
}));

/** Two defaults. */
export const severalDefaults = defineError("WB3605", () => ({
  message: "The switch already has a case without `when`.",
  hint: "Add `when`, or remove the case.",
}));

/** Competing branches. */
export const competingBranches = defineInfo("WB3606", () => ({
  message: "The first branch that succeeds wins; in sdk-go and Synapse, the first that fails ends the task.",
}));

/** An export in a branch. */
export const exportInBranch = defineWarning("WB3607", () => ({
  message: "The context of a branch ends with the branch.",
  hint: "Move `export` to the `fork` task.",
}));

/** A caught error that nothing handles. */
export const swallowedErrors = defineWarning("WB3608", () => ({
  message: "Errors are ignored: `catch` has no `retry`, `do` or `then`.",
  hint: "Add `do` with the tasks that handle the error.",
}));

/** A retry without limit. */
export const unboundedRetry = defineWarning("WB3609", () => ({
  message: "The number of retries is not limited.",
  hint: "Add `limit.attempt.count`.",
}));

/** A retry and tasks that handle the error. */
export const retryThenHandle = defineInfo("WB3610", () => ({
  message: "`do` runs once no retry is left; sdk-java runs it before every retry, Synapse never.",
}));

/** Members of a backoff that 1.0 does not define. */
export const extraBackoff = defineWarning("WB3611", (a: { name: string }) => ({
  message: `\`${truncate(a.name)}\` is not in Serverless Workflow 1.0; other engines may ignore it.`,
}));

/** A time limit of a task that takes no time. */
export const idleTimeout = defineInfo("WB3612", (a: { kind: string }) => ({
  message: `A \`${a.kind}\` task takes no time: its \`timeout\` has no effect.`,
}));

/** A negative wait. */
export const negativeWait = defineWarning("WB3613", () => ({ message: "A negative duration does not wait." }));

/** A process that fails. */
export const failedProcess = defineInfo("WB3614", () => ({
  message: "A code other than 0 raises the error `runtime`; sdk-java returns as with 0.",
  hint: "Write `return: code` or `return: all` to read the code.",
}));

/** `all` without events. */
export const emptyAll = defineError("WB3615", () => ({ message: "`all` has no events." }));

/** `until` without effect. */
export const untilWithoutEffect = defineWarning("WB3616", () => ({
  message: "`until` has an effect only with `any`.",
}));

/** A correlation key without effect. */
export const keyWithoutEffect = defineWarning("WB3617", () => ({
  message: "A key without `expect` relates several events, and this task waits for one.",
  hint: "Add `expect`.",
}));

/** Too many events that agree on a key. */
export const tooManyKeys = defineError("WB3618", (a: { count: number; most: number }) => ({
  message: `At most ${a.most} events can be correlated without \`expect\`, not ${a.count}.`,
}));

/** Iteration in a schedule. */
export const scheduledIteration = defineError("WB3619", () => ({
  message: "`until` has no meaning in `schedule.on`: each run has its own events.",
}));

/** Events of a schedule without `read`. */
export const scheduledRead = defineInfo("WB3620", () => ({
  message: "The input of a run is the array of its events, with their attributes.",
  hint: "Write `read: data` for the data only.",
}));

/** An invalid cron expression. */
export const invalidCron = defineError("WB3621", (a: { message: string }) => ({ message: a.message }));

/** A wait that never ends. */
export const endlessWait = defineWarning("WB3622", () => ({
  message: "This condition never holds: the task ends only at a time limit.",
  hint: "Add `timeout`, or a condition that can hold.",
}));

/** A duration that is an expression where it has to be constant. */
export const computedDuration = defineError("WB3623", () => ({
  message: "This duration has to be constant.",
  hint: "Write a duration, such as `PT1S`.",
}));

/** The condition of a loop. */
export const conditionBeforeRound = defineInfo("WB3624", () => ({
  message: "`while` is checked before each round; sdk-go and Zigflow check it after.",
}));

/** Events before a wait. */
export const keptEvents = defineProgramInfo("WB3625", () => ({
  message: "Events that arrive before this task are kept for it; sdk-java drops them.",
}));

/** `end` within another task. */
export const endWithin = defineProgramInfo("WB3626", () => ({
  message: "`output` and `export` of the enclosing tasks do not apply; in sdk-java they do.",
}));

/** A switch whose next task expects a match. */
export const switchWithoutDefault = defineInfo("WB3627", (a: { next: string; name: string }) => ({
  message: `Without a match, \`${truncate(a.next)}\` follows, as in the case \`${truncate(a.name)}\`.`,
  hint: "Add a case without `when`.",
}));

// WB46xx: data and expressions

/** An argument that does not exist here. */
export const argumentOutsideRow = defineError("WB4601", (a: { name: string; where: string }) => ({
  message: `\`$${a.name}\` does not exist here.`,
  hint: `It exists in ${a.where}.`,
}));

/** An embedded expression. */
export const embeddedExpression = defineWarning("WB4602", (a: { meant: string }) => ({
  message: `\`\${ }\` inside a longer string is not evaluated.`,
  hint: `Write \`${truncate(a.meant)}\`.`,
}));

/** An expression without `${ }`. */
export const unwrappedExpression = defineWarning("WB4603", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is not evaluated here: it is plain text.`,
  hint: `Write \`\${ ${truncate(a.text)} }\`.`,
}));

/** An expression with several outputs, or none. */
export const severalOutputs = defineWarning("WB4604", (a: { isNone: boolean }) => ({
  message: a.isNone
    ? "The expression has no output: its value is null."
    : "The expression may have several outputs: its value is the first.",
  hint: a.isNone ? undefined : "Write `[ … ]` for an array of all outputs.",
}));

/** Single quotes in jq. */
export const singleQuotes = defineError("WB4605", () => ({
  message: "Strings of jq have double quotes.",
  hint: "Replace the single quotes.",
}));

/** An expression of 0.8. */
export const habitIn = defineError("WB4606", (a: { word: string }) => ({
  message: `\`${truncate(a.word)}\` is of Serverless Workflow 0.8.`,
  hint: habits[a.word],
}));

const habits: { readonly [word: string]: string } = {
  $CONST: "1.0 has no constants: write the value, or `set` it.",
  $SECRETS: "In 1.0, write `$secrets`.",
  $WORKFLOW: "In 1.0, write `$workflow`.",
  "fn:": "In 1.0, define a task under `use.functions`, and `call` it.",
};

/** A read of the context in a workflow without exports. */
export const contextBeforeExport = defineWarning("WB4607", () => ({
  message: "No task exports to the context before: `$context` is null.",
}));

/** A variable that hides an argument. */
export const hiddenArgument = defineError("WB4608", (a: { name: string }) => ({
  message: `The variable \`${truncate(a.name)}\` hides the argument \`$${truncate(a.name)}\`.`,
  hint: "Choose another name.",
}));

/** A variable that hides another one. */
export const hiddenName = defineInfo("WB4609", (a: { name: string }) => ({
  message: `The variable \`${truncate(a.name)}\` hides one of an enclosing task.`,
}));

/** A given instance. */
export const givenInstance = defineInfo("WB4610", () => ({
  message: "`instance` is ignored: it is the task that raises the error. sdk-java keeps it.",
}));

/** A type of a standard error in another form. */
export const otherErrorFamily = defineInfo("WB4611", (a: { name: string; type: string }) => ({
  message: `This is read as the standard error \`${a.name}\`, whose type is \`${a.type}\`.`,
}));

/** An unknown standard error. */
export const unknownStandardError = defineWarning("WB4612", (a: { name: string; meant: string | undefined }) => ({
  message: `The specification defines no standard error \`${truncate(a.name)}\`.`,
  hint: a.meant === undefined ? undefined : `Did you mean \`${a.meant}\`?`,
}));

/** A status that is a string. */
export const statusAsText = defineWarning("WB4613", (a: { status: string }) => ({
  message: `The status \`${truncate(a.status)}\` is a string; it is read as a number.`,
}));

/** A status out of range. */
export const statusOutOfRange = defineWarning("WB4614", (a: { status: number }) => ({
  message: `\`${a.status}\` is not a status code: they are from 100 to 599.`,
}));

/** A schema in an unknown format. */
export const unknownSchemaFormat = defineError("WB4615", (a: { format: string }) => ({
  message: `Schemas in the format \`${truncate(a.format)}\` are not supported.`,
  hint: "Write a JSON Schema, with the format `json`.",
}));

/** A schema that is not enforced. */
export const unenforceableSchema = defineWarning("WB4616", (a: { reason: string }) => ({
  message: `This schema is not enforced: ${a.reason}.`,
}));

/** An invalid URI template. */
export const invalidUriTemplate = defineError("WB4617", (a: { part: string }) => ({
  message: `\`${truncate(a.part)}\` is not a part of a URI template.`,
  hint: "Write `{name}` for a member of the data.",
}));

/** A filter value that looks like a pattern. */
export const literalPattern = defineInfo("WB4618", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is compared as it is, not as a regular expression.`,
  hint: `For a pattern, write a condition: \`\${ test("…") }\`.`,
}));

/** A filter on data. */
export const subsetOfData = defineInfo("WB4619", () => ({
  message: "Events match whose data have these members; they may have others.",
}));

/** A condition that is not a Boolean. */
export const conditionOfType = defineWarning("WB4620", (a: { type: string }) => ({
  message: `This condition is ${a.type}: it always holds.`,
  hint: "Compare it with a value.",
}));

/** A replacement of data whose members are read later. */
export const droppedMembers = defineInfo("WB4621", (a: { name: string }) => ({
  message: `\`set\` replaces the data: \`.${truncate(a.name)}\`, which is read later, is null.`,
  hint: `To keep the other members, write \`\${ . + { … } }\`.`,
}));

/** A replacement of the context whose members are read later. */
export const droppedExports = defineInfo("WB4622", (a: { name: string }) => ({
  message: `\`export\` replaces the context: \`$context.${truncate(a.name)}\`, which is read later, is lost.`,
  hint: "To keep the other members, write `$context + { … }`.",
}));

/** A member of an array. */
export const memberOfArray = defineWarning("WB4623", (a: { name: string }) => ({
  message: `The data are an array here, so \`.${truncate(a.name)}\` fails.`,
  hint: `Write \`.[0].${truncate(a.name)}\` for the first item; \`listen\` returns an array of events.`,
}));
