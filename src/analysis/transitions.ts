import { crossScopeTransition, type Terminology, unknownStep } from "../diagnostics/flow.ts";
import { type ScopeNode, scopesOf, successors } from "../ir/walk.ts";
import type { Program, Reference, Step, Workflow } from "../ir/workflow.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { limitSuggestions } from "../text/messages.ts";
import { constructsOf, enclosingConstruct, generalNoun, scopeName } from "./naming.ts";

/** Reports transitions out of a scope. */
export function checkTransitions(
  { workflows }: Program,
  report: Report,
  wordsOf: (workflow: Workflow) => Terminology,
): void {
  for (const workflow of workflows) {
    const all = scopesOf(workflow);
    const misled = all.flatMap((node) => danglingReferences(node).map((reference) => ({ reference, node })));
    if (misled.length === 0) continue;
    const homes = locateSteps(all);
    const unknown = createUnknownStep(wordsOf(workflow));
    for (const { reference, node } of misled) {
      const found = homes.get(reference.name);
      report(found ? crossScopeError(reference, node, found) : unknown(reference, node));
    }
  }
}

function danglingReferences({ scope }: ScopeNode): readonly Reference[] {
  const own = new Set(scope.steps.map(({ id }) => id));
  return [scope.entry, ...scope.steps.flatMap(successors)].filter(({ name }) => !own.has(name));
}

interface StepLocation {
  readonly node: ScopeNode;
  readonly step: Step;
}

const locateSteps = (all: readonly ScopeNode[]): ReadonlyMap<string, StepLocation> =>
  new Map(all.flatMap((node) => node.scope.steps.map((step) => [step.id, { node, step }] as const)));

function crossScopeError({ span }: Reference, from: ScopeNode, { node, step }: StepLocation): Diagnostic {
  const { noun, name } = step.origin;
  const note = { message: `\`${name}\` is here.`, span: step.span };
  return crossScopeTransition(
    span,
    { noun, name, from: scopeName(enclosingConstruct(from)), to: scopeName(enclosingConstruct(node)) },
    [note],
  );
}

function createUnknownStep({ step }: Terminology): (reference: Reference, from: ScopeNode) => Diagnostic {
  const known = new Map<ScopeNode, () => readonly string[]>();
  return ({ name, span }, from) => {
    const home = enclosingConstruct(from);
    const names = known.get(home) ?? limitSuggestions(constructsOf(home.scope));
    known.set(home, names);
    const [first] = home.scope.steps;
    return unknownStep(span, { noun: first ? generalNoun(first.origin.noun) : step, name, known: names() });
  };
}
