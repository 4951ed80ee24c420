/** The length range and groups of a part of a pattern. */
export interface Extent {
  readonly minLength: number;
  readonly maxLength: number;
  readonly captures: readonly number[];
  readonly hasOptionalGroups: boolean;
  readonly isPlain: boolean;
  readonly isAssertion: boolean;
}

/** An assertion. */
export const assertionExtent: Extent = {
  minLength: 0,
  maxLength: 0,
  captures: [],
  hasOptionalGroups: false,
  isPlain: false,
  isAssertion: true,
};

/** One character. */
export const characterExtent: Extent = {
  minLength: 1,
  maxLength: 1,
  captures: [],
  hasOptionalGroups: false,
  isPlain: true,
  isAssertion: false,
};

/** A concatenation of parts. */
export function concatenation(parts: readonly Extent[]): Extent {
  return {
    minLength: parts.reduce((sum, part) => sum + part.minLength, 0),
    maxLength: parts.reduce((sum, part) => sum + part.maxLength, 0),
    captures: parts.flatMap((part) => part.captures),
    hasOptionalGroups: parts.some((part) => part.hasOptionalGroups),
    isPlain: parts.every((part) => part.isPlain),
    isAssertion: parts.length > 0 && parts.every((part) => part.isAssertion),
  };
}

/** An alternation of parts. */
export function alternation(branches: readonly Extent[]): Extent {
  if (branches.length === 1) return branches[0]!;
  const captures = branches.flatMap((branch) => branch.captures);
  return {
    minLength: Math.min(...branches.map((branch) => branch.minLength)),
    maxLength: Math.max(...branches.map((branch) => branch.maxLength)),
    captures,
    hasOptionalGroups: captures.length > 0,
    isPlain: false,
    isAssertion: false,
  };
}

/** A repetition of a part. */
export function repetition(part: Extent, least: number, most: number): Extent {
  return {
    minLength: part.minLength * least,
    maxLength: part.maxLength === 0 ? 0 : part.maxLength * most,
    captures: part.captures,
    hasOptionalGroups: part.hasOptionalGroups || (least === 0 && part.captures.length > 0),
    isPlain: part.isPlain,
    isAssertion: false,
  };
}
