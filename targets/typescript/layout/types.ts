import { ts } from "ts-morph";
import { bracketed, type Doc, group, hardline, ifBroken, indent, join, line, softline } from "./doc.ts";
import { commentsAt } from "./statements.ts";

/** A type. */
export function layType(node: ts.TypeNode): Doc {
  if (ts.isTypeLiteralNode(node)) return layMembers(node);
  if (ts.isUnionTypeNode(node)) return group(indent(ifBroken("| "), join([line, "| "], node.types.map(layType))));
  if (ts.isArrayTypeNode(node)) return [layType(node.elementType), "[]"];
  if (ts.isTypeOperatorNode(node)) return ["readonly ", layType(node.type)];
  if (ts.isParenthesizedTypeNode(node)) return ["(", layType(node.type), ")"];
  if (ts.isTypeReferenceNode(node) && node.typeArguments)
    return [node.typeName.getText(), "<", join(", ", node.typeArguments.map(layType)), ">"];
  return node.getText();
}

/** The members of an object type: on one line where none has a comment and there is room. */
function layMembers({ members }: ts.TypeLiteralNode): Doc {
  const docs = members.map((member): Doc => {
    const comments = commentsAt(member.getSourceFile().text, member.getFullStart());
    return comments.length === 0 ? layMember(member) : [...comments, layMember(member)];
  });
  return bracketed("{", docs, "}", line, ";");
}

/** A member of an interface or of an object type, without what ends it. */
export function layMember(node: ts.TypeElement): Doc {
  if (ts.isMethodSignature(node))
    return [node.name.getText(), layParameters(node.parameters), ": ", layType(node.type!)];
  if (!ts.isPropertySignature(node) || !node.type) return node.getText().replace(/;$/, "");
  const word = node.modifiers?.length ? "readonly " : "";
  return [word, node.name.getText(), node.questionToken ? "?" : "", ": ", layType(node.type)];
}

/** The members of an interface, each on a line. */
export const layInterfaceMembers = (members: readonly ts.TypeElement[]): Doc =>
  indent(
    members.map((member) => [
      hardline,
      ...commentsAt(member.getSourceFile().text, member.getFullStart()),
      layMember(member),
      ";",
    ]),
  );

/** The parameters of a function. */
export const layParameters = (nodes: readonly ts.ParameterDeclaration[]): Doc =>
  bracketed("(", nodes.map(layParameter), ")", softline);

const layParameter = ({ name, type }: ts.ParameterDeclaration): Doc => [
  name.getText(),
  type ? [": ", layType(type)] : "",
];
