import type { Program } from "../program.ts";
import type { Report } from "../text/diagnostics.ts";
import { checkCases } from "./cases.ts";
import { checkDefinitions } from "./definitions.ts";
import { checkEnds } from "./ends.ts";
import { checkPaths } from "./paths.ts";
import { checkReachability } from "./reachability.ts";
import { checkRecursion } from "./recursion.ts";
import { checkReferences } from "./references.ts";
import { checkTransitions } from "./transitions.ts";

/** One law about programs: reports where it is broken. */
export type Pass = (program: Program, report: Report) => void;

/** Passes in rounds: a round runs only if the rounds before found no error, and may rely on what they assure. */
export const rounds: readonly (readonly Pass[])[] = [
  [checkDefinitions, checkReferences, checkTransitions],
  [checkReachability, checkEnds, checkCases, checkRecursion],
  [checkPaths],
];

/** Holds a program against all laws; true when no error was found. */
export function analyse(program: Program, report: Report): boolean {
  let failed = false;
  const watch: Report = (diagnostic) => {
    failed ||= diagnostic.severity === "error";
    report(diagnostic);
  };
  for (const round of rounds) {
    for (const pass of round) pass(program, watch);
    if (failed) return false;
  }
  return true;
}
