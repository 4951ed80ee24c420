// Generates src/generated/jsonata-evaluator.js: the evaluator of the package `jsonata` without `async`, so that a
// workflow's expression is evaluated in one step. Run by `npm run generate`. Each change below must apply exactly as
// often as stated; a new version of the package that reads otherwise stops the build.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ts } from "ts-morph";

const root = new URL("../", import.meta.url);
const folder = "node_modules/jsonata/";
const { version }: { readonly version: string } = JSON.parse(read(`${folder}package.json`));
if (version !== "2.2.2") throw new Error(`Review .build/jsonata-evaluator.ts for jsonata ${version}.`);

interface Change {
  readonly from: string | RegExp;
  readonly to: string;
  readonly times: number;
}

const changes: readonly Change[] = [
  // Each evaluation counts against the caller's limits. Callbacks of debuggers are dropped: each looks up a symbol.
  { from: "environment.base.guardrails();", to: "environment.base.options.enter(environment.base.depth);", times: 1 },
  { from: /var (entry|exit)Callback = [^;]+;\s*if\(\1Callback\) \{[^}]*\}/g, to: "", times: 2 },
  { from: /var framePushCallback = [^;]+;\s*if\(framePushCallback\) \{[^}]*\}/g, to: "", times: 1 },
  // The time and random numbers are the caller's.
  {
    from: "timestamp = new Date();\n                exec_env",
    to: "timestamp = new Date(options.now);\n exec_env",
    times: 1,
  },
  { from: "return Math.random();", to: "return this.environment.base.options.random();", times: 1 },
  { from: "Math.floor(Math.random() *", to: "Math.floor(this.environment.base.options.random() *", times: 1 },
  // Merging recurs once per item, on a stack that `await` used to unwind.
  {
    from: /var merge_iter = async function[\s\S]*?\n {12}\};\s*var merged = \[\];\s*await merge_iter\(merged, l, r\);/g,
    to: `var merged = [];
         var i = 0, j = 0;
         while (i < l.length && j < r.length) merged.push(await comp(l[i], r[j]) ? r[j++] : l[i++]);
         while (i < l.length) merged.push(l[i++]);
         while (j < r.length) merged.push(r[j++]);`,
    times: 1,
  },
  // A transform must not change functions, which all programs share; members named __proto__ are ordinary.
  {
    from: "var match = matches[ii];",
    to: `var match = matches[ii];
         if (isFunction(match)) throw { code: "T2011", position: expr.position, value: "a function" };`,
    times: 1,
  },
  { from: "match[prop] = update[prop];", to: `${setOwn("match", "prop", "update[prop]")};`, times: 1 },
  // Strings are bounded like sequences.
  {
    from: "if (padLength > 0) {",
    to: `if (padLength > 1e7) throw { code: "D2015", value: 1e7 };
         if (padLength > 0) {`,
    times: 2,
  },
  // The position of the innermost expression that fails, rather than that of the outermost call.
  {
    from: "err.position = proc.position || err.position;",
    to: "err.position = err.position || proc.position;",
    times: 1,
  },
  // Values that share parts may be exponentially larger than they look, so each visit counts.
  {
    from: "if (lhs === rhs) {\n            return true;\n        }",
    to: "if (lhs === rhs) return true;\n visitor.visit();",
    times: 1,
  },
  {
    from: "JSON.stringify(arg, function (key, val) {",
    to: "JSON.stringify(arg, function (key, val) { visitor.visit();",
    times: 1,
  },
  {
    from: "return JSON.stringify(err[arguments[1]]);",
    to: "return JSON.stringify(err[arguments[1]], (key, val) => { visitor.visit(); return val; });",
    times: 1,
  },
  {
    from: "exec_env.options = options;",
    to: "exec_env.options = options;\n visitor.visit = options.visit;\n visitor.number = options.number;",
    times: 1,
  },
  // `??` and `?:` copy their left operand. Copied as JSON, a regular expression would match at the same offset indefinitely.
  { from: "JSON.parse(JSON.stringify(left))", to: "copyTree(left)", times: 2 },
  // A caller may refuse numbers beyond the range of doubles before anything computes with them.
  {
    from: /(?<=result = lhs % rhs;\s*break;\s*\}\s*)return result;/g,
    to: "return visitor.number(result);",
    times: 1,
  },
  { from: "return total;", to: "return visitor.number(total);", times: 1 },
  { from: "return total / args.length;", to: "return visitor.number(total / args.length);", times: 1 },
  // The operator or function of the innermost expression that fails.
  { from: "err.token = op;", to: "err.token = err.token || op;", times: 2 },
  {
    from: "result = await apply(func, [lhs], null, environment);",
    to: `if (expr.rhs.type === "variable") func.token = expr.rhs.value;
         result = await apply(func, [lhs], null, environment);`,
    times: 1,
  },
  // An object must not change an empty array that it is made for.
  { from: "input.push(undefined);", to: "input = focus.createSequence(undefined);", times: 1 },
  // Errors are values: recording a stack for each is slow.
  { from: /\s*stack: \(new Error\(\)\)\.stack,?/g, to: "", times: 80 },
  { from: "err.stack = (new Error()).stack;", to: "", times: 3 },
];

const text = changes.reduce(applyChange, read(`${folder}jsonata.js`));
const source = ts.createSourceFile("jsonata.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
const { transformed } = ts.transform(source, [withoutAsync]);
const printer = ts.createPrinter({ removeComments: true });
const modules = modulesOf(transformed[0]!).map(
  ({ id, factory, names }) =>
    `${id}: [${printer.printNode(ts.EmitHint.Expression, factory, source)}, ${JSON.stringify(names)}]`,
);
const license = read(`${folder}LICENSE`).trim().split("\n").join("\n * ");

mkdirSync(new URL("src/generated/", root), { recursive: true });
writeFileSync(
  new URL("src/generated/jsonata-evaluator.js", root),
  `/*!
 * @generated from jsonata ${version}, without async.
 *
 * ${license}
 */
const visitor = { visit() {}, number: (value) => value };
function copyTree(node) {
  if (typeof node !== "object" || node === null || node instanceof RegExp) return node;
  if (Array.isArray(node)) return node.map(copyTree);
  return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, copyTree(part)]));
}
const factories = {
${modules.join(",\n")}
};
const loaded = {};
function load(id) {
  if (!loaded[id]) {
    const module = (loaded[id] = { exports: {} });
    const [factory, names] = factories[id];
    factory((name) => load(names[name]), module, module.exports);
  }
  return loaded[id].exports;
}
export const jsonata = load(3);
`,
);
writeFileSync(
  new URL("src/generated/jsonata-evaluator.d.ts", root),
  `/** What the evaluator requires of its caller. */
export interface EvaluatorOptions {
  /** Called before each evaluation of a node, with the depth of nested evaluations. Throws to stop. */
  readonly enter: (depth: number) => void;
  /** Called for each part of a value that is compared or converted to a string. Throws to stop. */
  readonly visit: () => void;
  /** Called for each computed number, and returns it. Throws to fail. */
  readonly number: (value: number) => number;
  readonly random: () => number;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The maximum length of a sequence. */
  readonly sequence: number;
  readonly RegexEngine: RegExpConstructor;
}

/** A program that is ready to run. */
export interface EvaluatorProgram {
  evaluate(input: unknown, bindings: { readonly [name: string]: unknown }): unknown;
  registerFunction(name: string, implementation: (...args: never[]) => unknown, signature?: string): void;
}

/** Parses a JSONata program. Throws an error with a code. */
export declare const jsonata: (text: string, options: EvaluatorOptions) => EvaluatorProgram;
`,
);

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function setOwn(object: string, key: string, value: string): string {
  const member = `{ value: ${value}, writable: true, enumerable: true, configurable: true }`;
  return `Object.defineProperty(${object}, ${key}, ${member})`;
}

function applyChange(from: string, change: Change): string {
  const parts = from.split(change.from);
  const groups = change.from instanceof RegExp ? new RegExp(`${change.from.source}|`).exec("")!.length - 1 : 0;
  const times = (parts.length - 1) / (groups + 1);
  if (times !== change.times)
    throw new Error(`${change.from} occurs ${times} times in jsonata ${version}, not ${change.times} times.`);
  return from.replaceAll(change.from, () => change.to);
}

/** Functions without `async`, operands without `await`, arrays without `Promise.all`, no branches for promises. */
function withoutAsync(context: ts.TransformationContext): (file: ts.SourceFile) => ts.SourceFile {
  const visit = (node: ts.Node): ts.VisitResult<ts.Node | undefined> => {
    if (node.kind === ts.SyntaxKind.AsyncKeyword) return undefined;
    if (ts.isAwaitExpression(node)) return ts.visitNode(node.expression, visit);
    if (ts.isIfStatement(node) && isCallOf(node.expression, "isPromise")) return context.factory.createEmptyStatement();
    if (ts.isCallExpression(node) && node.expression.getText() === "Promise.all")
      return ts.visitNode(node.arguments[0], visit);
    return ts.visitEachChild(node, visit, context);
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

function isCallOf(node: ts.Expression, name: string): boolean {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;
}

interface PackedModule {
  readonly id: string;
  readonly factory: ts.FunctionExpression;
  /** The ids of imported modules. */
  readonly names: { readonly [path: string]: number };
}

/** The modules that browserify packed: `{1: [function (require, module, exports) {…}, {"./utils": 6}], …}`. */
function modulesOf(file: ts.Node): readonly PackedModule[] {
  const found: PackedModule[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAssignment(node) &&
      ts.isNumericLiteral(node.name) &&
      ts.isArrayLiteralExpression(node.initializer)
    ) {
      const [factory, imports] = node.initializer.elements;
      if (factory && ts.isFunctionExpression(factory) && imports && ts.isObjectLiteralExpression(imports)) {
        const names = imports.properties.map((property) => {
          if (!ts.isPropertyAssignment(property) || !ts.isStringLiteral(property.name))
            throw new Error("Unknown import.");
          return [property.name.text, Number((property.initializer as ts.NumericLiteral).text)] as const;
        });
        found.push({ id: node.name.text, factory, names: Object.fromEntries(names) });
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (found.length !== 6) throw new Error(`jsonata ${version} has ${found.length} modules, not 6.`);
  return found;
}
