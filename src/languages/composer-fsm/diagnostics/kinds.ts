import { clip } from "../../../text/clip.ts";
import { defineError, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB214x: names of states and variables

/** A Try state names a handler that is no state: nobody looks until an error goes there. */
export const unknownHandler = defineWarning("WB2140", (a: { name: string; known: Iterable<string> }) => ({
  message: `There is no state named \`${clip(a.name)}\`: a run whose error would go there is rejected.`,
  hint: didYouMean(a.name, a.known),
}));

/** `Exit` names no state: it only says which state may go without `Next`. */
export const unknownExit = defineWarning("WB2141", (a: { name: string; known: Iterable<string> }) => ({
  message: `There is no state named \`${clip(a.name)}\`; so no state may go without \`Next\`.`,
  hint: didYouMean(a.name, a.known),
}));

/** The symbol of a Let state is no name that a function could say. */
export const symbolWithoutName = defineError("WB2142", (a: { symbol: string }) => ({
  message: `\`${clip(a.symbol)}\` cannot be the name of a variable in JavaScript; every function that runs while it is there fails.`,
  hint: "Give it a name that JavaScript has for variables: letters, digits, `_` and `$`.",
}));

/** The symbol of a Let state is a name that the conductor itself uses where it calls functions. */
export const takenSymbol = defineError("WB2143", (a: { symbol: string }) => ({
  message: `A variable named \`${a.symbol}\` takes the place of what the conductor calls functions with.`,
  hint: "Give it another name.",
}));

/** A function uses a name that is neither a variable of a Let state nor part of JavaScript. */
export const unknownName = defineError("WB2144", (a: { name: string; known: Iterable<string> }) => ({
  message: `There is no variable \`${clip(a.name)}\` where this function runs, and JavaScript itself has none.`,
  hint: didYouMean(a.name, a.known) ?? "With the option `globals: any`, names of the platform are taken as they are.",
}));

/** A function uses what leads out of what can be checked. `what` is quoted as it has to be. */
export const forbiddenName = defineError("WB2145", (a: { what: string; why: string; hint?: string | undefined }) => ({
  message: `${a.what} ${a.why}.`,
  hint: a.hint,
}));

// WB314x: where states lead, and the stack

/** A state does not say what follows. */
export const missingNext = defineError("WB3140", (a: { state: string; exit: string }) => ({
  message: `State \`${clip(a.state)}\` has no \`Next\`, and only the state that \`Exit\` names (\`${clip(a.exit)}\`) may go without.`,
  hint: "Write `Next` with the state that follows, or name this one in `Exit`.",
}));

/** The state that `Exit` names leads on. */
export const exitGoesOn = defineWarning("WB3141", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\`, which \`Exit\` names, leads on: the composition does not end there.`,
  hint: "Name the last state in `Exit`, or leave `Next` out.",
}));

/** What a state takes from the stack is never on top of it. */
export const wrongStack = defineError("WB3142", (a: Clash) => ({
  message: `State \`${clip(a.state)}\` takes ${a.wanted} from the stack, ${onTop(a.found)}.`,
  hint: "States of types Push, Try and Let put there what Choice and Pop, Catch, and End take, in turn.",
}));

/** What a state takes from the stack is on top of it on some ways, but not on others. */
export const doubtfulStack = defineWarning("WB3143", (a: Clash) => ({
  message: `State \`${clip(a.state)}\` takes ${a.wanted} from the stack, ${onTop(a.found)} on some ways there: such a run is rejected.`,
}));

/** A state that takes something from the stack, and what else is there; nothing where that is absent. */
interface Clash {
  readonly state: string;
  readonly wanted: string;
  readonly found: string | undefined;
}

const onTop = (found: string | undefined): string =>
  found === undefined ? "which is empty" : `where ${found} is on top`;

/** Different ways lead to a state with different things on the stack. */
export const differentStacks = defineWarning("WB3144", (a: { state: string; stacks: readonly string[] }) => ({
  message: `Not all ways to state \`${clip(a.state)}\` leave the same on the stack: ${a.stacks.join("; ")}.`,
}));

/** A loop puts more on the stack in each round, or so many ways differ that they cannot be told apart. */
export const growingStack = defineError("WB3145", (a: { state: string }) => ({
  message: `What is on the stack in state \`${clip(a.state)}\` grows with each round of a loop, or is different on too many ways; no target keeps such a stack.`,
  hint: "Take from the stack within the loop what the loop puts there.",
}));

/** A Task state has nothing to do. */
export const nothingToDo = defineError("WB3146", (a: { state: string }) => ({
  message: `Task state \`${clip(a.state)}\` has none of \`Action\`, \`Value\` and \`Function\`.`,
  hint: "Write what it does, such as `Action: name`; a state that does nothing has the type `Pass`.",
}));

/** A Task state has several things to do, of which one counts. */
export const severalTasks = defineWarning("WB3147", (a: { taken: string; ignored: string }) => ({
  message: `\`${a.ignored}\` means nothing beside \`${a.taken}\`.`,
  hint: "Remove it.",
}));

// WB414x: functions

/** The text of a function is no expression of JavaScript. `problem` is a sentence without its point. */
export const notJavaScript = defineError("WB4140", (a: { problem: string; hint?: string | undefined }) => ({
  message: `This is no JavaScript expression: ${clip(a.problem, 200)}.`,
  hint: a.hint,
}));

/** The text of a function is an expression that gives no function. */
export const notCallable = defineError("WB4141", (a: { noun: string }) => ({
  message: `${a.noun} cannot be called.`,
  hint: "Write a function, such as `params => ({ n: params.n })`.",
}));
