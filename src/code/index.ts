export * as js from "./build.ts";
export { type Charset, commentLines, isWord, propertyKey, quoted } from "./literals.ts";
export { assigns, boundNames, declaredBy, freeNames, importsOf, mentions, namesIn, typeNames } from "./names.ts";
export type { PrintOptions } from "./output.ts";
export { printCode, printProgram, printType } from "./print.ts";
export { blockCompletes, completes, isAtom, isPath, negated } from "./simplify.ts";
export { fill, type Template, type TemplatePart, type TemplateValues } from "./template.ts";
export type * from "./tree.ts";
export { childrenOf, nodesIn, sameCode } from "./walk.ts";
