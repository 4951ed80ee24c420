/** Tests of values that may be missing. */
export const conditions = {
  /** Whether both are equal, or both missing. */
  isSame: "function($a, $b) { $exists($a) ? $a = $b : $not($exists($b)) }",
  /** Whether both are there and differ, or one is missing and the other null. */
  differs: "function($a, $b) { $exists($a) and $exists($b) ? $a != $b : $a = null or $b = null }",
  /** Whether a value that is not null equals an operand: scalars are written like a text that they equal. */
  isLike:
    'function($v, $w) { $type($w) = "string" ? ($type($v) in ["string", "number", "boolean"] ? $textOf($v) = $w : false) : $v != null and $v = $w }',
} as const;
