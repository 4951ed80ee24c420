import { ts } from "ts-morph";
import { bracketed, choice, type Doc, group, hardline, indent, isBroken, join, line, softline } from "./doc.ts";
import { layStatements } from "./statements.ts";
import { layParameters, layType } from "./types.ts";

/** An expression; what is short, or cannot be broken, is taken as it is written. */
export function layExpression(node: ts.Expression): Doc {
  if (ts.isCallExpression(node)) return [layExpression(node.expression), layArguments(node.arguments)];
  if (ts.isNewExpression(node)) return ["new ", node.expression.getText(), layArguments(node.arguments ?? [])];
  if (ts.isArrowFunction(node)) return layArrow(node, false);
  if (ts.isObjectLiteralExpression(node)) return bracketed("{", node.properties.map(layProperty), "}", line);
  if (ts.isArrayLiteralExpression(node)) return bracketed("[", node.elements.map(layExpression), "]", softline);
  if (ts.isBinaryExpression(node)) return layBinary(node);
  if (ts.isConditionalExpression(node)) return layConditional(node);
  if (ts.isParenthesizedExpression(node))
    return isNeedless(node) ? layExpression(node.expression) : ["(", layExpression(node.expression), ")"];
  return layOperand(node);
}

function layOperand(node: ts.Expression): Doc {
  if (ts.isAwaitExpression(node)) return ["await ", layExpression(node.expression)];
  if (ts.isPropertyAccessExpression(node))
    return [layExpression(node.expression), node.questionDotToken ? "?." : ".", node.name.text];
  if (ts.isElementAccessExpression(node))
    return [
      layExpression(node.expression),
      node.questionDotToken ? "?.[" : "[",
      layExpression(node.argumentExpression),
      "]",
    ];
  if (ts.isPrefixUnaryExpression(node)) return [ts.tokenToString(node.operator) ?? "", layExpression(node.operand)];
  if (ts.isAsExpression(node)) return [layExpression(node.expression), " as ", layType(node.type)];
  if (ts.isNonNullExpression(node)) return [layExpression(node.expression), "!"];
  if (ts.isSpreadElement(node)) return ["...", layExpression(node.expression)];
  return node.getText();
}

function layProperty(node: ts.ObjectLiteralElementLike): Doc {
  return ts.isPropertyAssignment(node) ? [node.name.getText(), ": ", layExpression(node.initializer)] : node.getText();
}

/** The last argument may begin on the line of the call where it is a function or a list, and is the only one that has several lines. */
function layArguments(nodes: readonly ts.Expression[]): Doc {
  const docs = nodes.map(layExpression);
  const last = nodes.at(-1);
  const each = ["(", indent(hardline, join([",", hardline], docs)), ",", hardline, ")"];
  const all = bracketed("(", docs, ")", softline);
  if (!last || !isLong(last) || docs.slice(0, -1).some(isBroken)) return docs.slice(0, -1).some(isBroken) ? each : all;
  if (docs.length > 1 && nodes.slice(0, -1).some((node) => isLong(node) && !ts.isArrayLiteralExpression(node)))
    return all;
  const before = docs.slice(0, -1).flatMap((doc) => [doc, ", "]);
  const end = ts.isArrowFunction(last) ? layArrow(last, true) : docs.at(-1)!;
  const hugged: Doc = ["(", ...before, end, ")"];
  if (isBroken(end)) return before.length === 0 ? hugged : choice(hugged, hugged, each);
  return docs.length === 1
    ? hugged
    : choice(["(", join(", ", docs), ")"], ["(", ...before, brokenGroup(end), ")"], each);
}

const isLong = (node: ts.Expression): boolean =>
  ts.isArrowFunction(node) ||
  (ts.isObjectLiteralExpression(node) && node.properties.length > 0) ||
  (ts.isArrayLiteralExpression(node) && node.elements.length > 0);

/** A group whose lines end. */
const brokenGroup = (doc: Doc): Doc =>
  typeof doc === "object" && "kind" in doc && doc.kind === "group" ? doc.doc : doc;

/** `isLast`: it is the last argument of a call, whose end then stands on a line of its own. */
function layArrow(node: ts.ArrowFunction, isLast: boolean): Doc {
  const head: Doc = [
    node.modifiers?.length ? "async " : "",
    layParameters(node.parameters),
    node.type ? [": ", layType(node.type)] : "",
    " =>",
  ];
  const { body } = node;
  if (ts.isBlock(body)) return [head, " ", layBlock(body)];
  const isHeld = ts.isParenthesizedExpression(body) || isLong(body) || ts.isTemplateExpression(body);
  if (isHeld) return [head, " ", layExpression(body)];
  return group(head, indent(line, layExpression(body)), isLast ? [{ kind: "ifBroken", text: "," }, softline] : "");
}

/** Statements in braces. */
export function layBlock(node: ts.Block): Doc {
  const docs = layStatements(node.statements, node.getSourceFile().text, node.getStart() + 1);
  return docs.length === 0 ? "{}" : ["{", indent(docs.map((doc) => [hardline, doc])), hardline, "}"];
}

/** Operands of the same operator stand below each other. */
function layBinary(node: ts.BinaryExpression): Doc {
  const operator = node.operatorToken.getText();
  if (operator === "=") return [layExpression(node.left), " = ", layExpression(node.right)];
  if (operator === "??" && node.right.getText() === "null") return [layExpression(node.left), " ?? null"];
  const operands: Doc[] = [layExpression(node.right)];
  let left: ts.Expression = node.left;
  for (; ts.isBinaryExpression(left) && left.operatorToken.getText() === operator; left = left.left)
    operands.unshift(layExpression(left.right));
  return group(layExpression(left), indent(operands.map((operand) => [` ${operator}`, line, operand])));
}

const layConditional = ({ condition, whenTrue, whenFalse }: ts.ConditionalExpression): Doc =>
  group(layExpression(condition), indent(line, "? ", layWay(whenTrue), line, ": ", layWay(whenFalse)));

const layWay = (node: ts.Expression): Doc =>
  ts.isConditionalExpression(node) ? layExpression(node) : indent(layExpression(node));

/** Whether parentheses say nothing. */
function isNeedless({ expression: inner, parent }: ts.ParenthesizedExpression): boolean {
  if (ts.isIdentifier(inner) || ts.isParenthesizedExpression(inner)) return true;
  const isPath =
    ts.isCallExpression(inner) || ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner);
  if (isPath && !ts.isOptionalChain(inner) && !ts.isNewExpression(parent)) return true;
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.CommaToken) return false;
  if (ts.isCallExpression(parent)) return parent.expression !== inner.parent;
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.right === inner.parent;
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isIfStatement(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isReturnStatement(parent)
  );
}
