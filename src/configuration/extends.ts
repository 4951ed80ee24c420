import { unreadableBase, wrongConfigurationValue } from "../diagnostics/configuration.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { normalizePath } from "../text/uris.ts";

/** A configuration that another one extends. */
export interface BaseReference {
  /** As written: relative to the configuration. */
  readonly path: string;
  readonly span: Span;
}

/** A configuration may extend at most this many directly, and this many in a row. */
const maxBases = 20;

/** Reads `extends` of a configuration: a path or several; reports and drops invalid ones. */
export function readBases(root: JsonObject, document: Document, report: Report): readonly BaseReference[] {
  const given = own(root, "extends");
  if (given === undefined) return [];
  const [owner, items]: readonly [JsonObject | Json, readonly (readonly [string | number, Json])[]] = Array.isArray(
    given,
  )
    ? [given, (given as readonly Json[]).map((path, i) => [i, path] as const)]
    : [root, [["extends", given]]];
  if (items.length > maxBases) {
    report(
      wrongConfigurationValue(document.spanOf(root, "extends"), {
        name: "`extends`",
        wanted: `at most ${maxBases} paths`,
      }),
    );
    return [];
  }
  return items.flatMap(([key, path]) => {
    const span = document.spanOf(owner, key);
    if (typeof path === "string" && isPath(path)) return [{ path, span }];
    report(
      wrongConfigurationValue(span, {
        name: "`extends`",
        wanted: "the path of a configuration, such as `../base.yaml`",
      }),
    );
    return [];
  });
}

const isPath = (text: string): boolean =>
  text.length <= 1000 && /\.(?:ya?ml|jsonc?)$/i.test(text) && !/[\0\n]|^[a-z][a-z\d+.-]+:/i.test(text);

/** The configurations that one extends, whose other parts may depend on them. */
export function basesIn(source: Source): readonly BaseReference[] {
  if (!/\bextends\b/.test(source.text)) return [];
  const [document] = readDocuments(source, () => undefined, { allowsComments: true });
  return document && isObject(document.value) ? readBases(document.value, document, () => undefined) : [];
}

/** The path of a base, relative like the path of its configuration. */
export function basePath({ path, span }: BaseReference): string {
  const given = path.replaceAll("\\", "/");
  const folder = /^(?:\/|[A-Za-z]:\/)/.test(given) ? "" : span.source.path.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return normalizePath(folder + given);
}

/** Reads a configuration file, or returns why it cannot, as the end of a sentence. */
export type BaseReader = (path: string) => Promise<Source | { readonly reason: string }>;

/**
 * Loads the configurations that one extends, in their order, each with its own. `load` receives the path, and whether the
 * configuration is one that others extend. Reports those that cannot be read.
 */
export async function loadBases<Loaded>(
  source: Source,
  read: BaseReader,
  load: (base: Source, chain: readonly string[]) => Promise<Loaded>,
  report: Report,
  chain: readonly string[] = [],
): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = [];
  const above = [...chain, normalizePath(source.path.replaceAll("\\", "/"))];
  for (const base of basesIn(source)) {
    const place = basePath(base);
    const failed = (reason: string) => report(unreadableBase(base.span, { path: base.path, reason }));
    if (above.includes(place)) failed("it extends this configuration itself");
    else if (above.length > maxBases) failed(`more than ${maxBases} configurations extend each other`);
    else {
      const found = await read(place);
      if ("reason" in found) failed(found.reason);
      else loaded.push(await load(found, above));
    }
  }
  return loaded;
}
