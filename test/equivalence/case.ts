import type { Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../src/json.ts";
import type { Source } from "../../src/text/source.ts";

/** A program and what happens to some runs of it: all that a finding consists of, and all that is written down of one. */
export interface Case {
  readonly language: string;
  /** The definitions; the first is run, the others are its subflows. */
  readonly definitions: readonly Definition[];
  /** The choices that the language leaves to the user. */
  readonly options: JsonObject;
  /** Scenarios as they stand in a scenario file, without `name` and `expect`, nor `expect` in their further runs. */
  readonly scenarios: readonly JsonObject[];
  /** What the definitions refer to, such as JSON Schemas, by path; absent: nothing. */
  readonly resources?: JsonObject | undefined;
  /** Targets that it is not for, as it is about a limit that is not simulated there; absent: none. */
  readonly notOn?: readonly string[] | undefined;
  /** The seed by which some expressions are made such that no target has a readable form of them; absent: none are. */
  readonly computed?: number | undefined;
}

/** A definition: data, or a text that may not be readable as data. */
export type Definition = JsonObject | string;

/** What a language brings to the harness: random programs with scenarios, and changes of them after which they mean the same. */
export interface Generator {
  readonly language: string;
  /** Random cases. They shrink: fewer states and smaller values, never another kind of state. */
  readonly cases: Arbitrary<Case>;
  readonly changes: readonly Change[];
  /** Cases that are large or strange in one way, by name. */
  readonly large: ReadonlyMap<string, Case>;
  /** The words by which a definition leads from step to step, for shrinking: see `shrink.ts`. */
  readonly grammar: Grammar;
}

/** A change of a case that leaves its meaning as it is. */
export interface Change {
  readonly name: string;
  /** The changed case, or undefined where there is nothing to change. `pick` gives a number from 0 up to below its argument. */
  change(original: Case, pick: (below: number) => number): Case | undefined;
}

/** How the definitions of a language can be made smaller. */
export interface Grammar {
  /** The members that hold lists of steps; a step among them can be left out. */
  readonly scopes: readonly string[];
  /** Leaves out one step of a scope: its steps without it, with all that led to it leading past it; undefined where it cannot be. */
  without(steps: readonly JsonObject[], index: number): readonly JsonObject[] | undefined;
}

/** The definitions of a case as sources. */
export const sourcesOf = ({ definitions }: Case): readonly Source[] =>
  definitions.map((definition, i) => ({
    path: pathOf(definition, i),
    text: typeof definition === "string" ? definition : JSON.stringify(definition, null, 1),
  }));

/** What the definitions of a case refer to, as texts. */
export const resourcesOf = ({ resources = {} }: Case): readonly Source[] =>
  Object.entries(resources).map(([path, value]) => ({ path, text: JSON.stringify(value, null, 1) }));

/** The path of the n-th definition. */
const pathOf = (definition: Definition, index: number): string =>
  `${index === 0 ? "workflow" : `subflow${index}`}.${typeof definition !== "string" || definition.startsWith("{") ? "json" : "yaml"}`;

/** A scenario file with the case's scenarios, as data; `expect` gives what is expected of each run of each, the scenario's own being 0. */
export function scenarioFileOf(
  { scenarios, definitions, language, options }: Case,
  expect: (index: number, run: number) => JsonObject,
): JsonObject {
  const subflows = definitions.slice(1).flatMap((definition, i): readonly (readonly [string, Json])[] => {
    const id = typeof definition === "string" ? undefined : definition["id"];
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
