import { limit } from "../errors.ts";

const isFailed = (name: string): string => `$type(${name}) = "function" ? ${name} :`;

/** jq's functions of arrays and objects. */
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
  /** All elements or members joined by `+`. */
  sumOf: `function($v) { ($items := $itemsOf($v); ${isFailed("$items")} $reduce([$items], function($t, $b) { ${isFailed("$t")} $add($t, $b.value) }, null)) }`,
  joinBy: `function($v, $by) { ($items := $itemsOf($v); ${isFailed("$items")} ($all := $reduce([$items], function($t, $b) { ${isFailed("$t")} ($s := $t = null ? "" : $add($t, $by); ${isFailed("$s")} $add($s, $type($b.value) in ["number", "boolean"] ? $jsonOf($b.value) : $b.value)) }, null); $all = null ? "" : $all)) }`,
  flattenTo: `function($v, $depth) { $type($depth) != "number" ? ${limit("A depth that is no number cannot be used here.")} : $depth < 0 ? $failWith("flatten depth must not be negative") : $openedItems($v, $depth) }`,
  openedItems: `function($v, $depth) { ($items := $itemsOf($v); ${isFailed("$items")} $unbox($items.$openedBoxes($, $depth))) }`,
  openedBoxes:
    'function($b, $depth) { $type($b.value) = "array" and $depth != 0 ? $childrenOf($b.value).$openedBoxes($, $depth - 1) : $b }',
  reverseOf: `function($v) { $type($v) = "array" ? $reverse($v) : ($n := $lengthOf($v); ${isFailed("$n")} $n <= 0 ? [] : $failWith("Cannot index " & $type($v) & " with " & $shownIn($n - 1))) }`,
  entriesOf:
    'function($v) { $type($v) = "object" ? [$each($v, function($x, $k) { {"key": $k, "value": $x} })] : $type($v) = "array" ? [$map($v, function($x, $i) { {"key": $i, "value": $x} })] : $failOne($v, "has no keys") }',
  entryKey:
    'function($e) { $e != null and $type($e) != "object" ? $failWith("Cannot index " & $type($e) & " with string (\\"key\\")") : ($k := $reduce(["key", "Key", "name", "Name"], function($k, $n) { $k in [null, false] ? $memberOf($e, $n) : $k }, null); $type($k) = "string" ? $k : $failWith("Cannot use " & $shownIn($k) & " as object key")) }',
  fromEntries: `function($v) { ($items := $itemsOf($v); ${isFailed("$items")} $reduce([$items], function($o, $b) { ${isFailed("$o")} ($k := $entryKey($b.value); ${isFailed("$k")} $merge([$o, $singleOf($k, $memberOf($b.value, "value" in $keys($b.value) ? "value" : "Value"))])) }, {})) }`,
  /** An object of one member. */
  singleOf: `function($k, $v) { $k = "__proto__" ? ${limit("A member named `__proto__` cannot be made.")} : {$k: $v} }`,
  indicesOf:
    'function($v, $p) { $type($v) = "string" and $type($p) = "string" ? ($p = "" ? [] : [$textIndices($v, $p, 0)]) : $type($v) = "array" ? ($w := $type($p) = "array" ? $p : [$p]; $m := $count($w); $m = 0 or $m > $count($v) ? [] : [$filter([0..$count($v) - $m], function($i) { $partOf($v, $i, $i + $m) = $w })]) : $valueAt($v, $p) }',
  textIndices:
    "function($v, $p, $from) { $contains($v, $p) ? ($i := $length($substringBefore($v, $p)); $append($from + $i, $textIndices($substring($v, $i + 1), $p, $from + $i + 1))) }",
  firstIndex: `function($v, $p) { ($i := $indicesOf($v, $p); ${isFailed("$i")} $itemAt($i, 0)) }`,
  lastIndex: `function($v, $p) { ($i := $indicesOf($v, $p); ${isFailed("$i")} $itemAt($i, -1)) }`,
} as const;
