import type { Span } from "../text/source.ts";
import type { Type } from "../types/index.ts";

/** An exported function of a module: a file, or a package as an import names it. */
export interface ModuleExport {
  /** Such as `./payment.ts` or `@shop/payment`. */
  readonly module: string;
  /** Such as `charge`, or `default`. */
  readonly name: string;
  /** The path of the file whose folder `module` is relative to. */
  readonly from: string;
}

/** The types of an exported function, as JSON. */
export interface Signature {
  /** The type of the first parameter; undefined if it takes none. */
  readonly parameter: Type | undefined;
  /** The type of the result, awaited. */
  readonly result: Type;
  /** The name of the function where it is declared. */
  readonly span: Span;
  /** Parts of the types that are not JSON; there, any value is assumed. */
  readonly inexact: readonly InexactPart[];
  /** The first of the errors that TypeScript finds in the module. */
  readonly error?: { readonly message: string; readonly span: Span; readonly count: number } | undefined;
}

/** A part of a type that has no JSON. */
export interface InexactPart {
  readonly of: "parameter" | "result";
  /** Such as `paidAt`; empty for the whole value. */
  readonly path: string;
  /** Such as "a `Date`". */
  readonly what: string;
}

/** Why a signature cannot be read, as the end of a sentence. */
export interface UnreadableSignature {
  readonly reason: string;
  readonly hint?: string | undefined;
}

/** A signature, or why it cannot be read. */
export type FoundSignature = Signature | UnreadableSignature;

/** Reads the signatures of exports, in their order. */
export type SignatureReader = (exports: readonly ModuleExport[]) => readonly FoundSignature[];
