import { unsupportedExpression } from "../../../src/diagnostics/data.ts";
import {
  compileJavaScript,
  type Expression,
  effectsOf,
  isRefusal,
  outputs,
  simplify,
  standaloneText,
} from "../../../src/expressions/index.ts";
import {
  type Block,
  collectImports,
  js,
  printProgram,
  type TypeDeclaration,
  type TypeNode,
} from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { writeList } from "../../../src/readable/streams.ts";
import { unusedValue } from "../../../src/readable/use.ts";
import { write } from "../../../src/readable/write.ts";
import { noLines, type Scope, type Written, written } from "../../../src/readable/written.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import type { Span } from "../../../src/text/source.ts";
import { finished, namesWith } from "../emit/names.ts";
import { laidOut } from "../layout.ts";
import { helper, helperOfWord, jsonType } from "./runtime.ts";
import { typeByUse } from "./types.ts";

/** A function of the document and the variables; where it would not read well, the JavaScript that computes it instead. */
export async function printExpression(
  expression: Expression,
  variables: readonly string[],
  span: Span,
): Promise<string | Diagnostic> {
  const simple = simplify(expression);
  const own = effectsOf(simple).free.has("now'") ? [...variables, "now'"] : variables;
  const program = printTypeScript(simple, own);
  if (program) return (await laidOut(program.code)).trimEnd();
  const computed = compileJavaScript(simple);
  return isRefusal(computed)
    ? unsupportedExpression(computed.span ?? span, { message: computed.refused })
    : `// No TypeScript that reads well does exactly this. It is computed by JavaScript:\n${standaloneText(computed).trimEnd()}`;
}

/** An expression as a function in TypeScript. */
export interface TypeScriptProgram {
  readonly code: string;
  /** The functions of the expressions' runtime that it imports, and the names by which it knows them. */
  readonly helpers: ReadonlyMap<string, string>;
}

/**
 * Writes an expression as a function `program` of the input and of variables: it gives the one output; where there may be none, undefined for none; where
 * there may be several, the array of them. Undefined where the expression has no exact form that reads well.
 */
export function printTypeScript(expression: Expression, variables: readonly string[]): TypeScriptProgram | undefined {
  const names = namesWith(["program", "input", "Input"]);
  const parameters = new Map(variables.map((name) => [name, names.fresh(camelCase(name))]));
  const input = unusedValue();
  const lines = noLines(["input", ...parameters.values()]);
  const result = writeWhole(expression, {
    input: written(js.name("input"), { use: input }),
    lines,
    variable(name) {
      const parameter = parameters.get(name);
      return parameter === undefined ? undefined : written(js.name(parameter));
    },
    helper,
  });
  if (!result) return undefined;
  const isPlain = input.members.size === 0;
  const all = [
    js.parameter("input", isPlain ? jsonType : js.type("Input")),
    ...Array.from(parameters.values(), (name) => js.parameter(name, jsonType)),
  ];
  const body = lines.statements.length === 0 ? result.code : [...lines.statements, js.returnStatement(result.code)];
  const program = js.arrow(all, body, { returns: resultType(expression, result) });
  const type = isPlain ? [] : [inputType(typeByUse(input))];
  return printed(finished([...type, js.constant("program", program, { exported: true })], new Set()));
}

const inputType = (type: TypeNode): TypeDeclaration => ({
  kind: "typeDeclaration",
  name: "Input",
  typeParameters: [],
  type,
});

function printed(declarations: Block): TypeScriptProgram {
  const imports = collectImports(declarations);
  const names = imports.flatMap((each) => each.names.filter(({ isType }) => !isType));
  return {
    code: printProgram([...imports, ...declarations], { types: true }),
    helpers: new Map(names.map(({ name, exported = name }) => [helperOfWord(exported)!, name])),
  };
}

/** What has no readable form, or is nested beyond what can be written. */
function writeWhole(expression: Expression, scope: Scope): Written | undefined {
  try {
    return outputs(expression) === "many" ? writeList(expression, scope) : write(expression, scope);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function resultType(expression: Expression, { type, isOptional }: Written): TypeNode {
  if (outputs(expression) === "many") return js.arrayType(jsonType);
  const exact = type === "boolean" || type === "number" || type === "string" ? js.keyword(type) : jsonType;
  return isOptional ? js.union([exact, js.keyword("undefined")]) : exact;
}
