export * as js from "./build.ts";
export { type Charset, commentLines, isIdentifierName, propertyKey, quoteString } from "./literals.ts";
export {
  assignsName,
  boundNames,
  declaredNames,
  freeNames,
  collectImports,
  referencesName,
  allNames,
  typeNames,
} from "./names.ts";
export type { PrintOptions } from "./output.ts";
export { printCode, printProgram, printTypeCode } from "./print.ts";
export { blockMayComplete, mayComplete, isAtom, isPath, isPure, negate, withoutUnreachable } from "./simplify.ts";
export type * from "./statements.ts";
export { renderTemplate, type FileTemplate, type TemplatePart, type TemplateValues } from "./template.ts";
export type * from "./tree.ts";
export type * from "./types.ts";
export { childrenOf, walkNodes, mapNodes, equalNodes } from "./walk.ts";
