import { clip } from "../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

/** What a language calls things of which messages speak that all languages share. */
export interface Words {
  /** What transitions lead to, such as "state". */
  readonly step: string;
  /** The key under which functions are defined, and that for events; absent where the language has no such definitions. */
  readonly functions?: string | undefined;
  readonly events?: string | undefined;
  /** Whether it is sound that a run waits for events for ever, as machines do that only react. */
  readonly mayReactForEver?: true | undefined;
}

// WB20xx: names, and what they refer to

/** A transition names nothing that exists. */
export const unknownStep = defineError("WB2001", (a: { noun: string; name: string; known: Iterable<string> }) => ({
  message: `There is no ${a.noun} named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? thereAre(a.noun, [...a.known]),
}));

/** The names that there are, as many as are read; nothing where there is none. */
function thereAre(noun: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const few = known.slice(0, shown).map((name) => `\`${clip(name)}\``);
  const more = known.length > shown ? ` and ${known.length - shown} more` : "";
  return known.length === 1 ? `The only ${noun} here is ${few[0]}.` : `The ${noun}s here are ${few.join(", ")}${more}.`;
}

/** A call names a function without a definition. */
export const unknownFunction = defineError("WB2002", (a: Undefined) => ({
  message: `There is no function named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? definedUnder(a.under),
}));

/** An event is named that has no definition. */
export const unknownEvent = defineError("WB2003", (a: Undefined) => ({
  message: `There is no event named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? definedUnder(a.under),
}));

/** What is named and has no definition; `under` is the key below which definitions stand, if there is one. */
interface Undefined {
  readonly name: string;
  readonly known: Iterable<string>;
  readonly under: string | undefined;
}

const definedUnder = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : `Define it under \`${key}\`.`;

/** A subflow is not among the sources. */
export const externalWorkflow = defineInfo("WB2004", (a: { name: string }) => ({
  message: `Workflow \`${clip(a.name)}\` is not among the sources; it is taken for one that exists elsewhere under this id.`,
}));

/** A subflow is not among the sources, and one that is has nearly its name. */
export const misspeltWorkflow = defineWarning("WB2007", (a: { name: string; known: Iterable<string> }) => ({
  message: `Workflow \`${clip(a.name)}\` is not among the sources.`,
  hint: didYouMean(a.name, a.known),
}));

/** Two workflows of one program have the same id. */
export const duplicateWorkflow = defineError("WB2005", (a: { id: string }) => ({
  message: `Another workflow has the id \`${clip(a.id)}\` already.`,
  hint: "Give one of the two another id, or compile them to programs of their own.",
}));

/** Two definitions of one kind have the same name. */
export const duplicateName = defineError("WB2006", (a: { noun: string; name: string }) => ({
  message: `There is another ${a.noun} named \`${clip(a.name)}\`.`,
  hint: "Give one of the two another name.",
}));

// WB30xx: control flow and scoping

/** No path from the start leads there. */
export const unreachable = defineWarning("WB3001", (a: { noun: string; name: string }) => ({
  message: `${capital(a.noun)} \`${clip(a.name)}\` can never be reached.`,
  hint: "Let another one lead to it, or remove it.",
}));

/** A transition leaves its branch or iteration, or enters another one. */
export const crossesScope = defineError("WB3002", (a: { noun: string; name: string; from: string; to: string }) => ({
  message: `${capital(a.noun)} \`${clip(a.name)}\` is in ${a.to}; a transition from ${a.from} cannot lead there.`,
  hint: "Lead to one that stands beside it; where a branch or an iteration has ended, what is around it goes on.",
}));

/** A run that gets there works, but does not end by itself. */
export const neverEnds = defineError("WB3003", (a: { noun: string; cycle: readonly string[] }) => ({
  message: `From ${a.noun} \`${clip(a.cycle[0]!)}\` no path leads to an end: ${way(a.cycle)}.`,
}));

/** A loop that spins. */
export const endlessLoop = defineError("WB3004", (a: { cycle: readonly string[] }) => ({
  message: `This loop never waits, and nothing leads out of it: ${way(a.cycle)}.`,
}));

/** A condition that makes no difference: its turn never comes, or it cannot hold then. */
export const deadCase = defineWarning("WB3005", (a: { because: "always" | "equal" | "never" }) => ({
  message: deadBecause[a.because],
}));

const deadBecause = {
  always: "This can never be chosen: a condition before it always holds.",
  equal: "This can never be chosen: its condition is the same as one before it.",
  never: "This can never be chosen: its condition never holds.",
} as const;

/** Workflows that start each other, perhaps without end. */
export const subflowCycle = defineWarning("WB3006", (a: { cycle: readonly string[] }) => ({
  message:
    a.cycle.length > 2
      ? `These workflows start each other in a circle: ${way(a.cycle)}.`
      : `The workflow \`${clip(a.cycle[0]!)}\` starts itself.`,
}));

/** Workflows that start each other and wait for it, on every path. */
export const endlessRecursion = defineError("WB3007", (a: { cycle: readonly string[] }) => ({
  message:
    a.cycle.length > 2
      ? `Each of these workflows always waits for the next: ${way(a.cycle)}.`
      : `The workflow \`${clip(a.cycle[0]!)}\` always starts itself and waits for that.`,
}));

/** How many names of a cycle are printed; the last of them is always there. */
const shown = 12;

function way(names: readonly string[]): string {
  const few = names.length > shown ? [...names.slice(0, shown - 1), names.at(-1)!] : names;
  const quoted = few.map((name) => `\`${clip(name)}\``);
  if (few !== names) quoted.splice(-1, 0, `(${names.length - shown} more)`);
  return quoted.join(" → ");
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
