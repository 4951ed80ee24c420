import type { Construct, Outline } from "./outline.ts";

/** The constructs of two outlines that correspond. */
export interface Matching {
  readonly pairs: readonly Pair[];
  readonly added: readonly Construct[];
  readonly removed: readonly Construct[];
  /** The counterparts of the constructs of both outlines. */
  readonly counterparts: ReadonlyMap<Construct, Construct>;
}

/** A construct and its counterpart. */
export interface Pair {
  readonly old: Construct;
  readonly new: Construct;
  readonly isRenamed: boolean;
  /** Whether it is in another scope. */
  readonly isMoved: boolean;
}

/**
 * Matches constructs by place and name, then by name, then by what they do and by their neighbors: a state with another
 * name that does at least half of the same was renamed.
 */
export function matchConstructs(before: Outline, after: Outline): Matching {
  const matcher = new Matcher(before.constructs, after.constructs);
  matcher.byKey((construct) => `${scopeOf(construct)}\0${nameOf(construct)}`);
  matcher.byKey(nameOf);
  matcher.byKey((construct) => foldName(nameOf(construct)));
  for (let round = 0; round < 3 && matcher.bySimilarity(); round++);
  return matcher.result();
}

/** Ends have names of their own, which no construct of the source has. */
const nameOf = ({ label, noun, node, kind, parent }: Construct): string =>
  noun !== undefined
    ? label
    : kind === "start" || kind === "end" || kind === "fail"
      ? `\0${kind} ${parent ? node.id : ""}`
      : label;

/** Languages and teams write the words of a name differently: `checkOrder`, `Check order`. */
const foldName = (name = ""): string => name.toLowerCase().replace(/[\s_-]/g, "");

const scopeOf = ({ parent, part }: Construct): string =>
  parent ? `${scopeOf(parent)}/${nameOf(parent)}/${part?.label ?? ""}` : "";

class Matcher {
  readonly #counterparts = new Map<Construct, Construct>();
  readonly #old: readonly Construct[];
  readonly #new: readonly Construct[];

  constructor(old: readonly Construct[], created: readonly Construct[]) {
    this.#old = old;
    this.#new = created;
  }

  /** Matches constructs with equal keys, in order. */
  byKey(keyOf: (construct: Construct) => string): void {
    const open = Map.groupBy(this.#open(this.#new), keyOf);
    for (const construct of this.#open(this.#old)) {
      const found = open.get(keyOf(construct))?.shift();
      if (found) this.#match(construct, found);
    }
  }

  /** Matches the most similar constructs first; returns whether there were any. */
  bySimilarity(): boolean {
    const [old, created] = [this.#open(this.#old), this.#open(this.#new)];
    if (old.length * created.length > maxComparisons) return false;
    const tokens = this.#tokens();
    const candidates = old.flatMap((a) =>
      created.flatMap((b) => {
        const score = similarity(tokens.get(a)!, tokens.get(b)!);
        return score >= threshold ? [{ a, b, score }] : [];
      }),
    );
    let isFound = false;
    for (const { a, b } of candidates.sort((x, y) => y.score - x.score)) {
      if (this.#counterparts.has(a) || this.#counterparts.has(b)) continue;
      this.#match(a, b);
      isFound = true;
    }
    return isFound;
  }

  result(): Matching {
    const pairs = this.#old.flatMap((old): readonly Pair[] => {
      const found = this.#counterparts.get(old);
      if (!found) return [];
      const isNamed = old.noun !== undefined && found.noun !== undefined;
      return [{ old, new: found, isRenamed: isNamed && old.label !== found.label, isMoved: this.#isMoved(old, found) }];
    });
    return {
      pairs,
      added: this.#open(this.#new),
      removed: this.#open(this.#old),
      counterparts: this.#counterparts,
    };
  }

  #open = (constructs: readonly Construct[]): readonly Construct[] =>
    constructs.filter((each) => !this.#counterparts.has(each));

  #match(a: Construct, b: Construct): void {
    this.#counterparts.set(a, b);
    this.#counterparts.set(b, a);
  }

  #isMoved(a: Construct, b: Construct): boolean {
    if (!a.parent || !b.parent) return a.parent !== b.parent;
    const isSamePart = foldName(a.part?.label) === foldName(b.part?.label) || a.parent.node.parts.length === 1;
    return this.#counterparts.get(a.parent) !== b.parent || !isSamePart;
  }

  /** What constructs do, and their neighbors that are matched already. */
  #tokens(): ReadonlyMap<Construct, ReadonlySet<string>> {
    const numbers = new Map<Construct, number>();
    for (const [i, construct] of this.#old.entries()) {
      const found = this.#counterparts.get(construct);
      if (!found) continue;
      numbers.set(construct, i);
      numbers.set(found, i);
    }
    const tokens = new Map<Construct, Set<string>>();
    const all = [...this.#old, ...this.#new];
    for (const construct of all) tokens.set(construct, ownTokens(construct));
    for (const construct of all)
      for (const { to, kind } of construct.exits) {
        if (numbers.has(to)) tokens.get(construct)!.add(`to ${kind} ${numbers.get(to)}`);
        if (numbers.has(construct)) tokens.get(to)!.add(`from ${kind} ${numbers.get(construct)}`);
      }
    return tokens;
  }
}

/** The maximum number of comparisons of constructs; more are only matched by name. */
const maxComparisons = 250_000;
const threshold = 0.5;

function ownTokens({ kind, facts, exits }: Construct): Set<string> {
  const properties = facts.flatMap(({ aspect, subject, properties }) => [
    `${aspect} ${subject}`,
    ...[...properties].map(([name, { key }]) => `${aspect} ${subject} ${name} ${key}`),
  ]);
  const conditions = exits.flatMap((exit) => exit.conditions.map(({ key }) => `if ${key}`));
  return new Set([kind, ...properties, ...conditions]);
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const token of a) if (b.has(token)) common += 1;
  return common < 2 ? 0 : (2 * common) / (a.size + b.size);
}
