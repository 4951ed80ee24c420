import type { Arbitrary } from "fast-check";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { Source } from "../../src/text/source.ts";

/** A program and its scenarios: the unit that is generated, shrunk and kept as a finding. */
export interface EquivalenceCase {
  readonly language: string;
  /** The main workflow, then its subflows. */
  readonly definitions: readonly CaseDefinition[];
  /** The language options. */
  readonly options: JsonObject;
  /** Entries of a scenario file without `name` and `expect`. */
  readonly scenarios: readonly JsonObject[];
  /** Files that the definitions refer to, such as JSON Schemas, by path. */
  readonly resources?: JsonObject | undefined;
  /** Targets to skip because their simulator does not enforce the limit under test. */
  readonly notOn?: readonly string[] | undefined;
  /** The seed for wrapping expressions that no target can express natively; undefined: none are wrapped. */
  readonly computed?: number | undefined;
}

/** A definition as data, or as source text that may be malformed. */
export type CaseDefinition = JsonObject | string;

/** The random programs of one language and the changes that preserve their meaning. */
export interface CaseGenerator {
  readonly language: string;
  /** Random cases. They shrink to fewer states and smaller values, never to another kind of state. */
  readonly cases: Arbitrary<EquivalenceCase>;
  readonly changes: readonly CaseChange[];
  /** Named cases that are extreme in one respect. */
  readonly large: ReadonlyMap<string, EquivalenceCase>;
  readonly grammar: ShrinkGrammar;
  /** Moves the concurrent parts of a definition apart in time, for the strict mode. */
  separate(definition: JsonObject): JsonObject;
  /** Changes a response, for the strict mode, to one that all platforms report alike. */
  readonly alike?: ((response: JsonObject) => JsonObject) | undefined;
}

/** A change that preserves the meaning of a case. */
export interface CaseChange {
  readonly name: string;
  /** Whether errors have other names. */
  readonly renamesErrors?: boolean | undefined;
  /**
   * Returns the changed case, or undefined if the change does not apply. `pick` returns a number below its argument.
   */
  change(original: EquivalenceCase, pick: (below: number) => number): EquivalenceCase | undefined;
}

/** How the shrinker removes steps from definitions of a language. */
export interface ShrinkGrammar {
  /** The keys whose arrays hold steps. */
  readonly scopes: readonly string[];
  /** Removes one step and redirects its predecessors to its successor; returns undefined if that is impossible. */
  without(steps: readonly JsonObject[], index: number): readonly JsonObject[] | undefined;
}

/** Returns the definitions of a case as sources. */
export const sourcesOf = ({ definitions }: EquivalenceCase): readonly Source[] =>
  definitions.map((definition, i) => ({
    path: pathOf(definition, i),
    text: typeof definition === "string" ? definition : JSON.stringify(definition, null, 1),
  }));

/** Returns the resources of a case as sources. */
export const resourcesOf = ({ resources = {} }: EquivalenceCase): readonly Source[] =>
  Object.entries(resources).map(([path, value]) => ({ path, text: JSON.stringify(value, null, 1) }));

const pathOf = (definition: CaseDefinition, index: number): string =>
  `${index === 0 ? "workflow" : `subflow${index}`}.${typeof definition !== "string" || definition.startsWith("{") ? "json" : "yaml"}`;

/** The id by which other definitions name this one. */
function idOf({ id, document }: JsonObject): Json | undefined {
  return isObject(document ?? null) ? ["namespace", "name"].map((key) => (document as JsonObject)[key]).join(".") : id;
}

/** Returns a scenario file for a case. `expect` supplies the expectations of each run; run 0 is the scenario's own. */
export function scenarioFileOf(
  { scenarios, definitions, language, options }: EquivalenceCase,
  expect: (index: number, run: number) => JsonObject,
): JsonObject {
  const subflows = definitions.slice(1).flatMap((definition, i): readonly (readonly [string, Json])[] => {
    const id = typeof definition === "string" ? undefined : idOf(definition);
    return typeof id === "string" ? [[id, pathOf(definition, i + 1)]] : [];
  });
  return {
    workflow: pathOf(definitions[0]!, 0),
    language,
    ...(subflows.length > 0 ? { subflows: Object.fromEntries(subflows) } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    scenarios: scenarios.map((scenario, i) => {
      const runs = scenario["runs"] as readonly JsonObject[] | undefined;
      return {
        name: `run ${i + 1}`,
        ...scenario,
        expect: expect(i, 0),
        ...(runs ? { runs: runs.map((run, n) => ({ ...run, expect: expect(i, n + 1) })) } : {}),
      };
    }),
  };
}
