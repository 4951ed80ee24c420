/** The length range of a part of a pattern and the state of its groups. */
export interface Extent {
  readonly least: number;
  readonly most: number;
  /** The numbers of the groups visible outside. */
  readonly captures: readonly number[];
  /** Whether some of these groups may not participate in a match. */
  readonly loose: boolean;
  /** Whether it consists of characters only: no groups, alternatives or assertions. */
  readonly plain: boolean;
  /** Whether it consists of assertions, such as `^` or look-around. */
  readonly assertion: boolean;
}

/** An assertion. */
export const nothing: Extent = { least: 0, most: 0, captures: [], loose: false, plain: false, assertion: true };

/** One character. */
export const oneCharacter: Extent = { least: 1, most: 1, captures: [], loose: false, plain: true, assertion: false };

/** A concatenation of parts. */
export function inSequence(parts: readonly Extent[]): Extent {
  return {
    least: parts.reduce((sum, part) => sum + part.least, 0),
    most: parts.reduce((sum, part) => sum + part.most, 0),
    captures: parts.flatMap((part) => part.captures),
    loose: parts.some((part) => part.loose),
    plain: parts.every((part) => part.plain),
    assertion: parts.length > 0 && parts.every((part) => part.assertion),
  };
}

/** An alternation of parts. */
export function alternatives(branches: readonly Extent[]): Extent {
  if (branches.length === 1) return branches[0]!;
  const captures = branches.flatMap((branch) => branch.captures);
  return {
    least: Math.min(...branches.map((branch) => branch.least)),
    most: Math.max(...branches.map((branch) => branch.most)),
    captures,
    loose: captures.length > 0,
    plain: false,
    assertion: false,
  };
}

/** A repetition of a part. */
export function repeated(part: Extent, least: number, most: number): Extent {
  return {
    least: part.least * least,
    most: part.most === 0 ? 0 : part.most * most,
    captures: part.captures,
    loose: part.loose || (least === 0 && part.captures.length > 0),
    plain: part.plain,
    assertion: false,
  };
}
