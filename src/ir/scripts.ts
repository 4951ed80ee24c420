import { createNames, identifierStyle } from "./names.ts";
import type { Script } from "./protocols.ts";
import type { FunctionDefinition } from "./workflow.ts";

/** The scripts of a workflow as JavaScript. */
export interface ScriptCode {
  readonly helpers: string;
  readonly functions: readonly CompiledScript[];
  fresh(name: string): string;
}

/** A script as code. */
export interface CompiledScript {
  readonly definition: ScriptFunction;
  readonly name: string;
  readonly code: string;
}

/** A function whose definition contains its source. */
export type ScriptFunction = FunctionDefinition & { readonly protocol: Script };

const scriptsIn = (functions: readonly FunctionDefinition[]): readonly ScriptFunction[] =>
  functions.filter((each): each is ScriptFunction => each.protocol?.kind === "script");

/** Creates a module that exports a workflow's scripts. */
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
 * Creates code that runs scripts as `Script` specifies. Their source is unchanged and sees none of the code's names.
 *
 *   n = n + params.by using n changing n → callChanging(({ n }) => ({
 *     run: (params) => { n = n + params.by },
 *     left: () => ({ n }),
 *   }))
 */
export function scriptCode(functions: readonly FunctionDefinition[]): ScriptCode {
  const scripts = scriptsIn(functions);
  const names = createNames(
    [...scripts.flatMap(({ protocol }) => wordsIn(protocol.text)), ...reserved],
    identifierStyle,
  );
  const [call, callReading, callChanging] = [
    names.fresh("call"),
    names.fresh("callReading"),
    names.fresh("callChanging"),
  ];
  const [resultOf, copyOf, functionOf] = [names.fresh("resultOf"), names.fresh("copyOf"), names.fresh("functionOf")];
  const code = ({ text, variables, changes }: Script): string => {
    const callable = isFunction.test(text) ? text : `${functionOf}(\n  ${text}\n  )`;
    if (variables.length === 0) return `${call}(() =>\n  ${callable}\n)`;
    if (changes.length === 0) return `${callReading}(({ ${variables.join(", ")} }) =>\n  ${callable}\n)`;
    return `${callChanging}(({ ${variables.join(", ")} }) => ({\n  run: ${callable},\n  left: () => ({ ${changes.join(", ")} }),\n}))`;
  };
  const parts = scripts.map((definition): CompiledScript => {
    return { definition, name: names.fresh(identifierOf(definition.name)), code: code(definition.protocol) };
  });
  const has = (test: (script: Script) => boolean) => scripts.some(({ protocol }) => test(protocol));
  const helpers = [
    ...(has(({ variables }) => variables.length === 0) ? [callCode(call, resultOf, copyOf)] : []),
    ...(has(isReading) ? [callReadingCode(callReading, resultOf, copyOf)] : []),
    ...(has(({ changes }) => changes.length > 0) ? [callChangingCode(callChanging, resultOf, copyOf)] : []),
    ...(scripts.length > 0 ? [resultCode(resultOf, copyOf)] : []),
    ...(scripts.some(({ protocol }) => !isFunction.test(protocol.text)) ? [functionCheckCode(functionOf)] : []),
  ];
  return { helpers: helpers.join("\n"), functions: parts, fresh: (name) => names.fresh(name) };
}

/** The words in the source of a function that may be names; those in strings are not, unless it evaluates strings. */
function wordsIn(text: string): readonly string[] {
  const mayHideStrings = /[`/]|\b(?:eval|Function)\b/.test(text);
  const code = mayHideStrings ? text : text.replace(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/g, '""');
  return code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}

/** Also `then`, which would make a module thenable. */
const reserved = (
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null " +
  "return super switch this throw true try typeof var void while with implements interface let package private protected public static yield await eval " +
  "arguments undefined then"
).split(" ");

const isFunction = /^\s*(?:async\s*)?(?:function\b|(?:\([^()]*\)|[\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>)/u;

const functionCheckCode = (functionOf: string): string => `// Throws Composer's error if a value is not a function.
function ${functionOf}(value) {
  if (typeof value !== "function") throw new TypeError("eval(...) is not a function");
  return value;
}
`;

/** `check order` → `check_order`. */
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

const isReading = ({ variables, changes }: Script): boolean => variables.length > 0 && changes.length === 0;

const callReadingCode = (
  callReading: string,
  resultOf: string,
  copyOf: string,
): string => `// Calls a function with copies of the parameters and variables.
function ${callReading}(make) {
  return ({ params, variables }) => ${resultOf}(() => make(${copyOf}(variables))(${copyOf}(params)));
}
`;

const callChangingCode = (
  callChanging: string,
  resultOf: string,
  copyOf: string,
): string => `// Calls a function with copies of the parameters and variables. Changes to variables are kept unless it throws.
function ${callChanging}(make) {
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
): string => `// The result of a function as an object, or the error that it throws.
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

// Copies a value through JSON.
function ${copyOf}(value) {
  return JSON.parse(JSON.stringify(value));
}
`;
