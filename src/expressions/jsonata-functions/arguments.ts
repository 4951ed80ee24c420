import { failWith, shown } from "./failures.ts";
import { isArray, isFunctionLike } from "./values.ts";

/** The parameters of a function of JSONata. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Matches the symbols of the arguments. */
  readonly pattern: RegExp;
}

interface Parameter {
  readonly pattern: string;
  /** Whether the context replaces a missing argument. */
  readonly isContext: boolean;
  readonly isArray: boolean;
  /** The symbol of the elements of an array. */
  readonly element: string | undefined;
}

/**
 * Reads a signature of JSONata: `s` string, `n` number, `b` boolean, `o` object, `a` array, `f` function, `j` JSON, `x`
 * anything, `(sn)` one of them, `a<n>` with elements, `?` optional, `+` repeated, `-` the context by default.
 */
export function signatureOf(name: string, text: string): Signature {
  const parameters = (text.match(/(?:\(\w+\)|\w)(?:<\w>)?[-?+]?/g) ?? []).map((part): Parameter => {
    const [, type = "", element, mark = ""] = /^(\(\w+\)|\w)(?:<(\w)>)?([-?+]?)$/.exec(part) ?? [];
    const kinds = type.startsWith("(") ? `${type.slice(1, -1)}m` : (symbols[type] ?? `${type}m`);
    return {
      pattern: `[${kinds}]${mark === "-" ? "?" : mark}`,
      isContext: mark === "-",
      isArray: type === "a",
      element,
    };
  });
  return { name, parameters, pattern: new RegExp(`^${parameters.map(({ pattern }) => `(${pattern})`).join("")}$`) };
}

const symbols: { readonly [type: string]: string } = { a: "asnblfom", f: "f", j: "asnblom", x: "asnblfom" };

const elementNames: { readonly [symbol: string]: string } = { n: "numbers", o: "objects", s: "strings" };

/**
 * The arguments as a function takes them: single values as arrays where it takes arrays, and nothing in place of a context.
 * Fails if they do not fit.
 */
export function completeArguments(signature: Signature, args: readonly unknown[]): readonly unknown[] {
  const given = args.map(symbolOf).join("");
  const match = signature.pattern.exec(given);
  if (!match) return failArgument(signature, misfit(signature, given));
  const complete: unknown[] = [];
  let next = 0;
  for (const [i, parameter] of signature.parameters.entries()) {
    const matched = match[i + 1]!;
    if (matched === "" && parameter.isContext) complete.push(undefined);
    else
      for (const symbol of matched || "m") {
        const argument = args[next];
        next += 1;
        complete.push(parameter.isArray ? arrayOf(argument, symbol, matched, parameter, signature, next) : argument);
      }
  }
  return complete;
}

function symbolOf(value: unknown): string {
  if (isFunctionLike(value)) return "f";
  if (value === null) return "l";
  if (isArray(value)) return "a";
  return value === undefined ? "m" : (typeof value)[0]!;
}

function arrayOf(
  argument: unknown,
  symbol: string,
  matched: string,
  { element }: Parameter,
  { name }: Signature,
  position: number,
): readonly unknown[] | undefined {
  if (symbol === "m") return undefined;
  const fits =
    element === undefined ||
    (isArray(argument) ? argument.every((item) => symbolOf(item) === element) : matched === element);
  if (!fits)
    return failWith(
      "T0412",
      `Argument ${position} of function ${shown(name)} must be an array of ${shown(elementNames[element])}`,
    );
  return isArray(argument) ? argument : [argument];
}

/** The position of the first argument that does not fit. */
function misfit({ parameters }: Signature, given: string): number {
  let [pattern, fitting] = ["^", 0];
  for (const parameter of parameters) {
    pattern += parameter.pattern;
    const match = new RegExp(pattern).exec(given);
    if (!match) break;
    fitting = match[0].length;
  }
  return fitting + 1;
}

const failArgument = ({ name }: Signature, position: number): never =>
  failWith("T0410", `Argument ${position} of function ${shown(name)} does not match function signature`);
