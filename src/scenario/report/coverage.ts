import { visible } from "../../diagnostics/renderers/text.ts";
import { positionOf, type Span } from "../../text/source.ts";
import type { Transition } from "../coverage.ts";
import {
  type Coverage,
  isCovered,
  type Reached,
  type Tally,
  tallyOf,
  totalsOf,
  type WorkflowCoverage,
} from "../coverage.ts";

/**
 * Renders coverage as text: a line with the totals of each workflow, and a line for each unreached state and
 * transition.
 */
export function renderCoverage(coverage: Coverage, minimum: number): string {
  const lines = [
    ...coverage.flatMap(linesOf),
    ...(coverage.length === 1 ? [] : [`in all: ${totals(totalsOf(coverage), nounFor(coverage))}`]),
    ...(isCovered(coverage, minimum) ? [] : [`less than ${minimum}% is reached`]),
  ];
  return `${["coverage", ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}

/** The JSON form of coverage; `unreached` lists the unreached parts with their positions. */
interface CoverageJson {
  readonly states: Tally;
  readonly transitions: Tally;
  readonly minimum: number;
  readonly workflows: readonly {
    readonly file: string;
    readonly workflow: string;
    readonly states: Tally & { readonly unreached: readonly object[] };
    readonly transitions: Tally & { readonly unreached: readonly object[] };
  }[];
}

/** Converts coverage to its JSON form. Positions count from 1. */
export function coverageJson(coverage: Coverage, minimum: number): CoverageJson {
  return {
    ...totalsOf(coverage),
    minimum,
    workflows: coverage.map(({ file, workflow, states, transitions }) => ({
      file,
      workflow,
      states: {
        ...tallyOf(states),
        unreached: unreached(states).map(({ name, noun, span }) => ({ state: name, noun, ...placeOf(span) })),
      },
      transitions: {
        ...tallyOf(transitions),
        unreached: unreached(transitions).map(({ from, leads, to, way, span }) => ({
          from,
          leads,
          to: to ?? null,
          way,
          ...placeOf(span),
        })),
      },
    })),
  };
}

function linesOf(one: WorkflowCoverage): readonly string[] {
  const { file, workflow, states, transitions } = one;
  const missing = [
    ...unreached(states).map(({ name, noun, span }) => `${place(span)}: ${name}, ${noun}`),
    ...unreached(transitions).map((transition) => `${place(transition.span)}: ${described(transition)}`),
  ];
  const head = `${file}, workflow ${workflow}: ${totals({ states: tallyOf(states), transitions: tallyOf(transitions) }, one.noun)}`;
  return [head, ...missing.map((line) => `  ${line}`)].map(visible);
}

const totals = ({ states, transitions }: ReturnType<typeof totalsOf>, noun: string): string =>
  `${states.reached} of ${states.total} ${noun}s, ${transitions.reached} of ${transitions.total} transitions`;

/** The languages' common term for a state, or a general one. */
function nounFor(coverage: Coverage): string {
  const [noun = "step", ...others] = new Set(coverage.map((one) => one.noun));
  return others.length === 0 ? noun : "step";
}

/** Sorts by position in the source. */
const unreached = <Part extends { readonly span: Span }>(parts: readonly Reached<Part>[]): readonly Reached<Part>[] =>
  parts.filter(({ isReached }) => !isReached).sort((a, b) => a.span.start - b.span.start);

const words: { readonly [way in Transition["way"]]: string } = {
  next: "",
  case: ", a case",
  default: ", the default",
  error: ", on an error",
  branch: ", a branch",
  iteration: ", for an element",
};

/** Describes a transition, such as `Check → Late, on an error`; one that leads to no other state by its source text. */
function described({ from, leads, to, way, span }: Transition): string {
  const target = to ?? { end: "end", failure: "failure", inside: "", state: "" }[leads];
  const isNamed = leads === "state" || to !== undefined || way === "next";
  return `${from}${target === "" ? "" : ` → ${target}`}${words[way]}${isNamed ? "" : ` at \`${excerptOf(span)}\``}`;
}

/** The first line of a source text, shortened. */
function excerptOf({ source, start, end }: Span): string {
  const [line = ""] = source.text.slice(start, Math.min(end, start + 41)).split(/\r?\n/);
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

const placeOf = ({ source, start }: Span) => ({ file: source.path, ...positionOf(source, start) });

function place(span: Span): string {
  const { file, line, column } = placeOf(span);
  return `${file}:${line}:${column}`;
}
