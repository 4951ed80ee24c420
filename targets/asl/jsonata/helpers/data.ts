import { dataMergeError, outputError } from "../../../../src/expressions/index.ts";
import { fixedError, limitError, propagateFailure } from "../errors.ts";

/** JSONPath selectors; each gives nothing for a missing value. */
export const paths = {
  get: 'function($v, $path) { $exists($v) ? $reduce($path, function($o, $k) { $type($o) = "object" ? $lookup($o, $k) }, $v) }',
  /** For names inherited by JavaScript objects. */
  getOwn:
    'function($v, $path) { $exists($v) ? $reduce($path, function($o, $k) { $type($o) = "object" and $k in $keys($o) ? $lookup($o, $k) }, $v) }',
  getAt:
    'function($v, $path) { $exists($v) ? $reduce($path, function($o, $k) { $type($k) = "number" ? ($type($o) = "array" ? $o[$k]) : $type($o) = "object" and $k in $keys($o) ? $lookup($o, $k) }, $v) }',
  box: 'function($v) { $exists($v) ? {"value": $v} }',
  unbox: "function($boxes) { $append([], $map($boxes, function($b) { $b.value })[]) }",
  /** The first result that a function of boxed values finds. */
  search:
    'function($boxes, $f) { $reduce($boxes, function($found, $b) { $exists($found.value) ? $found : {"value": $f($b.value)} }, {}).value }',
  childrenOf:
    'function($v) { $type($v) = "array" ? [$map($v, function($x) { {"value": $x} })] : $type($v) = "object" ? [$each($v, function($x) { {"value": $x} })] : [] }',
  /** Parents come first. */
  descendantsOf: 'function($v) { $exists($v) ? $append({"value": $v}, $childrenOf($v).$descendantsOf(value)) }',
  sliceOf:
    'function($v, $from, $to, $step) { $type($v) = "array" ? ($n := $count($v); $low := $from < 0 ? $max([$n + $from, 0]) : $from; $high := $to = null ? $n : $to < 0 ? $n + $to : $to; [$map($v, function($x, $i) { $i >= $low and $i < $high and ($i - $low) % $step = 0 ? {"value": $x} })]) : [] }',
  /** `$step` is negated. */
  sliceBack:
    'function($v, $from, $to, $step) { $type($v) = "array" ? ($n := $count($v); $high := $from = null ? $n - 1 : $min([$from < 0 ? $n + $from : $from, $n - 1]); $low := $to = null ? -1 : $to < 0 ? $n + $to : $to; $reverse([$map($v, function($x, $i) { $i <= $high and $i > $low and ($high - $i) % $step = 0 ? {"value": $x} })])) : [] }',
  sideOf: "function($boxes) { $count($boxes) > 1 ? $unbox($boxes) : $boxes[0].value }",
  listOf: 'function($v) { $type($v) = "array" ? $childrenOf($v) : {"value": $v} }',
} as const;

const cannotIndex = '$failWith("Cannot index " & $type($v) & " with " & $shownIn($k))';

/** jq's access operators: null for missing values, failures for unsuitable ones. */
export const access = {
  memberOf:
    'function($v, $k) { $type($v) = "object" ? ($x := $lookup($v, $k); $exists($x) ? $x : null) : $v = null ? null : $failWith("Cannot index " & $type($v) & " with string (\\"" & $k & "\\")") }',
  memberAt:
    'function($v, $path) { $reduce($path, function($o, $k) { $type($o) = "function" ? $o : $memberOf($o, $k) }, $v) }',
  itemAt:
    'function($v, $k) { $type($v) = "array" ? ($x := $v[$k]; $exists($x) ? $x : null) : $v = null ? null : $failWith("Cannot index " & $type($v) & " with number (" & $k & ")") }',
  indicesIn:
    "function($v, $w) { ($m := $count($w); $m = 0 or $m > $count($v) ? [] : [$filter([0..$count($v) - $m], function($i) { $partOf($v, $i, $i + $m) = $w })]) }",
  valueAt: `function($v, $k) { ($s := $type($k); $t := $type($v); $s = "string" and $t = "object" ? ($k in $keys($v) ? $lookup($v, $k) : null) : $s = "number" and $t = "array" ? $itemAt($v, $integer($k)) : $v = null and $s in ["string", "number", "object"] ? null : $s = "array" and $t = "array" ? $indicesIn($v, $k) : $s = "object" and $t in ["array", "string"] ? ${limitError("A part that is told by an object cannot be taken here.")} : ${cannotIndex}) }`,
  getPath:
    'function($v, $path) { $type($path) = "array" ? $reduce($path, function($o, $k) { $type($o) = "function" ? $o : $valueAt($o, $k) }, $v) : $failWith("Path must be specified as an array") }',
  /** A null bound is the end. */
  partOf:
    'function($v, $from, $to) { $v = null ? null : $not($type($v) in ["array", "string"]) ? $failWith("Cannot index " & $type($v) & " with " & $shownIn({"start": $from, "end": $to})) : $not($type($from) in ["number", "null"] and $type($to) in ["number", "null"]) ? $failWith("Array/string slice indices must be integers") : ($n := $type($v) = "array" ? $count($v) : $length($v); $low := $floor($max([0, $min([$n, $from = null ? 0 : $from < 0 ? $from + $n : $from])])); $high := $min([$n, $max([$low, $ceil($to = null ? $n : $to < 0 ? $to + $n : $to)])]); $type($v) = "string" ? $substring($v, $low, $high - $low) : $unbox($map($v, function($x, $i) { $i >= $low and $i < $high ? {"value": $x} }))) }',
  itemsOf:
    'function($v) { $type($v) in ["array", "object"] ? $childrenOf($v) : $failWith("Cannot iterate over " & $shownIn($v)) }',
  /** As an array, or the first failure. */
  unboxed: "function($boxes) { ($f := [$boxes][$exists(failure)][0]; $exists($f) ? $f.failure : $unbox($boxes)) }",
  lastOf:
    "function($boxes) { ($last := $untilFailure($boxes)[-1]; $exists($last.failure) ? $last.failure : $exists($last) ? $last.value : null) }",
  untilFailure:
    "function($boxes) { $reduce([$boxes], function($r, $b) { $exists($r[-1].failure) ? $r : $append($r, $b) }, []) }",
  /** Both end with the failure, if any. */
  firstOf: "function($boxes, $n) { $filter($untilFailure($boxes), function($b, $i) { $i < $n }) }",
  restOf:
    "function($boxes, $n) { $filter($untilFailure($boxes), function($b, $i) { $i + 1 > $n or $exists($b.failure) }) }",
  countOf: `function($n, $name) { $type($n) in ["null", "boolean"] ? $failWith($name & " doesn't support negative count") : $type($n) != "number" ? ${limitError("A count that is no number cannot be used here.")} : $n < 0 ? $failWith($name & " doesn't support negative count") : $n }`,
  /** True in jq's sense: false for a missing value or a failure. */
  isTrue: 'function($v) { $v = true or $type($v) in ["number", "string", "array", "object"] }',
} as const;

const mergeFailure = (message: string): string => fixedError(dataMergeError.name, message);

/** Merging of objects. */
export const objects = {
  /** Merges two objects recursively; otherwise the second value. */
  blend:
    'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $merge([$a, $each($b, function($x, $k) { {$k: $blend($lookup($a, $k), $x)} })]) : $b }',
  /** The same, where `$m` says what two arrays become; an array with another value gets it as an element. */
  combine:
    'function($a, $b, $m) { $type($a) = "object" and $type($b) = "object" ? $merge([$a, $each($b, function($x, $k) { {$k: $exists($lookup($a, $k)) ? $combine($lookup($a, $k), $x, $m) : $x} })]) : $type($a) != "array" ? $b : $type($b) != "array" ? $withNew($a, [$b]) : $m = "union" ? $withNew($a, $b) : $b }',
  /** An array with the further elements that it does not contain, each once. */
  withNew:
    'function($a, $b) { $append($a, $unbox($map($b, function($x, $i) { $exists($filter($a, function($y) { $y = $x })) or $exists($filter($b, function($y, $j) { $j < $i and $y = $x })) ? () : {"value": $x} }))) }',
  /** Fails to merge an object into another value. */
  mergeInto: `function($a, $b) { $type($b) = "object" and $type($a) != "object" ? ${mergeFailure(dataMergeError.merge)} : $blend($a, $b) }`,
  /** Null keeps the target; other non-objects become a member. */
  mergeResult: `function($a, $b, $k) { $b = null ? $a : $type($a) = "object" ? $blend($a, $type($b) = "object" ? $b : {$k: $b}) : ${mergeFailure(dataMergeError.merge)} }`,
  mergeOutput: `function($a, $b) { $type($b) = "object" ? $merge([$type($a) = "object" ? $a : {}, $b]) : ${fixedError(outputError.name, outputError.message)} }`,
  /** Sets the event's attribute unless that member exists. */
  mergeEvent: `function($a, $event, $k, $token) { ($data := $type($event) = "object" ? $lookup($event, "data"); $made := $mergeResult($a, $exists($data) ? $data : null, $k); $attribute := $attributeOf($event, $token); $exists($attribute) ? $type($made) != "object" ? ${mergeFailure(dataMergeError.place)} : $exists($lookup($made, $token)) ? $made : $merge([$made, {$token: $attribute}]) : $made) }`,
  blendEvent:
    'function($a, $event, $k, $token) { ($data := $type($event) = "object" ? $lookup($event, "data"); $made := $exists($data) and $data != null ? $blend($a, $type($data) = "object" ? $data : {$k: $data}) : $a; $attribute := $attributeOf($event, $token); $exists($attribute) and $not($exists($lookup($made, $token))) ? $merge([$made, {$token: $attribute}]) : $made) }',
  assign: `function($a, $b) { $type($b) != "object" ? $b : $type($a) = "object" ? $merge([$a, $b]) : ${mergeFailure(dataMergeError.merge)} }`,
  assignResult: `function($a, $b, $k) { $b = null ? $a : $assign($a, $type($b) = "object" ? $b : {$k: $b}) }`,
  assignEvent: `function($a, $event, $k, $token) { ($data := $type($event) = "object" ? $lookup($event, "data"); $made := $assignResult($a, $exists($data) ? $data : null, $k); $attribute := $attributeOf($event, $token); $exists($attribute) ? $type($made) != "object" ? ${mergeFailure(dataMergeError.place)} : $exists($lookup($made, $token)) ? $made : $merge([{$token: $attribute}, $made]) : $made) }`,
  omit: 'function($v, $names) { $type($v) = "object" ? $merge([$sift($v, function($x, $k) { $not($k in $names) })]) : $v }',
  setAt:
    'function($a, $path, $v) { $exists($path) ? ($o := $type($a) = "object" ? $a : {}; $k := $path[0]; $merge([$o, {$k: $setAt($lookup($o, $k), $filter($path, function($x, $i) { $i > 0 }), $v)}])) : $v }',
  /** Members that the other object lacks or has with other values. */
  newIn:
    'function($a, $b) { $merge([$each($a, function($x, $k) { ($y := $lookup($b, $k); $type($x) = "object" and $type($y) = "object" ? ($z := $newIn($x, $y); $z != {} ? {$k: $z}) : $not($x = $y) ? {$k: $x}) })]) }',
  changesOf:
    'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $newIn($a, $b) : $a = $b ? null : $a }',
  problem: String.raw`function($e, $at, $s) { $type($e.data) = "object" and $exists($e.data.instance) ? $e : ($d := $type($e.data) = "object" ? $e.data : {}; $given := function($k, $is, $or) { ($v := $lookup($d, $k); $type($v) = $is ? $v : $or) }; $fn := $e.origin = "function"; $standard := $fn and $e.name in $keys($s.errors); $uri := $fn and $contains($e.name, /^[A-Za-z][A-Za-z0-9+.-]*:\/\//); $named := $standard or $uri; $kind := $standard ? $e.name : $lookup($s.origins, $e.origin); $known := $lookup($s.errors, $kind); $base := $s.prefix & $kind; $is := $given("type", "string", $uri ? $e.name : $base); $title := $named and $e.message != "" ? $e.message : $not($named) and ($fn or $e.origin = "fail") ? $e.name : $known.title; $detail := $given("detail", "string", $named or $e.origin in ["expression", "timeout"] ? "" : $e.message); {"origin": $e.origin, "name": $is = $base ? $kind : $is, "message": $title, "data": $merge([{"type": $is, "status": $given("status", "number", $known.status), "title": $title}, $detail = "" ? {} : {"detail": $detail}, {"instance": $at}])}) }`,
  problemName: 'function($e, $s) { $problem($e, "", $s).name }',
  problemPart: 'function($e, $s, $k) { ($v := $lookup($problem($e, "", $s).data, $k); $exists($v) ? $v : null) }',
  problemType: 'function($e, $s) { $problemPart($e, $s, "type") }',
  problemStatus: 'function($e, $s) { $problemPart($e, $s, "status") }',
  problemTitle: 'function($e, $s) { $problemPart($e, $s, "title") }',
  problemDetail: 'function($e, $s) { $problemPart($e, $s, "detail") }',
  entryOf:
    'function($k, $v) { $type($k) = "string" ? {$k: $v} : $failWith("Cannot use " & $shownIn($k) & " as object key") }',
  /** Looks the attribute up case-insensitively. */
  attributeOf:
    'function($v, $name) { $type($v) = "object" ? ($n := $lowercase($name); $k := $filter($keys($v), function($k) { $lowercase($k) = $n })[0]; $n != "data" and $exists($k) ? $lookup($v, $k)) }',
} as const;

/** jq's updates. */
export const places = {
  withMember: "function($v, $k, $x) { $v = null ? {$k: $x} : $merge([$v, {$k: $x}]) }",
  /** Fails like member access. */
  putMember:
    'function($v, $k, $x) { $v = null ? {$k: $x} : $type($v) = "object" ? $merge([$v, {$k: $x}]) : $failWith("Cannot index " & $type($v) & " with string (\\"" & $k & "\\")") }',
  setAtKey: `function($v, $k, $x) { $type($k) = "string" and ($v = null or $type($v) = "object") ? $withMember($v, $k, $x) : $type($k) = "number" and ($v = null or $type($v) = "array") ? $withElement($v = null ? [] : $v, $integer($k), $x) : $type($k) = "object" and $type($v) in ["null", "array"] ? ${limitError("A part of a list cannot be replaced here.")} : $type($k) = "object" and $type($v) = "string" ? $failWith("Cannot update string slices") : $failWith("Cannot update field at " & $type($k) & " index of " & $type($v)) }`,
  /** Rejects arrays as keys, since paths would splice their elements. */
  placeKey: `function($k) { $type($k) = "array" ? ${limitError("A list cannot be a key of a place here.")} : $k }`,
  /** In place of an array, a key that no value has: jq updates nothing at an array as a key. */
  updateKey: 'function($k) { $type($k) = "array" ? true : $k }',
  withElement: `function($v, $k, $x) { ($n := $count($v); $place := $k < 0 ? $k + $n : $k; $place < 0 ? $failWith("Out of bounds negative array index") : $place > 536870911 ? $failWith("Array index too large") : $place > $n + 100000 ? ${limitError("An array is too long.")} : $unbox([$map($v, function($y, $i) { {"value": $i = $place ? $x : $y} }), $place > $n ? $map([$n..$place - 1], function($i) { {"value": null} }), $place >= $n ? {"value": $x}])) }`,
  setPath: `function($v, $path, $x) { $type($path) != "array" ? $failWith("Path must be specified as an array") : $count($path) = 0 ? $x : ($k := $path[0]; $inner := $valueAt($v, $k); ${propagateFailure("$inner")} ($checked := $type($k) = "number" ? $withElement($type($v) = "array" ? $v : [], $integer($k), null); ${propagateFailure("$checked")} ($new := $setPath($inner, $partOf($path, 1, null), $x); ${propagateFailure("$new")} $setAtKey($v, $k, $new)))) }`,
  mapItems:
    'function($v, $f) { $type($v) = "array" ? $unbox($map($v, function($x) { {"value": $f($x)} })) : $type($v) = "object" ? $merge([$each($v, function($x, $k) { {$k: $f($x)} })]) : $failWith("Cannot iterate over " & $shownIn($v)) }',
  placesIn:
    'function($v) { $type($v) = "array" ? [$map($v, function($x, $i) { {"value": {"key": $i, "value": $x}} })] : $type($v) = "object" ? [$each($v, function($x, $k) { {"value": {"key": $k, "value": $x}} })] : $failWith("Cannot iterate over " & $shownIn($v)) }',
  placesBelow:
    'function($v, $path) { $append({"value": {"path": $path, "value": $v}}, ($type($v) in ["array", "object"] ? $placesIn($v)).$placesBelow(value.value, $append($path, value.key))) }',
  /** All paths refer to the original value. */
  withoutPaths: `function($v, $paths) { $type($paths) != "array" ? $failWith("Paths must be specified as an array") : $exists($paths[$type($) != "array"]) ? $failWith("Path must be specified as array, not " & $type($sortOf($paths)[$type($) != "array"][0])) : $exists($childrenOf($paths)[$count(value) = 0]) ? null : $withoutSorted($v, $childrenOf($sortOf($paths)), 0) }`,
  /** For sorted, boxed paths from their n-th key on: nested deletions first, then all of this level at once. */
  withoutSorted: `function($v, $paths, $n) { $v = null ? null : ($r := $reduce($reverse([$byKey($paths, $n)]), function($r, $g) { ${propagateFailure("$r")} $exists($g.whole) ? {"value": $r.value, "gone": $append({"value": $g.key}, $r.gone)} : ($inner := $valueAt($r.value, $g.key); ${propagateFailure("$inner")} $inner = null ? $r : ($less := $withoutSorted($inner, $g.paths, $n + 1); ${propagateFailure("$less")} ($new := $setAtKey($r.value, $g.key, $less); ${propagateFailure("$new")} {"value": $new, "gone": $r.gone}))) }, {"value": $v, "gone": []}); ${propagateFailure("$r")} $withoutKeys($r.value, $r.gone)) }`,
  /** Groups boxed paths by their n-th key; `whole` if one ends there. */
  byKey:
    'function($paths, $n) { $reduce($paths, function($all, $b) { ($k := $itemAt($b.value, $n); $g := $all[-1]; $one := $merge([{"key": $k, "paths": $append($exists($g) and $g.key = $k ? $g.paths : [], $b)}, $exists($g) and $g.key = $k and $exists($g.whole) or $count($b.value) = $n + 1 ? {"whole": true} : {}]); $append($exists($g) and $g.key = $k ? $filter($all, function($x, $i) { $i < $count($all) - 1 }) : $all, $one)) }, []) }',
  withoutKeys: `function($v, $keys) { ($t := $type($v); $count($keys) = 0 ? $v : $t = "object" ? ($other := $keys[$type(value) != "string"][0]; $exists($other) ? $failWith("Cannot delete " & $type($other.value) & " field of object") : $merge([$sift($v, function($x, $k) { $not($k in $keys.value) })])) : $t = "array" ? ($other := $keys[$type(value) != "number"][0]; $exists($other) ? ($type($other.value) = "object" ? ${limitError("A part of a list cannot be deleted here.")} : $failWith("Cannot delete " & $type($other.value) & " element of array")) : ($places := $keys.($integer(value) + (value < 0 ? $count($v) : 0)); $unbox($map($v, function($x, $i) { $i in $places ? () : {"value": $x} })))) : $failWith("Cannot delete fields from " & $t)) }`,
} as const;
