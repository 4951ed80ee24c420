import { defineError, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// WB214x: names of states and variables

/** The handler of a Try state does not exist: Composer looks for it only when an error occurs. */
export const unknownHandler = defineWarning("WB2140", (a: { name: string; known: Iterable<string> }) => ({
  message: `Unknown state \`${truncate(a.name)}\`: a run with an error is rejected here.`,
  hint: didYouMean(a.name, a.known),
}));

/** `Exit` names an unknown state. */
export const unknownExit = defineWarning("WB2141", (a: { name: string; known: Iterable<string> }) => ({
  message: `Unknown state \`${truncate(a.name)}\`: the composition has no exit state.`,
  hint: didYouMean(a.name, a.known),
}));

/** The symbol of a Let state is not an identifier. */
export const invalidVariableName = defineError("WB2142", (a: { symbol: string }) => ({
  message: `\`${truncate(a.symbol)}\` is not a valid variable name: every function in its scope fails.`,
  hint: "Use a JavaScript identifier that is not a reserved word.",
}));

/** The symbol of a Let state is reserved by the conductor. */
export const reservedVariableName = defineError("WB2143", (a: { symbol: string }) => ({
  message: `The variable name \`${a.symbol}\` is reserved by Composer.`,
  hint: "Rename the variable.",
}));

/** A function uses an undeclared name. */
export const unknownName = defineError("WB2144", (a: { name: string; known: Iterable<string> }) => ({
  message: `Unknown name \`${truncate(a.name)}\`: neither a variable of a Let state nor a global of all targets.`,
  hint: didYouMean(a.name, a.known) ?? "To use a global of the platform, set the option `globals: any`.",
}));

/** A function uses a construct that bypasses the check of names. `what` is quoted. */
export const uncheckableConstruct = defineError(
  "WB2145",
  (a: { what: string; why: string; hint?: string | undefined }) => ({
    message: `${a.what} ${a.why}.`,
    hint: a.hint,
  }),
);

// WB314x: successors of states, and the stack

/** A state lacks `Next`. */
export const missingNext = defineError("WB3140", (a: { state: string; exit: string }) => ({
  message: `State \`${truncate(a.state)}\` has no \`Next\`. Only the exit state (\`${truncate(a.exit)}\`) may omit it.`,
  hint: "Add `Next`, or name this state in `Exit`.",
}));

/** The exit state has a `Next`. */
export const exitWithNext = defineWarning("WB3141", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` is the exit state but has \`Next\`, so the composition does not end there.`,
  hint: "Remove `Next`, or name the last state in `Exit`.",
}));

/** A state pops a frame that is never on top. */
export const wrongStack = defineError("WB3142", (a: StackMismatch) => ({
  message: `State \`${truncate(a.state)}\` pops ${a.wanted}, but ${stackTop(a.found)}.`,
  hint: `Add a ${pushers[a.wanted] ?? "Push"} state before \`${truncate(a.state)}\`.`,
}));

/** A state pops a frame that is on top only on some paths. */
export const possiblyWrongStack = defineWarning("WB3143", (a: StackMismatch) => ({
  message: `State \`${truncate(a.state)}\` pops ${a.wanted}, but on some paths ${stackTop(a.found)}.`,
  hint: `Make every path to this state leave ${a.wanted} on top of the stack.`,
}));

/** `found` is undefined if the stack is empty. */
interface StackMismatch {
  readonly state: string;
  readonly wanted: string;
  readonly found: string | undefined;
}

/** The states that push what another state pops. */
const pushers: { readonly [frame: string]: string } = { "a handler": "Try", "a variable": "Let" };

const stackTop = (found: string | undefined): string =>
  found === undefined ? "the stack is empty" : `it finds ${found} on the stack`;

/** Paths with different stacks join. */
export const differentStacks = defineWarning("WB3144", (a: { state: string; stacks: readonly string[] }) => ({
  message: `Paths to state \`${truncate(a.state)}\` have different stacks: ${a.stacks.join("; ")}.`,
  hint: "Pop the extra frames before the paths join.",
}));

/** The stack grows in a loop, or too many different stacks join. */
export const growingStack = defineError("WB3145", (a: { state: string }) => ({
  message: `The stack in state \`${truncate(a.state)}\` grows in a loop, or differs on too many paths.`,
  hint: "Pop within the loop what the loop pushes.",
}));

/** A Task state without work. */
export const taskWithoutWork = defineError("WB3146", (a: { state: string }) => ({
  message: `Task state \`${truncate(a.state)}\` has none of \`Action\`, \`Value\` and \`Function\`.`,
  hint: "Add one of them, such as `Action: name`, or change the type to `Pass`.",
}));

/** A Task state with several kinds of work. */
export const conflictingTasks = defineWarning("WB3147", (a: { taken: string; ignored: string }) => ({
  message: `\`${a.ignored}\` has no effect if \`${a.taken}\` is given.`,
  hint: "Remove it.",
}));

// WB414x: functions

/** A function is not a JavaScript expression; `problem` has no full stop. */
export const notJavaScript = defineError("WB4140", (a: { problem: string; hint?: string | undefined }) => ({
  message: `Invalid JavaScript expression: ${truncate(a.problem, 200)}.`,
  hint: a.hint,
}));

/** An expression never evaluates to a function. */
export const notCallable = defineError("WB4141", (a: { noun: string }) => ({
  message: `${a.noun} is not a function.`,
  hint: "Write a function, such as `params => ({ n: params.n })`.",
}));
