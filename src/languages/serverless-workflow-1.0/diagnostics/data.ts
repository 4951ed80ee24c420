import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { truncate } from "../../../text/messages.ts";

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

/** A status that is not a number. */
export const invalidStatus = defineError("WB4625", (a: { status: string }) => ({
  message: `\`${truncate(a.status)}\` is not a status.`,
  hint: "Write a number, such as `404`, or an expression.",
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

/** All secrets, or one whose name is computed. */
export const wholeSecrets = defineError("WB4624", () => ({
  message: "`$secrets` has to be read as `$secrets.NAME.KEY`, with constant names.",
}));
