import { limit } from "../errors.ts";

const ofNumber = (text: string): string =>
  `function($v) { $type($v) = "number" ? ${text} : $failOne($v, "number required") }`;

/** jq's functions of numbers. */
export const numbers = {
  negateOf: 'function($v) { $type($v) = "number" ? -$v : $failOne($v, "cannot be negated") }',
  absoluteOf:
    'function($v) { $type($v) = "number" ? ($v < 0 ? -$v : $v) : $v in [null, false, true] ? $failOne($v, "cannot be negated") : $v }',
  floorOf: ofNumber("$floor($v)"),
  ceilOf: ofNumber("$ceil($v)"),
  wholeOf: ofNumber("$integer($v)"),
  sizeOf: ofNumber("$abs($v)"),
  roundOf: ofNumber("($n := $integer($v); $abs($v - $n) >= 0.5 ? ($v < 0 ? $n - 1 : $n + 1) : $n)"),
  rootOf: ofNumber(`$v < 0 ? ${limit("The square root of a negative number is no number.")} : $sqrt($v)`),
  powerOf: `function($a, $b) { $type($a) != "number" ? $failOne($a, "number required") : $type($b) != "number" ? $failOne($b, "number required") : $abs($a) > 1e6 or $abs($b) > 50 or ($a <= 0 and ($b < 0 or $b != $floor($b))) ? ${limit("This power cannot be computed here.")} : $power($a, $b) }`,
  /** Numbers from one on as long as they are before another, in boxes. */
  rangeOf: `function($from, $to, $by) { $type($from) != "number" or $type($to) != "number" or $type($by) != "number" ? $failWith("Range bounds must be numeric") : $by = 0 ? [] : ($n := $ceil(($to - $from) / $by); $n < 1 ? [] : $n > 100000 or $from != $floor($from) or $by != $floor($by) ? ${limit("Such a range of numbers cannot be made here.")} : $map([0..$n - 1], function($i) { {"value": $from + $i * $by} })) }`,
} as const;
