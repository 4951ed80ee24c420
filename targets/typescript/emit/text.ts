import { createHash } from "node:crypto";
import { propertyText, typeText } from "../expressions/use.ts";
import { laidOut } from "../layout/layout.ts";
import { docText, oneLine } from "./comments.ts";
import { type Module, withTypes } from "./module.ts";
import { definitionText, typeLines } from "./workflow.ts";

/** The module of a workflow: readable TypeScript, with what it needs of the expressions' runtime in a file beside it. */
export function moduleText(module: Module, title: string): string {
  const { workflow, exported } = module;
  const definition = withTypes(module, definitionText(module, mark));
  const declarations = [
    ...(module.functions.size === 0 ? [] : [functionsInterface(module)]),
    ...typeLines(module).map(({ name, type, doc }) => `${docText(doc)}\nexport type ${name} = ${type};`),
    ...module.sections.map(({ name, text, doc }) => `${docText(doc)}\nconst ${name} = ${withTypes(module, text)};`),
    `${docText(workflow.description ?? workflow.name)}\nexport const ${exported} = ${definition};`,
  ];
  forgetUnused(module, declarations.join("\n"));
  const head = `// ${oneLine(title)}. Change the definition, not this file.`;
  const plain = laidOut([head, ...imports(module), ...declarations].join("\n"));
  return plain.replace(mark, versionOf(plain));
}

/** Stands where the version will: nothing that is written has this sign in it. */
const mark = "\ue002";

/** Imports that turned out not to be needed are left out: forms of expressions were tried that others took the place of. */
function forgetUnused({ helpers, imports, compiled }: Module, text: string): void {
  const words = new Set(text.match(/[\w$]+/g));
  for (const [helper, name] of helpers) if (!words.has(name)) helpers.delete(helper);
  for (const [i, { name }] of [...compiled.entries()].reverse()) if (!words.has(name)) compiled.splice(i, 1);
  for (const name of imports) if (name.startsWith("type ") && !words.has(name.slice(5))) imports.delete(name);
}

/** A workflow changes its version when its program does. */
const versionOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

function imports(module: Module): readonly string[] {
  const { helpers, compiled, files, workflow, workflows } = module;
  const own = files.get(workflow.id)!;
  const named = (path: string, names: readonly string[]) =>
    `import { ${names.join(", ")} } from ${JSON.stringify(path)};`;
  const computed = [...helpers.values(), ...compiled.map(({ name }) => name)];
  const others = [...workflows].filter(([id]) => id !== workflow.id);
  const renamed = (name: string, exported: string) => (exported === name ? name : `${exported} as ${name}`);
  return [
    ...(computed.length === 0 ? [] : [named(`./${own}.expressions.js`, computed.sort())]),
    ...others.map(([id, { name, exported }]) => named(`./${files.get(id)}.ts`, [renamed(name, exported)])),
    named("./runtime/index.ts", [...module.imports, ...(module.functions.size > 0 ? ["type Step"] : [])].sort(byName)),
  ];
}

const byName = (a: string, b: string): number => (a.replace(/^type /, "") < b.replace(/^type /, "") ? -1 : 1);

function functionsInterface({ functions }: Module): string {
  const methods = [...functions].map(([name, { arguments: given, answer }]) => {
    const member = name === "__proto__" ? '["__proto__"]' : propertyText(name);
    return `${member}(argument: ${given.size === 1 ? [...given][0]! : "Json"}, step: Step): Promise<${typeText(answer)}>;`;
  });
  return `/** What the workflow calls. */\nexport interface Functions {\n${methods.join("\n")}\n}`;
}
