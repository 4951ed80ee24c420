import { type Expression, factsOf } from "../expressions/index.ts";
import { assigned, handlersOf, type Place, patternsOf, places, read, retriesOf } from "../ir/walk.ts";
import type { Step, Workflow } from "../ir/workflow.ts";

/**
 * Every variable that is read is declared in its scope or in one around it; every one that is set is declared in its own scope, which an
 * attempt shares with the steps around it. A definition cannot break this, only a front end: throws. Not one of the passes: the tests hold everything that they lower against it.
 */
export function assertVariables(workflow: Workflow): void {
  checkHead(workflow);
  const names = new Map<Place, ReadonlySet<string>>();
  for (const place of places(workflow)) names.set(place, declaredBy(place));
  for (const place of names.keys()) checkPlace(workflow, place, names);
}

function checkHead({ id, body, input, start, events, correlation }: Workflow): void {
  const at = `Workflow ${id}`;
  if (!body.variables.some(({ name }) => name === input)) fail(at, input);
  for (const { initial } of body.variables) checkReads(at, initial, []);
  checkReads(at, correlation, [input, "run"]);
  for (const event of events) checkReads(at, event.correlation, ["event"]);
  for (const { when } of patternsOf(start.on ?? [])) checkReads(at, when, ["event"]);
}

function checkReads(at: string, expression: Expression | undefined, given: readonly string[]): void {
  for (const name of expression ? factsOf(expression).free.keys() : []) if (!given.includes(name)) fail(at, name);
}

function checkPlace(workflow: Workflow, place: Place, names: ReadonlyMap<Place, ReadonlySet<string>>): void {
  const writable = names.get(frameOf(place))!;
  for (const step of place.scope.steps) {
    const at = `Step ${step.id} of workflow ${workflow.id}`;
    const given = givenBy(step);
    for (const name of written(step)) if (!writable.has(name)) fail(at, name);
    for (const name of read(step)) if (!given.includes(name) && !isDeclared(name, place, names)) fail(at, name);
  }
}

function declaredBy({ scope, owner }: Place): ReadonlySet<string> {
  const names = new Set(scope.variables.map(({ name }) => name));
  if (owner?.kind === "foreach") for (const name of elementOf(owner)) names.add(name);
  return names;
}

/** The place whose variables the steps of a place set: not the body of an attempt. */
function frameOf(place: Place): Place {
  let frame = place;
  while (frame.outer && frame.owner?.kind === "attempt") frame = frame.outer;
  return frame;
}

function isDeclared(name: string, place: Place, names: ReadonlyMap<Place, ReadonlySet<string>>): boolean {
  for (let at: Place | undefined = place; at; at = at.outer) if (names.get(at)!.has(name)) return true;
  return false;
}

const written = (step: Step): readonly string[] =>
  step.kind === "attempt" ? [...assigned(step), ...step.restore] : assigned(step);

/** What the expressions of a step may read beside variables. */
function givenBy(step: Step): readonly string[] {
  const error = handlersOf(step).length + retriesOf(step).length > 0 ? ["error"] : [];
  if (step.kind === "receive") return ["event"];
  return step.kind === "foreach" ? [...elementOf(step), ...error] : error;
}

const elementOf = ({
  element,
  index,
}: {
  readonly element: string;
  readonly index?: string | undefined;
}): readonly string[] => (index === undefined ? [element] : [element, index]);

function fail(at: string, name: string): never {
  throw new Error(`${at} uses a variable \`${name}\` that it does not have.`);
}
