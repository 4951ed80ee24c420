// Generates src/generated/openwhisk-helpers.js from targets/openwhisk/helpers/, and openwhisk-minified.js. Run by
// `npm run generate`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { ts } from "ts-morph";
import { runtime } from "../src/generated/runtime.js";
import { dataModule } from "./data-module.ts";

const root = new URL("../", import.meta.url);
const folder = new URL("targets/openwhisk/helpers/", root);

const declarations = new Map<string, ts.Statement>();
for (const file of readdirSync(folder).sort()) {
  const { code } = await transform(readFileSync(new URL(file, folder), "utf8"), { loader: "ts", target: "es2022" });
  const { statements } = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  for (const statement of statements) for (const name of namesDeclaredIn(statement)) declare(name, statement);
}

const helpers = Object.fromEntries(
  [...declarations].map(([name, statement]) => {
    const text = statement.getText().replace(/^export /, "");
    const needs = [...namesReferencedIn(statement)].filter((other) => other !== name && declarations.has(other));
    return [name, { text, needs: [...new Set(needs)].sort() }];
  }),
);

/** By name: for actions, which contain the helpers of their composition a second time. */
const minified = new Map<string, string>();
for (const [name, { text }] of [...Object.entries(runtime()), ...Object.entries(helpers)])
  minified.set(name, (await transform(text, { minify: true, target: "es2022", charset: "utf8" })).code.trimEnd());

const generated = new URL("src/generated/", root);
mkdirSync(generated, { recursive: true });
writeFileSync(
  new URL("openwhisk-helpers.js", generated),
  `export const helpers = ${JSON.stringify(helpers, undefined, 1)};\n`,
);
writeFileSync(
  new URL("openwhisk-helpers.d.ts", generated),
  `/** The functions that compositions may call, by name, with source text and dependencies. */
export declare const helpers: { readonly [name: string]: { readonly text: string; readonly needs: readonly string[] } };
`,
);
writeFileSync(
  new URL("openwhisk-minified.js", generated),
  dataModule({ minifiedHelpers: Object.fromEntries(minified) }),
);
writeFileSync(
  new URL("openwhisk-minified.d.ts", generated),
  `/** The minified source of the functions that compositions may call and of the functions of expressions, by name. */
export declare const minifiedHelpers: () => { readonly [name: string]: string };
`,
);

function declare(name: string, statement: ts.Statement): void {
  if (declarations.has(name)) throw new Error(`Several helpers are named ${name}.`);
  declarations.set(name, statement);
}

function namesDeclaredIn(statement: ts.Statement): readonly string[] {
  if (ts.isFunctionDeclaration(statement) && statement.name) return [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

/** Except for member names. */
function* namesReferencedIn(node: ts.Node): Generator<string> {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    if (!ts.isPropertyAccessExpression(parent) || parent.name !== node) yield node.text;
    return;
  }
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* namesReferencedIn(child);
}
