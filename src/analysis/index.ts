import type { Terminology } from "../diagnostics/flow.ts";
import { type Program, programOf } from "../ir/program.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { checkCases } from "./cases.ts";
import { checkDefinitions } from "./definitions.ts";
import { checkEnds } from "./ends.ts";
import { checkPaths } from "./paths.ts";
import { checkReachability } from "./reachability.ts";
import { checkRecursion } from "./recursion.ts";
import { checkReferences, definesAll } from "./references.ts";
import { checkTransitions } from "./transitions.ts";

/** One law about programs: reports where it is broken, in the words of the language of each workflow. */
export type ProgramCheck = (program: Program, report: Report, wordsOf: (workflow: Workflow) => Terminology) => void;

/** Passes in rounds: the first sees all documents, each other only those in which no error was found before, and may rely on what that assures. */
export const checkRounds: readonly (readonly ProgramCheck[])[] = [
  [checkDefinitions, checkReferences, checkTransitions],
  [checkReachability, checkEnds, checkCases, checkRecursion],
  [checkPaths],
];

/**
 * Holds a program against all laws; true when no error was found. A document with an error is left out of the rounds that follow, so that what is wrong with
 * one hides nothing in another; an error that stands in none of them ends the rounds. `wordsIn` are those of a language; workflows of other languages are
 * spoken of in general words. `partOf` tells the document that a place is in; files where it is absent. `faulty` are the documents that have errors already.
 */
export function analyzeProgram(
  program: Program,
  report: Report,
  wordsIn: (language: string) => Terminology | undefined = () => undefined,
  partOf: (span: Span) => object = ({ source }) => source,
  faulty: ReadonlySet<object> = new Set(),
): boolean {
  const wordsOf = wordsBy(wordsIn);
  const parts = new Set(program.workflows.map(({ span }) => partOf(span)));
  const broken = new Set<object>(faulty);
  const watch: Report = (diagnostic) => {
    if (diagnostic.severity === "error") broken.add(partOf(diagnostic.span));
    report(diagnostic);
  };
  for (const [i, round] of checkRounds.entries()) {
    if (![...broken].every((part) => parts.has(part) || faulty.has(part))) return false;
    const sound = program.workflows.filter((workflow) => !broken.has(partOf(workflow.span)) && definesAll(workflow));
    const part = i === 0 ? program : programOf(sound);
    for (const pass of round) pass(part, watch, wordsOf);
  }
  return broken.size === 0;
}

/** The first round alone: what is named, and whether that is there. It relies on nothing. */
export function checkNames(
  program: Program,
  report: Report,
  wordsIn: (language: string) => Terminology | undefined = () => undefined,
): void {
  for (const pass of checkRounds[0]!) pass(program, report, wordsBy(wordsIn));
}

const wordsBy =
  (wordsIn: (language: string) => Terminology | undefined) =>
  ({ language }: Workflow): Terminology =>
    wordsIn(language) ?? { step: "step" };
