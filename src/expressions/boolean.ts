import type { Expression } from "./ast.ts";
import { readCondition } from "./boolean/grammar.ts";
import { cursorOf, peek, shown, signal, skipSpace } from "./cursor.ts";
import { type Parsed, parsing } from "./fault.ts";

/** What the names in a condition stand for. A name that is given no meaning is a fault. */
export interface BooleanEnvironment {
  /** What `$` stands for; absent: no paths. */
  readonly root?: Expression | undefined;
  /** What `$.name` stands for where it is not the root's member: `$.error` may be a variable of its own. Asked for the first name of each path. */
  readonly member?: ((name: string) => Expression | undefined) | undefined;
  /** The value that a bare name stands for; `a.b` is the member `b` of what `a` stands for. Alone it is true if it is neither false nor null. */
  readonly identifier?: ((name: string) => Expression | undefined) | undefined;
  /** The condition that a bare name stands for, such as that an event has come; asked before `identifier`. Must give one boolean. */
  readonly condition?: ((name: string) => Expression | undefined) | undefined;
  /** What `stateData` and `stateOutputData` stand for in `#jsonPath(…)`; absent: there is no such function. */
  readonly data?: Expression | undefined;
}

/**
 * Parses a condition in the grammar that Waybill reads under the names `spel`, `jexl` and `cel` and without one: paths, names, texts, numbers,
 * `true false null`; `eq ne lt le gt ge == != < <= > >=`; `and or not && || !`; parentheses; `empty(x)`; `#jsonPath(stateData, 'path')`.
 * Words in any case. Gives exactly one boolean when evaluated, and never fails.
 *
 * `not` binds tighter than comparisons in some of these languages and looser in others, so `not a eq b` is refused without parentheses.
 */
export function parseBoolean(text: string, environment: BooleanEnvironment): Parsed<Expression> {
  return parsing(() => {
    const cursor = cursorOf(text);
    const condition = readCondition(cursor, environment);
    skipSpace(cursor);
    if (peek(cursor) !== "") signal(cursor, "syntax", `The condition ends before ${shown(cursor)}.`, cursor.offset, text.length);
    return condition;
  });
}
