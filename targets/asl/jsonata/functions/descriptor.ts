import type { Call } from "../../../../src/expressions/index.ts";
import type { Code } from "../code.ts";
import type { JsonataPrinter, Mode, OutputContinuation } from "../context.ts";

/** How calls of a core function are printed. */
export type FunctionPrinter =
  /** As a call of the equivalent helper. */
  | { readonly kind: "helper"; readonly helper: string }
  /** As JSONata over the argument values, once for each combination of argument outputs. */
  | { readonly kind: "value"; readonly print: PrintValue }
  /** As a boolean whose arguments are printed within it. */
  | { readonly kind: "condition"; readonly print: PrintCondition }
  /** As code that evaluates its arguments as it likes and has any number of outputs. */
  | { readonly kind: "outputs"; readonly each: EachOutput }
  /** Not at all. `construct` names it in messages, by default by its name. */
  | { readonly kind: "refused"; readonly construct?: string };

type PrintValue = (call: Call, values: readonly Code[], printer: JsonataPrinter) => Code;
type PrintCondition = (call: Call, printer: JsonataPrinter) => Code;
type EachOutput = (call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation) => Code;

/** The printers of several functions, by `name/arity`. */
export type FunctionPrinters = { readonly [signature: string]: FunctionPrinter };

/** Prints a helper call: `"floor/1"` → `$floorOf($x)`. */
export const helper = (name: string): FunctionPrinter => ({ kind: "helper", helper: name });

/** Prints JSONata over argument values: `"type/1"` → `$type($x)`. */
export const value = (print: PrintValue): FunctionPrinter => ({ kind: "value", print });

/** Prints a boolean: `"exists/1"` → `$exists($x.a)`. */
export const condition = (print: PrintCondition): FunctionPrinter => ({ kind: "condition", print });

/** Prints each output: `"range/3"` → the boxes `$rangeOf(0, $n, 1)`. */
export const eachOf = (each: EachOutput): FunctionPrinter => ({ kind: "outputs", each });

/** Declares functions, separated by spaces, unsupported. */
export const unsupported = (signatures: string, construct?: string): FunctionPrinters =>
  Object.fromEntries(
    signatures
      .split(" ")
      .map((signature) => [signature, { kind: "refused", ...(construct === undefined ? {} : { construct }) }]),
  );
