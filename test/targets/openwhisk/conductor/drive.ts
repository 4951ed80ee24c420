import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { createConductor, type Settings } from "../../../../targets/openwhisk/runtime/conductor/index.ts";

/** A run of a conductor, up to its result. */
export interface ConductedRun {
  readonly result: Json;
  /** The calls of components. */
  readonly trace: readonly { readonly action: string; readonly input: Json }[];
  readonly states: readonly string[];
}

/** A component: returns a result or throws. */
export type Component = (params: JsonObject) => unknown;

export const defaultSettings: Settings = { helpers: "/_/waybill", missingAction: "reject" };

/** Runs a composition by the protocol of conductors. Passes only JSON, and uses a new container for each activation. */
export function drive(
  composition: Composition,
  input: JsonObject,
  components: { readonly [action: string]: Component } = {},
  settings: Settings = defaultSettings,
): ConductedRun {
  const trace: { action: string; input: Json }[] = [];
  const states: string[] = [];
  for (let params = input; ; ) {
    const conduct = createConductor(composition, settings, (state) => states.push(state));
    const { action, params: given, state, ...others } = copy(conduct(params)) as { [name: string]: JsonObject };
    if (action === undefined) return { result: given ?? others, trace, states };
    const name = action as unknown as string;
    trace.push({ action: name, input: given! });
    params = { ...componentResult(components[name], name, given!), ...state };
  }
}

/** The result of a component as the platform passes it on. */
function componentResult(component: Component | undefined, name: string, params: JsonObject): JsonObject {
  if (!component) return { error: `Failed to resolve action with name 'guest/${name}' during composition.` };
  try {
    const answer = copy(component(params)) as JsonObject;
    return answer["error"] === undefined ? answer : { error: answer["error"] };
  } catch (error) {
    return { error: `An error has occurred: ${error}` };
  }
}

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
