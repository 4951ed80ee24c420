export { createSignatureReader, type ModuleFiles } from "./reader.ts";
export type { FoundSignature, ModuleExport, Signature, SignatureReader, UnreadableSignature } from "./signature.ts";
