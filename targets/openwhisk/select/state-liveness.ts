import { type DraftState, successorsOf } from "./state-builder.ts";
import { namesOf } from "./state-functions.ts";
import { byLabelOf, draftAt, handlersOf, startedBy } from "./state-graph.ts";

/** The variables that are read later, and `params` if the params are. */
export interface StateLiveness {
  /** What is read in a state or after it. */
  before(label: string): ReadonlySet<string>;
  /** What the handler of an error in a state reads; empty without a handler. */
  inHandler(label: string): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Computes which of the variables, and whether the params, are read later. */
export function computeStateLiveness(
  drafts: readonly DraftState[],
  entries: Iterable<string>,
  symbols: ReadonlySet<string>,
): StateLiveness {
  const byLabel = byLabelOf(drafts);
  const handlers = handlersOf(byLabel, entries);
  const isTracked = (name: string): boolean => name === "params" || symbols.has(name);
  const live = new Map<string, ReadonlySet<string>>();
  const before = (label: string): ReadonlySet<string> => live.get(label) ?? none;
  const predecessors = new Map<string, string[]>();
  const addEdge = (from: string, to: string): void => {
    const known = predecessors.get(to);
    if (known) known.push(from);
    else predecessors.set(to, [from]);
  };
  for (const draft of drafts) {
    for (const next of successorsOf(draft)) addEdge(draft.label, next);
    for (const next of startedBy(draft.operation)) addEdge(draft.label, next);
    const handler = handlers.get(draft.label);
    if (handler !== undefined) addEdge(draft.label, handler);
  }
  const waiting = new Set(drafts.map(({ label }) => label).reverse());
  for (const label of waiting) {
    waiting.delete(label);
    const names = liveBefore(draftAt(byLabel, label), { before, handler: handlers.get(label), isTracked });
    if (names.size === before(label).size && live.has(label)) continue;
    live.set(label, names);
    for (const each of predecessors.get(label) ?? []) waiting.add(each);
  }
  return {
    before,
    inHandler: (label) => {
      const handler = handlers.get(label);
      return handler === undefined ? none : before(handler);
    },
  };
}

interface Surroundings {
  readonly before: StateLiveness["before"];
  readonly handler: string | undefined;
  isTracked(name: string): boolean;
}

function liveBefore(draft: DraftState, { before, handler, isTracked }: Surroundings): ReadonlySet<string> {
  const { operation, next } = draft;
  const names = new Set((next === undefined ? successorsOf(draft) : [next]).flatMap((label) => [...before(label)]));
  if (next === undefined && operation.kind !== "choice") names.add("params");
  switch (operation.kind) {
    case "function": {
      const { reads, sets } = namesOf(operation.body);
      for (const name of [...sets, "params"]) names.delete(name);
      for (const name of reads) if (isTracked(name)) names.add(name);
      break;
    }
    case "action":
      for (const label of startedBy(operation)) for (const name of before(label)) names.add(name);
      names.add("params");
      break;
    case "value":
      names.delete("params");
      break;
    case "push":
    case "choice":
      names.add("params");
      break;
    case "let":
    case "end":
      names.delete(operation.symbol);
      break;
    case "try":
      for (const name of before(operation.handler)) if (name !== "params") names.add(name);
      break;
    default:
      break;
  }
  if (handler !== undefined && mayRaise(draft))
    for (const name of before(handler)) if (name !== "params") names.add(name);
  return names;
}

const mayRaise = ({ operation: { kind } }: DraftState): boolean =>
  kind === "function" || kind === "action" || kind === "value";
