import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { createConductor, type Settings } from "../../../../targets/openwhisk/runtime/conductor/index.ts";
import { sign, verify } from "../../../../targets/openwhisk/runtime/proof.ts";

/** A run of a conductor, up to its result. */
export interface ConductedRun {
  readonly result: Json;
  /** The calls of components. */
  readonly trace: readonly { readonly action: string; readonly input: Json }[];
  readonly states: readonly string[];
}

/** A component: returns a result or throws. */
export type Component = (params: JsonObject) => unknown;

/** The helper action, as compositions name it. */
export const helper = "/_/waybill/rt";

/** The key of the deployment. */
export const key = "key of the conductor";

export const defaultSettings: Settings = { helper, missingAction: "reject" };

/** The parameters of a conductor that the helper action starts with a continuation. */
export const continued = ({ $waybill, ...params }: JsonObject): JsonObject => ({
  ...params,
  ...($waybill !== undefined && { $waybill: sign($waybill as JsonObject, "continue", key) }),
});

/**
 * Runs a composition by the protocol of conductors. Passes only JSON, and uses a new container for each activation.
 * Traces contain no proofs.
 */
export function drive(
  composition: Composition,
  input: JsonObject,
  components: { readonly [action: string]: Component } = {},
  settings: Settings = defaultSettings,
): ConductedRun {
  const trace: { action: string; input: Json }[] = [];
  const states: string[] = [];
  for (let params = continued(input); ; ) {
    const conduct = createConductor(composition, settings, (state) => states.push(state));
    const {
      action,
      params: given,
      state,
      ...others
    } = copy(conduct({ ...params, $waybillKey: key })) as { [name: string]: JsonObject };
    if (action === undefined) return { result: given ?? others, trace, states };
    const name = action as unknown as string;
    trace.push({ action: name, input: verified(given!) });
    params = { ...componentResult(components[name], name, given!), ...state };
  }
}

/** The parameters of a component, whose state of the run is signed if it is the helper action. */
function verified({ operation, ...params }: JsonObject): JsonObject {
  const { $waybill } = params;
  const state = verify($waybill, "call", key) ?? verify($waybill, "continue", key);
  return {
    ...(operation === undefined ? {} : { operation }),
    ...params,
    ...(state ? { $waybill: state } : {}),
  };
}

/** The result of a component as the platform passes it on. */
function componentResult(component: Component | undefined, name: string, params: JsonObject): JsonObject {
  if (!component) return { error: `Failed to resolve action with name 'guest/${name}' during composition.` };
  try {
    const answer = copy(component(verified(params))) as JsonObject;
    return answer["error"] === undefined ? answer : { error: answer["error"] };
  } catch (error) {
    return { error: `An error has occurred: ${error}` };
  }
}

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
