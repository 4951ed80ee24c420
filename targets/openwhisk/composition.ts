/** A composition in the JSON Format of OpenWhisk Composer: a machine that starts at `Entry`, and may end at `Exit` alone. */
export interface Composition {
  readonly Entry: string;
  readonly Exit: string;
  /** What functions of our own call besides, by name: declarations that our conductor has them see, each behind what it is computed from. */
  readonly Helpers?: { readonly [name: string]: string };
  readonly States: { readonly [name: string]: State };
}

/** Where the declarations stand that functions call: once for all of them, or in each, where a conductor has no others. */
export type HelperPlace = "composition" | "functions";

/** One state. What it is given are the params, an object; what it makes of them is given to the next one. */
export type State =
  | Plain
  | ActionTask
  | FunctionTask
  | ValueTask
  | Choice
  | { readonly Type: "Try"; readonly Handler: string; readonly Next?: string }
  | { readonly Type: "Let"; readonly Symbol: string; readonly Value: unknown; readonly Next?: string };

/** Does nothing, or something to the stack: `Push` puts the params there, `Pop` takes them, `Catch` ends a `Try`, `End` a `Let`. */
export interface Plain {
  readonly Type: "Pass" | "Push" | "Pop" | "Catch" | "End";
  readonly Next?: string;
}

/** Calls an action with the params. */
export interface ActionTask {
  readonly Type: "Task";
  readonly Action: string;
  readonly Next?: string;
}

/** Evaluates a function of the params, in which the symbols of the `Let` states around it are variables. */
export interface FunctionTask {
  readonly Type: "Task";
  /** An expression of JavaScript that gives the function. */
  readonly Function: string;
  readonly Next?: string;
}

/** Gives a constant. */
export interface ValueTask {
  readonly Type: "Task";
  readonly Value: unknown;
  readonly Next?: string;
}

/** Goes on at `Then` where the params have the member `value: true`, and gives what was pushed before. */
export interface Choice {
  readonly Type: "Choice";
  readonly Then: string;
  readonly Else: string;
}
