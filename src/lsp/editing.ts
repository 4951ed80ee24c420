import { type Completion, completionsAt } from "./completion.ts";
import { partAt } from "./definition.ts";
import type { HoverSubject } from "./hover.ts";
import { mentionAt } from "./navigation-requests.ts";
import { readProjectView } from "./project.ts";
import { projectCompletionsAt } from "./project-completion.ts";
import { symbolOfMention } from "./symbol.ts";
import type { OpenDocument, Workspace } from "./workspace.ts";

/** The proposals at an offset of a definition, a scenario file or a configuration. */
export async function completionsIn(
  document: OpenDocument,
  offset: number,
  workspace: Workspace,
): Promise<readonly Completion[]> {
  const { source, kind } = document;
  if (kind === "other") return [];
  if (kind !== "definition") {
    const view = await readProjectView(document, [""], workspace);
    return projectCompletionsAt({ source, kind, offset, schema: workspace.host.schemaOf(kind), view });
  }
  return completionsAt({
    source,
    offset,
    languages: workspace.host.languages,
    context: workspace.contextOf(document),
    analyzed: workspace.analyze(document),
    previous: workspace.lastWhole(document),
    workflowIds: workspace.workflowIds(document),
  });
}

/** What is described at an offset. */
export async function hoverSubjectAt(
  document: OpenDocument,
  offset: number,
  workspace: Workspace,
): Promise<HoverSubject | undefined> {
  const { kind, source } = document;
  const part = partAt(workspace.analyze(document), offset);
  if (kind === "definition") return part;
  if (!part || kind === "other") return undefined;
  const mention = mentionAt(document, offset, workspace);
  const view = mention && (await readProjectView(document, [mention.name], workspace));
  const file = view?.scenarios.find((each) => each.source === source);
  const symbol = view && symbolOfMention(mention, file, view);
  const site = symbol?.sites.find(({ isDefinition }) => isDefinition);
  const owner = site && symbol?.owners.find(({ document }) => document.source === site.span.source);
  const named = owner && site && mention ? { site, part: owner, span: mention.span } : undefined;
  return { ...part, schema: workspace.host.schemaOf(kind), named };
}
