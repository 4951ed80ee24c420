/** JSON's numbers, and timestamps `yyyy-mm-ddThh:mm:ss[.f](Z|±hh:mm)` of days that the calendar has. */
const numeral = "/^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?$/";
const days = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])";
const leapYears = "[0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00";
const time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?(Z|[-+]([01][0-9]|2[0-3]):[0-5][0-9])";
const timestamp = `/^([0-9]{4}-(${days})|(${leapYears})-02-29)T${time}$/`;

/** Orders of values: functions that give a negative number, 0, a positive one, or nothing. */
export const order = {
  /** Of two numbers or two texts. */
  signOf: "function($a, $b) { $a < $b ? -1 : $a > $b ? 1 : 0 }",
  /** A number, or the number that a text writes. Beyond the largest number only a parser of JSON gets. */
  numberOf: `function($v) { $type($v) = "number" ? $v : $type($v) = "string" ? ($contains($v, ${numeral}) ? ($contains($v, /[eE]|.{300}/) ? $parse($v) : $number($v))) }`,
  /** The time that a text writes. */
  instantOf: `function($v) { $type($v) = "string" ? ($contains($v, ${timestamp}) and $length($v) <= 64 ? $toMillis($v)) }`,
  /** As conditions compare: numbers, then times, then texts by UTF-16 unit. */
  orderOf:
    'function($a, $b) { ($m := $numberOf($a); $n := $numberOf($b); $s := $instantOf($a); $t := $instantOf($b); $exists($m) and $exists($n) ? $signOf($m, $n) : $exists($s) and $exists($t) ? $signOf($s, $t) : $type($a) = "string" and $type($b) = "string" ? $signOf($a, $b)) }',
  /** A text whose order by UTF-16 unit is the order of the given one by code point. */
  codePoints:
    'function($v) { $replace($replace($v, /[\\uE000-\\uFFFF]/, "\\uE000$0"), /[\\uD800-\\uDFFF]/, "\\uE001$0") }',
  /** As paths compare: two numbers, or two texts by code point. */
  nodeOrder:
    'function($a, $b) { $type($a) = "number" and $type($b) = "number" ? $signOf($a, $b) : $type($a) = "string" and $type($b) = "string" ? $signOf($codePoints($a), $codePoints($b)) }',
  rankOf:
    'function($v) { $lookup({"null": 0, "boolean": 1, "number": 3, "string": 4, "array": 5, "object": 6}, $type($v)) + ($v = true ? 1 : 0) }',
  /** In brackets, as JSONata calls no function of a function that is the last call in a function. */
  sortedKeys: "function($v) { [$sort([$keys($v)], function($x, $y) { $codePoints($x) > $codePoints($y) })] }",
  /** Of all values: null, false, true, numbers, texts by code point, arrays, objects. */
  compare:
    'function($a, $b) { ($r := $rankOf($a) - $rankOf($b); $t := $type($a); $r != 0 ? $r : $t = "number" ? $signOf($a, $b) : $t = "string" ? $signOf($codePoints($a), $codePoints($b)) : $t = "array" ? ($c := $reduce([0..$min([$count($a), $count($b)]) - 1], function($c, $i) { $c != 0 ? $c : $compare($a[$i], $b[$i]) }, 0); $c != 0 ? $c : $count($a) - $count($b)) : $t = "object" ? ($m := $sortedKeys($a); $n := $sortedKeys($b); $c := $compare($m, $n); $c != 0 ? $c : $compare($unbox($map($m, function($k) { {"value": $lookup($a, $k)} })), $unbox($map($n, function($k) { {"value": $lookup($b, $k)} })))) : 0) }',
} as const;
