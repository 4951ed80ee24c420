import { innerScopes, stepsOf } from "./walk.ts";
import type { Workflow } from "./workflow.ts";

/** Names that are taken somewhere, and a maker of more: readable ones, and the same for the same wishes in the same order. */
export interface NameScope {
  /** Whether something has a name that can be seen from here, or from a scope inside. */
  has(name: string): boolean;
  /** The first of the wanted names that nothing has; else the first of them with a number. Nothing else gets it from then on. */
  fresh(...wanted: readonly [string, ...string[]]): string;
  /** The names of a scope inside this one: it sees those around it, and scopes beside it may have the same. */
  inner(taken?: Iterable<string>): NameScope;
}

/** How names are made and told apart. */
export interface NameStyle {
  /** A wanted name that is taken, with a number from 2: ` 2` behind it where nothing is said. */
  readonly number?: ((wanted: string, count: number) => string) | undefined;
  /** What is equal of names that count as one: the name itself where nothing is said. */
  readonly fold?: ((name: string) => string) | undefined;
}

/** Names beside those that are taken: the one maker of all that a rewrite or a printer makes up. */
export function createNames(taken: Iterable<string>, style: NameStyle = {}): NameScope {
  const { number: numbered = (wanted, count) => `${wanted} ${count}`, fold: folded = (name) => name } = style;
  return createScope(
    { own: new Set([...taken].map(folded)), below: new Set(), around: undefined },
    { number: numbered, fold: folded },
  );
}

/** Numbers right behind a name, as identifiers have them: `value`, `value2`. */
export const identifierStyle: NameStyle = { number: (wanted, count) => `${wanted}${count}` };

/** The names in a workflow, by what has them. */
export interface WorkflowNames {
  readonly steps: NameScope;
  /**
   * Variables of all scopes, and what patterns and correlations call an event and the run: a fresh variable hides nothing. Only in conditions of retries
   * and handlers is `error` no variable.
   */
  readonly variables: NameScope;
  readonly functions: NameScope;
}

/** All names that a workflow has taken. */
export function workflowNames(workflow: Workflow): WorkflowNames {
  const steps = stepsOf(workflow);
  const scopes = [workflow.body, ...steps.flatMap(innerScopes)];
  const elements = steps.flatMap((step) => (step.kind === "foreach" ? [step.element, step.index ?? step.element] : []));
  const declared = scopes.flatMap(({ variables }) => variables.map(({ name }) => name));
  return {
    steps: createNames(steps.map(({ id }) => id)),
    variables: createNames([...contextVariables, workflow.input, ...declared, ...elements]),
    functions: createNames(workflow.functions.map(({ name }) => name)),
  };
}

/** What expressions may read beside variables: the event of a pattern, the run of a correlation. */
const contextVariables = ["event", "run"];

/**
 * A file name for each id: safe on every file system, at most 100 characters, and different from all others, also where case does not
 * count. An id that is a plain word is its own name. Equal ids get different names, so the names come in the order of the ids.
 */
export function fileNames(ids: readonly string[]): readonly string[] {
  const names = createNames([], {
    number: (wanted, count) => `${wanted}-${count}`,
    fold: (name) => name.toLowerCase(),
  });
  return ids.map((id) => {
    const name = fileName(id);
    return names.fresh(names.has(name) ? `${name.slice(0, 80)}-${shortHash(id)}` : name);
  });
}

/** A short, stable mark of a text (32-bit FNV-1a, as eight hexadecimal digits): tells names apart that were cut. Not for secrets. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** `charge card` is `charge-card-` and its mark. */
function fileName(id: string): string {
  const plain = id
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  if (plain === id && id.length <= 100 && !reservedFileName.test(id.split(".")[0]!)) return id;
  return `${plain.slice(0, 80) || "workflow"}-${shortHash(id)}`;
}

/** Names that some file system keeps for itself. */
const reservedFileName = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** The names of a scope, and those of the scopes in it: what is named here later must not be hidden there. */
interface NameFrame {
  readonly own: Set<string>;
  readonly below: Set<string>;
  readonly around: NameFrame | undefined;
}

type CompleteStyle = { readonly [part in keyof NameStyle]-?: NonNullable<NameStyle[part]> };

function createScope(taken: NameFrame, style: CompleteStyle): NameScope {
  const { number: numbered, fold: folded } = style;
  /** The number to try next for a name that was wanted before. */
  const counts = new Map<string, number>();
  const has = (name: string) => taken.below.has(folded(name)) || isVisible(folded(name), taken);
  const numberedFree = (wanted: string): string => {
    let count = counts.get(wanted) ?? 2;
    while (has(numbered(wanted, count))) count += 1;
    counts.set(wanted, count + 1);
    return numbered(wanted, count);
  };
  return {
    has,
    fresh(...wanted) {
      const name = wanted.find((each) => !has(each)) ?? numberedFree(wanted[0]);
      taken.own.add(folded(name));
      for (let outer = taken.around; outer; outer = outer.around) outer.below.add(folded(name));
      return name;
    },
    inner: (names = []) => {
      const own = new Set([...names].map(folded));
      for (let outer: NameFrame | undefined = taken; outer; outer = outer.around)
        for (const name of own) outer.below.add(name);
      return createScope({ own, below: new Set(), around: taken }, style);
    },
  };
}

function isVisible(name: string, taken: NameFrame): boolean {
  for (let scope: NameFrame | undefined = taken; scope; scope = scope.around) if (scope.own.has(name)) return true;
  return false;
}
