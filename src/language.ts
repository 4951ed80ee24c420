import type { Terminology } from "./diagnostics/flow.ts";
import type { Document, ReadResult } from "./documents/index.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Json, JsonObject } from "./json.ts";
import type { LanguageOptions, OptionDefinition } from "./options.ts";
import type { Validator } from "./schema/index.ts";
import type { Report } from "./text/diagnostics.ts";
import type { Source, Span } from "./text/source.ts";
import type { Resource } from "./text/uris.ts";
import type { SchemaReader } from "./types/index.ts";

/** What distinguishes a source language, and recognizes its definitions. */
export interface LanguageDescription {
  /** The name for `--from`. */
  readonly name: string;
  /** Other names for the command line. */
  readonly aliases?: readonly string[] | undefined;
  readonly summary: string;
  /** The supported version, if there are several. */
  readonly version?: string | undefined;
  /** Nouns for shared diagnostics. */
  readonly terminology: Terminology;
  /** The fields of function errors besides name and message; default: all. */
  readonly errorFields?: readonly string[] | undefined;
  /** The result of functions that a scenario omits; default: null. */
  readonly defaultResult?: Json | undefined;
  /** The inputs that runs accept; default: any value. */
  readonly inputs?: "objects" | undefined;
  readonly options: readonly OptionDefinition[];
  /** A first workflow for new projects. */
  readonly starter?: Starter | undefined;
  /** Matches every definition, even with invalid syntax. */
  readonly sniff?: RegExp | undefined;
  /**
   * Parses sources that are nearly JSON. `plain` is the result of parsing it as JSON or YAML; `isAsked` means that the
   * user selected this language.
   */
  read?(source: Source, plain: ReadResult, isAsked: boolean): ReadResult | undefined;
  /** Scores how much a document looks like any version of this language. */
  detect(value: Json): Detection;
  /** Matches every file that may embed definitions. */
  readonly embeds?: RegExp | undefined;
  /** Finds the definitions in a file that embeds them, such as a template; undefined if the document is one itself. */
  embedded?(document: Document, context: EmbeddingContext): readonly EmbeddedDefinition[] | undefined;
}

/** What checks and lowers the definitions of a language. */
export interface FrontEnd {
  /** Folds case and aliases to the canonical spelling, keeping positions. */
  canonicalize(document: Document, report: Report): Document;
  /** The compiled JSON Schema of canonical documents. */
  validator(): Validator;
  /** The JSON Schema of canonical documents, loaded lazily. Editors complete keys and values by it. */
  readonly schema?: (() => Json) | undefined;
  /** Where definitions have names that editors cannot find in the IR. */
  readonly names?: NamePlaces | undefined;
  /** Repairs or omits the invalid parts of a canonical document. */
  readonly recover?: ((document: Document) => Document | undefined) | undefined;
  /** Lowers a valid canonical document, if it can build a useful workflow. */
  lower(document: Document, context: LowerContext): Workflow | undefined;
  /** Checks and completes this language's workflows in `program`. */
  readonly link?:
    | ((workflows: readonly Workflow[], report: Report, program: readonly Workflow[]) => readonly Workflow[])
    | undefined;
}

/** A source language, based on YAML or JSON. */
export interface Language extends LanguageDescription, FrontEnd {
  /** Loads the front end, whose members must not be used before; if omitted, it is loaded. */
  load?(): Promise<void>;
}

/** Creates a language whose front end is loaded by the first definition that needs it. */
export function lazyLanguage(description: LanguageDescription, load: () => Promise<FrontEnd>): Language {
  let loaded: FrontEnd | undefined;
  const frontEnd = (): FrontEnd => {
    if (!loaded) throw new Error(`The front end of ${description.name} is not loaded.`);
    return loaded;
  };
  return {
    ...description,
    async load() {
      loaded ??= await load();
    },
    canonicalize: (document, report) => frontEnd().canonicalize(document, report),
    validator: () => frontEnd().validator(),
    get schema() {
      return frontEnd().schema;
    },
    get names() {
      return frontEnd().names;
    },
    get recover() {
      return frontEnd().recover;
    },
    lower: (document, context) => frontEnd().lower(document, context),
    get link() {
      return frontEnd().link;
    },
  };
}

/** Loads the front ends of languages, for what may use any of them. */
export async function loadLanguages(languages: readonly Language[]): Promise<void> {
  await Promise.all(languages.map((language) => language.load?.()));
}

/** The context of reading definitions that a file embeds. */
export interface EmbeddingContext extends Pick<LowerContext, "textAt"> {
  /** The values of placeholders such as `${Stage}`, by name. */
  readonly placeholders: ReadonlyMap<string, string>;
}

/** A definition in a file that embeds it. */
export interface EmbeddedDefinition {
  /** The id of its workflow; undefined if the file is the definition. */
  readonly id: string | undefined;
  /** The name of its workflow; default: the id. */
  readonly name?: string | undefined;
  /** Where the file embeds it. */
  readonly span: Span;
  /** Reads the definition; reports why it cannot. */
  read(report: Report): Document | undefined;
}

/** What a name in a definition denotes. */
export type NameKind = "state" | "function" | "event" | "workflow" | "error" | "retry" | "timeout" | "authentication";

/** The places of names in definitions. */
export interface NamePlaces<Kind extends string = NameKind> {
  readonly places: readonly NamePlace<Kind>[];
  /** Keys of values that belong to users, so that nothing in them is a name. */
  readonly dataKeys: readonly string[];
}

/** A place of names: the key or the value at the end of a path. */
export interface NamePlace<Kind extends string = NameKind> {
  /** Keys; `*` is any key or index, and `**` at the beginning any path. */
  readonly path: readonly string[];
  readonly at: "key" | "value";
  readonly kind: Kind;
  readonly isDefinition?: true | undefined;
  /** Words of the language that are possible there, too. */
  readonly words?: readonly string[] | undefined;
}

/** A workflow that calls the function `chargeCard` with `{ order }`, a member of its input; the function returns `{ receipt }`. */
export interface Starter {
  readonly definition: string;
  /** Files to which the definition refers, next to it. */
  readonly files?: readonly { readonly path: string; readonly text: string }[] | undefined;
  /** The members of the output in addition to `receipt`, for the order `A1`. */
  readonly output: JsonObject;
  /** Whether new projects are in this language unless another is chosen. */
  readonly isDefault?: true | undefined;
}

/** The context of lowering. */
export interface LowerContext {
  readonly report: Report;
  readonly options: LanguageOptions;
  /** The default workflow ID: the file name without extension. */
  readonly stem: string;
  /** Reads JSON Schemas by URI. */
  readonly schemas?: SchemaReader | undefined;
  /** Returns the file at a URI, relative to the file of `span`, if known. */
  readonly textAt?: ((uri: string, span: Span) => Resource | undefined) | undefined;
  readonly isBound?: ((name: string) => boolean) | undefined;
}

/** How much a document looks like a language. */
export interface Detection {
  /** The highest score of at least `threshold` wins. */
  readonly score: number;
  /** The document's version, if it is unsupported. */
  readonly dialect?: string | undefined;
  /** What to do with a definition in that version, as sentences. */
  readonly advice?: string | undefined;
  /** Strongest first. */
  readonly evidence: readonly Evidence[];
}

/** A key, or an object itself, that indicates a language. */
export interface Evidence {
  readonly owner: object;
  readonly key?: string | undefined;
}

/** The minimum score to detect a language. */
export const threshold = 1;

/** The score of a construct unique to a language. */
export const certainScore = 10;

/** The result for a document without evidence. */
export const noMatch: Detection = { score: 0, evidence: [] };
