import { limitError, propagateFailure } from "../errors.ts";
import { numeral } from "../numerals.ts";

const both = (type: string): string => `$type($a) = "${type}" and $type($b) = "${type}"`;
const largest = "1.7976931348623157e308";
/** 2⁶³: jq computes remainders of 64-bit integers. */
const beyond = "9223372036854775808";

/** jq's arithmetic on values of any type. */
export const arithmetic = {
  /** Fails for results beyond a double's range. */
  finite: `function($n) { $n > ${largest} or $n < -${largest} ? ${limitError("A number is larger than any that JSONata can calculate with.")} : $n }`,
  add: `function($a, $b) { $a = null ? $b : $b = null ? $a : ${both("number")} ? $finite($a + $b) : ${both("string")} ? $a & $b : ${both("array")} ? $append($a, $b) : ${both("object")} ? $merge([$a, $b]) : $failTwo($a, $b, "be added") }`,
  subtract: `function($a, $b) { ${both("number")} ? $finite($a - $b) : ${both("array")} ? $unbox($map($a, function($x) { $exists($filter($b, function($y) { $y = $x })) ? () : {"value": $x} })) : $failTwo($a, $b, "be subtracted") }`,
  repeated: `function($v, $n) { $n < 0 ? null : $v = "" ? "" : $length($v) * $n > 10000000 ? ($bytesOf($v) * $floor($n) >= 2147483647 ? $failWith("Repeat string result too long") : ${limitError("A repeated string is too long.")}) : "" & $join($map([1..$floor($n)], function($i) { $v })) }`,
  bytesOf: 'function($v) { $length($replace($encodeUrlComponent($v), /%../, "x")) }',
  multiply: `function($a, $b) { ${both("number")} ? $finite($a * $b) : $type($a) = "string" and $type($b) = "number" ? $repeated($a, $b) : $type($a) = "number" and $type($b) = "string" ? $repeated($b, $a) : ${both("object")} ? $blend($a, $b) : $failTwo($a, $b, "be multiplied") }`,
  divide: `function($a, $b) { ${both("number")} ? ($b = 0 ? $failTwo($a, $b, "be divided because the divisor is zero") : $finite($a / $b)) : ${both("string")} ? $splitAt($a, $b) : $failTwo($a, $b, "be divided") }`,
  /** Splits into code points if the separator is empty. */
  splitAt:
    'function($a, $b) { $a = "" ? [] : $b = "" ? [$match($a, /[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[\\s\\S]/).match] : $split($a, $b) }',
  integer: "function($n) { $n < 0 ? $ceil($n) : $floor($n) }",
  remainder: `function($a, $b) { ${both("number")} ? ($n := $integer($a); $d := $abs($integer($b)); $d = 0 ? $failTwo($a, $b, "be divided (remainder) because the divisor is zero") : $remainderOf($n, $d, $b < 0) + 0) : $failTwo($a, $b, "be divided (remainder)") }`,
  /** No double equals the largest 64-bit integer, 2⁶³ - 1. `$negative`: the divisor was negative. */
  remainderOf: `function($n, $d, $negative) { $d >= ${beyond} ? ($n >= ${beyond} ? ($negative ? ${beyond} : 0) : $n <= -${beyond} ? ($negative ? 0 : -1) : $n) : $n >= ${beyond} ? ($r := ${beyond} % $d; $r = 0 ? $d - 1 : $r - 1) : $max([$n, -${beyond}]) % $d }`,
} as const;

/** Clamps the result of an operation if a scaled form of it, which cannot overflow, exceeds the scaled limit. */
const clampedIf = (scaled: string, limit: string, operation: string): string =>
  `function($a, $b) { ($s := ${scaled}; $s > ${limit} ? ${largest} : $s < -${limit} ? -${largest} : ${operation}) }`;

/** The largest double × 2⁻¹²⁰⁰, and 2^±600. */
const scaledLargest = "1.0440487148797638e-53";
const [tiny, huge] = ["2.409919865102884e-181", "4.149515568880993e180"];

/**
 * Arithmetic on numbers, and jq's arithmetic, for results that are bound, where JSON's numbers end at a double's range.
 * JSONata fails for a result beyond it.
 */
export const boundArithmetic = {
  clampedSum: clampedIf("$a / 2 + $b / 2", "8.988465674311579e307", "$a + $b"),
  clampedDifference: "function($a, $b) { $clampedSum($a, -$b) }",
  clampedProduct: clampedIf(`$a * ${tiny} * ($b * ${tiny})`, scaledLargest, "$a * $b"),
  clampedQuotient: clampedIf(`$abs($b) < 1 ? $a * ${tiny} / ($b * ${huge}) : 0`, scaledLargest, "$a / $b"),
  addClamped: clamping(arithmetic.add),
  subtractClamped: clamping(arithmetic.subtract),
  multiplyClamped: clamping(arithmetic.multiply),
  divideClamped: clamping(arithmetic.divide),
} as const;

function clamping(text: string): string {
  return text
    .replace("$finite($a + $b)", "$clampedSum($a, $b)")
    .replace("$finite($a - $b)", "$clampedDifference($a, $b)")
    .replace("$finite($a * $b)", "$clampedProduct($a, $b)")
    .replace("$finite($a / $b)", "$clampedQuotient($a, $b)");
}

const ofNumber = (text: string): string =>
  `function($v) { $type($v) = "number" ? ${text} : $failOne($v, "number required") }`;

/** jq's numeric functions. */
export const numbers = {
  negateOf: 'function($v) { $type($v) = "number" ? 0 - $v : $failOne($v, "cannot be negated") }',
  absoluteOf:
    'function($v) { $type($v) = "number" ? ($v < 0 ? -$v : $v) : $v in [null, false, true] ? $failOne($v, "cannot be negated") : $v }',
  floorOf: ofNumber("$floor($v)"),
  ceilOf: ofNumber("$ceil($v)"),
  wholeOf: ofNumber("$integer($v)"),
  sizeOf: ofNumber("$abs($v)"),
  roundOf: ofNumber("($n := $integer($v); $abs($v - $n) >= 0.5 ? ($v < 0 ? $n - 1 : $n + 1) : $n)"),
  rangeOf: `function($from, $to, $by) { $type($from) != "number" or $type($to) != "number" or $type($by) != "number" ? $failWith("Range bounds must be numeric") : $by = 0 ? [] : ($n := $ceil(($to - $from) / $by); $n < 1 ? [] : $n > 100000 ? ${limitError("Such a range of numbers cannot be made here.")} : $map([0..$n - 1], function($i) { {"value": $from + $i * $by} })) }`,
} as const;

/** Timestamps `yyyy-mm-ddThh:mm:ss[.f](Z|±hh:mm)` of valid days. */
const days = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])";
const leapYears = "[0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00";
const time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?(Z|[-+]([01][0-9]|2[0-3]):[0-5][0-9])";
const timestamp = `/^([0-9]{4}-(${days})|(${leapYears})-02-29)T${time}(?![\\s\\S])/`;

/** Orders: functions that give a negative number, 0, a positive one, or nothing. */
export const order = {
  signOf: "function($a, $b) { $a < $b ? -1 : $a > $b ? 1 : 0 }",
  /** Only `$parse` accepts numbers beyond a double's range. */
  numberOf: `function($v) { $type($v) = "number" ? $v : $type($v) = "string" ? ($contains($v, ${numeral}) ? $parse($v)) }`,
  instantOf: `function($v) { $type($v) = "string" ? ($contains($v, ${timestamp}) and $length($v) <= 64 ? $toMillis($v)) }`,
  /** The order of conditions: numbers, then times, then strings by UTF-16 units. */
  orderOf:
    'function($a, $b) { ($m := $numberOf($a); $n := $numberOf($b); $s := $instantOf($a); $t := $instantOf($b); $exists($m) and $exists($n) ? $signOf($m, $n) : $exists($s) and $exists($t) ? $signOf($s, $t) : $type($a) = "string" and $type($b) = "string" ? $signOf($a, $b)) }',
  /** A string whose UTF-16 order is the code point order of the original. */
  codePoints:
    'function($v) { $replace($replace($v, /[\\uE000-\\uFFFF]/, "\\uE000$0"), /[\\uD800-\\uDFFF]|[^\\u0000-\\uFFFF]/, "\\uE001$0") }',
  /** The order of JSONPath: two numbers, or two strings by code points. */
  nodeOrder:
    'function($a, $b) { $type($a) = "number" and $type($b) = "number" ? $signOf($a, $b) : $type($a) = "string" and $type($b) = "string" ? $signOf($codePoints($a), $codePoints($b)) }',
  rankOf:
    'function($v) { $lookup({"null": 0, "boolean": 1, "number": 3, "string": 4, "array": 5, "object": 6}, $type($v)) + ($v = true ? 1 : 0) }',
  /** The brackets prevent a tail call, where JSONata ignores comparators. */
  sortedKeys: "function($v) { [$sort([$keys($v)], function($x, $y) { $codePoints($x) > $codePoints($y) })] }",
  /** jq's order of all values: null, false, true, numbers, strings by code points, arrays, objects. */
  compare:
    'function($a, $b) { ($r := $rankOf($a) - $rankOf($b); $t := $type($a); $r != 0 ? $r : $t = "number" ? $signOf($a, $b) : $t = "string" ? $signOf($codePoints($a), $codePoints($b)) : $t = "array" ? ($c := $reduce([0..$min([$count($a), $count($b)]) - 1], function($c, $i) { $c != 0 ? $c : $compare($a[$i], $b[$i]) }, 0); $c != 0 ? $c : $count($a) - $count($b)) : $t = "object" ? ($m := $sortedKeys($a); $n := $sortedKeys($b); $c := $compare($m, $n); $c != 0 ? $c : $compare($unbox($map($m, function($k) { {"value": $lookup($a, $k)} })), $unbox($map($n, function($k) { {"value": $lookup($b, $k)} })))) : 0) }',
} as const;

const notSorted = '$failOne($v, "cannot be sorted, as it is not an array")';
const areLists = '$type($v) = "array" and $type($keys) = "array"';

/** jq's sorting functions. Brackets around `$sort` prevent tail calls, where JSONata ignores comparators. */
export const sorting = {
  sortOf: `function($v) { $type($v) = "array" ? [$sort($v, function($a, $b) { $compare($a, $b) > 0 })] : ${notSorted} }`,
  sortedEntries:
    "function($v, $keys) { [$sort([$withKeys($v, $keys)], function($a, $b) { $compare($a.key, $b.key) > 0 })] }",
  withKeys: 'function($v, $keys) { $map($zip($v, $keys), function($p) { {"item": $p[0], "key": $p[1]} }) }',
  sortedBy: `function($v, $keys) { ${areLists} ? $unbox($sortedEntries($v, $keys).{"value": item}) : $failTwo($v, $keys, "be sorted, as they are not both arrays") }`,
  groupedBy: `function($v, $keys) { ${areLists} ? ($g := $reduce($sortedEntries($v, $keys), function($g, $e) { $g.key = $e.key ? {"done": $g.done, "key": $g.key, "items": $append($g.items, {"value": $e.item})} : {"done": $withGroup($g), "key": $e.key, "items": [{"value": $e.item}]} }, {"done": [], "items": []}); $unbox($withGroup($g))) : $failTwo($v, $keys, "be sorted, as they are not both arrays") }`,
  withGroup: 'function($g) { $count($g.items) = 0 ? $g.done : $append($g.done, {"value": $unbox($g.items)}) }',
  uniqueBy: `function($v, $keys) { ($g := $groupedBy($v, $keys); ${propagateFailure("$g")} $unbox($map($g, function($x) { {"value": $x[0]} }))) }`,
  uniqueOf: `function($v) { $type($v) = "array" ? $uniqueBy($v, $v) : ${notSorted} }`,
  leastBy: `function($v, $keys) { ${areLists} ? ($best := $reduce([$withKeys($v, $keys)], function($best, $e) { $best = null ? $e : $compare($e.key, $best.key) < 0 ? $e : $best }, null); $best = null ? null : $best.item) : $failTwo($v, $keys, "be iterated over") }`,
  greatestBy: `function($v, $keys) { ${areLists} ? ($best := $reduce([$withKeys($v, $keys)], function($best, $e) { $best = null ? $e : $compare($e.key, $best.key) < 0 ? $best : $e }, null); $best = null ? null : $best.item) : $failTwo($v, $keys, "be iterated over") }`,
} as const;

/** Tests of values that may be missing. */
export const conditions = {
  isSame: "function($a, $b) { $exists($a) ? $a = $b : $not($exists($b)) }",
  /** A missing value equals null. */
  isSameOrNull: "function($a, $b) { ($exists($a) ? $a : null) = ($exists($b) ? $b : null) }",
  lengthOfNode:
    'function($v) { ($t := $type($v); $t = "string" ? $length($v) : $t = "array" ? $count($v) : $t = "object" ? $count($keys($v))) }',
  valueOfNodes: "function($boxes) { $count($boxes) = 1 ? $boxes[0].value }",
  /** Scalars equal strings that spell them. */
  isLike:
    'function($v, $w) { $type($w) = "string" ? ($type($v) in ["string", "number", "boolean"] ? $textOf($v) = $w : false) : $v != null and $v = $w }',
} as const;
