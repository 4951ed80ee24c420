import { ts } from "ts-morph";
import { type Doc, group, indent, join, softline } from "./doc.ts";
import { layBlock, layExpression } from "./expressions.ts";
import { layType } from "./types.ts";

/** Statements with the comments before each, and those after the last; `start`: where what is before the first begins. */
export function layStatements(nodes: readonly ts.Statement[], text: string, start: number): readonly Doc[] {
  const docs = nodes.map((node): Doc => [...commentsAt(text, node.getFullStart()), layStatement(node)]);
  return [...docs, ...commentsAt(text, nodes.at(-1)?.end ?? start).map(withoutEnd)];
}

/** The comments that stand on lines of their own from a place on, each with the end of its line. */
export const commentsAt = (text: string, at: number): readonly Doc[] =>
  (ts.getLeadingCommentRanges(text, at) ?? []).map(
    ({ pos, end }): Doc => [text.slice(pos, end).replace(/\n\s*/g, "\n "), hardEnd],
  );

const hardEnd: Doc = { kind: "line", flat: "", isHard: true };

const withoutEnd = (comment: Doc): Doc => (Array.isArray(comment) ? (comment[0] as Doc) : comment);

/** A statement of a function. */
export function layStatement(node: ts.Statement): Doc {
  if (ts.isBlock(node)) return layBlock(node);
  if (ts.isExpressionStatement(node)) return [layExpression(node.expression), ";"];
  if (ts.isVariableStatement(node)) return [layVariables(node.declarationList), ";"];
  if (ts.isReturnStatement(node)) return node.expression ? ["return ", layExpression(node.expression), ";"] : "return;";
  if (ts.isThrowStatement(node)) return ["throw ", layExpression(node.expression), ";"];
  if (ts.isIfStatement(node)) return layIf(node);
  return layNested(node);
}

function layNested(node: ts.Statement): Doc {
  if (ts.isTryStatement(node)) {
    const caught = node.catchClause!;
    return [
      "try ",
      layBlock(node.tryBlock),
      ` catch (${caught.variableDeclaration!.name.getText()}) `,
      layBlock(caught.block),
    ];
  }
  if (ts.isDoStatement(node))
    return ["do ", layStatement(node.statement), " while ", layCondition(node.expression), ";"];
  if (ts.isWhileStatement(node)) return ["while ", layCondition(node.expression), " ", layStatement(node.statement)];
  if (ts.isLabeledStatement(node)) return [node.label.text, ": ", layStatement(node.statement)];
  if (ts.isForOfStatement(node)) {
    const item = ts.isVariableDeclarationList(node.initializer)
      ? layVariables(node.initializer)
      : node.initializer.getText();
    return ["for (", item, " of ", layExpression(node.expression), ") ", layStatement(node.statement)];
  }
  return node.getText();
}

function layIf({ expression, thenStatement, elseStatement }: ts.IfStatement): Doc {
  const head: Doc = ["if ", layCondition(expression), " ", layStatement(thenStatement)];
  return elseStatement ? [head, " else ", layStatement(elseStatement)] : head;
}

const layCondition = (node: ts.Expression): Doc => group("(", indent(softline, layExpression(node)), softline, ")");

/** What is declared, with its first value. */
export function layVariables(list: ts.VariableDeclarationList): Doc {
  const word = list.flags & ts.NodeFlags.Const ? "const " : "let ";
  return [word, join(", ", list.declarations.map(layVariable))];
}

function layVariable({ name, type, exclamationToken, initializer }: ts.VariableDeclaration): Doc {
  return [
    name.getText(),
    exclamationToken ? "!" : "",
    type ? [": ", layType(type)] : "",
    initializer ? [" = ", layExpression(initializer)] : "",
  ];
}
