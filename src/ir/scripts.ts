import { createNames, identifierStyle } from "./names.ts";
import type { Script } from "./protocols.ts";
import type { FunctionDefinition } from "./workflow.ts";

/** The functions of a workflow whose texts its definition has, as code that runs them. */
export interface ScriptCode {
  /** Declares what all of them need. */
  readonly helpers: string;
  readonly functions: readonly CompiledScript[];
  /** Gives a name that nothing in the code has, nor in the texts. */
  fresh(name: string): string;
}

/** One of these functions. */
export interface CompiledScript {
  readonly definition: ScriptFunction;
  /** What it can be called in the code. */
  readonly name: string;
  /** An expression that gives what calls it: argument in, answer out. */
  readonly code: string;
}

/** A function whose text its definition has. */
export type ScriptFunction = FunctionDefinition & { readonly protocol: Script };

/** The functions of a workflow whose texts its definition has. */
const scriptsIn = (functions: readonly FunctionDefinition[]): readonly ScriptFunction[] =>
  functions.filter((each): each is ScriptFunction => each.protocol?.kind === "script");

/** A module that exports the functions of a workflow whose texts its definition has, and by their own names those that it gives them. */
export function scriptModule(functions: readonly FunctionDefinition[]): {
  readonly text: string;
  readonly names: ReadonlyMap<string, string>;
} {
  const { helpers, functions: parts } = scriptCode(functions);
  const constants = parts.map(({ name, code }) => `export const ${name} = ${code};\n`);
  const names = new Map(parts.map(({ definition, name }) => [definition.name, name]));
  return { text: [...constants, helpers].join("\n"), names };
}

/**
 * Code that runs functions as `Script` says. Their texts stand in it as they are, and see none of its names.
 *
 *   n = n + params.by using n → callWith(({ n }) => ({
 *     run: (params) => { n = n + params.by },
 *     left: () => ({ n }),
 *   }))
 */
export function scriptCode(functions: readonly FunctionDefinition[]): ScriptCode {
  const scripts = scriptsIn(functions);
  const words = scripts.flatMap(({ protocol }) => [...protocol.text.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)]);
  const names = createNames([...words.map(([word]) => word), ...reserved], identifierStyle);
  const [call, callWith, resultOf, copyOf, functionOf] = ["call", "callWith", "resultOf", "copyOf", "functionOf"].map(
    (name) => names.fresh(name),
  ) as [string, string, string, string, string];
  const code = ({ text, variables }: Script): string => {
    const callable = isFunction.test(text) ? text : `${functionOf}(\n  ${text}\n  )`;
    return variables.length === 0
      ? `${call}(() =>\n  ${callable}\n)`
      : `${callWith}(({ ${variables.join(", ")} }) => ({\n  run: ${callable},\n  left: () => ({ ${variables.join(", ")} }),\n}))`;
  };
  const parts = scripts.map((definition): CompiledScript => {
    return { definition, name: names.fresh(identifierOf(definition.name)), code: code(definition.protocol) };
  });
  const has = (test: (variables: number) => boolean) => scripts.some(({ protocol }) => test(protocol.variables.length));
  const helpers = [
    ...(has((variables) => variables === 0) ? [callCode(call, resultOf, copyOf)] : []),
    ...(has((variables) => variables > 0) ? [callWithVariablesCode(callWith, resultOf, copyOf)] : []),
    ...(scripts.length > 0 ? [resultCode(resultOf, copyOf)] : []),
    ...(scripts.some(({ protocol }) => !isFunction.test(protocol.text)) ? [functionCheckCode(functionOf)] : []),
  ];
  return { helpers: helpers.join("\n"), functions: parts, fresh: (name) => names.fresh(name) };
}

/** Words that cannot be names in strict code of a module; and `then`, which would make a promise of a module that exports it. */
const reserved = (
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null " +
  "return super switch this throw true try typeof var void while with implements interface let package private protected public static yield await eval " +
  "arguments undefined then"
).split(" ");

/** Texts that surely are functions, as nearly all are. */
const isFunction = /^\s*(?:async\s*)?(?:function\b|(?:\([^()]*\)|[\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>)/u;

const functionCheckCode = (
  functionOf: string,
): string => `// Fails for what is no function with the words of Composer, which evaluates it where it calls it.
function ${functionOf}(value) {
  if (typeof value !== "function") throw new TypeError("eval(...) is not a function");
  return value;
}
`;

/** `check order` is `check_order`. */
function identifierOf(name: string): string {
  const word = name.replace(/[^A-Za-z0-9$_]+/g, "_").replace(/^(?=\d)|^$/, "_");
  return word.slice(0, 60);
}

const callCode = (
  call: string,
  resultOf: string,
  copyOf: string,
): string => `// Calls a function with a copy of the parameters.
function ${call}(make) {
  return (params) => ${resultOf}(() => make()(${copyOf}(params)));
}
`;

const callWithVariablesCode = (
  callWith: string,
  resultOf: string,
  copyOf: string,
): string => `// Calls a function with copies of the parameters and of variables. What it leaves in these counts unless it throws.
function ${callWith}(make) {
  return ({ params, variables }) => {
    let kept = variables;
    const result = ${resultOf}(() => {
      const { run, left } = make(${copyOf}(variables));
      const value = run(${copyOf}(params));
      kept = Object.fromEntries(Object.entries(left()).map(([name, each]) => [name, ${copyOf}(each)]));
      return value;
    });
    return { params: result, variables: kept };
  };
}
`;

const resultCode = (
  resultOf: string,
  copyOf: string,
): string => `// The parameters that a function gives: an object, or the error that it throws.
function ${resultOf}(work) {
  let value;
  try {
    value = work();
  } catch (error) {
    return { error: \`An error has occurred: \${error}\` };
  }
  if (value instanceof Promise) value.catch(() => {});
  try {
    const json = ${copyOf}(value === undefined ? {} : value);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : { value: json };
  } catch (error) {
    throw Object.assign(new Error(\`A function gives no JSON: \${error}\`), { name: "InternalError" });
  }
}

// A value as JSON has it.
function ${copyOf}(value) {
  return JSON.parse(JSON.stringify(value));
}
`;
