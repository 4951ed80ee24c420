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
