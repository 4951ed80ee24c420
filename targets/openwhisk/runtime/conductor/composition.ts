import type { Json, JsonObject } from "../../../../src/json.ts";

/** A composition in the JSON Format. A state is validated when it is entered. */
export interface Composition {
  readonly Entry: string;
  readonly Exit: string;
  /** Declarations that its functions see, by name, in order of dependency. */
  readonly Helpers?: { readonly [name: string]: string };
  readonly States: { readonly [name: string]: State };
}

/** A state. Its type determines the members that it needs. */
export interface State {
  readonly Type: string;
  readonly Next?: string;
  readonly Action?: string;
  readonly Value?: Json;
  readonly Function?: string;
  readonly Then?: string;
  readonly Else?: string;
  readonly Handler?: string;
  readonly Symbol?: string;
}

/** An entry of the stack: pushed parameters, a handler, or a variable. */
export type Frame =
  | { readonly params: JsonObject }
  | { readonly catch: string }
  | { readonly let: { readonly [symbol: string]: Json } };

/** Topmost frame first. */
export type Stack = readonly Frame[];

/** The position of a run in its composition. */
export interface Point {
  /** The state to enter. Undefined: the run ends. */
  readonly state?: string | undefined;
  readonly stack: Stack;
  readonly params: JsonObject;
}

/** Why the interpreter stops. */
export type Outcome =
  | {
      readonly kind: "action";
      /** The state that calls the action. */
      readonly state: string;
      readonly action: string;
      /** The next state. `params` are those of the action. */
      readonly point: Point;
    }
  | { readonly kind: "ended"; readonly result: JsonObject }
  | Rejection;

/** A run that violates the format ends, and no `Try` state catches that. */
export interface Rejection {
  readonly kind: "rejected";
  readonly code: number;
  readonly error: string;
}
