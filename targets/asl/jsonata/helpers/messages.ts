/** What serves the messages of jq alone: they show the values at fault. */
export const messages = {
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
} as const;

/** The same where nothing reads how an error is worded: then it shows the types of the values. */
export const plainMessages: { readonly [Name in keyof typeof messages]?: string } = {
  failOne: 'function($v, $what) { $failWith($type($v) & " " & $what) }',
  failTwo: 'function($a, $b, $what) { $failWith($type($a) & " and " & $type($b) & " cannot " & $what) }',
  shownIn: "function($v) { $type($v) }",
};
