import { errorCall, fixedError } from "../errors.ts";

const tooLong = fixedError("LimitError", "A number with more than 15 digits cannot be written as text here.");

/** Values as text, and failing with values. */
export const texts = {
  /** A text itself, anything else as compact JSON. JSONata writes 15 digits of a number. */
  textOf: `function($v) { $type($v) = "string" ? $v : ($s := $string($v); $parse($s) = $v ? $s : $type($v) = "number" and $floor($v) = $v ? $formatBase($v, 10) : ${tooLong}) }`,
  /** Fails with the name and the message that a value has, or with its text. */
  raise: `function($v) { ($o := $type($v) = "object" ? $v : {}; $n := $lookup($o, "name"); $m := $lookup($o, "message"); ${errorCall(
    '$replace($replace($replace($replace($type($n) = "string" ? $n : "ExpressionError", "%", "%25"), "{", "%7B"), ":", "%3A"), " ", "%20") & ": " & $replace($replace($textOf($exists($m) and $m != null ? $m : $v), "%", "%25"), "{", "%7B")',
  )}) }`,
} as const;
