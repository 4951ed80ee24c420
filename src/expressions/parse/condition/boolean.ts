import type { Expression } from "../../core/ast.ts";
import { type Parsed, parsing } from "../fault.ts";
import type { PlaceOf } from "../jsonpath/jsonpath.ts";
import { conditionsIn } from "./conditions.ts";
import type { ConditionLanguage } from "./languages.ts";
import { parserOf } from "./parser.ts";
import { readAll } from "./pratt.ts";
import type { Warn } from "./read-operand.ts";

/** What the names in a condition stand for. A name that is given no meaning is a fault. */
export interface BooleanEnvironment {
  /** What `$` stands for; absent: no paths. */
  readonly root?: Expression | undefined;
  /** What `$.name` stands for where it is not the root's member: `$.error` may be a variable of its own. Asked for the first name of each path. */
  readonly member?: ((name: string) => Expression | undefined) | undefined;
  /** The value that a bare name stands for; `a.b` is the member `b` of what `a` stands for. Alone it is true if it is neither false nor null. */
  readonly identifier?: ((name: string) => Expression | undefined) | undefined;
  /** The bare names to suggest for one that has no meaning. */
  readonly identifiers?: readonly string[] | undefined;
  /** What `stateData` and `stateOutputData` stand for in `#jsonPath(…)`; absent: there is no such function. */
  readonly data?: Expression | undefined;
  /** The place in the sources of a stretch of the condition's text; absent: paths do not know theirs. */
  readonly placeOf?: PlaceOf | undefined;
}

/** How to read a condition. */
export interface BooleanOptions {
  /** The language that it says it is in. */
  readonly language?: ConditionLanguage | undefined;
  /** Takes what is read, but not quite as it is written: the digits that a number loses. */
  readonly warn?: Warn | undefined;
}

/**
 * Parses a condition in the grammar that Waybill reads under the names `spel`, `jexl` and `cel` and without one: paths, names and their members, texts,
 * numbers, `true false null`; `eq ne lt le gt ge == != < <= > >=`; `and or not && || !`; `a ? b : c`; parentheses; `empty(x)`;
 * `#jsonPath(stateData, 'path')`. Words in any case. Gives exactly one boolean when evaluated, and never fails.
 *
 * What only one language has is read where that one is named: `x in [a, b]`, `has(x.y)` and `size(x)` in CEL, `x =~ [a, b]`, `x !~ [a, b]` and
 * `empty x` in JEXL, and a backslash in a text. `not a eq b` is refused without parentheses where no language is named: in these three `not` binds tighter, in
 * others looser.
 */
export function parseBoolean(
  text: string,
  environment: BooleanEnvironment,
  { language, warn }: BooleanOptions = {},
): Parsed<Expression> {
  return parsing(() => readAll(parserOf(text, language), conditionsIn(environment, warn ?? (() => {}))).expression);
}
