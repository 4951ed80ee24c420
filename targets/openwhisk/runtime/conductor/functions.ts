import type { Json } from "../../../../src/json.ts";
import type { Frame, Stack } from "./composition.ts";

/** Runs the texts of functions. What it has made ready it keeps, as containers are used again. */
export interface Evaluator {
  /**
   * Calls a function in strict mode with parameters, in view of the variables on a stack. Gives its result, which may be no JSON, and the stack with what the
   * function left in the variables; throws what it throws, and then they are as they were.
   */
  run(text: string, params: Json, stack: Stack): { readonly result: unknown; readonly stack: Stack };
}

/** An evaluator that has nothing ready yet. `helpers`: declarations that all functions see. */
export function createEvaluator(helpers: readonly string[] = []): Evaluator {
  const scope = scopeWith(helpers);
  const known = new Map<string, Words>();
  const callers = new Map<string, Caller>();
  const strange = new Map<string, boolean>();
  const isStrange = (symbol: string): boolean => {
    const found = strange.get(symbol) ?? !isVariable(symbol);
    strange.set(symbol, found);
    return found;
  };
  return {
    run(text, params, stack) {
      const words = known.get(text) ?? wordsIn(text);
      known.set(text, words);
      const variables = variablesOn(stack, (symbol) => words.has(symbol) || isStrange(symbol));
      const symbols = [...variables.keys()];
      const key = symbols.join();
      const caller = callers.get(key) ?? callerWith(symbols, scope);
      callers.set(key, caller);
      const { result, left } = caller(params, text, [...variables.values()].map(copyOf));
      return { result, stack: symbols.length === 0 ? stack : written(stack, symbols, left.map(copyOf)) };
    },
  };
}

/** A value as JSON has it. Throws where it has none. */
export function copyOf(value: unknown): Json {
  return typeof value === "string" || typeof value === "boolean" || value === null
    ? value
    : (JSON.parse(JSON.stringify(value)) as Json);
}

/** What may be names in a text. */
type Words = Pick<ReadonlySet<string>, "has">;

const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** All words of a text; or anything, where it evaluates other texts or writes the letters of names as numbers. */
function wordsIn(text: string): Words {
  const words = new Set(text.match(word));
  return words.has("eval") || text.includes("\\u") ? { has: () => true } : words;
}

/** The variables on a stack that matter to a function, of those with one symbol the topmost: those that it can name, and all whose symbols fail any function. */
function variablesOn(stack: Stack, matters: (symbol: string) => boolean): ReadonlyMap<string, Json> {
  const variables = new Map<string, Json>();
  for (const frame of stack) {
    if (!("let" in frame)) continue;
    for (const symbol of Object.keys(frame.let))
      if (!variables.has(symbol) && matters(symbol)) variables.set(symbol, frame.let[symbol]!);
  }
  return variables;
}

/** Words that cannot be variables. */
const reserved = new Set(
  (
    "arguments break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements " +
    "import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while " +
    "with yield"
  ).split(" "),
);

const isVariable = (symbol: string): boolean => symbol.match(word)?.[0] === symbol && !reserved.has(symbol);

/** Declares variables, calls a function of which it has the text, and tells what is left in the variables. */
type Caller = (
  params: Json,
  text: string,
  values: readonly Json[],
) => { readonly result: unknown; readonly left: readonly unknown[] };

/** Evaluates code in view of declarations. */
type Scope = (code: string) => unknown;

/** Where code sees what is declared, and no other names than a module's. */
function scopeWith(declarations: readonly string[]): Scope {
  const code = ['"use strict";', ...declarations, "return function () { return eval(arguments[0]); };"].join("\n");
  const isModule = typeof require === "function";
  return new Function("require", "module", "exports", code)(...(isModule ? [require, module, exports] : [])) as Scope;
}

/**
 * Code that calls functions in view of variables, and of no other names than their parameter and those of their scope. The engine keeps what it has compiled of a text
 * that is evaluated in one place: a text is read once in a container, although it is evaluated whenever it is called.
 *
 *   n → function (params) { var n = arguments[2][0]; return { result: eval("(" + arguments[1] + ")")(params), left: [n] }; }
 */
function callerWith(symbols: readonly string[], scope: Scope): Caller {
  const strange = symbols.find((symbol) => !isVariable(symbol));
  if (strange !== undefined) throw new SyntaxError(`${JSON.stringify(strange)} cannot be a variable of a function`);
  const declarations = symbols.map((symbol, i) => `  var ${symbol} = arguments[2][${i}];\n`);
  return scope(`(function (params) {
${declarations.join("")}  return { result: eval("(" + arguments[1] + ")")(params), left: [${symbols.join(", ")}] };
})`) as Caller;
}

/** A stack in which variables have other values: each in its topmost frame. */
function written(stack: Stack, symbols: readonly string[], values: readonly Json[]): Stack {
  const left = new Map(symbols.map((symbol, i) => [symbol, values[i]!]));
  return stack.map((frame): Frame => {
    if (!("let" in frame) || !Object.keys(frame.let).some((symbol) => left.has(symbol))) return frame;
    const entries = Object.entries(frame.let).map(([symbol, value]) => {
      const given = left.get(symbol);
      left.delete(symbol);
      return [symbol, given === undefined ? value : given];
    });
    return { let: Object.fromEntries(entries) };
  });
}
