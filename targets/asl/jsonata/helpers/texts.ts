import { errorCall, fixedError } from "../errors.ts";

const tooLong = fixedError(
  "LimitError",
  "A list or an object with a number of more than 15 digits cannot be written as text here.",
);

/** Values as text, and failing with values. */
export const texts = {
  /** A text itself, anything else as compact JSON. JSONata writes 15 digits of a number, which may be too few. */
  textOf: `function($v) { $type($v) = "string" ? $v : ($s := $string($v); $parse($s) = $v ? $s : $type($v) = "number" ? $digitsOf($v) : ${tooLong}) }`,
  /** All digits of a number, as a pattern sees them. */
  digitsOf: "function($v) { $floor($v) = $v ? $formatBase($v, 10) : ($all := /.+/; $all($v).match) }",
  /** Fails with the name and the message that a value has, or with its text. */
  raise: `function($v) { ($o := $type($v) = "object" ? $v : {}; $n := $lookup($o, "name"); $m := $lookup($o, "message"); ${errorCall(
    '$replace($replace($replace($replace($type($n) = "string" ? $n : "ExpressionError", "%", "%25"), "{", "%7B"), ":", "%3A"), " ", "%20") & ": " & $replace($replace($textOf($exists($m) and $m != null ? $m : $v), "%", "%25"), "{", "%7B")',
  )}) }`,
} as const;
