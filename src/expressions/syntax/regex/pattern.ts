/** A regular expression over Unicode code points. */
export type Pattern =
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly branches: readonly Pattern[] }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | {
      readonly kind: "repetition";
      readonly part: Pattern;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  /** Captures are numbered from 1 in the order of their opening parentheses. */
  | { readonly kind: "capture"; readonly number: number; readonly part: Pattern }
  /** Never gives back characters. */
  | { readonly kind: "atomic"; readonly part: Pattern }
  | { readonly kind: "look"; readonly isBehind: boolean; readonly isNegative: boolean; readonly part: Pattern }
  /** `lastLine` is the end, or before a line feed at the end. */
  | { readonly kind: "edge"; readonly edge: "start" | "end" | "lastLine" }
  | { readonly kind: "wordEdge"; readonly isUnicode: boolean; readonly isNegative: boolean }
  | { readonly kind: "reference"; readonly number: number };

/** The characters that one position of a pattern accepts: the union of the members, or its complement. */
export interface CharacterSet {
  readonly isNegated: boolean;
  readonly members: readonly SetMember[];
  readonly ignoresCase: boolean;
}

/** A part of a character set. Code points are numbers. */
export type SetMember =
  | { readonly kind: "range"; readonly from: number; readonly to: number }
  /** A property in JavaScript's spelling, as in `\p{sc=Han}`. */
  | { readonly kind: "property"; readonly name: string; readonly isNegated: boolean }
  /** JavaScript's `\d`, `\s` or `\w`. */
  | { readonly kind: "shorthand"; readonly letter: "d" | "s" | "w"; readonly isNegated: boolean }
  /** Everything except the members. */
  | { readonly kind: "complement"; readonly members: readonly SetMember[] };

/** A range of one or more code points. */
export const range = (from: number, to = from): SetMember => ({ kind: "range", from, to });

/** The members of jq's `\w`. */
export const unicodeWord: readonly SetMember[] = ["L", "M", "N", "Pc"].map((name) => ({
  kind: "property",
  name,
  isNegated: false,
}));

/** The length range and groups of a part of a pattern. */
export interface Extent {
  readonly min: number;
  readonly max: number;
  readonly captures: readonly number[];
  /** Some captures may take part in only some matches. */
  readonly hasOptionalCaptures: boolean;
  /** Only characters in a row. */
  readonly isPlain: boolean;
  /** Only assertions. */
  readonly isAssertion: boolean;
}

const assertionExtent: Extent = {
  min: 0,
  max: 0,
  captures: [],
  hasOptionalCaptures: false,
  isPlain: false,
  isAssertion: true,
};

/** Measures a pattern. */
export function extentOf(pattern: Pattern): Extent {
  switch (pattern.kind) {
    case "set": {
      const isPlain = !pattern.set.members.some(({ kind }) => kind === "complement");
      return { ...assertionExtent, min: 1, max: 1, isPlain, isAssertion: false };
    }
    case "sequence": {
      const parts = pattern.parts.map(extentOf);
      return {
        min: parts.reduce((sum, part) => sum + part.min, 0),
        max: parts.reduce((sum, part) => sum + part.max, 0),
        captures: parts.flatMap((part) => part.captures),
        hasOptionalCaptures: parts.some((part) => part.hasOptionalCaptures),
        isPlain: parts.every((part) => part.isPlain),
        isAssertion: parts.length > 0 && parts.every((part) => part.isAssertion),
      };
    }
    case "choice": {
      const branches = pattern.branches.map(extentOf);
      const captures = branches.flatMap((branch) => branch.captures);
      return {
        min: Math.min(...branches.map((branch) => branch.min)),
        max: Math.max(...branches.map((branch) => branch.max)),
        captures,
        hasOptionalCaptures: captures.length > 0,
        isPlain: false,
        isAssertion: false,
      };
    }
    case "repetition": {
      const part = extentOf(pattern.part);
      return {
        ...part,
        min: part.min * pattern.min,
        max: part.max === 0 ? 0 : part.max * pattern.max,
        hasOptionalCaptures: part.hasOptionalCaptures || (pattern.min === 0 && part.captures.length > 0),
        isAssertion: false,
      };
    }
    case "capture": {
      const part = extentOf(pattern.part);
      return { ...part, captures: [pattern.number, ...part.captures], isPlain: false, isAssertion: false };
    }
    case "atomic":
      return { ...extentOf(pattern.part), isPlain: false };
    case "look": {
      const { captures, hasOptionalCaptures } = extentOf(pattern.part);
      return { ...assertionExtent, captures, hasOptionalCaptures };
    }
    case "edge":
    case "wordEdge":
      return assertionExtent;
    default:
      return { ...assertionExtent, max: Number.POSITIVE_INFINITY, isAssertion: false };
  }
}

/** The captures that have surely matched after a pattern has matched. */
export function certainCaptures(pattern: Pattern): readonly number[] {
  switch (pattern.kind) {
    case "sequence":
      return pattern.parts.flatMap(certainCaptures);
    case "capture":
      return [pattern.number, ...certainCaptures(pattern.part)];
    case "atomic":
      return certainCaptures(pattern.part);
    case "repetition":
      return pattern.min === 1 && pattern.max === 1 ? certainCaptures(pattern.part) : [];
    default:
      return [];
  }
}
