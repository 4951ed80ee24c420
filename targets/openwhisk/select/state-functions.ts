import {
  type BindingPattern,
  type Block,
  boundNames,
  type JsExpression as Code,
  freeNames,
  js,
  type Statement,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import type { StateFunction } from "./state-builder.ts";

/** The outer names that a function uses. */
export interface FunctionNames {
  /** The names that it may read before it has assigned them, such as `params`, variables and helpers. */
  readonly reads: ReadonlySet<string>;
  /** The names that it may assign. */
  readonly writes: ReadonlySet<string>;
  /** The names that it has assigned when it returns a result that is not an error. */
  readonly sets: ReadonlySet<string>;
}

const known = new WeakMap<StateFunction, FunctionNames>();

/** The outer names that a function uses. */
export function namesOf(body: StateFunction): FunctionNames {
  const names = known.get(body) ?? findNames(body);
  known.set(body, names);
  return names;
}

/** The statements of a function, with its result. */
export const statementsOf = ({ lines, result }: Pick<StateFunction, "lines" | "result">): Block => [
  ...lines,
  ...(result ? [js.returnStatement(result)] : []),
];

/** The targets and the value of a statement that is an assignment. */
export function assignmentIn(
  statement: Statement,
): { readonly target: Code | BindingPattern; readonly value: Code } | undefined {
  if (statement.kind !== "expression" || statement.expression.kind !== "assign") return undefined;
  const { operator, target, value } = statement.expression;
  return operator === "=" ? { target, value } : undefined;
}

/** The value that a statement assigns to a variable. */
export function assignedValue(statement: Statement, symbol: string): Code | undefined {
  const { target, value } = assignmentIn(statement) ?? {};
  return target?.kind === "identifier" && target.name === symbol ? value : undefined;
}

/** Whether a statement may end the function. */
export const mayReturn = (statement: Statement): boolean =>
  statement.kind !== "expression" && statement.kind !== "variable" && statement.kind !== "functionDeclaration";

/** `if (…) return params;` in a handler, whose params are an error, or `if (…) return { error: … };` */
function raisesError(statement: Statement): boolean {
  if (statement.kind !== "if" || statement.otherwise || statement.then.length !== 1) return false;
  const [only] = statement.then;
  if (only?.kind !== "return" || !only.value) return false;
  const { value } = only;
  if (value.kind === "identifier") return value.name === "params";
  return (
    value.kind === "object" && value.members.some((member) => member.kind === "property" && member.key === "error")
  );
}

function findNames(body: StateFunction): FunctionNames {
  const statements = statementsOf(body);
  const free = freeNames(statements);
  const reads = new Set<string>();
  const sets = new Set<string>();
  let isCertain = true;
  for (const statement of statements) {
    const { target, value } = assignmentIn(statement) ?? {};
    const targets = target && isBinding(target) ? boundNames(target) : [];
    for (const name of freeNames(targets.length > 0 ? [value!] : [statement]))
      if (free.has(name) && !sets.has(name)) reads.add(name);
    isCertain &&= !mayReturn(statement) || raisesError(statement);
    if (isCertain) for (const name of targets) if (free.has(name)) sets.add(name);
  }
  return { reads, writes: writtenNames(statements, free), sets };
}

const isBinding = (target: Code | BindingPattern): target is BindingPattern =>
  target.kind === "identifier" || target.kind === "objectPattern" || target.kind === "arrayPattern";

function writtenNames(statements: Block, free: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of walkNodes(statements)) {
    if (node.kind !== "assign" || !isBinding(node.target)) continue;
    for (const name of boundNames(node.target)) if (free.has(name)) found.add(name);
  }
  return found;
}
