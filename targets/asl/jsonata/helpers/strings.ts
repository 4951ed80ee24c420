import { limit } from "../errors.ts";

const space =
  "[\\\\t-\\\\r \\\\u0085\\\\u00A0\\\\u1680\\\\u2000-\\\\u200A\\\\u2028\\\\u2029\\\\u202F\\\\u205F\\\\u3000]+";
const isFailed = (name: string): string => `$type(${name}) = "function" ? ${name} :`;
const areTexts = '$type($v) = "string" and $type($p) = "string"';
const trimmed = (pattern: string): string =>
  `function($v) { $type($v) = "string" ? $replace($v, ${pattern.replaceAll("\\\\", "\\")}, "") : $failWith("trim input must be a string") }`;
const cased = (letters: string, name: string): string =>
  `function($v) { $type($v) = "string" ? $replace($v, /[${letters}]+/, function($m) { $${name}($m.match) }) : $failWith("explode input must be a string") }`;

/** jq's functions of strings. */
export const strings = {
  /** A text itself, anything else as compact JSON. */
  asText: 'function($v) { $type($v) = "string" ? $v : $jsonOf($v) }',
  bytesIn: 'function($v) { $type($v) = "string" ? $bytesOf($v) : $failOne($v, "only strings have UTF-8 byte length") }',
  startsWith: `function($v, $p) { ${areTexts} ? $substring($v, 0, $length($p)) = $p : $failWith("startswith() requires string inputs") }`,
  endsWith: `function($v, $p) { ${areTexts} ? $p = "" or $substring($v, -$length($p)) = $p : $failWith("endswith() requires string inputs") }`,
  withoutStart: `function($v, $p) { ($is := $startsWith($v, $p); ${isFailed("$is")} $is ? $substring($v, $length($p)) : $v) }`,
  withoutEnd: `function($v, $p) { ($is := $endsWith($v, $p); ${isFailed("$is")} $is ? $substring($v, 0, $length($v) - $length($p)) : $v) }`,
  withoutEnds: `function($v, $p) { ($rest := $withoutStart($v, $p); ${isFailed("$rest")} $withoutEnd($rest, $p)) }`,
  trimOf: trimmed(`/^${space}|${space}$/`),
  trimStartOf: trimmed(`/^${space}/`),
  trimEndOf: trimmed(`/${space}$/`),
  splitBy: `function($v, $p) { ${areTexts} ? $splitAt($v, $p) : $failWith("split input and separator must be strings") }`,
  lowerOf: cased("A-Z", "lowercase"),
  upperOf: cased("a-z", "uppercase"),
  /** Whether a text has a match of a regular expression. */
  searchedIn:
    'function($v, $regex) { $type($v) = "string" ? $contains($v, $regex) : $failOne($v, "cannot be matched, as it is not a string") }',
  searchedInAscii: `function($v, $regex) { $type($v) = "string" and $contains($v, /[^\\u0000-\\u007F]/) ? ${limit("This regular expression can be looked for in texts of ASCII only.")} : $searchedIn($v, $regex) }`,
  toNumber: `function($v) { $type($v) = "number" ? $v : $type($v) = "string" ? ($contains($v, /^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?$/) ? $finite($parse($plainNumber($v))) : $contains($v, /^[-+]?(s?nan|inf(inity)?)$/i) ? ${limit("This text stands for a value that JSONata has no number for.")} : $failOne($v, "cannot be parsed as a number")) : $failOne($v, "cannot be parsed as a number") }`,
  /** A number that jq reads as JSON writes it. */
  plainNumber:
    'function($s) { ($digits := $replace($replace($s, /^[-+]/, ""), /^0+/, ""); $all := $replace($contains($digits, /^[0-9]/) ? $digits : "0" & $digits, /\\.[eE]|\\.$/, function($m) { $substring($m.match, 1) }); $contains($s, /^-/) ? "-" & $all : $all) }',
  toBoolean:
    'function($v) { $type($v) = "boolean" ? $v : $v = "true" ? true : $v = "false" ? false : $failOne($v, "cannot be parsed as a boolean") }',
  asHtml:
    'function($v) { $replace($replace($replace($replace($replace($replace($asText($v), "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\'", "&apos;"), "\\"", "&quot;"), "\\u0000", "\\\\0") }',
  asUri:
    'function($v) { $replace($encodeUrlComponent($asText($v)), /[!\'()*]/, function($m) { $lookup({"!": "%21", "\'": "%27", "(": "%28", ")": "%29", "*": "%2A"}, $m.match) }) }',
  asBase64: `function($v) { ($s := $asText($v); $contains($s, /[^\\u0000-\\u007F]/) ? ${limit("Only texts of ASCII can be encoded here.")} : $base64encode($s)) }`,
} as const;
