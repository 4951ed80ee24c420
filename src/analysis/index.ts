import type { Terminology } from "../diagnostics/flow.ts";
import type { Workflow } from "../ir/workflow.ts";
import { type Program, programOf } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { checkArguments } from "./arguments.ts";
import { checkCases } from "./cases.ts";
import { checkDefinitions } from "./definitions.ts";
import { checkEventCycles } from "./event-cycles.ts";
import { checkEvents } from "./events.ts";
import { checkPaths } from "./paths.ts";
import { checkEnds, checkReachability } from "./reachability.ts";
import { checkRecursion } from "./recursion.ts";
import { checkReferences, definesAll } from "./references.ts";
import { checkRetries } from "./retries.ts";
import { checkTransitions } from "./transitions.ts";

/** Checks one invariant of programs. */
export type ProgramCheck = (program: Program, report: Report, wordsOf: (workflow: Workflow) => Terminology) => void;

/** Each round sees only documents without errors, and relies on earlier rounds. */
export const checkRounds: readonly (readonly ProgramCheck[])[] = [
  [checkDefinitions, checkReferences, checkTransitions],
  [checkReachability, checkEnds, checkCases, checkEvents, checkRecursion, checkEventCycles, checkRetries],
  [checkPaths, checkArguments],
];

/**
 * Checks all invariants; returns whether all hold. Documents with errors (`faulty` at first) skip later
 * rounds. `partOf` maps a span to its document, by default its file.
 */
export function analyzeProgram(...given: Parameters<typeof analysisSteps>): boolean {
  const steps = analysisSteps(...given);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Analyzes a program as `analyzeProgram` does, and yields before each check. */
export function* analysisSteps(
  program: Program,
  report: Report,
  wordsIn: (language: string) => Terminology | undefined = () => undefined,
  partOf: (span: Span) => object = ({ source }) => source,
  faulty: ReadonlySet<object> = new Set(),
): Generator<undefined, boolean> {
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
    for (const pass of round) {
      yield;
      pass(part, watch, wordsOf);
    }
  }
  return broken.size === 0;
}

/** Runs only the first round. */
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
