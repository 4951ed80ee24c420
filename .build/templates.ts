// Generates src/generated/<target>-templates.js and, for the hosts of a target, src/generated/<target>-<host>-templates.js:
// parsed templates, so that Handlebars is not loaded to fill them. Run by `npm run generate`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";
import type { FileTemplate, FileTemplatePart } from "../src/js-ast/template.ts";
import { hostFolders } from "./hosts.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const ending = ".hbs";

mkdirSync(join(root, "src/generated"), { recursive: true });
for (const target of readdirSync(join(root, "targets"), { withFileTypes: true }))
  if (target.isDirectory()) {
    writeTemplates(target.name, `targets/${target.name}/templates`);
    for (const host of hostFolders(target.name))
      writeTemplates(`${target.name}-${host}`, `targets/${target.name}/hosts/${host}`);
  }

/** Writes the module `<name>-templates.js` with the templates in a folder. */
function writeTemplates(module: string, path: string): void {
  const folder = join(root, path);
  const names = filesIn(folder).filter((name) => name.endsWith(ending));
  if (names.length === 0) return;
  const templates = names
    .sort()
    .map(
      (name) => [name.slice(0, -ending.length), parseTemplate(name, readFileSync(join(folder, name), "utf8"))] as const,
    );
  const keys = templates.map(([name]) => `  readonly ${JSON.stringify(name)}: Template;\n`);
  writeFileSync(
    join(root, `src/generated/${module}-templates.js`),
    `export const templates = ${JSON.stringify(Object.fromEntries(templates), undefined, 1)};\n`,
  );
  writeFileSync(
    join(root, `src/generated/${module}-templates.d.ts`),
    `import type { Template } from "../js-ast/template.ts";

/** The templates in ${path}, by name without \`${ending}\`. */
export declare const templates: {
${keys.join("")}};
`,
  );
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function parseTemplate(file: string, text: string): FileTemplate {
  return Handlebars.parse(text).body.flatMap((statement) => partOf(file, statement));
}

function partOf(file: string, statement: hbs.AST.Statement): readonly FileTemplatePart[] {
  if (isContent(statement)) return statement.value === "" ? [] : [statement.value];
  if (isComment(statement)) return [];
  if (isMustache(statement) && statement.params.length === 0) return [{ name: nameOf(file, statement.path) }];
  if (isBlock(statement) && nameOf(file, statement.path) === "each" && !statement.inverse) {
    const parts = statement.program.body.flatMap((inner) => partOf(file, inner));
    return [{ each: nameOf(file, statement.params[0]), parts }];
  }
  throw new Error(`${file}, line ${statement.loc.start.line}: a template may contain only names and \`each\`.`);
}

function isContent(node: hbs.AST.Statement): node is hbs.AST.ContentStatement {
  return node.type === "ContentStatement";
}

function isComment(node: hbs.AST.Statement): boolean {
  return node.type === "CommentStatement";
}

function isMustache(node: hbs.AST.Statement): node is hbs.AST.MustacheStatement {
  return node.type === "MustacheStatement";
}

function isBlock(node: hbs.AST.Statement): node is hbs.AST.BlockStatement {
  return node.type === "BlockStatement";
}

function nameOf(file: string, path: hbs.AST.Expression | undefined): string {
  const { parts = [], original = "" } = (path ?? {}) as Partial<hbs.AST.PathExpression>;
  if (parts.length !== 1 || parts[0] !== original) throw new Error(`${file}: ${original} is not a name in a template.`);
  return original;
}
