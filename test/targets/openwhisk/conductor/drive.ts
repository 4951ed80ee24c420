import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { createConductor, type Settings } from "../../../../targets/openwhisk/runtime/conductor/index.ts";

/** What a conductor did from its first activation to its result. */
export interface ConductedRun {
  readonly result: Json;
  /** The components that it called, and with what. */
  readonly trace: readonly { readonly action: string; readonly input: Json }[];
  readonly states: readonly string[];
}

/** What answers a component: gives a result, or throws. */
export type Component = (params: JsonObject) => unknown;

export const defaultSettings: Settings = { helpers: "/_/waybill", missingAction: "reject" };

/** Runs a composition by the conductor's protocol. All that goes between is JSON, and each activation may be in a new container. */
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

/** What the platform makes of a component's answer. */
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
