import manifest from "../../package.json" with { type: "json" };
import { type CatalogEntry, loadCatalog } from "../diagnostics/renderers/catalog.ts";
import { renderGithub, renderJson, renderSarif } from "../diagnostics/renderers/structured.ts";
import { renderText } from "../diagnostics/renderers/text.ts";
import { applySafeFixes } from "../documents/fixes.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { FixedSource } from "../text/fix.ts";
import type { Source, Span } from "../text/source.ts";
import { booleanRule, checkOptions, sourcesRule } from "./arguments.ts";

/** The forms of diagnostics. */
export type DiagnosticFormat = "text" | "json" | "github" | "sarif";

/** How to render diagnostics. */
export interface RenderOptions {
  /** Default: `text`, as the command prints them. */
  readonly format?: DiagnosticFormat;
  /** Whether text has colors. Default: false. */
  readonly color?: boolean;
  /** Changes the paths of files, for example to those in a repository. */
  readonly pathOf?: (path: string) => string;
}

const renderers: {
  readonly [format in DiagnosticFormat]: (found: readonly Diagnostic[], color: boolean) => string | Promise<string>;
} = {
  text: (found, color) => renderText(found, { color }),
  json: renderJson,
  github: renderGithub,
  async sarif(found) {
    const tool = { name: "waybill", version: manifest.version, home: manifest.homepage };
    return renderSarif(found, [...(await loadCatalog()).values()], tool);
  },
};

const rules = {
  format: {
    wanted: "`text`, `json`, `github` or `sarif`",
    fits: (value: unknown) => typeof value === "string" && Object.hasOwn(renderers, value),
  },
  color: booleanRule,
  pathOf: { wanted: "a function", fits: (value: unknown) => typeof value === "function" },
};

/** Renders diagnostics for people or tools. */
export async function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: RenderOptions = {},
): Promise<string> {
  checkOptions(options, rules);
  const { format = "text", color = false, pathOf } = options;
  return renderers[format](pathOf ? movePaths(diagnostics, pathOf) : diagnostics, color);
}

function movePaths(diagnostics: readonly Diagnostic[], pathOf: (path: string) => string): readonly Diagnostic[] {
  const moved = new Map<Source, Source>();
  const move = <S extends { readonly span: Span }>(placed: S): S => {
    const { source } = placed.span;
    const known = moved.get(source) ?? { ...source, path: pathOf(source.path) };
    moved.set(source, known);
    return { ...placed, span: { ...placed.span, source: known } };
  };
  return diagnostics.map((diagnostic) => ({ ...move(diagnostic), notes: diagnostic.notes.map(move) }));
}

/** A diagnostic and its page in Markdown, as `waybill explain` prints it. */
export type Explanation = Pick<CatalogEntry, "code" | "severity" | "summary" | "page">;

/** Explains a code such as `WB2001`; undefined if the code does not exist. */
export async function explain(code: string): Promise<Explanation | undefined> {
  if (typeof code !== "string") throw new TypeError("`code` must be a string.");
  return (await loadCatalog()).get(code.toUpperCase());
}

/** The explanations of all codes. */
export const explainAll = async (): Promise<readonly Explanation[]> => [...(await loadCatalog()).values()];

/**
 * Applies the fixes of diagnostics to their source, as `waybill check --fix` does: only those that change nothing else.
 * `applied` are the fixed diagnostics. Check the result again, since a fix can uncover another mistake.
 */
export function applyFixes(source: Source, diagnostics: readonly Diagnostic[]): FixedSource {
  if (!sourcesRule.fits([source])) throw new TypeError("`source` must be a `{ path, text }` object.");
  const own = diagnostics.filter(({ span }) => span.source.path === source.path && span.source.text === source.text);
  const [first] = own;
  return first ? applySafeFixes(first.span.source, own) : { text: source.text, applied: [] };
}
