import { expect, test } from "vitest";
import { formatJsonata } from "../../../../targets/asl/jsonata/format.ts";

test.each<[string, string, string]>([
  ["what fits stays on its line", "$merge([$a, $b])", "$merge([$a, $b])"],
  [
    "one definition a line",
    '($first := $states.input.a; $second := "a; b"; $first & $second)',
    '(\n  $first := $states.input.a;\n  $second := "a; b";\n  $first & $second\n)',
  ],
  [
    "alternatives under their condition",
    '$type($states.input.order) = "object" ? $states.input.order : $states.input.other ? 1 : 2',
    '$type($states.input.order) = "object"\n  ? $states.input.order\n  : $states.input.other ? 1 : 2',
  ],
  [
    "brackets within brackets together",
    '$merge([$states.input, {"reference": $states.result}])',
    '$merge([\n  $states.input,\n  {"reference": $states.result}\n])',
  ],
  [
    "texts, patterns and names stay as they are",
    '$replace($states.input.`a, b; c`, /[(,] ? \\/; :/, "x ? y : z, (")',
    '$replace(\n  $states.input.`a, b; c`,\n  /[(,] ? \\/; :/,\n  "x ? y : z, ("\n)',
  ],
  [
    "a division is no pattern",
    "($states.input.a / 2) + ($states.input.b / 2)",
    "($states.input.a / 2)\n  + ($states.input.b / 2)",
  ],
])("%s", (_, text, expected) => expect(formatJsonata(text, 40)).toBe(expected));
