import { dataMergeError, outputError } from "../../../../src/expressions/index.ts";
import { fixedError, limit, passingOn } from "../errors.ts";

/** What JSONPath segments select, as functions; each takes nothing for a value that is missing. */
export const paths = {
  /** The member at a path of names. */
  get: 'function($v, $path) { $exists($v) ? $reduce($path, function($o, $k) { $type($o) = "object" ? $lookup($o, $k) }, $v) }',
  /** The same where a name is one that every object of JavaScript seems to have. */
  getOwn:
    'function($v, $path) { $exists($v) ? $reduce($path, function($o, $k) { $type($o) = "object" and $k in $keys($o) ? $lookup($o, $k) }, $v) }',
  /** What is at a path of names and indexes. */
  getAt:
    'function($v, $path) { $exists($v) ? $reduce($path, function($o, $k) { $type($k) = "number" ? ($type($o) = "array" ? $o[$k]) : $type($o) = "object" and $k in $keys($o) ? $lookup($o, $k) }, $v) }',
  /** A box for a value that is there. */
  box: 'function($v) { $exists($v) ? {"value": $v} }',
  /** The values in boxes, as an array. */
  unbox: "function($boxes) { $append([], $map($boxes, function($b) { $b.value })[]) }",
  /** The first value, found by a function of values that gives what it looks for or nothing. */
  search:
    'function($boxes, $f) { $reduce($boxes, function($found, $b) { $exists($found.value) ? $found : {"value": $f($b.value)} }, {}).value }',
  /** The elements of an array or the members of an object, in boxes. */
  childrenOf:
    'function($v) { $type($v) = "array" ? [$map($v, function($x) { {"value": $x} })] : $type($v) = "object" ? [$each($v, function($x) { {"value": $x} })] : [] }',
  /** A value and everything in it, in boxes, what holds before what it holds. */
  descendantsOf: 'function($v) { $exists($v) ? $append({"value": $v}, $childrenOf($v).$descendantsOf(value)) }',
  /** Every so-manieth element from one place to before another. */
  sliceOf:
    'function($v, $from, $to, $step) { $type($v) = "array" ? ($n := $count($v); $low := $from < 0 ? $max([$n + $from, 0]) : $from; $high := $to = null ? $n : $to < 0 ? $n + $to : $to; [$map($v, function($x, $i) { $i >= $low and $i < $high and ($i - $low) % $step = 0 ? {"value": $x} })]) : [] }',
  /** The same from the end to the beginning: `step` counts backwards. */
  sliceBack:
    'function($v, $from, $to, $step) { $type($v) = "array" ? ($n := $count($v); $high := $from = null ? $n - 1 : $min([$from < 0 ? $n + $from : $from, $n - 1]); $low := $to = null ? -1 : $to < 0 ? $n + $to : $to; $reverse([$map($v, function($x, $i) { $i <= $high and $i > $low and ($high - $i) % $step = 0 ? {"value": $x} })])) : [] }',
  /** An argument of a condition: nothing, one value, or the array of several. */
  sideOf: "function($boxes) { $count($boxes) > 1 ? $unbox($boxes) : $boxes[0].value }",
  /** The elements of an array, in boxes; of anything else itself. */
  listOf: 'function($v) { $type($v) = "array" ? $childrenOf($v) : {"value": $v} }',
} as const;

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
  /** Where the elements of a list stand in another, one after the other. */
  indicesIn:
    "function($v, $w) { ($m := $count($w); $m = 0 or $m > $count($v) ? [] : [$filter([0..$count($v) - $m], function($i) { $partOf($v, $i, $i + $m) = $w })]) }",
  /** What is under any key. */
  valueAt: `function($v, $k) { ($s := $type($k); $t := $type($v); $s = "string" and $t = "object" ? ($k in $keys($v) ? $lookup($v, $k) : null) : $s = "number" and $t = "array" ? $itemAt($v, $integer($k)) : $v = null and $s in ["string", "number", "object"] ? null : $s = "array" and $t = "array" ? $indicesIn($v, $k) : $s = "object" and $t in ["array", "string"] ? ${limit("A part that is told by an object cannot be taken here.")} : ${cannotIndex}) }`,
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
    "function($boxes, $n) { $filter($untilFailure($boxes), function($b, $i) { $i + 1 > $n or $exists($b.failure) }) }",
  countOf: `function($n, $name) { $type($n) in ["null", "boolean"] ? $failWith($name & " doesn't support negative count") : $type($n) != "number" ? ${limit("A count that is no number cannot be used here.")} : $n < 0 ? $failWith($name & " doesn't support negative count") : $n }`,
  /** Whether a value is there, no failure, and true as jq takes it. */
  isTrue: 'function($v) { $v = true or $type($v) in ["number", "string", "array", "object"] }',
} as const;

const refused = (message: string): string => fixedError(dataMergeError.name, message);

/** Making objects of objects. */
export const objects = {
  /** Two objects merged member by member, recursively; else the second. */
  blend:
    'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $merge([$a, $each($b, function($x, $k) { {$k: $blend($lookup($a, $k), $x)} })]) : $b }',
  /** The same, but into what is no object no object can be merged. */
  mergeInto: `function($a, $b) { $type($b) = "object" and $type($a) != "object" ? ${refused(dataMergeError.merge)} : $blend($a, $b) }`,
  /** A result merged: null leaves the target, what is no object becomes a member. */
  mergeResult: `function($a, $b, $k) { $b = null ? $a : $type($a) = "object" ? $blend($a, $type($b) = "object" ? $b : {$k: $b}) : ${refused(dataMergeError.merge)} }`,
  /** An output merged into a state, of which it replaces members. */
  mergeOutput: `function($a, $b) { $type($b) = "object" ? $merge([$type($a) = "object" ? $a : {}, $b]) : ${fixedError(outputError.name, outputError.message)} }`,
  /** The data of an event merged as a result, and its attribute where there is no such member. */
  mergeEvent: `function($a, $event, $k, $token) { ($data := $type($event) = "object" ? $lookup($event, "data"); $made := $mergeResult($a, $exists($data) ? $data : null, $k); $attribute := $attributeOf($event, $token); $exists($attribute) ? $type($made) != "object" ? ${refused(dataMergeError.place)} : $exists($lookup($made, $token)) ? $made : $merge([$made, {$token: $attribute}]) : $made) }`,
  /** The same, into an object. */
  blendEvent:
    'function($a, $event, $k, $token) { ($data := $type($event) = "object" ? $lookup($event, "data"); $made := $exists($data) and $data != null ? $blend($a, $type($data) = "object" ? $data : {$k: $data}) : $a; $attribute := $attributeOf($event, $token); $exists($attribute) and $not($exists($lookup($made, $token))) ? $merge([$made, {$token: $attribute}]) : $made) }',
  /** A value at a path of names; objects are made on the way. */
  setAt:
    'function($a, $path, $v) { $exists($path) ? ($o := $type($a) = "object" ? $a : {}; $k := $path[0]; $merge([$o, {$k: $setAt($lookup($o, $k), $filter($path, function($x, $i) { $i > 0 }), $v)}])) : $v }',
  /** The members of an object that another lacks or has differently. */
  newIn:
    'function($a, $b) { $merge([$each($a, function($x, $k) { ($y := $lookup($b, $k); $type($x) = "object" and $type($y) = "object" ? ($z := $newIn($x, $y); $z != {} ? {$k: $z}) : $not($x = $y) ? {$k: $x}) })]) }',
  /** What of a value is new. */
  changesOf:
    'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $newIn($a, $b) : $a = $b ? null : $a }',
  /** An object of one member, whose name is computed. */
  entryOf:
    'function($k, $v) { $type($k) = "string" ? {$k: $v} : $failWith("Cannot use " & $shownIn($k) & " as object key") }',
  /** An event's context attribute of a name, in any case. */
  attributeOf:
    'function($v, $name) { $type($v) = "object" ? ($n := $lowercase($name); $k := $filter($keys($v), function($k) { $lowercase($k) = $n })[0]; $n != "data" and $exists($k) ? $lookup($v, $k)) }',
} as const;

/** Values with something changed, as jq changes them. */
export const places = {
  /** A member set of an object or of null. */
  withMember: "function($v, $k, $x) { $v = null ? {$k: $x} : $merge([$v, {$k: $x}]) }",
  /** The same of any value; others fail, as where a member of them is looked for. */
  putMember:
    'function($v, $k, $x) { $v = null ? {$k: $x} : $type($v) = "object" ? $merge([$v, {$k: $x}]) : $failWith("Cannot index " & $type($v) & " with string (\\"" & $k & "\\")") }',
  /** A value set under any key. */
  setAtKey: `function($v, $k, $x) { $type($k) = "string" and ($v = null or $type($v) = "object") ? $withMember($v, $k, $x) : $type($k) = "number" and ($v = null or $type($v) = "array") ? $withElement($v = null ? [] : $v, $integer($k), $x) : $type($k) = "object" and $type($v) in ["null", "array"] ? ${limit("A part of a list cannot be replaced here.")} : $type($k) = "object" and $type($v) = "string" ? $failWith("Cannot update string slices") : $failWith("Cannot update field at " & $type($k) & " index of " & $type($v)) }`,
  /** A key of a place that is no list: as one of a path it would be taken for its elements. */
  placeKey: `function($k) { $type($k) = "array" ? ${limit("A list cannot be a key of a place here.")} : $k }`,
  withElement: `function($v, $k, $x) { ($n := $count($v); $place := $k < 0 ? $k + $n : $k; $place < 0 ? $failWith("Out of bounds negative array index") : $place > 536870911 ? $failWith("Array index too large") : $place > $n + 100000 ? ${limit("An array is too long.")} : $unbox([$map($v, function($y, $i) { {"value": $i = $place ? $x : $y} }), $place > $n ? $map([$n..$place - 1], function($i) { {"value": null} }), $place >= $n ? {"value": $x}])) }`,
  /** A value set at a path of any keys. */
  setPath: `function($v, $path, $x) { $type($path) != "array" ? $failWith("Path must be specified as an array") : $count($path) = 0 ? $x : ($k := $path[0]; $inner := $valueAt($v, $k); ${passingOn("$inner")} ($checked := $type($k) = "number" ? $withElement($type($v) = "array" ? $v : [], $integer($k), null); ${passingOn("$checked")} ($new := $setPath($inner, $partOf($path, 1, null), $x); ${passingOn("$new")} $setAtKey($v, $k, $new)))) }`,
  /** What a function makes of each element or member, in their places. */
  mapItems:
    'function($v, $f) { $type($v) = "array" ? $unbox($map($v, function($x) { {"value": $f($x)} })) : $type($v) = "object" ? $merge([$each($v, function($x, $k) { {$k: $f($x)} })]) : $failWith("Cannot iterate over " & $shownIn($v)) }',
  /** Elements or members with their keys, in boxes. */
  placesIn:
    'function($v) { $type($v) = "array" ? [$map($v, function($x, $i) { {"value": {"key": $i, "value": $x}} })] : $type($v) = "object" ? [$each($v, function($x, $k) { {"value": {"key": $k, "value": $x}} })] : $failWith("Cannot iterate over " & $shownIn($v)) }',
  /** A value and everything in it, with their paths, in boxes. */
  placesBelow:
    'function($v, $path) { $append({"value": {"path": $path, "value": $v}}, ($type($v) in ["array", "object"] ? $placesIn($v)).$placesBelow(value.value, $append($path, value.key))) }',
  /** A value without what is at several paths of the value as it is. */
  withoutPaths: `function($v, $paths) { $type($paths) != "array" ? $failWith("Paths must be specified as an array") : $exists($paths[$type($) != "array"]) ? $failWith("Path must be specified as array, not " & $type($sortOf($paths)[$type($) != "array"][0])) : $exists($childrenOf($paths)[$count(value) = 0]) ? null : $withoutSorted($v, $childrenOf($sortOf($paths)), 0) }`,
  /** The same for paths in boxes, in their order, from their n-th keys on: first what is inside of members and elements, then these themselves at once. */
  withoutSorted: `function($v, $paths, $n) { $v = null ? null : ($r := $reduce($reverse([$byKey($paths, $n)]), function($r, $g) { ${passingOn("$r")} $exists($g.whole) ? {"value": $r.value, "gone": $append({"value": $g.key}, $r.gone)} : ($inner := $valueAt($r.value, $g.key); ${passingOn("$inner")} $inner = null ? $r : ($less := $withoutSorted($inner, $g.paths, $n + 1); ${passingOn("$less")} ($new := $setAtKey($r.value, $g.key, $less); ${passingOn("$new")} {"value": $new, "gone": $r.gone}))) }, {"value": $v, "gone": []}); ${passingOn("$r")} $withoutKeys($r.value, $r.gone)) }`,
  /** Paths in boxes by their n-th key; `whole`: one of them ends with it. */
  byKey:
    'function($paths, $n) { $reduce($paths, function($all, $b) { ($k := $itemAt($b.value, $n); $g := $all[-1]; $one := $merge([{"key": $k, "paths": $append($exists($g) and $g.key = $k ? $g.paths : [], $b)}, $exists($g) and $g.key = $k and $exists($g.whole) or $count($b.value) = $n + 1 ? {"whole": true} : {}]); $append($exists($g) and $g.key = $k ? $filter($all, function($x, $i) { $i < $count($all) - 1 }) : $all, $one)) }, []) }',
  /** A value without members or elements, whose keys are in boxes. */
  withoutKeys: `function($v, $keys) { ($t := $type($v); $count($keys) = 0 ? $v : $t = "object" ? ($other := $keys[$type(value) != "string"][0]; $exists($other) ? $failWith("Cannot delete " & $type($other.value) & " field of object") : $merge([$sift($v, function($x, $k) { $not($k in $keys.value) })])) : $t = "array" ? ($other := $keys[$type(value) != "number"][0]; $exists($other) ? ($type($other.value) = "object" ? ${limit("A part of a list cannot be deleted here.")} : $failWith("Cannot delete " & $type($other.value) & " element of array")) : ($places := $keys.($integer(value) + (value < 0 ? $count($v) : 0)); $unbox($map($v, function($x, $i) { $i in $places ? () : {"value": $x} })))) : $failWith("Cannot delete fields from " & $t)) }`,
} as const;
