import type { DialectProgram, Expression } from "./ast.ts";
import { bind, variable } from "./build.ts";

/**
 * An expression of the core for a program of another language, which evaluates its inputs once each; undefined if there
 * is none.
 */
export function lowerDialect(program: DialectProgram): Expression | undefined {
  const { dialect, inputs } = program;
  const names = inputs.map((_, i) => `${dialect.name} ${i + 1}`);
  const lowered = dialect.lower(program, new Map(inputs.map(({ name }, i) => [name, variable(names[i]!)])));
  return lowered && inputs.reduceRight((body, { value }, i) => bind(names[i]!, value, body), lowered);
}
