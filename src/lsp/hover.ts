import { loadCatalog } from "../diagnostics/renderers/catalog.ts";
import { buildGraph } from "../graph/build.ts";
import { edgesOf, type Graph, type GraphEdge, nodesOf } from "../graph/model.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Workflow } from "../ir/workflow.ts";
import { assertNever, isObject, type Json, printJson } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { printType } from "../types/index.ts";
import { dataBefore } from "./data.ts";
import type { AnalyzedDocument } from "./definition.ts";
import { type NameSite, nameAt, sitesOf } from "./names.ts";
import { propertyAt } from "./schema.ts";
import { constructAt } from "./tree.ts";

/** A description of what is at an offset. */
export interface Hover {
  readonly markdown: string;
  readonly span: Pick<Span, "start" | "end">;
}

/** A document of a definition; of another file, with the schema of its keys and the name of a definition. */
export interface HoverSubject extends AnalyzedDocument {
  readonly schema?: Json | undefined;
  readonly named?: { readonly site: NameSite; readonly part: AnalyzedDocument; readonly span: Span } | undefined;
}

/** Describes what is at an offset: the diagnostics there, then a name, otherwise a key of the language. */
export async function hoverAt(
  part: HoverSubject | undefined,
  offset: number,
  diagnostics: readonly Diagnostic[],
): Promise<Hover | undefined> {
  const touched = diagnostics.filter(({ span }) => span.start <= offset && offset < Math.max(span.end, span.start + 1));
  const pages = touched.length === 0 ? [] : await pagesOf(touched);
  const own = part && nameAt(part.names, offset);
  const { site, part: owner = part, span: nameSpan = own?.span } = part?.named ?? { site: own };
  const name = owner?.workflow && site ? describeName(site, owner.workflow, owner) : undefined;
  const property = name === undefined && part ? propertyAt(part, offset, part.schema) : undefined;
  const texts = [...(name === undefined ? [] : [name]), ...(property ? [property.text] : []), ...pages];
  const span = nameSpan ?? property?.span ?? touched[0]?.span;
  if (texts.length === 0 || !span) return undefined;
  return { markdown: texts.join("\n\n---\n\n"), span };
}

async function pagesOf(diagnostics: readonly Diagnostic[]): Promise<readonly string[]> {
  const catalog = await loadCatalog();
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  return codes.flatMap((code) => catalog.get(code)?.page ?? []);
}

function describeName(site: NameSite, workflow: Workflow, part: AnalyzedDocument): string {
  switch (site.kind) {
    case "state":
      return describeState(site, workflow);
    case "function":
      return describeFunction(site, workflow);
    case "event":
      return describeEvent(site, workflow);
    case "workflow":
      return `**workflow** ${code(site.name)}${uses(site, part)}`;
    case "error":
    case "retry":
    case "timeout":
    case "authentication":
      return describeConstant(site, part);
    default:
      return assertNever(site.kind);
  }
}

const uses = ({ kind, symbol }: NameSite, { names }: AnalyzedDocument): string => {
  const count = names.filter((each) => !each.isDefinition && each.kind === kind && each.symbol === symbol).length;
  return count > 1 ? `, started in ${count} places` : "";
};

const graphs = new WeakMap<Workflow, Graph>();

function graphOf(workflow: Workflow): Graph {
  const known = graphs.get(workflow) ?? buildGraph(workflow).graph;
  graphs.set(workflow, known);
  return known;
}

function describeState({ symbol, name }: NameSite, workflow: Workflow): string {
  const step = stepsOf(workflow).find(({ id }) => id === symbol);
  if (!step) return `**state** ${code(name)} is not defined`;
  const { scope } = graphOf(workflow);
  const nodes = nodesOf(scope);
  const node = nodes.find(({ span }) => span?.start === step.span.start && span.end === step.span.end);
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const lines = [`**${step.origin.noun}** ${code(step.origin.name)}`];
  for (const { kind, text } of node?.details ?? []) lines.push(`- ${kind}: ${code(text)}`);
  for (const edge of edgesOf(scope))
    if (edge.from === node?.id) lines.push(`- ${describeEdge(edge, labels.get(edge.to) ?? edge.to)}`);
  const type = typeBefore(workflow, step.id);
  if (type !== undefined) lines.push("", "Data before it:", "```ts", type, "```");
  return lines.join("\n");
}

function describeEdge({ kind, label }: GraphEdge, to: string): string {
  const condition = label === undefined || label === "" ? "" : ` if ${code(label.replaceAll("\n", " or "))}`;
  switch (kind) {
    case "next":
    case "case":
      return `→ ${code(to)}${condition}`;
    case "otherwise":
      return `→ ${code(to)} otherwise`;
    case "error":
      return `→ ${code(to)} on error${label ? ` ${code(label)}` : ""}`;
    case "timeout":
      return `→ ${code(to)} on timeout`;
    default:
      return assertNever(kind);
  }
}

/** The type of the data before a step, if more is known than that it is a value. */
function typeBefore(workflow: Workflow, step: string): string | undefined {
  const type = dataBefore(workflow, step);
  const text = type && printType(type);
  return text !== undefined && /\w/.test(text) && text !== "any" ? text : undefined;
}

function describeFunction({ name }: NameSite, { functions }: Workflow): string {
  const found = functions.find((each) => each.name === name);
  const lines = [`**function** ${code(name)}`];
  if (!found) return `${lines[0]} is not defined in this file`;
  if (found.type !== undefined) lines.push(`- type: ${code(found.type)}`);
  if (found.resource !== undefined) lines.push(`- resource: ${code(found.resource)}`);
  if (found.parameterType) lines.push(`- argument: ${code(printType(found.parameterType.type))}`);
  if (found.resultType) lines.push(`- result: ${code(printType(found.resultType))}`);
  return lines.join("\n");
}

function describeEvent({ name }: NameSite, { events }: Workflow): string {
  const found = events.find((each) => each.name === name);
  const lines = [`**event** ${code(name)}`];
  if (!found) return `${lines[0]} is not defined in this file`;
  if (found.type !== undefined) lines.push(`- type: ${code(found.type)}`);
  if (found.source !== undefined) lines.push(`- source: ${code(found.source)}`);
  if (found.dataType) lines.push(`- data: ${code(printType(found.dataType))}`);
  return lines.join("\n");
}

/** A definition that only configures others: its members. */
function describeConstant(site: NameSite, { names, index }: AnalyzedDocument): string {
  const definition = sitesOf(names, site).find(({ isDefinition }) => isDefinition);
  if (!definition) return `**${site.kind}** ${code(site.name)} is not defined in this file`;
  const { value } = constructAt(definition.span.start, index) ?? {};
  const members = isObject(value) ? Object.entries(value).filter(([key]) => key !== "name") : [];
  return [
    `**${site.kind}** ${code(site.name)}`,
    ...members.map(([key, member]) => `- ${key}: ${code(printJson(member as Json))}`),
  ].join("\n");
}

/** Text of users as code, whatever it contains. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").slice(0, 300);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
