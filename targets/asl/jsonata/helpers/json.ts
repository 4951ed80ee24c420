/** Values as jq writes them. */
export const json = {
  /** A value as compact JSON. */
  jsonOf:
    'function($v) { ($t := $type($v); $t = "number" ? $numberText($v) : $t = "string" ? $quotedText($v) : $t = "array" ? "[" & $join([$map($v, function($x) { $jsonOf($x) })], ",") & "]" : $t = "object" ? "{" & $join([$each($v, function($x, $k) { $quotedText($k) & ":" & $jsonOf($x) })], ",") & "}" : $string($v)) }',
  /** A text in quotes. */
  quotedText:
    'function($s) { ($q := $string([$s]); $replace($substring($q, 1, $length($q) - 2), "\\u007f", "\\\\u007f")) }',
  /** A number with the fewest digits that tell it from all others: with an exponent below 0.0001, and where more than 15 zeros would follow the digits. */
  numberText:
    'function($n) { ($s := $digitsOf($n); $size := $abs($n); $n = 0 ? (1 / $n < 0 ? "-0" : "0") : $size >= 0.0001 and $size < 1e16 ? $s : ($parts := $split($s, "e"); $d := $replace($replace($parts[0], /[-.]/, ""), /^0+|0+$/, ""); $point := $exists($parts[1]) ? $number($replace($parts[1], "+", "")) + 1 : $size < 1 ? -$length($match($s, /0\\.0*/)[0].match) + 2 : $length($replace($s, "-", "")); ($n < 0 ? "-" : "") & ($point > 0 and $point <= $length($d) + 15 ? $pad($d, $point, "0") : $substring($d, 0, 1) & ($length($d) > 1 ? "." & $substring($d, 1) : "") & "e" & ($point < 1 ? "-" : "+") & ($abs($point - 1) < 10 ? "0" : "") & $abs($point - 1)))) }',
} as const;
