import type { Configuration } from "../configuration/index.ts";
import { unknownDefinition } from "../diagnostics/reading.ts";
import type { Document } from "../documents/index.ts";
import type { EmbeddedDefinition, EmbeddingContext, Language } from "../language.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { type ResourceReader, resolveUri } from "../text/uris.ts";

/** What the definitions of a file depend on. */
export interface DefinitionInput {
  readonly sources: readonly Source[];
  readonly pick?: readonly string[] | undefined;
  readonly placeholders?: ReadonlyMap<string, string> | undefined;
  readonly read?: ResourceReader | undefined;
}

/** The files and placeholders of a configuration's definitions. */
export const embeddingContext = (
  configuration: Configuration | undefined,
  { sources, placeholders = new Map(), read }: DefinitionInput,
): EmbeddingContext => ({
  placeholders: new Map([...(configuration?.placeholders ?? []), ...placeholders]),
  textAt: (uri, span) => {
    const { path } = resolveUri(uri, span.source);
    return sources.find((source) => source.path === path) ?? read?.(path);
  },
});

/** The definitions in a document: those that it embeds, or the document itself. */
export const definitionsIn = (
  document: Document,
  language: Language,
  context: EmbeddingContext,
): readonly EmbeddedDefinition[] =>
  language.embedded?.(document, context) ?? [{ id: undefined, span: document.span, read: () => document }];

/** Reads a definition; what follows from a part that cannot be read is not reported. */
export function readDefinition(
  { read }: EmbeddedDefinition,
  report: Report,
): { readonly document: Document | undefined; readonly report: Report } {
  const unread: Span[] = [];
  const document = read((diagnostic) => {
    unread.push(diagnostic.span);
    report(diagnostic);
  });
  const isUnread = ({ source, start, end }: Span): boolean =>
    unread.some((span) => span.source === source && span.start <= start && end <= span.end);
  return {
    document,
    report: (diagnostic) => {
      if (!isUnread(diagnostic.span)) report(diagnostic);
    },
  };
}

/** Selects embedded definitions by the names that the input or a configuration gives. */
export interface DefinitionPickers {
  of(configuration: Configuration | undefined): DefinitionPicker;
  /** Reports names that no file has. */
  reportUnknown(report: Report): void;
}

/** The id and the place of a definition, by which it is picked. */
export type NamedDefinition = Pick<EmbeddedDefinition, "id" | "span">;

/** Selects among the definitions of a document. */
export interface DefinitionPicker {
  select<Definition extends NamedDefinition>(definitions: readonly Definition[]): readonly Definition[];
}

/** Without names, all definitions are selected. */
export function createPickers({ pick, sources }: DefinitionInput): DefinitionPickers {
  const pickers = new Map<Configuration | undefined, ReturnType<typeof createPicker>>();
  return {
    of(configuration) {
      const key = pick || !configuration?.pick ? undefined : configuration;
      const picker = pickers.get(key) ?? createPicker(pick ?? configuration?.pick?.map(({ name }) => name));
      pickers.set(key, picker);
      return picker;
    },
    reportUnknown(report) {
      for (const [configuration, { unknown, known, first }] of pickers)
        for (const name of unknown()) {
          const given = configuration?.pick?.find((each) => each.name === name)?.span;
          const span = given ?? first() ?? (sources[0] && { source: sources[0], start: 0, end: 0 });
          if (span) report(unknownDefinition(span, { name, known: [...known] }));
        }
    },
  };
}

function createPicker(names: readonly string[] | undefined) {
  const known = new Set<string>();
  let first: Span | undefined;
  return {
    known,
    first: () => first,
    unknown: () => (names ?? []).filter((name) => !known.has(name)),
    select<Definition extends NamedDefinition>(definitions: readonly Definition[]): readonly Definition[] {
      for (const { id, span } of definitions) {
        if (id === undefined) continue;
        known.add(id);
        first ??= span;
      }
      return names ? definitions.filter(({ id }) => id === undefined || names.includes(id)) : definitions;
    },
  };
}
