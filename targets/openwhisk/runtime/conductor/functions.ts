import type { Json } from "../../../../src/json.ts";
import type { Frame, Stack } from "./composition.ts";

/** Evaluates functions. Keeps what it has compiled, because containers are reused. */
export interface Evaluator {
  /**
   * Calls a function in strict mode; the variables on the stack are in its scope. Returns its result, which may not be
   * JSON, and the stack with the new values of variables. If the function throws, they keep their values.
   */
  run(text: string, params: Json, stack: Stack): { readonly result: unknown; readonly stack: Stack };
}

/** Creates an evaluator. `helpers` are declarations that all functions see. */
export function createEvaluator(helpers: readonly string[] = []): Evaluator {
  const scope = scopeWith(helpers);
  const words = memoize(wordsIn);
  const isInvalid = memoize((symbol: string) => !isVariable(symbol));
  const callers = new Map<string, Caller>();
  return {
    run(text, params, stack) {
      const mentioned = words(text);
      const variables = variablesOn(stack, (symbol) => mentioned.has(symbol) || isInvalid(symbol));
      const symbols = [...variables.keys()];
      const key = symbols.join();
      const caller = callers.get(key) ?? callerWith(symbols, scope);
      callers.set(key, caller);
      const { result, left } = caller(params, text, [...variables.values()].map(copyOf));
      return { result, stack: symbols.length === 0 ? stack : withValues(stack, symbols, left.map(copyOf)) };
    },
  };
}

function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, compute(text));
    return known.get(text)!;
  };
}

/** Copies a value as JSON. Throws if it has no JSON. */
export function copyOf(value: unknown): Json {
  return typeof value === "string" || typeof value === "boolean" || value === null
    ? value
    : (JSON.parse(JSON.stringify(value)) as Json);
}

type Words = Pick<ReadonlySet<string>, "has">;

const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** The words of a source text, which may be names. With `eval` or escaped names, any word may occur. */
function wordsIn(text: string): Words {
  const words = new Set(text.match(word));
  return words.has("eval") || text.includes("\\u") ? { has: () => true } : words;
}

/** The variables that a function may mention, the topmost of each symbol. Invalid symbols fail every function. */
function variablesOn(stack: Stack, matters: (symbol: string) => boolean): ReadonlyMap<string, Json> {
  const variables = new Map<string, Json>();
  for (const frame of stack) {
    if (!("let" in frame)) continue;
    for (const symbol of Object.keys(frame.let))
      if (!variables.has(symbol) && matters(symbol)) variables.set(symbol, frame.let[symbol]!);
  }
  return variables;
}

/** Whether a symbol can be a variable in strict mode. */
function isVariable(symbol: string): boolean {
  if (symbol.match(word)?.[0] !== symbol) return false;
  try {
    new Function(`"use strict"; var ${symbol};`);
    return true;
  } catch {
    return false;
  }
}

/** Declares variables, calls a function, and returns its result and the values of the variables. */
type Caller = (
  params: Json,
  text: string,
  values: readonly Json[],
) => { readonly result: unknown; readonly left: readonly unknown[] };

/** Evaluates code in the scope of declarations. */
type Scope = (code: string) => unknown;

/** Declarations see each other and the names of a module. */
function scopeWith(declarations: readonly string[]): Scope {
  const code = ['"use strict";', ...declarations, "return function () { return eval(arguments[0]); };"].join("\n");
  const isModule = typeof require === "function";
  return new Function("require", "module", "exports", code)(...(isModule ? [require, module, exports] : [])) as Scope;
}

/**
 * Code that calls functions in the scope of variables. The engine caches what it compiles at one place, so that a function
 * is parsed once per container although it is evaluated at each call.
 *
 *   n → function (params) { var n = arguments[2][0]; return { result: eval("(" + arguments[1] + ")")(params), left: [n] }; }
 */
function callerWith(symbols: readonly string[], scope: Scope): Caller {
  const invalid = symbols.find((symbol) => !isVariable(symbol));
  if (invalid !== undefined) throw new SyntaxError(`${JSON.stringify(invalid)} cannot be a variable of a function`);
  const declarations = symbols.map((symbol, i) => `  var ${symbol} = arguments[2][${i}];\n`);
  return scope(`(function (params) {
${declarations.join("")}  return { result: eval("(" + arguments[1] + ")")(params), left: [${symbols.join(", ")}] };
})`) as Caller;
}

/** A stack in which variables have other values: each in its topmost frame. */
function withValues(stack: Stack, symbols: readonly string[], values: readonly Json[]): Stack {
  const left = new Map(symbols.map((symbol, i) => [symbol, values[i]!]));
  return stack.map((frame): Frame => {
    if (!("let" in frame) || !Object.keys(frame.let).some((symbol) => left.has(symbol))) return frame;
    const entries = Object.entries(frame.let).map(([symbol, value]) => {
      const changed = left.get(symbol);
      left.delete(symbol);
      return [symbol, changed === undefined ? value : changed];
    });
    return { let: Object.fromEntries(entries) };
  });
}
