import {
  assignsName,
  type Block as Code,
  childrenOf,
  type JsExpression,
  isPure,
  js,
  referencesName,
  type JsNode,
  withoutUnreachable,
  mapNodes,
  type Statement,
  equalNodes,
} from "../../../src/js-ast/index.ts";
import { helper } from "../expressions/runtime.ts";

/**
 * What a function does, behind the declarations of its variables, each as it reads best: what never changes is a constant, and what gets its first value by
 * a statement of the function itself is declared there.
 *
 * `let count!: number; …; count = 0;` → `…; let count = 0;`
 */
export function declaring(declarations: Code, work: Code): Code {
  const isLate = (statement: Statement): boolean => statement.kind === "variable" && statement.value === undefined;
  const begun = declarations.filter((each) => !isLate(each));
  const constant = begun.map((each, i) => asConstant(each, [...begun.slice(i + 1), ...work]));
  return [...constant, ...declarations.filter(isLate).reduceRight(declaredWhereGiven, work)];
}

/** `let name = value;` → `const name = value;` where nothing after it changes that. */
function asConstant(statement: Statement, after: Code): Statement {
  if (statement.kind !== "variable" || statement.target.kind !== "identifier") return statement;
  return assignsName(after, statement.target.name) ? statement : { ...statement, keyword: "const" };
}

/** The declaration at the beginning, or in place of the assignment which is the first that knows the variable. */
function declaredWhereGiven(work: Code, declaration: Statement): Code {
  if (declaration.kind !== "variable" || declaration.target.kind !== "identifier") return [declaration, ...work];
  const { target, type } = declaration;
  const first = work.findIndex((statement) => referencesName([statement], target.name));
  const value = first < 0 ? undefined : valueGiven(work[first]!, target.name);
  if (!value || referencesName([value], target.name)) return [declaration, ...work];
  const isNumber = value.kind === "literal" && typeof value.value === "number";
  const declared = js.variable(target, value, { type: isNumber ? undefined : type });
  return work.with(first, asConstant(declared, work.slice(first + 1)));
}

/** The value that a statement does nothing but give to a variable. */
function valueGiven(statement: Statement, name: string) {
  const { expression } = statement.kind === "expression" ? statement : {};
  if (expression?.kind !== "assign" || expression.operator !== "=") return undefined;
  return expression.target.kind === "identifier" && expression.target.name === name ? expression.value : undefined;
}

/**
 * Statements without the variables that nothing reads: what makes their values is done all the same, and where that is sure to fail, nothing stands behind it.
 *
 * `const answer = await flow.step(…);` → `await flow.step(…);`
 */
export function withoutUnread(code: Code): Code {
  const read = new Set<string>();
  for (const statement of code) noteReads(statement, read);
  const kept = overBlocks(code, (block) => computedOnce(block.flatMap((statement) => keptOf(statement, read))));
  const left = overBlocks(kept, withoutUnreachable);
  return equalNodes(left, kept) ? left : withoutUnread(left);
}

/** Statements in which each block, the outermost first, is what a function makes of it. */
function overBlocks(code: Code, change: (block: Code) => Code): Code {
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
 * Statements without values that nothing reads and that the statement before has computed.
 *
 * `state = merge(state, { n: f(x) }); f(x);` → `state = merge(state, { n: f(x) });`
 */
const computedOnce = (block: Code): Code =>
  block.filter((statement, i) => {
    const before = block[i - 1];
    return !(statement.kind === "expression" && before && hasComputed(before, statement.expression));
  });

/** Whether a statement computes a value in any case, and changes nothing of what that is made of. */
function hasComputed(before: Statement, value: JsExpression): boolean {
  const given = before.kind === "expression" && before.expression.kind === "assign" ? before.expression : before;
  if ((given.kind !== "assign" && given.kind !== "variable") || given.target.kind !== "identifier") return false;
  const { name } = given.target;
  return (
    given.value !== undefined && !referencesName([value], name) && isPlain(value) && isComputedIn(given.value, value)
  );
}

/** Whether computing something does nothing else. */
function isPlain(node: JsNode): boolean {
  if (node.kind === "await" || node.kind === "assign" || node.kind === "yield") return false;
  if (node.kind === "identifier" && (node.name === "flow" || node.name === "fn")) return false;
  return [...childrenOf(node)].every(isPlain);
}

/** Whether an expression computes another one whatever happens. */
function isComputedIn(around: JsNode, value: JsExpression): boolean {
  return equalNodes(around, value) || surelyComputed(around).some((part) => isComputedIn(part, value));
}

function surelyComputed(node: JsNode): readonly JsNode[] {
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

/** Notes the names that something reads: all but those that only get a value. */
function noteReads(node: JsNode, read: Set<string>): void {
  if (node.kind === "identifier") read.add(node.name);
  const given = node.kind === "variable" || (node.kind === "assign" && node.operator === "=") ? node.target : undefined;
  for (const child of childrenOf(node)) if (child !== given || child.kind !== "identifier") noteReads(child, read);
}

/** A statement that gives a value to a variable that nothing reads, as the value alone, where making it does something. */
function keptOf(statement: Statement, read: ReadonlySet<string>): Code {
  const given =
    statement.kind === "expression" && statement.expression.kind === "assign" ? statement.expression : statement;
  if (given.kind !== "variable" && given.kind !== "assign") return [statement];
  if (given.target.kind !== "identifier" || read.has(given.target.name)) return [statement];
  if (given.value === undefined || isPure(given.value)) return [];
  return [unread(given.value)];
}

/** A value that nothing reads as a statement: `f(x);`, or `throw raise({ name: "Refused" });` for what never gives one, so that nothing stands behind it. */
export function unread(value: JsExpression): Statement {
  const isFailure = value.kind === "call" && equalNodes(value.callee, helper("raise"));
  return isFailure ? js.throwStatement(value) : js.expressionStatement(value);
}
