export {
  compileJavaScript,
  isRefusal,
  isTooDeepToPrint,
  type JavaScriptProgram,
  javaScriptText,
  type Refusal,
  standaloneText,
} from "./compile.ts";
export { functionName } from "./helpers.ts";
export { isSamePath } from "./readable/narrowing.ts";
export { writeNodes } from "./readable/paths.ts";
export { writeList } from "./readable/streams.ts";
export {
  type ClosedUse,
  isFreeName,
  isProvenPresent,
  type OpenUse,
  provenMember,
  type Use,
  unusedValue,
} from "./readable/use.ts";
export { write, writeOne } from "./readable/write.ts";
export {
  isSimple,
  noLines,
  type PrintedExpression,
  printedExpression,
  type Scope,
  truth,
  withInput,
  withVariable,
} from "./readable/written.ts";
export { runtimeNames, runtimeParts, runtimeText } from "./runtime.ts";
export { camelCase, reservedWords } from "./words.ts";
