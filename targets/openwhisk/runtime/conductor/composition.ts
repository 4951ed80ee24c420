import type { Json, JsonObject } from "../../../../src/json.ts";

/** A composition in the JSON Format. What it is made of is looked at when a state is entered, and not before. */
export interface Composition {
  readonly Entry: string;
  readonly Exit: string;
  /** Declarations that its functions see, by the names that they declare: each stands behind what it is computed from. */
  readonly Helpers?: { readonly [name: string]: string };
  readonly States: { readonly [name: string]: State };
}

/** A state: which members it needs is told by its type. */
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

/** What a state may have left on the stack: parameters, a handler, or a variable. */
export type Frame =
  | { readonly params: JsonObject }
  | { readonly catch: string }
  | { readonly let: { readonly [symbol: string]: Json } };

/** Frames, the topmost first. */
export type Stack = readonly Frame[];

/** Where in a composition a run is: what it does next, and with what. */
export interface Point {
  /** The state to enter; absent: the run ends. */
  readonly state?: string | undefined;
  readonly stack: Stack;
  readonly params: JsonObject;
}

/** What a run does that it cannot do by itself. */
export type Outcome =
  | {
      readonly kind: "action";
      /** The state that calls. */
      readonly state: string;
      readonly action: string;
      /** Where it goes on, with the answer; what stands in `params` is what the action is called with. */
      readonly point: Point;
    }
  | { readonly kind: "ended"; readonly result: JsonObject }
  | Rejection;

/** A run that breaks a rule of the format ends, and no Try state takes that. */
export interface Rejection {
  readonly kind: "rejected";
  readonly code: number;
  readonly error: string;
}
