import type { Json } from "../../../json.ts";
import type { Scope } from "../scope.ts";

/** A value, and the path that jq has come to when it has it: another value may stand there. */
export interface Place {
  readonly value: Json;
  readonly path: readonly Json[];
  /** The value at the path. */
  readonly at: Json;
  /** Whether a text or number is the very one that it was made from, and no other one that is equal. */
  readonly copied: boolean;
}

/** A scope whose input is a place. */
export interface Standing extends Scope {
  readonly place: Place;
}

/** A scope with another place as its input. */
export const at = (scope: Scope, place: Place): Standing => ({ ...scope, input: place.value, place });

/** A value that was computed from a place: the path is still that of the place. */
export const computedAt = (place: Place, value: Json, copied: boolean): Place => ({ ...place, value, copied });
