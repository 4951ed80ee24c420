import { compileJavaScript, isRefusal } from "../../../src/expressions/js/index.ts";
import { type Block, type JsNode, mapNodes } from "../../../src/js-ast/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { type Accessors, createAccessors } from "./accessors.ts";
import type { ExpressionFunction } from "./module.ts";
import { createProgramNames } from "./names.ts";
import { helper, jsonType } from "./runtime-imports.ts";
import { widenTypes } from "./type-widening.ts";

/** The module of expressions that are printed as functions. */
export interface ExpressionModule {
  readonly code: Block;
  /** If not empty, the source is incomplete. */
  readonly unsupported: readonly UnprintableExpression[];
}

/** An expression that cannot be computed exactly, and the reason. */
export interface UnprintableExpression {
  readonly span: Span | undefined;
  readonly reason: string;
}

/** Prints a function for each expression: `export function check(order: Json): Json { … }` */
export function printExpressionModule(compiled: readonly ExpressionFunction[]): ExpressionModule {
  const accessors = createAccessors(createProgramNames(compiled.map(({ name }) => name)));
  const results = compiled.map((each) => compileFunction(each, accessors));
  const statements = widenTypes(results.flatMap((result) => ("statements" in result ? result.statements : [])));
  return {
    code: [...accessors.declarations(statements), ...mapNodes(statements, importJson)],
    unsupported: results.filter((result) => "reason" in result),
  };
}

/** The type `Json` of the runtime, in place of one of that name. */
export const importJson = (node: JsNode): JsNode =>
  node.kind === "namedType" && node.name === "Json" ? jsonType : node;

/** A function of the variables that returns the first output. */
function compileFunction(
  { name, expression, variables, isOptional }: ExpressionFunction,
  { accessor }: Accessors,
): { readonly statements: Block } | UnprintableExpression {
  const result = isOptional ? "first" : "value";
  const printing = { policy: "readable", result, withoutInput: true, exported: true, helper, accessor } as const;
  const program = compileJavaScript(expression, { name, variables, ...printing });
  return isRefusal(program) ? { span: program.span ?? expression.span, reason: program.refused } : program;
}
