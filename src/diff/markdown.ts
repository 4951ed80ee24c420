import { renderMermaid } from "../graph/mermaid.ts";
import { printable } from "../graph/text.ts";
import type { Program } from "../ir/workflow.ts";
import { graphOfDiff } from "./diff-graph.ts";
import type { Change, Detail, WorkflowDiff } from "./model.ts";
import { type DiffReport, differenceLines } from "./report.ts";
import { shortenBoth } from "./shorten.ts";
import { statCells } from "./stats.ts";
import { changeTitle, placesText, summary } from "./text.ts";

/** Renders a report as Markdown for a pull request, with a flowchart of each changed workflow. */
export function renderDiffMarkdown(
  { workflows, scenarios, stats }: DiffReport,
  old: Program,
  created: Program,
): string {
  const changed = scenarios.filter(({ kind }) => kind !== "equal");
  const sections = [
    ...workflows.map((workflow) => workflowSection(workflow, old, created)),
    ...(scenarios.length === 0
      ? []
      : [
          [
            `### Scenarios`,
            "",
            `${scenarios.length - changed.length} of ${scenarios.length} have the same calls, events and outcome.`,
            ...(changed.length === 0 ? [] : [""]),
            ...changed.flatMap(({ scenario, differences, reason }) => [
              `- **${escapeMarkdown(scenario)}**${reason === undefined ? "" : `: ${escapeMarkdown(reason)}`}`,
              ...differences.flatMap((each) => differenceLines(each).map((line) => `  - ${code(line.trim())}`)),
            ]),
          ],
        ]),
    ...(stats.length === 0
      ? []
      : [
          [
            "### Output",
            "",
            "| | old | new | change |",
            "|---|---:|---:|---:|",
            ...stats.map((row) => `| ${statCells(row).map(escapeMarkdown).join(" | ")} |`),
          ],
        ]),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function workflowSection(diff: WorkflowDiff, old: Program, created: Program): readonly string[] {
  const { kind, changes, old: before, new: after } = diff;
  const title = `### Workflow ${escapeMarkdown((after ?? before)!.id)}`;
  if (kind === "equal") return [title, "", "No differences."];
  if (kind !== "changed") return [title, "", kind === "added" ? "Added." : "Removed."];
  const graph = graphOfDiff(diff, old, created);
  return [
    title,
    "",
    `${summary(changes)}.`,
    "",
    ...changes.flatMap((change) => changeItems(change)),
    ...(graph ? ["", "```mermaid", renderMermaid(graph.graph, graph.marks).trimEnd(), "```"] : []),
  ];
}

function changeItems(change: Change): readonly string[] {
  const scope = change.within === undefined ? "" : ` in ${escapeMarkdown(change.within)}`;
  return [
    `- ${change.kind}: **${escapeMarkdown(changeTitle(change))}**${scope} (${code(placesText(change.old, change.new))})`,
    ...change.details.map((detail) => `  - ${detailText(detail)}`),
  ];
}

function detailText({ kind, text, old, new: created }: Detail): string {
  const [before, after] = shortenBoth(old?.text, created?.text);
  if (before !== undefined && after !== undefined) return `${escapeMarkdown(text)}: ${code(before)} → ${code(after)}`;
  const only = before ?? after;
  if (only !== undefined) return `${kind}: ${escapeMarkdown(text)} ${code(only)}`;
  return escapeMarkdown(text);
}

/** Inline code: no backtick and no line break of the text ends it. */
function code(text: string): string {
  const short = printable(text);
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${short}\`` : `${fence} ${short} ${fence}`;
}

/** Text without the meaning of Markdown and HTML. */
const escapeMarkdown = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>#|~&!@]/g, "\\$&");
