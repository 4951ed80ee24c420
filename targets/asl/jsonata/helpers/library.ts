import { errorCall, fixedError, limitError, propagateFailure } from "../errors.ts";

/** jq's array and object functions. */
export const collections = {
  lengthOf:
    'function($v) { ($t := $type($v); $t = "array" ? $count($v) : $t = "string" ? $length($v) : $t = "number" ? $abs($v) : $t = "object" ? $count($keys($v)) : $v = null ? 0 : $failOne($v, "has no length")) }',
  keysOf: 'function($v) { $type($v) = "object" ? $sortedKeys($v) : $indexesOf($v) }',
  keysInOrder: 'function($v) { $type($v) = "object" ? [$keys($v)] : $indexesOf($v) }',
  indexesOf:
    'function($v) { $type($v) = "array" ? ($count($v) = 0 ? [] : [0..$count($v) - 1]) : $failOne($v, "has no keys") }',
  hasKey:
    'function($v, $k) { ($s := $type($v); $t := $type($k); $v = null ? false : $s = "object" and $t = "string" ? $k in $keys($v) : $s = "array" and $t = "number" ? $k > -1 and $integer($k) < $count($v) : $failWith("Cannot check whether " & $s & " has a " & $t & " key")) }',
  containsPart:
    'function($v, $p) { ($type($v) = "boolean" ? $v = $p : $type($v) = $type($p)) ? $isPart($v, $p) : $failTwo($v, $p, "have their containment checked") }',
  isPart:
    'function($v, $p) { ($t := $type($v); $t != $type($p) ? false : $t = "string" ? $contains($v, $p) : $t = "array" ? $reduce($p, function($all, $x) { $all and $reduce($v, function($some, $y) { $some or $isPart($y, $x) }, false) }, true) : $t = "object" ? $reduce([$keys($p)], function($all, $k) { $all and $k in $keys($v) and $isPart($lookup($v, $k), $lookup($p, $k)) }, true) : $v = $p) }',
  sumOf: `function($v) { ($items := $itemsOf($v); ${propagateFailure("$items")} $reduce([$items], function($t, $b) { ${propagateFailure("$t")} $add($t, $b.value) }, null)) }`,
  joinBy: `function($v, $by) { ($items := $itemsOf($v); ${propagateFailure("$items")} ($all := $reduce([$items], function($t, $b) { ${propagateFailure("$t")} ($s := $t = null ? "" : $add($t, $by); ${propagateFailure("$s")} $add($s, $type($b.value) in ["number", "boolean"] ? $jsonOf($b.value) : $b.value)) }, null); $all = null ? "" : $all)) }`,
  flattenTo: `function($v, $depth) { $type($depth) != "number" ? ${limitError("A depth that is no number cannot be used here.")} : $depth < 0 ? $failWith("flatten depth must not be negative") : $openedItems($v, $depth) }`,
  openedItems: `function($v, $depth) { ($items := $itemsOf($v); ${propagateFailure("$items")} $unbox($items.$openedBoxes($, $depth))) }`,
  openedBoxes:
    'function($b, $depth) { $type($b.value) = "array" and $depth != 0 ? $childrenOf($b.value).$openedBoxes($, $depth - 1) : $b }',
  reverseOf: `function($v) { $type($v) = "array" ? $reverse($v) : ($n := $lengthOf($v); ${propagateFailure("$n")} $n <= 0 ? [] : $failWith("Cannot index " & $type($v) & " with " & $shownIn($n - 1))) }`,
  entriesOf:
    'function($v) { $type($v) = "object" ? [$each($v, function($x, $k) { {"key": $k, "value": $x} })] : $type($v) = "array" ? [$map($v, function($x, $i) { {"key": $i, "value": $x} })] : $failOne($v, "has no keys") }',
  entryKey:
    'function($e) { $e != null and $type($e) != "object" ? $failWith("Cannot index " & $type($e) & " with string (\\"key\\")") : ($k := $reduce(["key", "Key", "name", "Name"], function($k, $n) { $k in [null, false] ? $memberOf($e, $n) : $k }, null); $type($k) = "string" ? $k : $failWith("Cannot use " & $shownIn($k) & " as object key")) }',
  fromEntries: `function($v) { ($items := $itemsOf($v); ${propagateFailure("$items")} $reduce([$items], function($o, $b) { ${propagateFailure("$o")} ($k := $entryKey($b.value); ${propagateFailure("$k")} $merge([$o, {$k: $memberOf($b.value, "value" in $keys($b.value) ? "value" : "Value")}])) }, {})) }`,
  indicesOf:
    'function($v, $p) { $type($v) = "string" and $type($p) = "string" ? ($p = "" ? [] : [$textIndices($v, $p, 0)]) : $type($v) = "array" ? $indicesIn($v, $type($p) = "array" ? $p : [$p]) : $valueAt($v, $p) }',
  textIndices:
    "function($v, $p, $from) { $contains($v, $p) ? ($i := $length($substringBefore($v, $p)); $append($from + $i, $textIndices($substring($v, $i + 1), $p, $from + $i + 1))) }",
  firstIndex: `function($v, $p) { ($i := $indicesOf($v, $p); ${propagateFailure("$i")} $itemAt($i, 0)) }`,
  lastIndex: `function($v, $p) { ($i := $indicesOf($v, $p); ${propagateFailure("$i")} ($last := $partOf($i, -1, null); ${propagateFailure("$last")} $itemAt($last, 0))) }`,
} as const;

const space =
  "[\\\\t-\\\\r \\\\u0085\\\\u00A0\\\\u1680\\\\u2000-\\\\u200A\\\\u2028\\\\u2029\\\\u202F\\\\u205F\\\\u3000]+";
const areTexts = '$type($v) = "string" and $type($p) = "string"';
const trimmed = (pattern: string): string =>
  `function($v) { $type($v) = "string" ? $replace($v, ${pattern.replaceAll("\\\\", "\\")}, "") : $failWith("trim input must be a string") }`;
const cased = (letters: string, name: string): string =>
  `function($v) { $type($v) = "string" ? $replace($v, /[${letters}]+/, function($m) { $${name}($m.match) }) : $failWith("explode input must be a string") }`;

/** jq's string functions. */
export const strings = {
  asText: 'function($v) { $type($v) = "string" ? $v : $jsonOf($v) }',
  bytesIn: 'function($v) { $type($v) = "string" ? $bytesOf($v) : $failOne($v, "only strings have UTF-8 byte length") }',
  startsWith: `function($v, $p) { ${areTexts} ? $substring($v, 0, $length($p)) = $p : $failWith("startswith() requires string inputs") }`,
  endsWith: `function($v, $p) { ${areTexts} ? $p = "" or $substring($v, -$length($p)) = $p : $failWith("endswith() requires string inputs") }`,
  withoutStart: `function($v, $p) { ($is := $startsWith($v, $p); ${propagateFailure("$is")} $is ? $substring($v, $length($p)) : $v) }`,
  withoutEnd: `function($v, $p) { ($is := $endsWith($v, $p); ${propagateFailure("$is")} $is ? $substring($v, 0, $length($v) - $length($p)) : $v) }`,
  withoutEnds: `function($v, $p) { ($rest := $withoutStart($v, $p); ${propagateFailure("$rest")} $withoutEnd($rest, $p)) }`,
  trimOf: trimmed(`/^${space}|${space}(?![\\\\s\\\\S])/`),
  trimStartOf: trimmed(`/^${space}/`),
  trimEndOf: trimmed(`/${space}(?![\\\\s\\\\S])/`),
  splitBy: `function($v, $p) { ${areTexts} ? $splitAt($v, $p) : $failWith("split input and separator must be strings") }`,
  lowerOf: cased("A-Z", "lowercase"),
  upperOf: cased("a-z", "uppercase"),
  searchedIn:
    'function($v, $regex) { $type($v) = "string" ? $contains($v, $regex) : $failOne($v, "cannot be matched, as it is not a string") }',
  toNumber: `function($v) { $type($v) = "number" ? $v : $type($v) = "string" ? ($contains($v, /^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?(?![\\s\\S])/) ? $finite($parse($plainNumber($v))) : $contains($v, /^[-+]?(s?nan|inf(inity)?)(?![\\s\\S])/i) ? ${limitError("This text stands for a value that JSONata has no number for.")} : $failOne($v, "cannot be parsed as a number")) : $failOne($v, "cannot be parsed as a number") }`,
  /** The JSON spelling of a number that jq accepts. */
  plainNumber:
    'function($s) { ($digits := $replace($replace($s, /^[-+]/, ""), /^0+/, ""); $all := $replace($contains($digits, /^[0-9]/) ? $digits : "0" & $digits, /\\.[eE]|\\.$/, function($m) { $substring($m.match, 1) }); $contains($s, /^-/) ? "-" & $all : $all) }',
  toBoolean:
    'function($v) { $type($v) = "boolean" ? $v : $v = "true" ? true : $v = "false" ? false : $failOne($v, "cannot be parsed as a boolean") }',
  asHtml:
    'function($v) { $replace($replace($replace($replace($replace($replace($asText($v), "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\'", "&apos;"), "\\"", "&quot;"), "\\u0000", "\\\\0") }',
  instantText:
    'function($v) { $type($v) = "number" and $v >= -62167219200 and $v < 253402300800 ? $fromMillis($floor($v * 1000)) : null }',
  asUri:
    'function($v) { $replace($encodeUrlComponent($asText($v)), /[!\'()*]/, function($m) { $lookup({"!": "%21", "\'": "%27", "(": "%28", ")": "%29", "*": "%2A"}, $m.match) }) }',
} as const;

/** jq's JSON output. */
export const json = {
  jsonOf:
    'function($v) { ($t := $type($v); $t = "number" ? $numberText($v) : $t = "string" ? $quotedText($v) : $t = "array" ? "[" & $join([$map($v, function($x) { $jsonOf($x) })], ",") & "]" : $t = "object" ? "{" & $join([$each($v, function($x, $k) { $quotedText($k) & ":" & $jsonOf($x) })], ",") & "}" : $string($v)) }',
  quotedText:
    'function($s) { ($q := $string([$s]); $replace($substring($q, 1, $length($q) - 2), "\\u007f", "\\\\u007f")) }',
  /** With an exponent below 0.0001 or if more than 15 zeros would follow. */
  numberText:
    'function($n) { $n = 0 ? "0" : ($p := $decimalOf($abs($n)); ($n < 0 ? "-" : "") & ($abs($n) >= 0.0001 and $p.point <= $length($p.digits) + 15 ? $plainDigits($p.digits, $p.point) : $withExponent($p.digits, $p.point, 2))) }',
  /**
   * `0.` followed by the digits, times 10 to the power of `point`, is the number; of the shortest such, the nearest.
   * For the largest doubles, the 15 digits that JSONata writes exceed the range of doubles.
   */
  decimalOf:
    'function($n) { ($top := $n > 1.79769313486231e308; $s := $top ? "1.79769313486231e308" : $lowercase($string($n)); $parts := $split($s, "e"); $halves := $split($parts[0], "."); $point := $length($halves[0]) + ($exists($parts[1]) ? $number($replace($parts[1], "+", "")) : 0); $first := $withoutZeros($join($halves), $point); $number($s) = $n ? $first : $withoutZeros($moreDigits($n, $first.point, $top), $first.point)) }',
  withoutZeros:
    'function($d, $point) { ($rest := $replace($d, /^0+/, ""); {"digits": $replace($rest, /0+$/, ""), "point": $point - $length($d) + $length($rest)}) }',
  /** The shortest of 16 or 17 digits: nine before the point of the scaled number, the others from its fraction. */
  moreDigits:
    'function($n, $point, $top) { ($x := $scaledBy($n, 9 - $point); $i := $floor($x[0]); $y := ($x[0] - $i + $x[1]) * 100000000; $low := $round($y / 10) * 10; $text := function($j) { ($carry := $floor($j / 100000000); $pad($string($i + $carry), -9, "0") & $pad($string($j - $carry * 100000000), -8, "0")) }; $is := function($j) { $number("0." & $text($j) & "e" & $point) = $n }; $high := $low > $y ? $low - 10 : $low + 10; $text($top ? $round($y) : $is($low) ? $low : $is($high) ? $high : $round($y))) }',
  /** A number times a power of ten, as a sum of two numbers (T. J. Dekker, 1971). */
  scaledBy:
    'function($n, $k) { ($f := $n < 1e-200 ? 4.149515568880993e180 : $n > 1e200 ? 2.409919865102884e-181 : 1; $e := $abs($k); $r := $reduce([$map([0..$floor($e / 22)], function($i) { $number("1e" & $min([22, $e - 22 * $i])) })], function($a, $b) { $k < 0 ? ($q := $a[0] / $b; $p := $q * $b; $sumOfTwo($q, ($a[0] - $p - $productError($q, $b, $p) + $a[1]) / $b)) : ($p := $a[0] * $b; $sumOfTwo($p, $productError($a[0], $b, $p) + $a[1] * $b)) }, [$n * $f, 0]); [$r[0] / $f, $r[1] / $f]) }',
  sumOfTwo: "function($a, $b) { ($s := $a + $b; [$s, $b - ($s - $a)]) }",
  productError:
    "function($a, $b, $p) { ($c := 134217729 * $a; $h := $c - ($c - $a); $l := $a - $h; $d := 134217729 * $b; $g := $d - ($d - $b); $m := $b - $g; $h * $g - $p + $h * $m + $l * $g + $l * $m) }",
  plainDigits:
    'function($d, $point) { $point < 1 ? "0." & $pad($d, $point - $length($d), "0") : $point < $length($d) ? $substring($d, 0, $point) & "." & $substring($d, $point) : $pad($d, $point, "0") }',
  withExponent:
    'function($d, $point, $width) { $substring($d, 0, 1) & ($length($d) > 1 ? "." & $substring($d, 1) : "") & "e" & ($point < 1 ? "-" : "+") & $pad($string($abs($point - 1)), -$width, "0") }',
} as const;

/** Conversion to strings, and failing with values. */
export const texts = {
  /** A string itself, or compact JSON. JSONata writes only 15 digits of a number. */
  /** Null for an unknown algorithm. */
  hashOf: 'function($s, $a) { $a in ["MD5", "SHA-1", "SHA-256", "SHA-384", "SHA-512"] ? $hash($s, $a) : null }',
  textOf:
    'function($v) { $type($v) = "string" ? $v : ($s := $string($v); $t := $type($v); $in := function($x) { $type($x) = "string" ? $replace($string([$x]), /^.|.$/, "") : $textOf($x) }; $parse($s) = $v ? $s : $t = "number" ? $digitsOf($v) : $t = "array" ? "[" & $join([$map($v, function($x) { $in($x) })], ",") & "]" : "{" & $join([$each($v, function($x, $k) { $in($k) & ":" & $in($x) })], ",") & "}") }',
  /** All digits of a number, as in JavaScript. */
  digitsOf:
    'function($v) { $v = 0 ? "0" : ($p := $decimalOf($abs($v)); ($v < 0 ? "-" : "") & ($p.point > -6 and $p.point < 22 ? $plainDigits($p.digits, $p.point) : $withExponent($p.digits, $p.point, 1))) }',
  raise: `function($v) { ($o := $type($v) = "object" ? $v : {}; $n := $lookup($o, "name"); $m := $lookup($o, "message"); ${errorCall(
    '$replace($replace($replace($replace($type($n) = "string" ? $n : "ExpressionError", "%", "%25"), "{", "%7B"), ":", "%3A"), " ", "%20") & ": " & $replace($replace($textOf($exists($m) and $m != null ? $m : $v), "%", "%25"), "{", "%7B")',
  )}) }`,
  failWith: `function($message) { ${errorCall('"ExpressionError: " & $replace($replace($message, "%", "%25"), "{", "%7B")')} }`,
  bytesOf:
    'function($s) { $length($replace($replace($replace($s, /[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[^\\u0000-\\uFFFF]/, "____"), /[\\u0080-\\u07FF\\uD800-\\uDFFF]/, "__"), /[\\u0800-\\uFFFF]/, "___")) }',
} as const;

/** jq's error messages, which show the values at fault. */
export const messages = {
  failOne: 'function($v, $what) { $failWith($shownIn($v) & " " & $what) }',
  failTwo: 'function($a, $b, $what) { $failWith($shownIn($a) & " and " & $shownIn($b) & " cannot " & $what) }',
  shownIn: 'function($v) { $type($v) & " (" & $excerptOf($v) & ")" }',
  /** Compact JSON, abbreviated beyond 29 bytes. */
  excerptOf:
    'function($v) { ($s := $jsonOf($v); $t := $type($v); $end := $t = "string" ? "\\"" : $t = "array" ? "]" : $t = "object" ? "}" : ""; $length($s) < 30 and $bytesOf($s) < 30 ? $s : $fittingIn($substring($s, 0, 26), 26 - $length($end)) & "..." & $end) }',
  /** The longest prefix of at most `$size` bytes. */
  fittingIn:
    "function($s, $size) { $bytesOf($s) <= $size ? $s : $fittingIn($substring($s, 0, $length($s) - 1), $size) }",
} as const;

/** Messages that show only types, for errors whose messages are never read. */
export const plainMessages: { readonly [Name in keyof typeof messages]?: string } = {
  failOne: 'function($v, $what) { $failWith($type($v) & " " & $what) }',
  failTwo: 'function($a, $b, $what) { $failWith($type($a) & " and " & $type($b) & " cannot " & $what) }',
  shownIn: "function($v) { $type($v) }",
};

/** Forms of helpers with short messages, for errors whose names and messages are never read. */
export const briefForms: { readonly [name: string]: string } = {
  failWith: `function($message) { ${errorCall('"ExpressionError: " & $message')} }`,
  memberOf: `function($v, $k) { $type($v) = "object" ? ($x := $lookup($v, $k); $exists($x) ? $x : null) : $v = null ? null : ${fixedError("ExpressionError", "This is not an object.")} }`,
  itemAt: `function($v, $k) { $type($v) = "array" ? ($x := $v[$k]; $exists($x) ? $x : null) : $v = null ? null : ${fixedError("ExpressionError", "This is not an array.")} }`,
};
