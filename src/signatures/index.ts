export { createSignatureReader, type ModuleFiles, type ReadText } from "./reader.ts";
export type { FoundSignature, ModuleExport, Signature, SignatureReader, UnreadableSignature } from "./signature.ts";
