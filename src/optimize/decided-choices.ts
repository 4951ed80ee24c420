import { simplify } from "../expressions/index.ts";
import { mapScopes } from "../ir/walk.ts";
import type { Case, Choose, Step, Workflow } from "../ir/workflow.ts";

/**
 * Choices without what is decided: a case whose condition never holds is left out, and what always holds is the end of the choice. A choice with nothing
 * left to choose only passes on. Saves conditions, and the ways that nothing takes.
 */
export const withoutDecidedChoices = <W extends Workflow>(workflow: W): W =>
  mapScopes(workflow, (scope) => ({
    ...scope,
    steps: scope.steps.map((step) => (step.kind === "choose" ? undecided(step) : step)),
  }));

function undecided(step: Choose): Step {
  const decided = step.cases.map((each) => ({ each, holds: holdsAlways(each) })).filter(({ holds }) => holds !== false);
  const always = decided.findIndex(({ holds }) => holds);
  const cases = (always < 0 ? decided : decided.slice(0, always)).map(({ each }) => each);
  const otherwise = always < 0 ? step.otherwise : decided[always]!.each.next;
  if (cases.length > 0 || !otherwise) return { ...step, cases, otherwise };
  const { id, origin, span } = step;
  return { kind: "assign", id, origin, span, values: [], next: otherwise };
}

/** Whether a condition holds whatever the variables are, or never; undefined where they decide it. Anything but true does not hold. */
function holdsAlways({ when }: Case): boolean | undefined {
  const condition = simplify(when);
  return condition.kind === "literal" ? condition.value === true : undefined;
}
