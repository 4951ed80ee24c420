import { unreachableStep } from "../diagnostics/flow.ts";
import type { Program } from "../ir/program.ts";
import { reachableSteps, scopesOf } from "../ir/walk.ts";
import type { Report } from "../text/diagnostics.ts";

/** Every construct lies on some path from the start of its scope. */
export function checkReachability({ workflows }: Program, report: Report): void {
  for (const workflow of workflows) {
    for (const { scope } of scopesOf(workflow)) {
      const reached = reachableSteps(scope);
      for (const step of scope.steps)
        if (step.origin.entry && !reached.has(step.id)) report(unreachableStep(step.span, step.origin));
    }
  }
}
