import { limit } from "../errors.ts";

const isFailed = (name: string): string => `$type(${name}) = "function" ? ${name} :`;

/** Values with something changed, as jq changes them. */
export const places = {
  /** Two objects as one; JSONata would lose a member named `__proto__`. */
  mergeOf: `function($a, $b) { "__proto__" in $append($keys($a), $keys($b)) ? ${limit("A member named `__proto__` cannot be kept.")} : $merge([$a, $b]) }`,
  /** A member set of an object or of null. */
  withMember: "function($v, $k, $x) { $v = null ? {$k: $x} : $mergeOf($v, {$k: $x}) }",
  /** A value set under any key. */
  setAtKey: `function($v, $k, $x) { $type($k) = "string" and ($v = null or $type($v) = "object") ? ($k = "__proto__" ? ${limit("A member named `__proto__` cannot be made.")} : $withMember($v, $k, $x)) : $type($k) = "number" and ($v = null or $type($v) = "array") ? $withElement($v = null ? [] : $v, $integer($k), $x) : $type($k) = "object" and $type($v) in ["null", "array"] ? ${limit("A part of a list cannot be replaced here.")} : $type($k) = "object" and $type($v) = "string" ? $failWith("Cannot update string slices") : $failWith("Cannot update field at " & $type($k) & " index of " & $type($v)) }`,
  withElement: `function($v, $k, $x) { ($n := $count($v); $place := $k < 0 ? $k + $n : $k; $place < 0 ? $failWith("Out of bounds negative array index") : $place > 536870911 ? $failWith("Array index too large") : $place > $n + 100000 ? ${limit("An array is too long.")} : $unbox([$map($v, function($y, $i) { {"value": $i = $place ? $x : $y} }), $place > $n ? $map([$n..$place - 1], function($i) { {"value": null} }), $place >= $n ? {"value": $x}])) }`,
  /** A value set at a path of any keys. */
  setPath: `function($v, $path, $x) { $type($path) != "array" ? $failWith("Path must be specified as an array") : $count($path) = 0 ? $x : ($k := $path[0]; $inner := $valueAt($v, $k); ${isFailed("$inner")} ($checked := $type($k) = "number" ? $withElement($type($v) = "array" ? $v : [], $integer($k), null); ${isFailed("$checked")} ($new := $setPath($inner, $partOf($path, 1, null), $x); ${isFailed("$new")} $setAtKey($v, $k, $new)))) }`,
  /** What a function makes of each element or member, in their places. */
  mapItems:
    'function($v, $f) { $type($v) = "array" ? $unbox($map($v, function($x) { {"value": $f($x)} })) : $type($v) = "object" ? $merge([$each($v, function($x, $k) { $singleOf($k, $f($x)) })]) : $failWith("Cannot iterate over " & $shownIn($v)) }',
  /** Elements or members with their keys, in boxes. */
  placesIn:
    'function($v) { $type($v) = "array" ? [$map($v, function($x, $i) { {"value": {"key": $i, "value": $x}} })] : $type($v) = "object" ? [$each($v, function($x, $k) { {"value": {"key": $k, "value": $x}} })] : $failWith("Cannot iterate over " & $shownIn($v)) }',
  /** A value and everything in it, with their paths, in boxes. */
  placesBelow:
    'function($v, $path) { $append({"value": {"path": $path, "value": $v}}, ($type($v) in ["array", "object"] ? $placesIn($v)).$placesBelow(value.value, $append($path, value.key))) }',
  /** A value without what is at a path. */
  withoutPath: `function($v, $path) { $count($path) = 0 or $v = null ? null : ($k := $path[0]; $count($path) = 1 ? $withoutKey($v, $k) : ($inner := $valueAt($v, $k); ${isFailed("$inner")} $inner = null ? $v : ($new := $withoutPath($inner, $partOf($path, 1, null)); ${isFailed("$new")} $setAtKey($v, $k, $new)))) }`,
  withoutKey: `function($v, $k) { ($t := $type($v); $t = "object" ? ($type($k) = "string" ? $merge([$sift($mergeOf($v, {}), function($x, $n) { $n != $k })]) : $failWith("Cannot delete " & $type($k) & " field of object")) : $t = "array" ? ($type($k) = "number" ? ($place := $integer($k) + ($k < 0 ? $count($v) : 0); $unbox($map($v, function($x, $i) { $i = $place ? () : {"value": $x} }))) : $type($k) = "object" ? ${limit("A part of a list cannot be deleted here.")} : $failWith("Cannot delete " & $type($k) & " element of array")) : $failWith("Cannot delete fields from " & $t)) }`,
  /** A value without what is at several paths of the value as it is. */
  withoutPaths: `function($v, $paths) { $type($paths) != "array" ? $failWith("Paths must be specified as an array") : $exists($paths[$type($) != "array"]) ? $failWith("Path must be specified as array, not " & $type($sortOf($paths)[$type($) != "array"][0])) : $reduce($reverse($childrenOf($uniqueOf($paths))), function($o, $b) { ${isFailed("$o")} $withoutPath($o, $b.value) }, $v) }`,
} as const;
