import type { Workflow } from "../../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";

/** A state of a machine in Amazon States Language. */
export type NativeState = JsonObject;

/** A machine, a branch or an item processor. */
export interface NativeScope {
  readonly StartAt: string;
  readonly States: { readonly [name: string]: NativeState };
}

/** The machine that a workflow was read from, if it was a state machine. */
export const nativeMachine = ({ native }: Workflow): (JsonObject & NativeScope) | undefined =>
  native?.format === "asl" ? (native.value as JsonObject & NativeScope) : undefined;

const isScope = (value: Json | undefined): value is JsonObject & NativeScope =>
  isObject(value) && typeof own(value, "StartAt") === "string" && isObject(own(value, "States"));

/** The branches or the item processor of a state. */
export const nativeScopesIn = (state: NativeState): readonly NativeScope[] =>
  ["Branches", "ItemProcessor", "Iterator"].flatMap((key) => [own(state, key) ?? []].flat()).filter(isScope);

/**
 * The Map states whose items Step Functions reads or counts, or whose results it writes, by name. It counts the items of
 * batches that fail.
 */
export const storingStates = ({ States }: NativeScope): readonly string[] =>
  Object.entries(States).flatMap(([name, state]) => [
    ...(isStoring(state) ? [name] : []),
    ...nativeScopesIn(state).flatMap(storingStates),
  ]);

const isStoring = (state: NativeState): boolean =>
  ["ItemReader", "ResultWriter"].some((key) => Object.hasOwn(state, key)) ||
  (Object.hasOwn(state, "ItemBatcher") &&
    Object.entries(state).some(([key, value]) => key.startsWith("ToleratedFailure") && value !== 0));

/** Changes the branches or the item processor of a state. */
export function mapScopesOf(state: NativeState, change: (scope: JsonObject & NativeScope) => JsonObject): NativeState {
  const changed = (value: Json): Json => (isScope(value) ? change(value) : value);
  return Object.fromEntries(
    Object.entries(state).map(([key, value]): [string, Json] => {
      if (key === "Branches" && Array.isArray(value)) return [key, value.map(changed)];
      return key === "ItemProcessor" || key === "Iterator" ? [key, changed(value)] : [key, value];
    }),
  );
}

/** The names of the states to which a state leads, once for each transition. */
export function targetsOf(state: NativeState): readonly string[] {
  const inList = (key: "Choices" | "Catch"): readonly Json[] => {
    const list = own(state, key);
    return Array.isArray(list) ? list.map((each: Json) => (isObject(each) ? (own(each, "Next") ?? null) : null)) : [];
  };
  const all = [own(state, "Next"), own(state, "Default"), ...inList("Choices"), ...inList("Catch")];
  return all.filter((each) => typeof each === "string");
}

/** Redirects the transitions of a state. */
export function redirected(state: NativeState, to: (name: string) => string): NativeState {
  const retarget = (owner: JsonObject, keys: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(owner).map(([key, value]) => [
        key,
        keys.includes(key) && typeof value === "string" ? to(value) : value,
      ]),
    );
  return Object.fromEntries(
    Object.entries(retarget(state, ["Next", "Default"])).map(([key, value]): [string, Json] =>
      (key === "Choices" || key === "Catch") && Array.isArray(value)
        ? [key, value.map((each: Json) => (isObject(each) ? retarget(each, ["Next"]) : each))]
        : [key, value],
    ),
  );
}
