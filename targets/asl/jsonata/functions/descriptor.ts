import type { Call } from "../../../../src/expressions/index.ts";
import type { Code } from "../code.ts";
import type { Mode, Printer, Use } from "../context.ts";

/** How calls of one function of the core are printed. */
export type FunctionPrinter =
  /** As a call of the helper that means the same, with the values of the arguments. */
  | { readonly kind: "helper"; readonly helper: string }
  /** As JSONata over the values of the arguments: one call for each combination of their outputs. */
  | { readonly kind: "value"; readonly print: PrintValue }
  /** As a question that its arguments are printed in, with exactly one answer. */
  | { readonly kind: "condition"; readonly print: PrintCondition }
  /** As what computes its arguments as it wants, and has any number of outputs. */
  | { readonly kind: "outputs"; readonly each: EachOutput }
  /** Not: it has no exact form in JSONata. What it is called in messages, where that is not its name. */
  | { readonly kind: "refused"; readonly construct?: string };

type PrintValue = (call: Call, values: readonly Code[], printer: Printer) => Code;
type PrintCondition = (call: Call, printer: Printer) => Code;
type EachOutput = (call: Call, printer: Printer, mode: Mode, use: Use) => Code;

/** The printers of a family of functions, by `name/arity`. */
export type Family = { readonly [signature: string]: FunctionPrinter };

/** Printed as a call of a helper: `"floor/1"` → `$floorOf($x)`. */
export const helper = (name: string): FunctionPrinter => ({ kind: "helper", helper: name });

/** Printed over the values of its arguments: `"type/1"` → `$type($x)`. */
export const value = (print: PrintValue): FunctionPrinter => ({ kind: "value", print });

/** Printed as a question: `"exists/1"` → `$exists($x.a)`. */
export const condition = (print: PrintCondition): FunctionPrinter => ({ kind: "condition", print });

/** Printed output by output: `"range/3"` → `$rangeOf(0, $n, 1)` and what becomes of each of these. */
export const eachOf = (each: EachOutput): FunctionPrinter => ({ kind: "outputs", each });

/** Functions that are refused. */
export const refused = (signatures: string, construct?: string): Family =>
  Object.fromEntries(
    signatures
      .split(" ")
      .map((signature) => [signature, { kind: "refused", ...(construct === undefined ? {} : { construct }) }]),
  );
