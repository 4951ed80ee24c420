import type { Fact, Property } from "./facts.ts";
import type { Aspect, Detail, Value } from "./model.ts";
import { reportValue } from "./places.ts";

/**
 * The differences between what two constructs do. Facts about the same subject are compared by their properties. Between
 * languages, expressions with equal words count as equal: languages read missing members differently.
 */
export function factChanges(old: readonly Fact[], created: readonly Fact[], sameLanguage: boolean): readonly Detail[] {
  const aspects = new Set([...old, ...created].map(({ aspect }) => aspect));
  return [...aspects].flatMap((aspect) => {
    const isOf = (fact: Fact): boolean => fact.aspect === aspect;
    const { pairs, added, removed } = align(old.filter(isOf), created.filter(isOf));
    return [
      ...pairs.flatMap(([a, b]) => [...replacement(a, b), ...propertyChanges(a, b, sameLanguage)]),
      ...removed.flatMap((fact) => single(fact, "removed")),
      ...added.flatMap((fact) => single(fact, "added")),
    ];
  });
}

interface Alignment {
  readonly pairs: readonly (readonly [Fact, Fact])[];
  readonly added: readonly Fact[];
  readonly removed: readonly Fact[];
}

/** Pairs facts about the same subject, those with equal properties first, then the most similar ones; others in order. */
function align(old: readonly Fact[], created: readonly Fact[]): Alignment {
  const pairs: (readonly [Fact, Fact])[] = [];
  const left = new Set(old);
  const right = new Set(created);
  for (const isAlike of [isEqualFact, isSameSubject, () => true])
    for (const a of left) {
      const isAmbiguous = left.size !== right.size && left.size * right.size <= maxComparisons;
      const b = isAmbiguous
        ? mostSimilar(
            a,
            [...right].filter((each) => isAlike(a, each)),
          )
        : firstAlike(a, right, isAlike);
      if (!b) continue;
      pairs.push([a, b]);
      left.delete(a);
      right.delete(b);
    }
  return { pairs, added: [...right], removed: [...left] };
}

function firstAlike(fact: Fact, candidates: Iterable<Fact>, isAlike: (a: Fact, b: Fact) => boolean): Fact | undefined {
  for (const each of candidates) if (isAlike(fact, each)) return each;
  return undefined;
}

/** With more facts of an aspect, the order decides. */
const maxComparisons = 2500;

/** The fact whose first property begins and ends most alike. */
function mostSimilar(fact: Fact, candidates: readonly Fact[]): Fact | undefined {
  const textOf = ({ properties }: Fact): string => properties.values().next().value?.text ?? "";
  const own = textOf(fact);
  const scores = candidates.map((each) => ({ each, score: commonEnds(own, textOf(each)) }));
  return scores.toSorted((a, b) => b.score - a.score)[0]?.each;
}

/** The length of the common start and of the common end, relative to both strings. */
function commonEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return (2 * (start + end)) / (a.length + b.length || 1);
}

const isSameSubject = (a: Fact, b: Fact): boolean => a.subject === b.subject;

const isEqualFact = (a: Fact, b: Fact): boolean =>
  isSameSubject(a, b) &&
  a.properties.size === b.properties.size &&
  [...a.properties].every(([name, { key }]) => b.properties.get(name)?.key === key);

/** Another subject, such as another function. */
function replacement(old: Fact, created: Fact): readonly Detail[] {
  const { aspect } = old;
  const verb = verbs[aspect];
  if (isSameSubject(old, created) || verb === undefined) return [];
  return [
    {
      aspect,
      kind: "changed",
      text: verb,
      old: reportValue({ text: old.subject, key: "" }, old.span),
      new: reportValue({ text: created.subject, key: "" }, created.span),
    },
  ];
}

function propertyChanges(old: Fact, created: Fact, sameLanguage: boolean): readonly Detail[] {
  const names = new Set([...old.properties.keys(), ...created.properties.keys()]);
  return [...names].flatMap((name): readonly Detail[] => {
    const [before, after] = [old.properties.get(name), created.properties.get(name)];
    if (before?.key === after?.key || (!sameLanguage && before?.text === after?.text)) return [];
    const isSameText = before?.text === after?.text;
    const value = (property: Property, { span }: Fact): Value =>
      reportValue(isSameText && property.exact !== undefined ? { ...property, text: property.exact } : property, span);
    return [
      {
        aspect: old.aspect,
        kind: before === undefined ? "added" : after === undefined ? "removed" : "changed",
        text: propertyText(created, name),
        ...(before && { old: value(before, old) }),
        ...(after && { new: value(after, created) }),
      },
    ];
  });
}

/** A fact that only one of the constructs has. The end of a scope is a transition. */
function single(fact: Fact, kind: "added" | "removed"): readonly Detail[] {
  const { aspect, subject, properties, span } = fact;
  if (aspect === "end" && !properties.has("fails with") && !properties.has("ends")) return [];
  const side = kind === "added" ? "new" : "old";
  const value = (property: Property) => ({ [side]: reportValue(property, span) });
  const verb = verbs[aspect];
  const main: readonly Detail[] =
    verb === undefined ? [] : [{ aspect, kind, text: verb, ...value({ text: subject, key: "" }) }];
  return [
    ...main,
    ...[...properties].map(([name, property]) => ({
      aspect,
      kind,
      text: propertyText(fact, name),
      ...value(property),
    })),
  ];
}

/** What a construct does, in the words of reports. Other aspects have no subject. */
const verbs: { readonly [aspect in Aspect]?: string } = { call: "calls", subflow: "starts", emit: "emits" };

const ofData: ReadonlyMap<string, string> = new Map([
  ["input", "input filter"],
  ["output", "output filter"],
  ["merge", "merging of the result"],
  ["join", "merging of the results"],
  ["collect", "merging of the results"],
  ["inject", "injected data"],
]);

function propertyText({ aspect, subject }: Fact, name: string): string {
  switch (aspect) {
    case "call":
    case "subflow":
    case "emit":
      return `${name} of ${subject}`;
    case "data":
      return ofData.get(subject) ?? "data";
    case "wait":
      return "waits";
    default:
      return name;
  }
}
