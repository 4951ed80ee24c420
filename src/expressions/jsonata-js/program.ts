import { js } from "../../js-ast/index.ts";
import type { DialectCode, DialectNames, DialectProgram, DialectValue, Expression } from "../core/ast.ts";
import { isParseError } from "../syntax/cursor.ts";
import { parseJsonata } from "../syntax/jsonata/parse.ts";
import type { Jsonata } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";
import { printBody } from "./blocks.ts";
import { helper, type Printed, type ProgramScope, read, type Scope, Unprintable } from "./scope.ts";

/**
 * The JavaScript of an expression of a state, which computes what the evaluator does with the functions of `query.js`;
 * undefined if the expression has no such form.
 */
export function printStatesProgram(program: DialectProgram): DialectCode | undefined {
  const tree = parseJsonata(program.text);
  if (isParseError(tree)) return undefined;
  const assigned = assignedIn(tree);
  if (new Set(assigned).size < assigned.length) return undefined;
  const inputs = new Map(program.inputs.map(({ name, value }) => [name, value]));
  const printWith = (names: DialectNames, values: readonly DialectValue[]) => {
    const reads: Expression[] = [];
    const whole: ProgramScope = {
      ...{ names, inputs, assigned: new Set(assigned), reads, values, drawn: new Map() },
      ...{ mapsItems: false, keepsArrays: false },
    };
    const outermost: Scope = { program: whole, locals: new Map() };
    const document = inputs.get("$");
    const context = document && read(outermost, document);
    const code = printProgram(tree, program, context ? { ...outermost, context } : outermost);
    if (whole.mapsItems && whole.keepsArrays) throw new Unprintable("arrays that are kept");
    if (drawsConditionally(tree, whole.drawn)) throw new Unprintable("values drawn in another order");
    return { code, reads };
  };
  try {
    const { reads } = printWith({ helper: js.name, fresh: (wanted) => wanted }, []);
    return { reads, print: (values, names) => printWith(names, values).code };
  } catch (error) {
    if (error instanceof Unprintable || error instanceof RangeError) return undefined;
    throw error;
  }
}

function printProgram(tree: Jsonata, { text, place = [] }: DialectProgram, scope: Scope) {
  const { statements, result } = printBody(tree, scope);
  const { code, canFail, isOptional }: Printed = result;
  if (statements.length === 0 && !canFail && !isOptional) return code;
  const body = statements.length > 0 ? [...statements, js.returnStatement(code)] : code;
  const value = statements.length > 0 || canFail ? js.arrow([], body) : code;
  return js.call(helper(scope, "query"), [js.literal(text), js.value([...place]), value]);
}

const assignedIn = (node: Jsonata): readonly string[] => [
  ...(node.kind === "assign" ? [node.variable.name] : []),
  ...childrenOf(node).flatMap(assignedIn),
];

/** Whether several values are drawn where an evaluation may skip some. */
const drawsConditionally = (tree: Jsonata, drawn: ReadonlyMap<string, number>): boolean =>
  [...drawn.values()].some((count) => count > 1) && maySkip(tree);

function maySkip(node: Jsonata): boolean {
  const isChoice =
    node.kind === "if" || (node.kind === "operation" && (node.operator === "and" || node.operator === "or"));
  return isChoice || childrenOf(node).some(maySkip);
}
