import { limit } from "../errors.ts";

const cannotIndex = '$failWith("Cannot index " & $type($v) & " with " & $shownIn($k))';

/** What is in values, as jq takes it out: null for what is missing, and failing for what cannot have it. */
export const access = {
  /** A member of a short name of ASCII. */
  memberOf:
    'function($v, $k) { $type($v) = "object" ? ($x := $lookup($v, $k); $exists($x) ? $x : null) : $v = null ? null : $failWith("Cannot index " & $type($v) & " with string (\\"" & $k & "\\")") }',
  /** What is at a path of names. */
  memberAt:
    'function($v, $path) { $reduce($path, function($o, $k) { $type($o) = "function" ? $o : $memberOf($o, $k) }, $v) }',
  /** An element, counted from the end if its number is negative. */
  itemAt:
    'function($v, $k) { $type($v) = "array" ? ($x := $v[$k]; $exists($x) ? $x : null) : $v = null ? null : $failWith("Cannot index " & $type($v) & " with number (" & $k & ")") }',
  /** What is under any key. */
  valueAt: `function($v, $k) { ($s := $type($k); $t := $type($v); $s = "string" and $t = "object" ? ($k in $keys($v) ? $lookup($v, $k) : null) : $s = "number" and $t = "array" ? $itemAt($v, $integer($k)) : $v = null and $s in ["string", "number", "object"] ? null : $s = "array" and $t = "array" ? $indicesOf($v, $k) : $s = "object" and $t in ["array", "string"] ? ${limit("A part that is told by an object cannot be taken here.")} : ${cannotIndex}) }`,
  /** What a path of any keys leads to. */
  getPath:
    'function($v, $path) { $type($path) = "array" ? $reduce($path, function($o, $k) { $type($o) = "function" ? $o : $valueAt($o, $k) }, $v) : $failWith("Path must be specified as an array") }',
  /** A part of a list or text; null as a bound is the end. */
  partOf:
    'function($v, $from, $to) { $v = null ? null : $not($type($v) in ["array", "string"]) ? $failWith("Cannot index " & $type($v) & " with " & $shownIn({"start": $from, "end": $to})) : $not($type($from) in ["number", "null"] and $type($to) in ["number", "null"]) ? $failWith("Array/string slice indices must be integers") : ($n := $type($v) = "array" ? $count($v) : $length($v); $low := $floor($max([0, $min([$n, $from = null ? 0 : $from < 0 ? $from + $n : $from])])); $high := $min([$n, $max([$low, $ceil($to = null ? $n : $to < 0 ? $to + $n : $to)])]); $type($v) = "string" ? $substring($v, $low, $high - $low) : $unbox($map($v, function($x, $i) { $i >= $low and $i < $high ? {"value": $x} }))) }',
  /** The elements of a list or the members of an object, in boxes. */
  itemsOf:
    'function($v) { $type($v) in ["array", "object"] ? $childrenOf($v) : $failWith("Cannot iterate over " & $shownIn($v)) }',
  /** The values in boxes up to the first failure, as an array, or the failure. */
  unboxed: "function($boxes) { ($f := [$boxes][$exists(failure)][0]; $exists($f) ? $f.failure : $unbox($boxes)) }",
  /** The last value in boxes, or the failure; null of none. */
  lastOf:
    "function($boxes) { ($last := $untilFailure($boxes)[-1]; $exists($last.failure) ? $last.failure : $exists($last) ? $last.value : null) }",
  /** The boxes up to the first failure. */
  untilFailure:
    "function($boxes) { $reduce([$boxes], function($r, $b) { $exists($r[-1].failure) ? $r : $append($r, $b) }, []) }",
  /** The first boxes, or the others; a failure is the last one in both. */
  firstOf: "function($boxes, $n) { $filter($untilFailure($boxes), function($b, $i) { $i < $n }) }",
  restOf:
    "function($boxes, $n) { $filter($untilFailure($boxes), function($b, $i) { $i >= $n or $exists($b.failure) }) }",
  countOf: `function($n, $name) { $type($n) in ["null", "boolean"] ? $failWith($name & " doesn't support negative count") : $type($n) != "number" ? ${limit("A count that is no number cannot be used here.")} : $n < 0 ? $failWith($name & " doesn't support negative count") : $n }`,
  /** Whether a value is there, no failure, and true as jq takes it. */
  isTrue: 'function($v) { $v = true or $type($v) in ["number", "string", "array", "object"] }',
} as const;
