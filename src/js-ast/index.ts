export * as js from "./build.ts";
export { type Charset, commentLines, isIdentifierName, oneLine, propertyKey, quoteString } from "./literals.ts";
export {
  allNames,
  assignsName,
  boundNames,
  collectImports,
  declaredNames,
  freeNames,
  referencesName,
  typeNames,
} from "./names.ts";
export { printCode, printProgram, printTypeCode } from "./print.ts";
export { blockMayComplete, isAtom, isPath, isPure, mayComplete, negate, withoutUnreachable } from "./simplify.ts";
export type * from "./statements.ts";
export type { PrintOptions } from "./style.ts";
export { type FileTemplate, type FileTemplatePart, renderTemplate, type TemplateValues } from "./template.ts";
export type * from "./tree.ts";
export type * from "./types.ts";
export { childrenOf, equalNodes, mapNodes, walkNodes } from "./walk.ts";
