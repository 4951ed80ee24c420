import { unsupportedExpression } from "../../../src/diagnostics/data.ts";
import { type Expression, effectsOf, outputs, simplify } from "../../../src/expressions/index.ts";
import {
  camelCase,
  compileJavaScript,
  isRefusal,
  isTooDeepToPrint,
  noLines,
  type PrintedExpression,
  printedExpression,
  type Refusal,
  type Scope,
  unusedValue,
  write,
  writeList,
} from "../../../src/expressions/js/index.ts";
import {
  type Block,
  collectImports,
  js,
  mapNodes,
  printProgram,
  type TypeDeclaration,
  type TypeNode,
} from "../../../src/js-ast/index.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import type { Span } from "../../../src/text/source.ts";
import { createAccessors } from "../emit/accessors.ts";
import { importJson } from "../emit/expressions.ts";
import { createProgramNames, finalizeModule } from "../emit/names.ts";
import { helper, helperOfAlias, jsonType } from "../emit/runtime-imports.ts";
import { typeByUse } from "../emit/schemas.ts";
import { moduleWidth } from "../emit/source.ts";
import { widenTypes } from "../emit/type-widening.ts";

/** Prints an expression as a TypeScript function. */
export function printExpressionFunction(
  expression: Expression,
  variables: readonly string[],
  span: Span,
): string | Diagnostic {
  const simple = simplify(expression);
  const used = effectsOf(simple).free.has("now'") ? [...variables, "now'"] : variables;
  const program = printTypeScript(simple, used);
  return "code" in program
    ? program.code.trimEnd()
    : unsupportedExpression(program.span ?? span, { message: program.refused });
}

/** An expression as a TypeScript function. */
export interface TypeScriptProgram {
  readonly code: string;
  /** The imported expression functions and their local names. */
  readonly helpers: ReadonlyMap<string, string>;
}

/**
 * Prints a function `program` of the input and variables. It returns the output, or undefined, or an array if there may
 * be several outputs.
 */
export function printTypeScript(expression: Expression, variables: readonly string[]): TypeScriptProgram | Refusal {
  return printValue(expression, variables) ?? printStatements(expression, variables);
}

/** A function that returns one expression of TypeScript. Undefined if the expression needs statements. */
function printValue(expression: Expression, variables: readonly string[]): TypeScriptProgram | undefined {
  const names = createProgramNames(["program", "input", "Input"]);
  const parameters = new Map(variables.map((name) => [name, names.fresh(camelCase(name))]));
  const input = unusedValue();
  const accessors = createAccessors(names);
  const lines = noLines(["input", ...parameters.values()]);
  const result = printOutputs(expression, {
    input: printedExpression(js.name("input"), { use: input }),
    lines,
    hasLoops: true,
    variable(name) {
      const parameter = parameters.get(name);
      return parameter === undefined ? undefined : printedExpression(js.name(parameter));
    },
    helper,
    accessor(key, isTotal) {
      const accessor = accessors.accessor(key, isTotal);
      lines.names.add(accessor.name);
      return accessor;
    },
  });
  if (!result) return undefined;
  const isUnused = input.members.size === 0;
  const all = [
    js.parameter("input", isUnused ? jsonType : js.type("Input")),
    ...Array.from(parameters.values(), (name) => js.parameter(name, jsonType)),
  ];
  const body = lines.statements.length === 0 ? result.code : [...lines.statements, js.returnStatement(result.code)];
  const program = js.arrow(all, body, { returns: returnType(expression, result) });
  const type = isUnused ? [] : [inputType(typeByUse(input))];
  const exported = js.constant("program", program, { exported: true });
  return printTypedProgram(finalizeModule([...type, ...accessors.declarations([exported]), exported], new Set()));
}

function printStatements(expression: Expression, variables: readonly string[]): TypeScriptProgram | Refusal {
  const result = outputs(expression) === "many" ? "all" : "first";
  const accessors = createAccessors(createProgramNames(["program"]));
  const { accessor } = accessors;
  const options = { variables, policy: "readable", result, exported: true, helper, accessor } as const;
  const program = compileJavaScript(expression, options);
  if (isRefusal(program)) return program;
  return printTypedProgram([
    ...accessors.declarations(program.statements),
    ...widenTypes(mapNodes(program.statements, importJson)),
  ]);
}

const inputType = (type: TypeNode): TypeDeclaration => ({
  kind: "typeDeclaration",
  name: "Input",
  typeParameters: [],
  type,
});

function printTypedProgram(declarations: Block): TypeScriptProgram {
  const imports = collectImports(declarations);
  const names = imports.flatMap((each) => each.names.filter(({ isType }) => !isType));
  return {
    code: printProgram([...imports, ...declarations], { types: true, width: moduleWidth }),
    helpers: new Map(names.map(({ name, exported = name }) => [helperOfAlias(exported)!, name])),
  };
}

/** Undefined if it needs statements, or is nested too deeply. */
function printOutputs(expression: Expression, scope: Scope): PrintedExpression | undefined {
  if (isTooDeepToPrint(expression)) return undefined;
  try {
    return outputs(expression) === "many" ? writeList(expression, scope) : write(expression, scope);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function returnType(expression: Expression, { type, isOptional }: PrintedExpression): TypeNode {
  if (outputs(expression) === "many") return js.arrayType(jsonType);
  const exact = type === "boolean" || type === "number" || type === "string" ? js.keyword(type) : jsonType;
  return isOptional ? js.union([exact, js.keyword("undefined")]) : exact;
}
