/** Tests of values that may be missing. */
export const conditions = {
  /** Whether both are equal, or both missing. */
  isSame: "function($a, $b) { $exists($a) ? $a = $b : $not($exists($b)) }",
  /** Whether both are there and differ, or one is missing and the other null. */
  differs: "function($a, $b) { $exists($a) and $exists($b) ? $a != $b : $a = null or $b = null }",
  /** The length of a text, a list or an object; nothing of anything else. */
  lengthOfNode:
    'function($v) { ($t := $type($v); $t = "string" ? $length($v) : $t = "array" ? $count($v) : $t = "object" ? $count($keys($v))) }',
  /** The value in a box that is alone. */
  valueOfNodes: "function($boxes) { $count($boxes) = 1 ? $boxes[0].value }",
  /** Whether a value that is not null equals an operand: scalars are written like a text that they equal. */
  isLike:
    'function($v, $w) { $type($w) = "string" ? ($type($v) in ["string", "number", "boolean"] ? $textOf($v) = $w : false) : $v != null and $v = $w }',
} as const;
