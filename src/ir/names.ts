import { innerScopes, stepsOf } from "./walk.ts";
import type { Workflow } from "./workflow.ts";

/** Creates unique, readable and deterministic names. */
export interface NameSpace {
  /** Whether this scope, an outer or an inner one uses a name. */
  has(name: string): boolean;
  /** Reserves the first unused name, or the first with a number. */
  fresh(...wanted: readonly [string, ...string[]]): string;
  inner(used?: Iterable<string>): NameSpace;
}

/** How to number and compare names. */
export interface NameStyle {
  readonly number?: ((wanted: string, count: number) => string) | undefined;
  readonly fold?: ((name: string) => string) | undefined;
}

/** Creates a name scope. */
export function createNames(used: Iterable<string>, style: NameStyle = {}): NameSpace {
  const { number = (wanted, count) => `${wanted} ${count}`, fold = (name) => name } = style;
  return createScope({ own: new Set([...used].map(fold)), below: new Set(), around: undefined }, { number, fold });
}

/** Numbers identifiers: `value`, `value2`. */
export const identifierStyle: NameStyle = { number: (wanted, count) => `${wanted}${count}` };

/** The names used in a workflow. */
export interface WorkflowNames {
  readonly steps: NameSpace;
  /** Includes `event` and `run`, but not `error`, which only conditions of retries and handlers read. */
  readonly variables: NameSpace;
  readonly functions: NameSpace;
}

/** Collects the names used in a workflow. */
export function workflowNames(workflow: Workflow): WorkflowNames {
  // Most passes make names of one kind, or none.
  let steps: NameSpace | undefined;
  let variables: NameSpace | undefined;
  let functions: NameSpace | undefined;
  return {
    get steps() {
      steps ??= createNames(stepsOf(workflow).map(({ id }) => id));
      return steps;
    },
    get variables() {
      variables ??= createNames(variableNames(workflow));
      return variables;
    },
    get functions() {
      functions ??= createNames(workflow.functions.map(({ name }) => name));
      return functions;
    },
  };
}

function variableNames(workflow: Workflow): readonly string[] {
  const steps = stepsOf(workflow);
  const scopes = [workflow.body, ...steps.flatMap(innerScopes)];
  const elements = steps.flatMap((step) => (step.kind === "foreach" ? [step.element, step.index ?? step.element] : []));
  const declared = scopes.flatMap(({ variables }) => variables.map(({ name }) => name));
  return [...contextVariables, workflow.input, ...declared, ...elements];
}

const contextVariables = ["event", "run"];

/** File names for ids, in order: portable, case-insensitively unique, at most 100 characters. Plain words stay. */
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

/** A 32-bit FNV-1a hash as eight hexadecimal digits. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** `charge card` → `charge-card-` and its hash. */
function fileName(id: string): string {
  const plain = id
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  if (plain === id && id.length <= 100 && !reservedFileName.test(id.split(".")[0]!)) return id;
  return `${plain.slice(0, 80) || "workflow"}-${shortHash(id)}`;
}

/** Reserved by Windows. */
const reservedFileName = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

interface NameFrame {
  readonly own: Set<string>;
  readonly below: Set<string>;
  readonly around: NameFrame | undefined;
}

type CompleteStyle = { readonly [part in keyof NameStyle]-?: NonNullable<NameStyle[part]> };

function createScope(frame: NameFrame, style: CompleteStyle): NameSpace {
  const { number, fold } = style;
  const counts = new Map<string, number>();
  const has = (name: string) => frame.below.has(fold(name)) || isVisible(fold(name), frame);
  const numberedFree = (wanted: string): string => {
    let count = counts.get(wanted) ?? 2;
    while (has(number(wanted, count))) count += 1;
    counts.set(wanted, count + 1);
    return number(wanted, count);
  };
  return {
    has,
    fresh(...wanted) {
      const name = wanted.find((each) => !has(each)) ?? numberedFree(wanted[0]);
      frame.own.add(fold(name));
      for (let outer = frame.around; outer; outer = outer.around) outer.below.add(fold(name));
      return name;
    },
    inner: (names = []) => {
      const own = new Set([...names].map(fold));
      for (let outer: NameFrame | undefined = frame; outer; outer = outer.around)
        for (const name of own) outer.below.add(name);
      return createScope({ own, below: new Set(), around: frame }, style);
    },
  };
}

function isVisible(name: string, frame: NameFrame): boolean {
  for (let scope: NameFrame | undefined = frame; scope; scope = scope.around) if (scope.own.has(name)) return true;
  return false;
}
