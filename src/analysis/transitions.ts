import { crossesScope, type Terminology, unknownStep } from "../diagnostics/flow.ts";
import type { Program } from "../ir/program.ts";
import { type Place, places, successors } from "../ir/walk.ts";
import type { Reference, Step, Workflow } from "../ir/workflow.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { limitSuggestions } from "../text/suggest.ts";
import { constructsOf, homeOf, kindOf, scopeName } from "./naming.ts";

/** Every transition leads to a step of its own scope. */
export function checkTransitions(
  { workflows }: Program,
  report: Report,
  wordsOf: (workflow: Workflow) => Terminology,
): void {
  for (const workflow of workflows) {
    const all = places(workflow);
    const misled = all.flatMap((place) => strayed(place).map((reference) => ({ reference, place })));
    if (misled.length === 0) continue;
    const homes = homesOf(all);
    const unknown = unknownIn(wordsOf(workflow));
    for (const { reference, place } of misled) {
      const found = homes.get(reference.name);
      report(found ? crossing(reference, place, found) : unknown(reference, place));
    }
  }
}

/** The references of a scope that lead to none of its steps. */
function strayed({ scope }: Place): readonly Reference[] {
  const own = new Set(scope.steps.map(({ id }) => id));
  return [scope.entry, ...scope.steps.flatMap(successors)].filter(({ name }) => !own.has(name));
}

interface Home {
  readonly place: Place;
  readonly step: Step;
}

const homesOf = (all: readonly Place[]): ReadonlyMap<string, Home> =>
  new Map(all.flatMap((place) => place.scope.steps.map((step) => [step.id, { place, step }] as const)));

function crossing({ span }: Reference, from: Place, { place, step }: Home): Diagnostic {
  const { noun, name } = step.origin;
  const note = { message: `\`${name}\` is here.`, span: step.span };
  return crossesScope(span, { noun, name, from: scopeName(homeOf(from)), to: scopeName(homeOf(place)) }, [note]);
}

/** Words references to what does not exist, with the known names of each scope gathered once. */
function unknownIn({ step }: Terminology): (reference: Reference, from: Place) => Diagnostic {
  const known = new Map<Place, () => readonly string[]>();
  return ({ name, span }, from) => {
    const home = homeOf(from);
    const names = known.get(home) ?? limitSuggestions(constructsOf(home.scope));
    known.set(home, names);
    const [first] = home.scope.steps;
    return unknownStep(span, { noun: first ? kindOf(first.origin.noun) : step, name, known: names() });
  };
}
