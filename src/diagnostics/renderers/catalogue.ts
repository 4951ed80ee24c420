import { entries } from "../../generated/diagnostics.js";
import type { Severity } from "../../text/diagnostics.ts";

/** A kind of diagnostic, as people look it up. */
export interface CatalogueEntry {
  readonly code: string;
  readonly severity: Severity;
  /** The kind in one sentence: the title of its page. */
  readonly summary: string;
  /** What `waybill explain` prints, in Markdown: what the diagnostic means, why there is one, an example of it, and that mended. */
  readonly page: string;
  /** Where the page stands among the sources of Waybill. */
  readonly path: string;
}

/**
 * Every kind of diagnostic by its code, in the order of the codes. It is large: only what explains diagnostics loads it.
 *
 * A new kind takes two steps: a constructor, made by `defineError`, `defineWarning` or `defineInfo`, in a module of the folder `diagnostics` of the
 * language, the target or the area that reports it; and beside that module a page `<code>.md`. `npm run generate` collects both from all such
 * folders, and `npm run golden` writes into the page what Waybill says of its example. A test compiles the example and its mended form.
 */
export const catalogue: ReadonlyMap<string, CatalogueEntry> = new Map(entries.map((entry) => [entry.code, entry]));
