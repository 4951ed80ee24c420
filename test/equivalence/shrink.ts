import { isObject, type Json, type JsonObject, setOwn } from "../../src/json.ts";
import type { CaseDefinition, EquivalenceCase, ShrinkGrammar } from "./case.ts";

type ValuePath = readonly (string | number)[];

/** Whether a case still shows the failure. */
export type Trial = (smaller: EquivalenceCase) => Promise<boolean>;

/**
 * Shrinks a case: removes scenarios, definitions and steps, then members and items, the largest first. Makes at most
 * `trials` attempts.
 */
export async function shrink(
  original: EquivalenceCase,
  grammar: ShrinkGrammar,
  shows: Trial,
  trials: number,
): Promise<EquivalenceCase> {
  let smallest = original;
  let left = trials;
  const improve = async (candidates: (current: EquivalenceCase) => Iterable<EquivalenceCase>): Promise<boolean> => {
    let improved = false;
    for (let again = true; again; ) {
      again = false;
      for (const candidate of candidates(smallest)) {
        if (left-- <= 0) return false;
        if (!(await shows(candidate))) continue;
        smallest = candidate;
        again = true;
        improved = true;
        break;
      }
    }
    return improved;
  };
  const rounds = [
    withoutScenarios,
    withoutDefinitions,
    (current: EquivalenceCase) => withoutSteps(current, grammar),
    withoutParts,
  ];
  for (let again = true; again && left > 0; ) {
    again = false;
    for (const candidates of rounds) again = (await improve(candidates)) || again;
  }
  return smallest;
}

function* withoutScenarios(current: EquivalenceCase): Iterable<EquivalenceCase> {
  if (current.scenarios.length < 2) return;
  for (const scenario of current.scenarios) yield { ...current, scenarios: [scenario] };
}

function* withoutDefinitions(current: EquivalenceCase): Iterable<EquivalenceCase> {
  for (let i = 1; i < current.definitions.length; i++)
    yield { ...current, definitions: current.definitions.filter((_, other) => other !== i) };
}

/** Outer scopes first. */
function* withoutSteps(current: EquivalenceCase, grammar: ShrinkGrammar): Iterable<EquivalenceCase> {
  for (const [i, definition] of current.definitions.entries()) {
    if (typeof definition === "string") continue;
    const scopes = pathsIn(definition).filter((path) => grammar.scopes.includes(String(path.at(-1))));
    for (const path of scopes.toSorted((a, b) => a.length - b.length)) {
      const steps = at(definition, path);
      for (let index = 0; Array.isArray(steps) && index < steps.length; index++) {
        const others = grammar.without(steps as JsonObject[], index);
        if (others) yield replaceDefinition(current, i, replacePart(definition, path, others as Json));
      }
    }
  }
}

/** The largest parts first. */
function* withoutParts(current: EquivalenceCase): Iterable<EquivalenceCase> {
  const { scenarios, options } = current;
  const parts = [...current.definitions, { scenarios, options } as JsonObject].flatMap((value, i) =>
    typeof value === "string"
      ? []
      : pathsIn(value).map((path) => ({ i, path, size: JSON.stringify(at(value, path)).length })),
  );
  for (const { i, path } of parts.toSorted((a, b) => b.size - a.size)) {
    if (i < current.definitions.length) {
      yield replaceDefinition(current, i, replacePart(current.definitions[i] as JsonObject, path, undefined));
      continue;
    }
    const [key] = path;
    if (path.length === 1 || (key === "scenarios" && path.length === 2)) continue;
    yield { ...current, ...(replacePart({ scenarios, options } as JsonObject, path, undefined) as object) };
  }
}

const replaceDefinition = (current: EquivalenceCase, index: number, definition: Json): EquivalenceCase => ({
  ...current,
  definitions: current.definitions.map(
    (other, i): CaseDefinition => (i === index ? (definition as JsonObject) : other),
  ),
});

function pathsIn(value: Json, before: ValuePath = []): readonly ValuePath[] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const path = [...before, Array.isArray(value) ? Number(name) : name];
    return [path, ...pathsIn(part as Json, path)];
  });
}

const at = (value: Json, path: ValuePath): Json =>
  path.reduce<Json>((part, key) => (part as { readonly [key: string]: Json })[key]!, value);

/** Replaces the part at a path, or removes it. */
function replacePart(value: Json, [key, ...rest]: ValuePath, part: Json | undefined): Json {
  if (Array.isArray(value))
    return value.flatMap((item: Json, i) => {
      if (i !== key) return [item];
      return rest.length > 0 ? [replacePart(item, rest, part)] : part === undefined ? [] : [part];
    });
  const members: { [key: string]: Json } = {};
  for (const [name, item] of Object.entries(value as JsonObject)) {
    if (name !== key) setOwn(members, name, item as Json);
    else if (rest.length > 0) setOwn(members, name, replacePart(item as Json, rest, part));
    else if (part !== undefined) setOwn(members, name, part);
  }
  return members;
}
