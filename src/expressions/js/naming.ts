import {
  type Block,
  boundNames,
  childrenOf,
  declaredNames,
  type JsNode,
  js,
  mapNodes,
  walkNodes,
} from "../../js-ast/index.ts";
import type { Temporary } from "./temporaries.ts";
import { reservedWords } from "./words.ts";

/**
 * Names the temporaries of a program: each gets the first of its words that nothing visible has. `occurrences` are those of `countNames`. Adds the types of
 * declarations that TypeScript cannot infer.
 */
export function nameTemporaries(
  body: Block,
  temporaries: ReadonlyMap<string, Temporary>,
  occurrences: ReadonlyMap<string, number>,
): Block {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of occurrences.keys()) if (!temporaries.has(name)) taken.add(name);
  new Allocation(temporaries, names, taken, occurrences).block(body);
  return mapNodes(body, (node) => renamed(node, names, temporaries));
}

/** How often each name occurs in a program, declarations included. */
export function countNames(body: Block): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const node of walkNodes(body))
    if (node.kind === "identifier") found.set(node.name, (found.get(node.name) ?? 0) + 1);
  return found;
}

/** Walks the scopes of a program. A class, as the walk is one recursion over state. */
class Allocation {
  readonly #temporaries: ReadonlyMap<string, Temporary>;
  readonly #names: Map<string, string>;
  readonly #visible: Set<string>;
  readonly #occurrences: ReadonlyMap<string, number>;

  constructor(
    temporaries: ReadonlyMap<string, Temporary>,
    names: Map<string, string>,
    taken: Set<string>,
    occurrences: ReadonlyMap<string, number>,
  ) {
    this.#occurrences = occurrences;
    this.#temporaries = temporaries;
    this.#names = names;
    this.#visible = taken;
  }

  /** Statements with a scope of their own. */
  block(body: Block): void {
    this.#within(body.flatMap(declaredNames), () => {
      for (const statement of body) this.#node(statement);
    });
  }

  #node(node: JsNode): void {
    switch (node.kind) {
      case "function":
      case "functionDeclaration":
        this.#within(
          node.parameters.flatMap(({ target }) => boundNames(target)),
          () => ("kind" in node.body ? this.#node(node.body) : this.block(node.body)),
        );
        break;
      case "if":
        this.#node(node.test);
        this.block(node.then);
        this.block(node.otherwise ?? []);
        break;
      case "while":
        this.#node(node.test);
        this.block(node.body);
        break;
      case "for":
        this.#within(node.initial ? declaredNames(node.initial) : [], () => {
          for (const part of [node.initial, node.test, node.update]) if (part) this.#node(part);
          this.block(node.body);
        });
        break;
      case "forOf": {
        this.#node(node.values);
        const unused = boundNames(node.target).filter((name) => this.#occurrences.get(name) === 1);
        for (const [i, name] of unused.entries()) this.#names.set(name, "_".repeat(i + 1));
        this.#within(boundNames(node.target), () => this.block(node.body));
        break;
      }
      case "labeled":
        this.#within([node.label], () => this.#node(node.body));
        break;
      case "block":
        this.block(node.body);
        break;
      case "try":
        this.block(node.body);
        if (node.handler) {
          const { caught, body } = node.handler;
          this.#within(caught ? boundNames(caught) : [], () => this.block(body));
        }
        break;
      case "identifier":
      case "literal":
        break;
      default:
        for (const child of childrenOf(node)) this.#node(child);
    }
  }

  /** Declares names for as long as `visit` takes. */
  #within(declared: readonly string[], visit: () => void): void {
    const added: string[] = [];
    for (const name of declared) {
      const temporary = this.#temporaries.get(name);
      if (!temporary || this.#names.has(name)) continue;
      const free = this.#freeWord(temporary);
      this.#names.set(name, free);
      this.#visible.add(free);
      added.push(free);
    }
    visit();
    for (const name of added) this.#visible.delete(name);
  }

  #freeWord({ words }: Temporary): string {
    const free = words.find((word) => this.#isFree(word));
    if (free !== undefined) return free;
    for (let i = 2; ; i += 1) if (this.#isFree(`${words[0]}${i}`)) return `${words[0]}${i}`;
  }

  #isFree(name: string): boolean {
    return !this.#visible.has(name) && !reservedWords.has(name);
  }
}

function renamed(
  node: JsNode,
  names: ReadonlyMap<string, string>,
  temporaries: ReadonlyMap<string, Temporary>,
): JsNode {
  const typeOf = (target: JsNode) => (target.kind === "identifier" ? temporaries.get(target.name)?.type : undefined);
  switch (node.kind) {
    case "identifier": {
      const name = names.get(node.name);
      return name === undefined ? node : js.name(name);
    }
    case "labeled":
      return { ...node, label: names.get(node.label) ?? node.label };
    case "jump":
      return node.label === undefined ? node : { ...node, label: names.get(node.label) ?? node.label };
    case "variable": {
      const type = typeOf(node.target);
      const isEmpty = node.value?.kind === "array" && node.value.elements.length === 0;
      const isInferred = node.keyword === "const" && !isEmpty && !(type?.kind === "arrayType" && !type.readonly);
      return isInferred || node.type ? node : { ...node, type };
    }
    case "parameter":
      return node.type ? node : { ...node, type: typeOf(node.target) };
    default:
      return node;
  }
}
