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
 * Declares variables: as constants if never assigned, at their first assignment if possible, or at the beginning.
 *
 * `let count!: number; …; count = 0;` → `…; let count = 0;`
 */
export function placeDeclarations(declarations: Code, work: Code): Code {
  const isLate = (statement: Statement): boolean => statement.kind === "variable" && statement.value === undefined;
  const initialized = declarations.filter((each) => !isLate(each));
  const constants = initialized.map((each, i) => asConstant(each, [...initialized.slice(i + 1), ...work]));
  return [...constants, ...declarations.filter(isLate).reduceRight(mergeWithAssignment, work)];
}

function asConstant(statement: Statement, after: Code): Statement {
  if (statement.kind !== "variable" || statement.target.kind !== "identifier") return statement;
  return assignsName(after, statement.target.name) ? statement : { ...statement, keyword: "const" };
}

/** Merges a declaration with the first reference if that is an assignment; otherwise prepends it. */
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

function assignedValue(statement: Statement, name: string) {
  const { expression } = statement.kind === "expression" ? statement : {};
  if (expression?.kind !== "assign" || expression.operator !== "=") return undefined;
  return expression.target.kind === "identifier" && expression.target.name === name ? expression.value : undefined;
}

/**
 * Removes unread variables, except for side effects, and unreachable code.
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

/** Whether a statement computes a value without changing its inputs. */
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

function isFreeOfEffects(node: JsNode): boolean {
  if (node.kind === "await" || node.kind === "assign" || node.kind === "yield") return false;
  if (node.kind === "identifier" && (node.name === "flow" || node.name === "fn")) return false;
  return [...childrenOf(node)].every(isFreeOfEffects);
}

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

function collectReads(node: JsNode, read: Set<string>): void {
  if (node.kind === "identifier") read.add(node.name);
  const assignment =
    node.kind === "variable" || (node.kind === "assign" && node.operator === "=") ? node.target : undefined;
  for (const child of childrenOf(node))
    if (child !== assignment || child.kind !== "identifier") collectReads(child, read);
}

/** Replaces an unread assignment by its value, if that has effects. */
function removeUnread(statement: Statement, read: ReadonlySet<string>): Code {
  const assignment =
    statement.kind === "expression" && statement.expression.kind === "assign" ? statement.expression : statement;
  if (assignment.kind !== "variable" && assignment.kind !== "assign") return [statement];
  if (assignment.target.kind !== "identifier" || read.has(assignment.target.name)) return [statement];
  if (assignment.value === undefined || isPure(assignment.value)) return [];
  return [discardValue(assignment.value)];
}

/** `f(x);`, or `throw raise({ name: "Refused" });` for a certain failure. */
export function discardValue(value: JsExpression): Statement {
  const isFailure = value.kind === "call" && equalNodes(value.callee, helper("raise"));
  return isFailure ? js.throwStatement(value) : js.expressionStatement(value);
}
