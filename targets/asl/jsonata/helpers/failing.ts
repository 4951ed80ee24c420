import { errorCall } from "../errors.ts";

/** Failing as jq does: with messages that show the values at fault. */
export const failing = {
  /** Fails with a message. */
  failWith: `function($message) { ${errorCall('"ExpressionError: " & $replace($replace($message, "%", "%25"), "{", "%7B")')} }`,
  /** Fails with a name and a message. */
  raiseNamed: `function($name, $message) { ${errorCall(
    '$replace($replace($replace($replace($name, "%", "%25"), "{", "%7B"), ":", "%3A"), " ", "%20") & ": " & $replace($replace($message, "%", "%25"), "{", "%7B")',
  )} }`,
  /** Fails because of one value. */
  failOne: 'function($v, $what) { $failWith($shownIn($v) & " " & $what) }',
  /** Fails because of two values. */
  failTwo: 'function($a, $b, $what) { $failWith($shownIn($a) & " and " & $shownIn($b) & " cannot " & $what) }',
  /** A value in a message. */
  shownIn: 'function($v) { $type($v) & " (" & $excerptOf($v) & ")" }',
  /** A value as compact JSON, of more than 29 bytes the beginning. */
  excerptOf:
    'function($v) { ($s := $jsonOf($v); $t := $type($v); $end := $t = "string" ? "\\"" : $t = "array" ? "]" : $t = "object" ? "}" : ""; $length($s) < 30 and $bytesOf($s) < 30 ? $s : $fittingIn($substring($s, 0, 26), 26 - $length($end)) & "..." & $end) }',
  /** The beginning of a text that has so many bytes at most. */
  fittingIn:
    "function($s, $size) { $bytesOf($s) <= $size ? $s : $fittingIn($substring($s, 0, $length($s) - 1), $size) }",
  /** How many bytes a text has in UTF-8. */
  bytesOf:
    'function($s) { $length($replace($replace($replace($s, /[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]/, "____"), /[\\u0080-\\u07FF\\uD800-\\uDFFF]/, "__"), /[\\u0800-\\uFFFF]/, "___")) }',
} as const;
