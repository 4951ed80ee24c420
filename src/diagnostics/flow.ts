import { defineError, defineInfo, defineWarning, type Wording } from "../text/diagnostics.ts";
import { didYouMean, truncate } from "../text/messages.ts";

/** The terms of a language for shared messages. */
export interface Terminology {
  readonly step: string;
  /** Undefined if the language has no such definitions. */
  readonly functions?: string | undefined;
  readonly events?: string | undefined;
  readonly mayWaitIndefinitely?: true | undefined;
}

// WB20xx: names and references

/** A transition names an unknown step. */
export const unknownStep = defineError("WB2001", (a: { noun: string; name: string; known: Iterable<string> }) => {
  const known = [...a.known];
  return {
    message: `Unknown ${a.noun} \`${truncate(a.name)}\`.`,
    hint: didYouMean(a.name, known) ?? listDefined(a.noun, known),
    misspelt: { name: a.name, known, isOpen: true },
  };
});

function listDefined(noun: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const few = known.slice(0, maxNames).map((name) => `\`${truncate(name)}\``);
  const more = known.length > maxNames ? ` and ${known.length - maxNames} more` : "";
  return known.length === 1 ? `The only defined ${noun} is ${few[0]}.` : `Defined ${noun}s: ${few.join(", ")}${more}.`;
}

/** An undefined function. */
export const unknownFunction = defineError("WB2002", (a: UndefinedName) => undefinedName("function", a));

/** An undefined event. */
export const unknownEvent = defineError("WB2003", (a: UndefinedName) => undefinedName("event", a));

function undefinedName(noun: string, { name, known: given, under }: UndefinedName): Wording {
  const known = [...given];
  return {
    message: `Unknown ${noun} \`${truncate(name)}\`.`,
    hint: didYouMean(name, known) ?? definedUnder(under),
    misspelt: { name, known, isOpen: true },
  };
}

/** `under`: the key of the definitions, if any. */
interface UndefinedName {
  readonly name: string;
  readonly known: Iterable<string>;
  readonly under: string | undefined;
}

const definedUnder = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : `Define it under \`${key}\`.`;

/** A subflow outside the sources. */
export const externalWorkflow = defineInfo("WB2004", (a: { name: string }) => ({
  message: `Workflow \`${truncate(a.name)}\` is not among the sources and is treated as external.`,
  hint: "If you have its definition, compile both together.",
}));

/** A subflow outside the sources, with a similar id among them. */
export const misspelledWorkflow = defineWarning("WB2007", (a: { name: string; known: Iterable<string> }) => ({
  message: `Workflow \`${truncate(a.name)}\` is not among the sources.`,
  hint: didYouMean(a.name, a.known),
}));

/** Two workflows with the same id. */
export const duplicateWorkflow = defineError("WB2005", (a: { id: string }) => ({
  message: `Duplicate workflow id \`${truncate(a.id)}\`.`,
  hint: "Change one of the ids, or compile the workflows into separate programs.",
}));

/** Two definitions with the same name. */
export const duplicateName = defineError("WB2006", (a: { noun: string; name: string }) => ({
  message: `Duplicate ${a.noun} \`${truncate(a.name)}\`.`,
  hint: "Rename one of the two.",
}));

// WB30xx: control flow

/** An unreachable step. */
export const unreachableStep = defineWarning("WB3001", (a: { noun: string; name: string }) => ({
  message: `${capital(a.noun)} \`${truncate(a.name)}\` is unreachable.`,
  hint: "Add a transition to it, or remove it.",
}));

/** A transition out of a branch or iteration, or into one. */
export const crossScopeTransition = defineError(
  "WB3002",
  (a: { noun: string; name: string; from: string; to: string }) => ({
    message: `A transition from ${a.from} cannot lead to ${a.noun} \`${truncate(a.name)}\` in ${a.to}.`,
    hint: "Stay in the same branch or iteration, or end it: the enclosing step then continues.",
  }),
);

/** A cycle that acts, without a path to an end. */
export const noPathToEnd = defineError("WB3003", (a: { noun: string; cycle: readonly string[] }) => ({
  message: `No path leads from ${a.noun} \`${truncate(a.cycle[0]!)}\` to an end: ${printCycle(a.cycle)}.`,
  hint: "Add a path that leaves the loop.",
}));

/** A cycle that neither waits nor acts, without an exit. */
export const busyLoop = defineError("WB3004", (a: { cycle: readonly string[] }) => ({
  message: `This loop never waits and has no exit: ${printCycle(a.cycle)}.`,
  hint: "Add a path that leaves the loop.",
}));

/** A case that is never taken. */
export const deadCase = defineWarning("WB3005", (a: { because: "always" | "equal" | "never" }) => ({
  message: `This case is never taken: ${deadCaseReasons[a.because]}.`,
  hint: "Change the condition, or remove the case.",
}));

const deadCaseReasons = {
  always: "an earlier condition always holds",
  equal: "an earlier condition is identical",
  never: "its condition never holds",
} as const;

/** Workflows that start each other, possibly without end. */
export const subflowCycle = defineWarning("WB3006", (a: { cycle: readonly string[] }) => ({
  message:
    a.cycle.length > 2
      ? `These workflows start each other in a cycle: ${printCycle(a.cycle)}.`
      : `Workflow \`${truncate(a.cycle[0]!)}\` starts itself.`,
  hint: "Make sure that a condition ends the recursion.",
}));

/** Workflows that always start each other and wait. */
export const endlessRecursion = defineError("WB3007", (a: { cycle: readonly string[] }) => ({
  message:
    a.cycle.length > 2
      ? `Each of these workflows always starts the next and waits for it: ${printCycle(a.cycle)}.`
      : `Workflow \`${truncate(a.cycle[0]!)}\` always starts itself and waits for the result.`,
  hint: "Add a path that does not start the next run.",
}));

/** An event that a step waits for, although another of its events always matches instead. */
export const indistinguishableEvent = defineWarning(
  "WB3008",
  (a: { noun: string; name: string; event: string; first: string }) => ({
    message: `${capital(a.noun)} \`${truncate(a.name)}\` never receives \`${truncate(a.event)}\`: \`${truncate(a.first)}\` has the same attributes and matches instead.`,
    hint: "Give the two events different types or sources, or remove one of them.",
  }),
);

/** Workflows that start each other by events, without end. */
export const eventCycle = defineWarning("WB3009", (a: { cycle: readonly string[] }) => ({
  message:
    a.cycle.length > 2
      ? `These workflows start each other by events in an endless cycle: ${printCycle(a.cycle)}.`
      : `Each run of workflow \`${truncate(a.cycle[0]!)}\` emits an event that starts another run of it.`,
  hint: "Add a condition, a delay or a wait with a timeout to the cycle.",
}));

/** The intervals of a retry end after the year 9999. */
export const retriesBeyondCalendar = defineError("WB3010", () => ({
  message: "The intervals of this retry end after the year 9999.",
  hint: "Reduce the multiplier or the number of attempts, or set a maximum interval.",
}));

/** Of a cycle, the last name is always printed. */
const maxNames = 12;

function printCycle(names: readonly string[]): string {
  const few = names.length > maxNames ? [...names.slice(0, maxNames - 1), names.at(-1)!] : names;
  const quoted = few.map((name) => `\`${truncate(name)}\``);
  if (few !== names) quoted.splice(-1, 0, `(${names.length - maxNames} more)`);
  return quoted.join(" → ");
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
