import { clip } from "../../../text/clip.ts";
import { defineError, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB23xx: names and spelling of Function Workflow

/** Triggers, states or branches are a list. */
export const listedByName = defineWarning("WB2301", (a: { key: string }) => ({
  message: `\`${clip(a.key)}\` is a list; what is in it is read by its name.`,
  hint: "Write an object that has each under its name.",
}));

/** Nothing says where a workflow or a branch begins. */
export const noStart = defineError("WB2302", (a: { owner: string }) => ({
  message: `${a.owner} has no start state.`,
  hint: "Give the first state `start: true`.",
}));

/** A second start state. */
export const severalStarts = defineError("WB2303", (a: { owner: string; state: string; first: string }) => ({
  message: `${a.owner} has two start states, \`${clip(a.first)}\` and \`${clip(a.state)}\`.`,
  hint: "Leave `start` out of one of them.",
}));

/** The only state starts although nothing says so. */
export const impliedStart = defineWarning("WB2304", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` is not marked as the start state; it is taken for it because it is the only one.`,
  hint: "Give it `start: true`.",
}));

/** Paths stand in a `filter`. */
export const filterObject = defineWarning("WB2305", (_: object) => ({
  message: "The paths of a `filter` are read as if they stood beside it.",
  hint: "Write `InputPath`, `ResultPath` and `OutputPath` in its place.",
}));

/** A state has a `name` that is not its own. */
export const nameIgnored = defineWarning("WB2306", (a: { name: string }) => ({
  message: `This has no effect: the state is called \`${clip(a.name)}\`.`,
  hint: "Leave it out.",
}));

/** A trigger has no token though there are several. */
export const missingToken = defineWarning("WB2307", (a: { name: string }) => ({
  message: `Event trigger \`${clip(a.name)}\` has no \`correlation-token\`: of several runs that wait for such an event, the oldest gets it.`,
  hint: "Say which part of the event belongs to one run: `correlation-token: $.data.order`.",
}));

/** An entry of `retry` names an error that there is not. */
export const unknownCode = defineError("WB2308", (a: { code: string; known: readonly string[] }) => ({
  message: `There is no error \`${clip(a.code)}\`.`,
  hint: didYouMean(a.code, a.known),
}));

/** An event is named by a comparison. */
export const onlyName = defineWarning("WB2309", (a: { message: string }) => ({ message: a.message }));

// WB33xx: control flow of Function Workflow

/** A state does not say what follows. */
export const missingNext = defineError("WB3301", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` does not say here what follows: there is no \`next-state\`.`,
  hint: "Only in a branch may a state go without. A run ends in an END state.",
}));

/** An END state stands in a branch. */
export const endInBranch = defineWarning("WB3302", (a: { isFailure: boolean }) => ({
  message: a.isFailure
    ? "The language has no END states in branches: the branch fails here, and the workflow with it."
    : "The language has no END states in branches: only the branch ends here, and the workflow goes on.",
  hint: a.isFailure
    ? "Lead to a state behind the branches that ends so."
    : "Leave out the `next-state` of the states that lead here.",
}));

/** A timeout has no END state to go to. */
export const timeoutFails = defineWarning("WB3303", (a: { count: number }) => ({
  message: `When the events do not come in time the run fails with \`SYS.Timeout\`: there ${
    a.count === 0 ? "is no END state" : `are ${a.count} END states, and none is meant more than the others,`
  } to go to.`,
}));

/** A rule inside another one says where to go. */
export const innerNext = defineWarning("WB3304", (_: object) => ({
  message: "A `next-state` has no effect in a rule that is part of another one.",
  hint: "It stands beside the outermost `And`, `Or` or `Not`.",
}));

/** A state is left from the midst of actions that go on at once. */
export const siblingsDropped = defineWarning("WB3305", (_: object) => ({
  message: "When the run goes there, what the other actions of this state give is dropped.",
}));

/** An entry of `retry` that never counts. */
export const deadEntry = defineWarning("WB3306", (_: object) => ({
  message: "This never has its turn: an entry before it takes all that it would.",
  hint: "Put it before that one, or leave it out.",
}));

/** An entry of `retry` waits for nothing. */
export const idleInterval = defineWarning("WB3307", (_: object) => ({
  message: "There is nothing to wait for: without `max-retry` nothing is tried again.",
  hint: "Write how often: `max-retry: 3`.",
}));

/** A timeout of nothing. */
export const zeroTimeout = defineWarning("WB3308", (_: object) => ({
  message: "A timeout of 0 is none: the state waits for ever.",
  hint: "Leave it out, or write the seconds.",
}));

/** A time is written as text. */
export const textualTime = defineWarning("WB3309", (a: { text: string; meaning: string }) => ({
  message: `\`${clip(a.text)}\` is read as ${a.meaning}; in this language times are whole numbers of seconds.`,
}));

// WB432x: paths and values of Function Workflow

/** An operator is given a value that it has no use for. */
export const wrongOperand = defineError("WB4320", (a: { operator: string; value: string | number | boolean }) => ({
  message: a.operator.startsWith("Str")
    ? `\`${a.operator}\` compares texts, and ${a.value} is none.`
    : `\`${a.operator}\` compares numbers${a.operator === "EQ" ? " and booleans" : ""}, and \`${clip(String(a.value))}\` is none.`,
  hint: remedyFor(a.operator, a.value),
}));

function remedyFor(operator: string, value: string | number | boolean): string | undefined {
  if (typeof value === "boolean") return "Booleans are compared by `EQ`.";
  return operator.startsWith("Str") ? `Write \`${operator.slice(3)}\`.` : `Write \`Str${operator}\`.`;
}

/** A path that has to select one value can select several. */
export const severalValues = defineError("WB4321", (a: { path: string; what: string }) => ({
  message: `${a.what} needs one value, and \`${clip(a.path)}\` can select several.`,
  hint: "Write a path of names and indexes, such as `$.lines[0].price`.",
}));

/** A result path is no place. */
export const placeNeeded = defineError("WB4322", (a: { path: string }) => ({
  message: `\`${clip(a.path)}\` is no place for a result: that is a chain of names.`,
  hint: "Write it such as `$.order.price`.",
}));

// WB0017: texts of Function Workflow that are nearly JSON

/** A stretch of a text is no JSON, and is taken for what it is meant as. */
export const repaired = defineWarning("WB0017", (a: { detail: string }) => ({
  message: a.detail,
  hint: "`waybill check --fix` mends it.",
}));
