import type { Terminology } from "./diagnostics/flow.ts";
import type { Document, ReadResult } from "./documents/index.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Json } from "./json.ts";
import type { LanguageOptions, OptionDefinition } from "./options.ts";
import type { Validator } from "./schema/index.ts";
import type { Report } from "./text/diagnostics.ts";
import type { Resource } from "./text/resources.ts";
import type { Source, Span } from "./text/source.ts";
import type { Type } from "./types/index.ts";

/** A front end: one source language. Documents of all languages are YAML or JSON, so reading one is no matter of the language: `src/document` does it. */
export interface Language {
  /** As given to `--from`. */
  readonly name: string;
  readonly summary: string;
  /** Which version of it is read, such as "the draft of June 2020"; absent where there is but one. */
  readonly version?: string | undefined;
  /** What messages that all languages share call things in this one. */
  readonly terminology: Terminology;
  /** What errors of functions have there besides a name and a message; absent: whatever functions give. Other members nobody sees. */
  readonly errorFields?: readonly string[] | undefined;
  /** What functions answer there of which a scenario says nothing; absent: null. */
  readonly defaultResult?: Json | undefined;
  /** What runs can be called with; absent: any value. Anything else is refused before anything is executed. */
  readonly inputs?: "objects" | undefined;
  /** The choices that the language leaves to the user. */
  readonly options: readonly OptionDefinition[];
  /** What stands in every definition, also in one that cannot be read; absent: nothing shows those. */
  readonly sniff?: RegExp | undefined;
  /**
   * Reads a text that is meant for this language and nearly JSON; undefined where it is not. Absent: such texts are not read. `plain` is what reading it
   * as JSON or YAML gave; `isAsked`: the user insists on this language.
   */
  read?(source: Source, plain: ReadResult, isAsked: boolean): ReadResult | undefined;
  /** How much a document looks to be in this language, or in a version of it that is not read. */
  detect(value: Json): Detection;
  /** Folds case and aliases to the canonical spelling, keeping positions; what it folds with a warning it reports. Before the schema looks. */
  canonicalize(document: Document, report: Report): Document;
  /** Checks the normalised document against the language's JSON Schema (generated at build time; loaded when first called). */
  validator(): Validator;
  /** What can be read of a normalised document that does not fit the schema, with what is wrong left out or taken as it is meant; absent: nothing of it. */
  recover?(document: Document): Document | undefined;
  /** Called only with normalised documents that fit the schema. Undefined when nothing useful can be built. */
  lower(document: Document, context: LowerContext): Workflow | undefined;
  /** What only the workflows of this language together can tell, and those of the whole program: reports it, and gives the workflows as they then are. */
  link?(workflows: readonly Workflow[], report: Report, program: readonly Workflow[]): readonly Workflow[];
}

/** What lowering may know besides the document. */
export interface LowerContext {
  readonly report: Report;
  readonly options: LanguageOptions;
  /** The name of the workflow where the definition gives none: the stem of the file's name. */
  readonly stem: string;
  /** What the JSON Schema at a URI allows, and reports what is wrong with it; undefined where it is not known. `span` is where the URI is written. */
  readonly schemaAt?: ((uri: string, span: Span) => Type | undefined) | undefined;
  /** The text at a URI that is written at a place, or why it cannot be read, as the end of a sentence; undefined where nothing is known of it. Relative ones start from that file. */
  readonly textAt?: ((uri: string, span: Span) => Resource | undefined) | undefined;
  /** Whether the configuration says where a function is. */
  readonly isBound?: ((name: string) => boolean) | undefined;
}

/** How much a document is like a language. */
export interface Detection {
  /** A count of what only this language writes, in which 1 is `enough` by itself: the language with the highest score reads the document. */
  readonly score: number;
  /** The version of the language that the document is in, where it is one that is not read. */
  readonly dialect?: string | undefined;
  /** What shows it, the clearest first. */
  readonly evidence: readonly Evidence[];
}

/** A key of an object in a document that shows what language it is in; without a key the object itself. */
export interface Evidence {
  readonly owner: object;
  readonly key?: string | undefined;
}

/** From this score on a document is taken to be in a language. */
export const threshold = 1;

/** The score of something that no other language writes. */
export const certainScore = 10;

/** The likeness to a language of a document that has nothing of it. */
export const noMatch: Detection = { score: 0, evidence: [] };
