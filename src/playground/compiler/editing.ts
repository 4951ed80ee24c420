import { compileWith } from "../../compile.ts";
import { languages } from "../../languages/index.ts";
import { completionsAt } from "../../lsp/completion.ts";
import { type AnalyzedSource, analyzeSource, partAt, readForEditor } from "../../lsp/definition.ts";
import { hoverAt } from "../../lsp/hover.ts";
import type { Source } from "../../text/source.ts";
import type { HoverText, Proposal, Requests, TextFile } from "../protocol.ts";

/** Completion and hover, by the code of the language server. */
export interface Editing {
  complete(request: Requests["complete"]): readonly Proposal[];
  hover(request: Requests["hover"]): Promise<HoverText | null>;
}

/** Longer lists are cut off. */
const maxProposals = 500;

/** Creates the editing services, which remember the last definition without errors. */
export function createEditing(): Editing {
  let last: AnalyzedSource | undefined;
  let previous: AnalyzedSource | undefined;
  function analyze({ path, text }: TextFile): AnalyzedSource {
    if (last?.source.text === text && last.source.path === path) return last;
    const source: Source = { path, text };
    last = analyzeSource(source, readForEditor(source), languages, { options: {} });
    if (last.parts.length > 0 && last.parts.every(({ isWhole }) => isWhole)) previous = last;
    return last;
  }
  return {
    complete({ definition, offset }) {
      const analyzed = analyze(definition);
      const workflowIds = analyzed.parts.flatMap(({ workflow }) => workflow?.id ?? []);
      const { source } = analyzed;
      const request = { source, offset, languages, context: { options: {} }, analyzed, previous, workflowIds };
      return completionsAt(request)
        .slice(0, maxProposals)
        .map(({ label, kind, detail, documentation, isRequired = false, newText, start, end }) => {
          const edit = { start, end, text: newText };
          return { label, kind, detail, documentation, isRequired, edit };
        });
    },
    async hover({ definition, offset }) {
      const analyzed = analyze(definition);
      const { source } = analyzed;
      const { diagnostics } = await compileWith({ sources: [source], options: {} }, languages);
      const own = diagnostics.filter(({ span }) => span.source === source);
      const found = await hoverAt(partAt(analyzed, offset), offset, own);
      return found ? { start: found.span.start, end: found.span.end, markdown: found.markdown } : null;
    },
  };
}
