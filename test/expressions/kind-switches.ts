import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ts } from "ts-morph";

/** A file that distinguishes kinds of expressions, and how many at one place. */
export interface KindSwitch {
  readonly file: string;
  readonly kinds: number;
}

/** Fewer kinds at one place are special cases, not a traversal. */
const minKinds = 8;

/**
 * Finds the files of `src` and `targets` with a `switch` over `Expression["kind"]`, or an object with a member per kind,
 * that names at least eight kinds. Such a file changes when a kind is added.
 */
export function kindSwitches(root: string): readonly KindSwitch[] {
  const ast = join(root, "src/expressions/core/ast.ts");
  const files = ["src", "targets"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.includes("node_modules"))
      .map((name) => join(root, folder, name))
      .filter(mayDistinguish),
  );
  const program = ts.createProgram([ast, ...files], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const kinds = kindsOfExpressions(program.getSourceFile(ast)!, checker);
  const found: KindSwitch[] = [];
  for (const file of files) {
    const most = mostKinds(program.getSourceFile(file)!, checker, kinds);
    if (most >= minKinds) found.push({ file: relative(root, file), kinds: most });
  }
  return found.sort((a, b) => b.kinds - a.kinds || (a.file < b.file ? -1 : 1));
}

/** Whether a file has enough cases, or members named like kinds, to be worth a check of its types. */
function mayDistinguish(file: string): boolean {
  const text = readFileSync(file, "utf8");
  const cases = text.match(/\bcase "[a-z]+":/g) ?? [];
  return cases.length >= minKinds || (/\bpipe\b/.test(text) && /\biterate\b/.test(text));
}

/** The declarations of the kinds by name: a `literal` of another tree is another declaration. */
type KindDeclarations = ReadonlyMap<string, ts.Node>;

function kindsOfExpressions(file: ts.SourceFile, checker: ts.TypeChecker): KindDeclarations {
  const module = checker.getSymbolAtLocation(file)!;
  const expression = checker.getExportsOfModule(module).find(({ name }) => name === "Expression")!;
  const type = checker.getDeclaredTypeOfSymbol(expression);
  return new Map(
    membersOf(type).flatMap((member) => {
      const kind = member.getProperty("kind");
      const name = kind && checker.getTypeOfSymbol(kind);
      return name?.isStringLiteral() ? [[name.value, kind!.declarations![0]!]] : [];
    }),
  );
}

const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** The largest number of kinds that one `switch` or object of a file names. */
function mostKinds(source: ts.SourceFile, checker: ts.TypeChecker, kinds: KindDeclarations): number {
  let most = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isSwitchStatement(node)) most = Math.max(most, kindsOfSwitch(node, checker, kinds));
    if (ts.isObjectLiteralExpression(node)) most = Math.max(most, kindsOfObject(node, checker, kinds));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return most;
}

/** The kinds that the cases of `switch (expression.kind)` name; 0 if it is another tree's `kind`. */
function kindsOfSwitch(node: ts.SwitchStatement, checker: ts.TypeChecker, kinds: KindDeclarations): number {
  const names = node.caseBlock.clauses.flatMap((clause) =>
    ts.isCaseClause(clause) && ts.isStringLiteral(clause.expression) ? [clause.expression.text] : [],
  );
  const switched = node.expression;
  const declared = ts.isPropertyAccessExpression(switched)
    ? membersOf(checker.getTypeAtLocation(switched.expression)).flatMap(
        (member) => member.getProperty("kind")?.declarations ?? [],
      )
    : declarationsOf(switched, checker);
  const own = new Set(declared);
  return names.filter((name) => kinds.has(name) && own.has(kinds.get(name)!)).length;
}

/** The declarations behind `const { kind } = expression`. */
const declarationsOf = (node: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] => {
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (!declaration || !ts.isBindingElement(declaration)) return [];
  const type = checker.getTypeAtLocation(declaration.parent);
  return membersOf(type).flatMap((member) => member.getProperty("kind")?.declarations ?? []);
};

/** The members of an object whose type has a member per kind of expression. */
function kindsOfObject(node: ts.ObjectLiteralExpression, checker: ts.TypeChecker, kinds: KindDeclarations): number {
  const type = checker.getContextualType(node);
  if (!type) return 0;
  const isTable = [...kinds.keys()].every((kind) => type.getProperty(kind) !== undefined);
  if (!isTable) return 0;
  return node.properties.filter(({ name }) => name && kinds.has(name.getText().replace(/"/g, ""))).length;
}
