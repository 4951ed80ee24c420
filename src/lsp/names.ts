import { handlersOf, patternsOf, scopesOf, successors } from "../ir/walk.ts";
import type { Reference, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { NameKind } from "../language.ts";
import type { Span } from "../text/source.ts";

export type { NameKind } from "../language.ts";

/** A name in the source text. */
export interface NameSite {
  readonly kind: NameKind;
  /** Identifies what it denotes within the workflow and the kind: a step's id, otherwise the name. */
  readonly symbol: string;
  /** As the definition spells it. */
  readonly name: string;
  readonly span: Span;
  readonly isDefinition: boolean;
  /** The language's noun of a state. */
  readonly noun?: string | undefined;
}

/** The defined names of a workflow and their uses, in source order. A span has one name. */
export type NameIndex = readonly NameSite[];

/**
 * Finds the names of a workflow and where they are used. The IR has references that no name in the source states, such
 * as those between the steps of one state: only spans whose text is the name count.
 */
export function indexNames(workflow: Workflow): NameIndex {
  const builder = new IndexBuilder();
  const scopes = scopesOf(workflow).map(({ scope }) => scope);
  const steps = scopes.flatMap((scope) => scope.steps);
  for (const step of steps) {
    const { noun, name, entry } = step.origin;
    if (entry) builder.define("state", step.id, name, step.span, noun);
  }
  for (const { name, span } of workflow.functions) builder.define("function", name, name, span);
  for (const { name, span } of workflow.events) builder.define("event", name, name, span);
  for (const scope of scopes) useScope(scope, builder);
  for (const { event } of patternsOf(workflow.start.on ?? [])) builder.use("event", event);
  return builder.finish();
}

function useScope({ entry, steps }: Scope, builder: IndexBuilder): void {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const useState = (reference: Reference): void =>
    builder.use("state", reference, byId.get(reference.name)?.origin.name);
  useState(entry);
  for (const step of steps) {
    for (const next of successors(step)) useState(next);
    for (const { next } of handlersOf(step)) useState(next);
    useOthers(step, builder);
  }
}

function useOthers(step: Step, builder: IndexBuilder): void {
  if (step.kind === "call") builder.use("function", step.function);
  if (step.kind === "emit") builder.use("event", step.event);
  if (step.kind === "receive") for (const { event } of patternsOf(step.alternatives)) builder.use("event", event);
  if (step.kind === "invoke") builder.use("workflow", step.workflow);
}

class IndexBuilder {
  readonly #sites = new Map<string, NameSite>();

  define(kind: NameKind, symbol: string, name: string, span: Span, noun?: string): void {
    this.#add({ kind, symbol, name, span, isDefinition: true, noun });
  }

  use(kind: NameKind, { name: symbol, span }: Reference, name = symbol): void {
    this.#add({ kind, symbol, name, span, isDefinition: false });
  }

  /** Definitions come first, so that a reference with the span of a definition does not count. */
  #add(site: NameSite): void {
    const { start, end } = site.span;
    const key = `${start}-${end}`;
    if (!this.#sites.has(key) && writtenName(site.span).toLowerCase() === site.name.toLowerCase())
      this.#sites.set(key, site);
  }

  finish(): NameIndex {
    return [...this.#sites.values()].sort((a, b) => a.span.start - b.span.start);
  }
}

/** The string in a span, without quotes. */
function writtenName({ source, start, end }: Span): string {
  const text = source.text.slice(start, end);
  const quote = text[0];
  if (text.length < 2 || text.at(-1) !== quote) return text;
  if (quote === "'") return text.slice(1, -1).replaceAll("''", "'");
  return quote === '"' ? parseQuoted(text) : text;
}

function parseQuoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** The name at an offset; the end of a name belongs to it. */
export function nameAt(names: NameIndex, offset: number): NameSite | undefined {
  return names.find(({ span }) => span.start <= offset && offset <= span.end);
}

/** All sites of what a name denotes. */
export const sitesOf = (names: NameIndex, { kind, symbol }: NameSite): readonly NameSite[] =>
  names.filter((each) => each.kind === kind && each.symbol === symbol);
