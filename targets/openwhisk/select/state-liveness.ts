import { type DraftState, successorsOf } from "./state-builder.ts";
import { namesOf } from "./state-functions.ts";
import { byLabelOf, draftAt, handlersOf, startedBy } from "./state-graph.ts";

/** The variables that are read later, and `params` if the params are. */
export interface StateLiveness {
  /** What is read in a state or after it. */
  before(label: string): NameSet;
  /** What the handler of an error in a state reads; empty without a handler. */
  inHandler(label: string): NameSet;
}

/** A set of names. */
export interface NameSet {
  has(name: string): boolean;
}

/** Computes which of the variables, and whether the params, are read later. */
export function computeStateLiveness(
  drafts: readonly DraftState[],
  entries: Iterable<string>,
  symbols: ReadonlySet<string>,
): StateLiveness {
  const byLabel = byLabelOf(drafts);
  const handlers = handlersOf(byLabel, entries);
  const indices = new Map(Array.from(new Set(["params", ...symbols]), (name, i) => [name, i]));
  const none = new IndexedSet(indices);
  const live = new Map<string, IndexedSet>();
  const before = (label: string): IndexedSet => live.get(label) ?? none;
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
    const names = new IndexedSet(indices);
    addLive(names, draftAt(byLabel, label), before, handlers.get(label));
    if (live.get(label)?.equals(names)) continue;
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

/** Names as bits, as thousands of states may each have thousands of live variables. Other names are ignored. */
class IndexedSet implements NameSet {
  readonly #indices: ReadonlyMap<string, number>;
  readonly #bits: Uint32Array;

  constructor(indices: ReadonlyMap<string, number>) {
    this.#indices = indices;
    this.#bits = new Uint32Array(Math.ceil(indices.size / 32));
  }

  has(name: string): boolean {
    const index = this.#indices.get(name);
    return index !== undefined && (this.#bits[index >>> 5]! & (1 << (index & 31))) !== 0;
  }

  add(name: string): void {
    const index = this.#indices.get(name);
    if (index !== undefined) this.#bits[index >>> 5]! |= 1 << (index & 31);
  }

  delete(name: string): void {
    const index = this.#indices.get(name);
    if (index !== undefined) this.#bits[index >>> 5]! &= ~(1 << (index & 31));
  }

  addAll(other: IndexedSet): void {
    for (let i = 0; i < this.#bits.length; i++) this.#bits[i]! |= other.#bits[i]!;
  }

  equals(other: IndexedSet): boolean {
    return this.#bits.every((bits, i) => bits === other.#bits[i]);
  }
}

/** Adds what is live before a state. */
function addLive(
  names: IndexedSet,
  draft: DraftState,
  before: (label: string) => IndexedSet,
  handler: string | undefined,
): void {
  const { operation, next } = draft;
  const addVariables = (label: string): void => {
    const readsParams = names.has("params");
    names.addAll(before(label));
    if (!readsParams) names.delete("params");
  };
  for (const label of next === undefined ? successorsOf(draft) : [next]) names.addAll(before(label));
  if (next === undefined && operation.kind !== "choice") names.add("params");
  switch (operation.kind) {
    case "function": {
      const { reads, sets } = namesOf(operation.body);
      for (const name of [...sets, "params"]) names.delete(name);
      for (const name of reads) names.add(name);
      break;
    }
    case "action":
      for (const label of startedBy(operation)) names.addAll(before(label));
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
      addVariables(operation.handler);
      break;
    default:
      break;
  }
  if (handler !== undefined && mayRaise(draft)) addVariables(handler);
}

const mayRaise = ({ operation: { kind } }: DraftState): boolean =>
  kind === "function" || kind === "action" || kind === "value";
