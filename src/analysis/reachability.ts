import { unreachableStep } from "../diagnostics/flow.ts";
import type { Program } from "../ir/program.ts";
import { reachableSteps, scopesOf } from "../ir/walk.ts";
import type { Report } from "../text/diagnostics.ts";

/** Reports constructs that are unreachable from the start of their scope. */
export function checkReachability({ workflows }: Program, report: Report): void {
  for (const workflow of workflows) {
    for (const { scope } of scopesOf(workflow)) {
      const reached = reachableSteps(scope);
      for (const step of scope.steps)
        if (step.origin.entry && !reached.has(step.id)) report(unreachableStep(step.span, step.origin));
    }
  }
}
