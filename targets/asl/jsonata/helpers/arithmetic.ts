import { limit } from "../errors.ts";

const both = (type: string): string => `$type($a) = "${type}" and $type($b) = "${type}"`;
const largest = "1.7976931348623157e308";
/** 2⁶³: remainders are those of 64-bit integers. */
const beyond = "9223372036854775808";

/** jq's arithmetic on values of any types. */
export const arithmetic = {
  /** A number; JSONata cannot calculate with infinities. */
  finite: `function($n) { $n > ${largest} or $n < -${largest} ? ${limit("A number is larger than any that JSONata can calculate with.")} : $n }`,
  add: `function($a, $b) { $a = null ? $b : $b = null ? $a : ${both("number")} ? $finite($a + $b) : ${both("string")} ? $a & $b : ${both("array")} ? $append($a, $b) : ${both("object")} ? $mergeOf($a, $b) : $failTwo($a, $b, "be added") }`,
  subtract: `function($a, $b) { ${both("number")} ? $finite($a - $b) : ${both("array")} ? $unbox($map($a, function($x) { $exists($filter($b, function($y) { $y = $x })) ? () : {"value": $x} })) : $failTwo($a, $b, "be subtracted") }`,
  repeated: `function($v, $n) { $n < 0 ? null : $length($v) * $n > 10000000 ? ${limit("A repeated string is too long.")} : "" & $join($map([1..$floor($n)], function($i) { $v })) }`,
  multiply: `function($a, $b) { ${both("number")} ? $finite($a * $b) : $type($a) = "string" and $type($b) = "number" ? $repeated($a, $b) : $type($a) = "number" and $type($b) = "string" ? $repeated($b, $a) : ${both("object")} ? $blend($a, $b) : $failTwo($a, $b, "be multiplied") }`,
  divide: `function($a, $b) { ${both("number")} ? ($b = 0 ? $failTwo($a, $b, "be divided because the divisor is zero") : $finite($a / $b)) : ${both("string")} ? $splitAt($a, $b) : $failTwo($a, $b, "be divided") }`,
  /** The pieces of a text between separators; its code points where the separator is empty. */
  splitAt:
    'function($a, $b) { $a = "" ? [] : $b = "" ? [$match($a, /[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[\\s\\S]/).match] : $split($a, $b) }',
  /** Without the digits after the point. */
  integer: "function($n) { $n < 0 ? $ceil($n) : $floor($n) }",
  remainder: `function($a, $b) { ${both("number")} ? ($n := $integer($a); $d := $abs($integer($b)); $d = 0 ? $failTwo($a, $b, "be divided (remainder) because the divisor is zero") : $remainderOf($n, $d, $b < 0) + 0) : $failTwo($a, $b, "be divided (remainder)") }`,
  /** Of a whole number by a positive one, which was negative perhaps: no double is the largest integer, 2⁶³ - 1. */
  remainderOf: `function($n, $d, $negative) { $d >= ${beyond} ? ($n >= ${beyond} ? ($negative ? ${beyond} : 0) : $n <= -${beyond} ? ($negative ? 0 : -1) : $n) : $n >= ${beyond} ? ($r := ${beyond} % $d; $r = 0 ? $d - 1 : $r - 1) : $max([$n, -${beyond}]) % $d }`,
} as const;
