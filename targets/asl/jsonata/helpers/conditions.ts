/** Tests of values that may be missing. */
export const conditions = {
  /** Whether a value is there, and neither false nor null. */
  isTruthy: "function($v) { $exists($v) and $not($v in [null, false]) }",
  /** Whether a value is missing, null, or empty. */
  isEmpty: 'function($v) { $count($v) = 0 or $v in [null, ""] or $v = {} }',
  /** Whether both are equal, or both missing. */
  isSame: "function($a, $b) { $exists($a) ? $a = $b : $not($exists($b)) }",
  /** Whether both are there and differ, or one is missing and the other null. */
  differs: "function($a, $b) { $exists($a) and $exists($b) ? $a != $b : $a = null or $b = null }",
  /** Whether a text contains what a pattern matches. */
  matches: 'function($v, $pattern) { $type($v) = "string" and $contains($v, $pattern) }',
  matchesNot: 'function($v, $pattern) { $type($v) = "string" and $not($contains($v, $pattern)) }',
  /** Whether a value that is not null equals an operand: scalars are written like a text that they equal. */
  isLike: 'function($v, $w) { $type($w) = "string" ? ($type($v) in ["string", "number", "boolean"] ? $textOf($v) = $w : false) : $v = $w }',
} as const;
