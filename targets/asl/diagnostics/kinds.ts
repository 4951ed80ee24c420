import { listNames, truncate } from "../../../src/text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../src/text/diagnostics.ts";

// WB51xx: what the asl target cannot express exactly

/** A time that is no whole number of seconds. */
export const aslSeconds = defineError("WB5105", (a: { what: string; seconds: number | undefined }) => ({
  message: `Step Functions counts time in whole seconds; ${a.what} ${a.seconds === undefined ? "may have parts of one" : `is ${a.seconds} s`}.`,
}));

/** A time that is longer than a Wait state, or shorter than a timeout, can be. */
export const aslRange = defineError("WB5106", (a: { what: string; seconds: number; least: number; most: number }) => ({
  message: `Step Functions allows ${a.least} to ${a.most} s for ${a.what}; here it is ${a.seconds} s.`,
}));

/** Spaced iterations of which only some may run at once. */
export const aslPace = defineError("WB5107", (a: { name: string }) => ({
  message: `Target asl cannot keep the starts of \`${truncate(a.name)}\`'s iterations apart and limit how many run at once: a Map state does not tell when it starts one.`,
}));

/** A construct that turned out to have no exact form. */
export const aslInexact = defineError("WB5108", (a: { construct: string; hint?: string | undefined }) => ({
  message: `Amazon States Language has no exact form for ${a.construct}.`,
  hint: a.hint,
}));

/** The definition is larger than Step Functions takes. */
export const aslSize = defineError("WB5109", (a: { id: string; bytes: number }) => ({
  message: `The state machine of \`${truncate(a.id)}\` would have ${a.bytes.toLocaleString("en-US")} bytes; Step Functions takes 1,048,576.`,
  hint: "Move parts of it to workflows of their own.",
}));

/** A retry whose waits Step Functions cannot make. */
export const aslBackoff = defineError("WB5110", (a: { detail: string }) => ({
  message: `Step Functions cannot wait before a retry like this: ${a.detail}.`,
}));

/** A binding that cannot do what the function does elsewhere. */
export const aslInexactBinding = defineError("WB5112", (a: { name: string; reason: string }) => ({
  message: `Target asl cannot call \`${truncate(a.name)}\` exactly by this binding: ${a.reason}.`,
}));

/** A binding of what the definition says already. */
export const aslAlreadyBound = defineWarning(
  "WB5113",
  (a: { name: string; resource: string; workflow: string | undefined }) => ({
    message: `${a.workflow === undefined ? "The definition" : `Workflow \`${truncate(a.workflow)}\``} says itself that the function \`${truncate(a.name)}\` is \`${truncate(a.resource)}\`, so this binding is not used${a.workflow === undefined ? "" : " there"}.`,
  }),
);

/** What a generated function computes. */
export const aslComputed = defineInfo("WB5111", (a: { why: string; file: string }) => ({
  message: `${a.why}: the Lambda function in \`${a.file}\` computes this, which costs one state transition.`,
}));

/** A function that needs no Lambda function. */
export const aslTranslated = defineInfo("WB5115", (a: { isCalled: boolean }) => ({
  message: a.isCalled
    ? "This function is an expression where what it is given is of the right types: there the state machine computes it itself."
    : "This function is an expression: the state machine computes it itself.",
}));

/** An error that is taken as a whole, of which one part is never said on AWS. */
export const aslWholeError = defineInfo("WB5116", (a: { part: string }) => ({
  message: `The error that is taken as a whole here has \`${truncate(a.part)}: null\` on AWS: functions there say nothing of one but its name and its message.`,
  hint: "Have the function say in its message what the workflow is to know.",
}));

/** Functions that Lambda functions have to stand for. `ways`: how the definition says that they are reached, such as `by HTTP`. */
export const aslStandIns = defineInfo("WB5114", (a: { names: readonly string[]; ways: readonly string[] }) => {
  const several = a.names.length > 1;
  const ways = a.ways.length > 1 ? `${a.ways.slice(0, -1).join(", ")} and ${a.ways.at(-1)}` : a.ways[0];
  return {
    message: `${listNames(a.names)} ${several ? "are" : "is"} reached ${ways}: the state machine calls ${several ? "Lambda functions" : "a Lambda function"} in ${several ? "their" : "its"} place, which the deployment names.`,
    hint: "The configuration can bind functions to what they are on AWS.",
  };
});

/** An integration whose permissions are not known. */
export const aslPermissions = defineError("WB5117", (a: { name: string; integration: string }) => ({
  message: `Which permissions the machine's role needs for \`${truncate(a.integration)}\` is not known, so the template cannot give them to it for \`${truncate(a.name)}\`.`,
  hint: "Say them in the configuration, as `actions` beside `integration`.",
}));

/** A loop that nothing but an error leaves, in a machine whose executions have so many events and no more. */
export const aslEndless = defineWarning("WB5120", (a: { noun: string; name: string }) => ({
  message: `From ${a.noun} \`${truncate(a.name)}\` no way leads to an end: Step Functions ends an execution that goes round with its 25,000th event, of which a call leaves five and a delay two.`,
  hint: "Let the loop end, and start the workflow again when it has.",
}));

/** Constants that are gone through so often that no execution gets through. */
export const aslHistory = defineError("WB5121", (a: { id: string; events: number }) => ({
  message: `No run of \`${truncate(a.id)}\` gets through: it would leave at least ${a.events} events in its history, most of them here, and Step Functions ends an execution with its 25,000th.`,
  hint: "Go through parts of the items in a subflow, whose executions have histories of their own.",
}));
