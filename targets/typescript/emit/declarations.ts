import {
  assignsName,
  type Block as Code,
  childrenOf,
  equalNodes,
  isPure,
  type JsExpression,
  type JsNode,
  js,
  mapNodes,
  referencesName,
  type Statement,
  withoutUnreachable,
} from "../../../src/js-ast/index.ts";
import { helper } from "./runtime-imports.ts";

/**
 * Declares the variables of a function and prepends those without a better place: variables that never change become
 * constants, and a declaration without a value merges with the first assignment.
 *
 * `let count!: number; …; count = 0;` → `…; let count = 0;`
 */
export function placeDeclarations(declarations: Code, work: Code): Code {
  const isLate = (statement: Statement): boolean => statement.kind === "variable" && statement.value === undefined;
  const initialized = declarations.filter((each) => !isLate(each));
  const constants = initialized.map((each, i) => asConstant(each, [...initialized.slice(i + 1), ...work]));
  return [...constants, ...declarations.filter(isLate).reduceRight(mergeWithAssignment, work)];
}

/** `let name = value;` → `const name = value;` if nothing after it assigns the variable. */
function asConstant(statement: Statement, after: Code): Statement {
  if (statement.kind !== "variable" || statement.target.kind !== "identifier") return statement;
  return assignsName(after, statement.target.name) ? statement : { ...statement, keyword: "const" };
}

/**
 * Merges a declaration with the first statement that refers to the variable if that is an assignment; otherwise
 * prepends it.
 */
function mergeWithAssignment(work: Code, declaration: Statement): Code {
  if (declaration.kind !== "variable" || declaration.target.kind !== "identifier") return [declaration, ...work];
  const { target, type } = declaration;
  const first = work.findIndex((statement) => referencesName([statement], target.name));
  const value = first < 0 ? undefined : assignedValue(work[first]!, target.name);
  if (!value || referencesName([value], target.name)) return [declaration, ...work];
  const isNumber = value.kind === "literal" && typeof value.value === "number";
  const declared = js.variable(target, value, { type: isNumber ? undefined : type });
  return work.with(first, asConstant(declared, work.slice(first + 1)));
}

/** The value if a statement only assigns to this variable. */
function assignedValue(statement: Statement, name: string) {
  const { expression } = statement.kind === "expression" ? statement : {};
  if (expression?.kind !== "assign" || expression.operator !== "=") return undefined;
  return expression.target.kind === "identifier" && expression.target.name === name ? expression.value : undefined;
}

/**
 * Removes variables that are never read, but keeps values with side effects, and removes code after a certain failure.
 *
 * `const answer = await flow.step(…);` → `await flow.step(…);`
 */
export function removeUnreadVariables(code: Code): Code {
  const read = new Set<string>();
  for (const statement of code) collectReads(statement, read);
  const kept = mapBlocks(code, (block) =>
    removeRecomputed(block.flatMap((statement) => removeUnread(statement, read))),
  );
  const left = mapBlocks(kept, withoutUnreachable);
  return equalNodes(left, kept) ? left : removeUnreadVariables(left);
}

/** Maps each block, the outermost first. */
function mapBlocks(code: Code, change: (block: Code) => Code): Code {
  return mapNodes(change(code), (node) => {
    switch (node.kind) {
      case "if":
        return js.ifStatement(node.test, change(node.then), node.otherwise && change(node.otherwise));
      case "while":
      case "doWhile":
      case "for":
      case "forOf":
      case "block":
        return { ...node, body: change(node.body) };
      case "try":
        return {
          ...node,
          body: change(node.body),
          handler: node.handler && { ...node.handler, body: change(node.handler.body) },
        };
      case "function":
        return "kind" in node.body ? node : { ...node, body: change(node.body) };
      default:
        return node;
    }
  });
}

/**
 * Removes discarded values that the previous statement has already computed.
 *
 * `state = merge(state, { n: f(x) }); f(x);` → `state = merge(state, { n: f(x) });`
 */
const removeRecomputed = (block: Code): Code =>
  block.filter((statement, i) => {
    const before = block[i - 1];
    return !(statement.kind === "expression" && before && hasJustComputed(before, statement.expression));
  });

/** Whether a statement always computes a value and does not change its inputs. */
function hasJustComputed(before: Statement, value: JsExpression): boolean {
  const assignment = before.kind === "expression" && before.expression.kind === "assign" ? before.expression : before;
  if ((assignment.kind !== "assign" && assignment.kind !== "variable") || assignment.target.kind !== "identifier")
    return false;
  const { name } = assignment.target;
  return (
    assignment.value !== undefined &&
    !referencesName([value], name) &&
    isFreeOfEffects(value) &&
    alwaysComputes(assignment.value, value)
  );
}

/** Whether evaluation has no side effects. */
function isFreeOfEffects(node: JsNode): boolean {
  if (node.kind === "await" || node.kind === "assign" || node.kind === "yield") return false;
  if (node.kind === "identifier" && (node.name === "flow" || node.name === "fn")) return false;
  return [...childrenOf(node)].every(isFreeOfEffects);
}

/** Whether evaluating an expression always evaluates another one. */
function alwaysComputes(outer: JsNode, value: JsExpression): boolean {
  return equalNodes(outer, value) || alwaysEvaluated(outer).some((part) => alwaysComputes(part, value));
}

function alwaysEvaluated(node: JsNode): readonly JsNode[] {
  switch (node.kind) {
    case "function":
      return [];
    case "binary":
      return [node.left];
    case "conditional":
      return [node.condition];
    case "member":
    case "element":
      return [node.object];
    case "call":
      return node.optional ? [node.callee] : [...childrenOf(node)];
    default:
      return [...childrenOf(node)];
  }
}

/** Collects the names that are read, not only assigned. */
function collectReads(node: JsNode, read: Set<string>): void {
  if (node.kind === "identifier") read.add(node.name);
  const assignment =
    node.kind === "variable" || (node.kind === "assign" && node.operator === "=") ? node.target : undefined;
  for (const child of childrenOf(node))
    if (child !== assignment || child.kind !== "identifier") collectReads(child, read);
}

/** Replaces an assignment to a variable that is never read by its value, if that has effects. */
function removeUnread(statement: Statement, read: ReadonlySet<string>): Code {
  const assignment =
    statement.kind === "expression" && statement.expression.kind === "assign" ? statement.expression : statement;
  if (assignment.kind !== "variable" && assignment.kind !== "assign") return [statement];
  if (assignment.target.kind !== "identifier" || read.has(assignment.target.name)) return [statement];
  if (assignment.value === undefined || isPure(assignment.value)) return [];
  return [discardValue(assignment.value)];
}

/**
 * Evaluates a value as a statement: `f(x);`, or `throw raise({ name: "Refused" });` for an expression that always
 * fails.
 */
export function discardValue(value: JsExpression): Statement {
  const isFailure = value.kind === "call" && equalNodes(value.callee, helper("raise"));
  return isFailure ? js.throwStatement(value) : js.expressionStatement(value);
}
