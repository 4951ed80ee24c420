const notSorted = '$failOne($v, "cannot be sorted, as it is not an array")';
const isFailed = (name: string): string => `$type(${name}) = "function" ? ${name} :`;
const areLists = '$type($v) = "array" and $type($keys) = "array"';

/** jq's functions that go by the order of values. What sorts is in brackets, as JSONata sorts by no function of a function that is the last call in a function. */
export const sorting = {
  sortOf: `function($v) { $type($v) = "array" ? [$sort($v, function($a, $b) { $compare($a, $b) > 0 })] : ${notSorted} }`,
  /** Elements with their keys, in the order of the keys. */
  sortedEntries:
    "function($v, $keys) { [$sort([$withKeys($v, $keys)], function($a, $b) { $compare($a.key, $b.key) > 0 })] }",
  withKeys: 'function($v, $keys) { $map($zip($v, $keys), function($p) { {"item": $p[0], "key": $p[1]} }) }',
  sortedBy: `function($v, $keys) { ${areLists} ? $unbox($sortedEntries($v, $keys).{"value": item}) : $failTwo($v, $keys, "be sorted, as they are not both arrays") }`,
  groupedBy: `function($v, $keys) { ${areLists} ? ($g := $reduce($sortedEntries($v, $keys), function($g, $e) { $g.key = $e.key ? {"done": $g.done, "key": $g.key, "items": $append($g.items, {"value": $e.item})} : {"done": $withGroup($g), "key": $e.key, "items": [{"value": $e.item}]} }, {"done": [], "items": []}); $unbox($withGroup($g))) : $failTwo($v, $keys, "be sorted, as they are not both arrays") }`,
  withGroup: 'function($g) { $count($g.items) = 0 ? $g.done : $append($g.done, {"value": $unbox($g.items)}) }',
  uniqueBy: `function($v, $keys) { ($g := $groupedBy($v, $keys); ${isFailed("$g")} $unbox($map($g, function($x) { {"value": $x[0]} }))) }`,
  uniqueOf: `function($v) { $type($v) = "array" ? $uniqueBy($v, $v) : ${notSorted} }`,
  leastBy: `function($v, $keys) { ${areLists} ? ($best := $reduce([$withKeys($v, $keys)], function($best, $e) { $best = null ? $e : $compare($e.key, $best.key) < 0 ? $e : $best }, null); $best = null ? null : $best.item) : $failTwo($v, $keys, "be iterated over") }`,
  greatestBy: `function($v, $keys) { ${areLists} ? ($best := $reduce([$withKeys($v, $keys)], function($best, $e) { $best = null ? $e : $compare($e.key, $best.key) < 0 ? $best : $e }, null); $best = null ? null : $best.item) : $failTwo($v, $keys, "be iterated over") }`,
} as const;
