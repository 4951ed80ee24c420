import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isExternal } from "./protocols.ts";
import { stepsOf } from "./walk.ts";
import type { Workflow } from "./workflow.ts";

/**
 * The version of what a workflow does: the hash of its IR, and of that of all subflows that it waits for, as they run in its run. Names for people,
 * comments, metadata, schemas, places in the source and where functions are do not change it; every step, every id that a run is recorded by, every expression
 * and event does.
 *
 * A run that waits goes on with the version that it began with. `workflows` are those of the program, by their ids.
 */
export function versionOf(workflow: Workflow, workflows: ReadonlyMap<string, Workflow>): string {
  const hash = sha256.create().update(utf8ToBytes(canonicalText(workflow)));
  for (const subflow of awaitedSubflows(workflow, workflows)) hash.update(utf8ToBytes(`\n${canonicalText(subflow)}`));
  return bytesToHex(hash.digest()).slice(0, 16);
}

/** The workflows that run in a run of a workflow, directly or in each other, in the order of their ids. */
function awaitedSubflows(workflow: Workflow, workflows: ReadonlyMap<string, Workflow>): readonly Workflow[] {
  const found = new Map<string, Workflow>();
  const waiting = [workflow];
  for (let caller = waiting.pop(); caller; caller = waiting.pop()) {
    for (const step of stepsOf(caller)) {
      const subflow = step.kind === "invoke" && step.wait ? workflows.get(step.workflow.name) : undefined;
      if (!subflow || subflow.id === workflow.id || found.has(subflow.id)) continue;
      found.set(subflow.id, subflow);
      waiting.push(subflow);
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What of a workflow decides what its runs do, as text: the same for two that do the same in the same way. */
function canonicalText({ id, start, input, body, events, correlation, functions, errorNames }: Workflow): string {
  const meant = events.map(({ metadata: _, ...event }) => event);
  const found = functions.flatMap(({ name, protocol }) => (isExternal(protocol) ? [] : [{ name, protocol }]));
  const builtIns = found.length > 0 ? found : undefined;
  const meaning = { id, start, input, body, events: meant, correlation, builtIns, errorNames };
  return JSON.stringify(meaning, (key, value: unknown) => {
    if (typeof value !== "object" || value === null) return exactNumber(value);
    if (ignoredKeys.has(key)) return undefined;
    return "kind" in value && value.kind === "literal" && "value" in value ? literalOf(value.value) : value;
  });
}

/** What nodes have for people: spans, and the constructs that they come from. */
const ignoredKeys: ReadonlySet<string> = new Set(["span", "origin"]);

/** A literal as a text, so that nothing in it is taken for a note. */
const literalOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? `text ${part}` : exactNumber(part)));

/** Numbers that JSON does not tell apart, as texts. */
const exactNumber = (value: unknown): unknown =>
  typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
    ? `number ${Object.is(value, -0) ? "-0" : value}`
    : value;
