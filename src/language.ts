import type { Terminology } from "./diagnostics/flow.ts";
import type { Document, ReadResult } from "./documents/index.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Json } from "./json.ts";
import type { LanguageOptions, OptionDefinition } from "./options.ts";
import type { Validator } from "./schema/index.ts";
import type { Report } from "./text/diagnostics.ts";
import type { Source, Span } from "./text/source.ts";
import type { Resource } from "./text/uris.ts";
import type { Type } from "./types/index.ts";

/** A source language. Its documents are YAML or JSON, which `src/documents` parses. */
export interface Language {
  /** The name for `--from`. */
  readonly name: string;
  readonly summary: string;
  /** The supported version, such as "the draft of June 2020", if there are several. */
  readonly version?: string | undefined;
  /** The language's nouns for shared diagnostics. */
  readonly terminology: Terminology;
  /** Fields of function errors in addition to name and message; default: all. Other fields are hidden. */
  readonly errorFields?: readonly string[] | undefined;
  /** The result of functions that a scenario does not define; default: null. */
  readonly defaultResult?: Json | undefined;
  /** The inputs of runs; default: any value. Other inputs are rejected before the run starts. */
  readonly inputs?: "objects" | undefined;
  /** Options of the language. */
  readonly options: readonly OptionDefinition[];
  /** Matches every definition, even if its syntax is invalid. Omitted without such a pattern. */
  readonly sniff?: RegExp | undefined;
  /**
   * Parses a source that is nearly JSON, if the language allows such sources. `plain` is the result of parsing it as
   * JSON or YAML; `isAsked` is true if the user selected this language.
   */
  read?(source: Source, plain: ReadResult, isAsked: boolean): ReadResult | undefined;
  /** Scores how much a document looks like this language or an unsupported version of it. */
  detect(value: Json): Detection;
  /** Folds case and aliases to the canonical spelling before validation, and keeps positions. May report warnings. */
  canonicalize(document: Document, report: Report): Document;
  /** Validates a canonical document against the JSON Schema, which is compiled at build time and loaded lazily. */
  validator(): Validator;
  /** Repairs or omits the invalid parts of a canonical document; by default, nothing is recovered. */
  recover?(document: Document): Document | undefined;
  /** Lowers a valid canonical document. Returns undefined if it cannot build a useful workflow. */
  lower(document: Document, context: LowerContext): Workflow | undefined;
  /** Checks and completes the workflows of this language together; `program` contains all workflows. */
  link?(workflows: readonly Workflow[], report: Report, program: readonly Workflow[]): readonly Workflow[];
}

/** The context of lowering. */
export interface LowerContext {
  readonly report: Report;
  readonly options: LanguageOptions;
  /** The default ID of the workflow: the file name without its extension. */
  readonly stem: string;
  /**
   * Returns the type of the JSON Schema at a URI, if known, and reports its errors. `span` is the position of the URI.
   */
  readonly schemaAt?: ((uri: string, span: Span) => Type | undefined) | undefined;
  /**
   * Returns the file at a URI or the reason why it cannot be read, if known. URIs are relative to the file of `span`.
   */
  readonly textAt?: ((uri: string, span: Span) => Resource | undefined) | undefined;
  /** Whether the configuration binds a function. */
  readonly isBound?: ((name: string) => boolean) | undefined;
}

/** How much a document looks like a language. */
export interface Detection {
  /**
   * The language with the highest score reads the document, if it reaches `threshold`. Each unique construct counts.
   */
  readonly score: number;
  /** The version of the document, if it is unsupported. */
  readonly dialect?: string | undefined;
  /** The constructs that determine the score, strongest first. */
  readonly evidence: readonly Evidence[];
}

/** A key of an object, or the object itself, that indicates a language. */
export interface Evidence {
  readonly owner: object;
  readonly key?: string | undefined;
}

/** The minimum score to detect a language. */
export const threshold = 1;

/** The score of a construct that no other language has. */
export const certainScore = 10;

/** The result for a document without evidence. */
export const noMatch: Detection = { score: 0, evidence: [] };
