import type { Scope } from "../ir/workflow.ts";
import {
  computeLiveness,
  createDataFlowGraph,
  type DataFlowEdge,
  type DataFlowNode,
  type Liveness,
} from "./variables.ts";

/** A variable of the emitted program: definitions that reach common uses. */
export interface Web {
  readonly id: string;
  readonly variable: string;
  isInitial: boolean;
  readonly definitions: Set<string>;
  readonly uses: Set<string>;
}

/** The webs of a scope. */
export interface WebTable {
  read(step: string, variable: string): Web | undefined;
  /** Undefined if nothing reads it. */
  defined(step: string, variable: string, handler?: number): Web | undefined;
  /** Undefined if nothing reads it. */
  initial(variable: string): Web | undefined;
  readonly all: readonly Web[];
  liveAt(step: string): readonly Web[];
}

/** Divides variables into webs, except assigned and initialized ones. */
export function computeWebs(scope: Scope): WebTable {
  const graph = createDataFlowGraph(scope);
  const live = computeLiveness(graph);
  const whole = undividedVariables(scope, graph);
  const sets = new DisjointSets();
  const key = (...parts: readonly (string | number)[]) => JSON.stringify(parts);
  const here = (step: string, variable: string) => (whole.has(variable) ? key(variable) : key(variable, "at", step));
  const from = (step: string, variable: string, handler = -1) =>
    whole.has(variable) ? key(variable) : key(variable, "of", step, handler);
  const definedBy = (id: string, variable: string, { definedBy: by }: DataFlowEdge) =>
    from(by?.owner ?? id, variable, by?.handler);
  for (const [id, { edges }] of graph) {
    for (const edge of edges) {
      for (const variable of live.get(edge.to) ?? []) {
        if (whole.has(variable)) continue;
        if (edge.sets.includes(variable)) sets.union(definedBy(id, variable, edge), here(edge.to, variable));
        else if (!edge.restored?.has(variable)) sets.union(here(id, variable), here(edge.to, variable));
      }
    }
  }
  return collectWebs(scope, graph, live, { sets, here, from });
}

interface WebKeys {
  readonly sets: DisjointSets;
  here(step: string, variable: string): string;
  from(step: string, variable: string, handler?: number): string;
}

function collectWebs(
  scope: Scope,
  graph: ReadonlyMap<string, DataFlowNode>,
  live: Liveness,
  { sets, here, from }: WebKeys,
): WebTable {
  const webs = new Map<string, Web>();
  const readLater = new Set<string>();
  const definition = (step: string, variable: string, handler = -1) => JSON.stringify([step, variable, handler]);
  const web = (key: string, variable: string): Web => {
    const id = sets.find(key);
    const known = webs.get(id) ?? { id, variable, isInitial: false, definitions: new Set(), uses: new Set() };
    webs.set(id, known);
    return known;
  };
  for (const [id, { reads, edges }] of graph) {
    for (const variable of reads) web(here(id, variable), variable).uses.add(id);
    for (const edge of edges)
      for (const variable of liveDefinitions(edge, live)) {
        const owner = edge.definedBy?.owner ?? id;
        web(from(owner, variable, edge.definedBy?.handler), variable).definitions.add(owner);
        readLater.add(definition(owner, variable, edge.definedBy?.handler));
      }
  }
  for (const variable of live.get(scope.entry.name) ?? [])
    web(here(scope.entry.name, variable), variable).isInitial = true;
  const known = (key: string) => webs.get(sets.find(key));
  return {
    read: (step, variable) => known(here(step, variable)),
    defined: (step, variable, handler) =>
      readLater.has(definition(step, variable, handler)) ? known(from(step, variable, handler)) : undefined,
    initial: (variable) =>
      live.get(scope.entry.name)?.has(variable) ? known(here(scope.entry.name, variable)) : undefined,
    all: [...webs.values()],
    liveAt: (step) => [
      ...new Set([...(live.get(step) ?? [])].flatMap((variable) => known(here(step, variable)) ?? [])),
    ],
  };
}

const liveDefinitions = ({ sets, to }: DataFlowEdge, live: Liveness): readonly string[] =>
  sets.filter((variable) => live.get(to)?.has(variable));

function undividedVariables(scope: Scope, graph: ReadonlyMap<string, DataFlowNode>): ReadonlySet<string> {
  const assigned = [...graph.values()].flatMap(({ step }) =>
    step.kind === "assign" ? step.values.map(({ variable }) => variable) : [],
  );
  return new Set([...assigned, ...scope.variables.flatMap(({ name, initial }) => (initial ? [name] : []))]);
}

class DisjointSets {
  readonly #above = new Map<string, string>();

  find(element: string): string {
    let root = element;
    for (let above = this.#above.get(root); above !== undefined; above = this.#above.get(root)) root = above;
    for (let node = element; node !== root; ) {
      const above = this.#above.get(node)!;
      this.#above.set(node, root);
      node = above;
    }
    return root;
  }

  union(a: string, b: string): void {
    const [left, right] = [this.find(a), this.find(b)];
    if (left !== right) this.#above.set(left, right);
  }
}
