import { type Expression, readJq, simplify } from "../../expressions/index.ts";
import { bindInput, bindVariable } from "../shared/jq.ts";

/** A jq program of the compiler's own, applied to an input and to the values of its variables. */
export type JqProgram = (input: Expression, variables?: ReadonlyMap<string, Expression>) => Expression;

/** Parses a program on first use. */
export function jqProgram(text: string, variables: readonly string[] = []): JqProgram {
  let parsed: Expression | undefined;
  return (input, values = new Map()) => {
    parsed ??= parse(text, variables);
    let bound = parsed;
    for (const [name, value] of values) bound = bindVariable(bound, name, { value });
    return simplify(bindInput(bound, { value: input }));
  };
}

function parse(text: string, variables: readonly string[]): Expression {
  const program = readJq(text, { variables });
  if (!("expression" in program)) throw new Error(`A program of the compiler is invalid: ${program[0]?.message}`);
  return program.expression;
}
