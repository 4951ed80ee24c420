import { ts } from "ts-morph";
import { bracketed, type Doc, hardline, line } from "./doc.ts";
import { layExpression } from "./expressions.ts";
import { render } from "./render.ts";
import { commentsAt, layStatement, layVariables } from "./statements.ts";
import { layInterfaceMembers, layType } from "./types.ts";

/** The text of a module, laid out as people do it: two spaces, lines up to 100 characters, an empty line between declarations. */
export function laidOut(text: string): string {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.ES2023, true);
  const docs = file.statements.flatMap((node, i): readonly Doc[] => {
    const comments = commentsAt(text, node.getFullStart());
    const gap: Doc = i === 0 || ts.isImportDeclaration(node) ? "" : hardline;
    return [gap, ...comments, layDeclaration(node), hardline];
  });
  return render(docs);
}

function layDeclaration(node: ts.Statement): Doc {
  if (ts.isImportDeclaration(node)) return layImport(node);
  if (ts.isInterfaceDeclaration(node))
    return ["export interface ", node.name.text, " {", layInterfaceMembers(node.members), hardline, "}"];
  if (ts.isTypeAliasDeclaration(node)) return ["export type ", node.name.text, " = ", layType(node.type), ";"];
  if (ts.isVariableStatement(node))
    return [node.modifiers?.length ? "export " : "", layVariables(node.declarationList), ";"];
  return layStatement(node);
}

function layImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): Doc {
  const bindings = importClause?.namedBindings;
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements.map((element) => element.getText()) : [];
  return ["import ", bracketed("{", names, "}", line), " from ", layExpression(moduleSpecifier), ";"];
}
