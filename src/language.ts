import type { Words } from "./diagnostics/flow.ts";
import type { Document } from "./document/index.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Json } from "./json.ts";
import type { OptionDefinition, Options } from "./program.ts";
import type { Validator } from "./schema/index.ts";
import type { Shape } from "./shapes/shape.ts";
import type { Report } from "./text/diagnostics.ts";
import type { Span } from "./text/source.ts";

/** A front end: one source language. */
export interface Language {
  /** As given to `--from`. */
  readonly name: string;
  readonly summary: string;
  /** What messages that all languages share call things in this one. */
  readonly words: Words;
  /** The choices that the language leaves to the user. */
  readonly options: readonly OptionDefinition[];
  /** Whether a document looks to be in this language. Must not claim what another language writes. */
  recognises(value: Json): boolean;
  /** Whether a document that no language recognises may have been meant for this one, so that it is not passed over without a word. */
  resembles?(value: Json): boolean;
  /** The name of a related language that the document is in and that Waybill does not read, if it shows. */
  foreign?(value: Json): string | undefined;
  /** Folds case and aliases to the canonical spelling, keeping positions; what it folds with a warning it reports. Before the schema looks. */
  normalise(document: Document, report: Report): Document;
  /** Checks the normalised document against the language's JSON Schema (generated at build time; loaded when first called). */
  validator(): Validator;
  /** Called only with normalised documents that fit the schema. Undefined when nothing useful can be built. */
  lower(document: Document, context: LowerContext): Workflow | undefined;
  /** What only the workflows of this language together can tell: reports it, and gives the workflows as they then are. */
  link?(workflows: readonly Workflow[], report: Report): readonly Workflow[];
}

/** What lowering may know besides the document. */
export interface LowerContext {
  readonly report: Report;
  readonly options: Options;
  /** The name of the workflow where the definition gives none: the stem of the file's name. */
  readonly stem: string;
  /** What the JSON Schema at a URI allows, and reports what is wrong with it; undefined where it is not known. `span` is where the URI is written. */
  readonly schemaAt?: ((uri: string, span: Span) => Shape | undefined) | undefined;
}
