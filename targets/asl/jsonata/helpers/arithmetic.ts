import { fixedError, typeError } from "../errors.ts";

const both = (type: string): string => `$type($a) = "${type}" and $type($b) = "${type}"`;
const largest = "1.7976931348623157e308";
/** 2⁶³: remainders are those of 64-bit integers. */
const beyond = "9223372036854775808";

/** Arithmetic on values of any types; what cannot be done fails and names the types. */
export const arithmetic = {
  /** The largest number in place of an infinity. */
  finite: `function($n) { $n > ${largest} ? ${largest} : $n < -${largest} ? -${largest} : $n }`,
  add: `function($a, $b) { $a = null ? $b : $b = null ? $a : ${both("number")} ? $finite($a + $b) : ${both("string")} ? $a & $b : ${both("array")} ? $append($a, $b) : ${both("object")} ? $merge([$a, $b]) : ${typeError("added")} }`,
  subtract: `function($a, $b) { ${both("number")} ? $finite($a - $b) : ${both("array")} ? $unbox($map($a, function($x) { $exists($filter($b, function($y) { $y = $x })) ? () : {"value": $x} })) : ${typeError("subtracted")} }`,
  repeated: `function($v, $n) { $n < 0 ? null : $length($v) * $n > 10000000 ? ${fixedError("LimitError", "A repeated string is too long.")} : "" & $join($map([1..$floor($n)], function($i) { $v })) }`,
  multiply: `function($a, $b) { ${both("number")} ? $finite($a * $b) : $type($a) = "string" and $type($b) = "number" ? $repeated($a, $b) : $type($a) = "number" and $type($b) = "string" ? $repeated($b, $a) : ${both("object")} ? $blend($a, $b) : ${typeError("multiplied")} }`,
  divide: `function($a, $b) { ${both("number")} ? ($b = 0 ? ${typeError("divided because the divisor is zero")} : $finite($a / $b)) : ${both("string")} ? ($a = "" ? [] : $b = "" ? [$match($a, /[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[\\s\\S]/).match] : $split($a, $b)) : ${typeError("divided")} }`,
  /** Without the digits after the point. */
  integer: "function($n) { $n < 0 ? $ceil($n) : $floor($n) }",
  remainder: `function($a, $b) { ${both("number")} ? ($n := $integer($a); $d := $abs($integer($b)); $d = 0 ? ${typeError("divided (remainder) because the divisor is zero")} : $b >= ${beyond} ? ($n >= ${beyond} ? 0 : $n <= -${beyond} ? -1 : $n) : ($m := $min([$d, ${beyond}]); $n >= ${beyond} ? ($r := ${beyond} % $m; $r = 0 ? $m - 1 : $r - 1) : $max([$n, -${beyond}]) % $m)) : ${typeError("divided")} }`,
} as const;
