import type { Document } from "../documents/index.ts";
import type { Workflow } from "../ir/workflow.ts";
import { equalJson, type Json } from "../json.ts";
import type { MadePart, Reuse } from "../target/reuse.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Resource, ResourceReader } from "../text/uris.ts";
import type { NamedDefinition } from "./definitions.ts";
import type { LoweredWorkflow } from "./lower.ts";

/** The result of reading and lowering a source that embeds no other. */
export interface LoweredSource {
  readonly documents: readonly Pick<Document, "span">[];
  /** Including those that are not picked. */
  readonly definitions: readonly NamedDefinition[];
  readonly lowered: readonly LoweredWorkflow[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Results of the last compilation, for the next one: of the sources that are the same objects, and of groups of their
 * workflows. All compilations have the same options, configurations and languages. What was read of other files is the
 * same, or everything is forgotten.
 */
export interface CompileMemo {
  /** Begins a compilation, and observes what it reads of other files. */
  begin(read: ResourceReader | undefined): ResourceReader | undefined;
  find(source: Source): LoweredSource | undefined;
  keep(source: Source, result: LoweredSource): void;
  /** Forgets the sources of this compilation: something was reported of a file that they share. */
  forget(): void;
  /** The results for one output. `lowered`: all workflows as they were lowered, which determine those of the program. */
  reuseFor(output: string, lowered: readonly LoweredWorkflow[]): Reuse;
}

/** A result for a group, and what it was made of: workflows as they were lowered, and undefined for those that a target added. */
interface KnownPart {
  readonly made: readonly (Workflow | object | undefined)[];
  readonly facts: readonly Json[];
  readonly part: Promise<MadePart>;
}

/** Creates a memo, which holds the results of one compilation at a time. */
export function createCompileMemo(): CompileMemo {
  let resources = new Map<string, string>();
  let [known, current] = [new Map<Source, LoweredSource>(), new Map<Source, LoweredSource>()];
  let [knownParts, currentParts] = [new Map<string, KnownPart>(), new Map<string, KnownPart>()];
  let isForgotten = false;
  return {
    begin(read) {
      isForgotten = false;
      const isSame = [...resources].every(([path, state]) => stateOf(read?.(path)) === state);
      known = isSame ? current : new Map();
      // Definitions that are all broken use no part.
      if (!isSame) knownParts = new Map();
      else if (currentParts.size > 0) knownParts = currentParts;
      [current, currentParts] = [new Map(), new Map()];
      const seen = new Map(isSame ? resources : []);
      resources = seen;
      return (
        read &&
        ((path) => {
          const found = read(path);
          seen.set(path, stateOf(found));
          return found;
        })
      );
    },
    find(source) {
      const found = known.get(source);
      if (found) current.set(source, found);
      return found;
    },
    keep(source, result) {
      if (!isForgotten && isAbout(result.diagnostics, new Set([source]))) current.set(source, result);
    },
    forget() {
      isForgotten = true;
      current = new Map();
    },
    reuseFor(output, lowered) {
      const byId = new Map<string, Workflow | object>();
      // Nothing is the same as one of several workflows with an id.
      for (const { workflow } of lowered) byId.set(workflow.id, byId.has(workflow.id) ? {} : workflow);
      return async <Result>(
        { stage, workflows, facts }: Parameters<Reuse>[0],
        make: () => Promise<MadePart<Result>>,
      ) => {
        const ids = workflows.map(({ id }) => id);
        const key = JSON.stringify([output, stage, ids]);
        const made = ids.map((id) => byId.get(id));
        const before = knownParts.get(key);
        const isSame = before?.made.every((each, i) => each === made[i]) && equalJson(before.facts, facts);
        const part = before && isSame ? (before.part as Promise<MadePart<Result>>) : make();
        const { diagnostics } = await part;
        const sources = new Set(workflows.map(({ span }) => span.source));
        if (isAbout(diagnostics, sources)) currentParts.set(key, { made, facts, part });
        return part;
      };
    },
  };
}

/** Whether diagnostics have no position in other sources, which are new objects in each compilation. */
const isAbout = (diagnostics: readonly Diagnostic[], sources: ReadonlySet<Source>): boolean =>
  diagnostics.every(({ span, notes }) =>
    [span, ...notes.flatMap((note) => note.span ?? [])].every((each) => sources.has(each.source)),
  );

const stateOf = (found: Resource | undefined): string =>
  found === undefined ? "" : "text" in found ? `text ${found.text}` : `unreadable ${found.reason}`;
