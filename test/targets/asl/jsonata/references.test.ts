import { describe, expect, test } from "vitest";
import { bindReferences } from "../../../../targets/asl/jsonata/references.ts";

describe("repeated references are bound", () => {
  const result = '$type($states.result) = "object" ? $states.result : $states.result != null ? {"f": $states.result}';

  test.each([
    [
      "before an expression",
      `$merge([$states.input, ${result}])`,
      '($r := $states.result; $merge([$states.input, $type($r) = "object" ? $r : $r != null ? {"f": $r}]))',
    ],
    [
      "at the start of a block",
      `($value := ${result}; $value.a)`,
      '($r := $states.result; $value := $type($r) = "object" ? $r : $r != null ? {"f": $r}; $value.a)',
    ],
    [
      "but not at the start of a part in parentheses",
      `(${result}).($string($))`,
      '($r := $states.result; ($type($r) = "object" ? $r : $r != null ? {"f": $r}).($string($)))',
    ],
    [
      "with the steps that all have",
      '$type($states.input.data.line) = "object" and $exists($states.input.data.line.sku) ? $states.input.data.line.sku : null',
      '($line := $states.input.data.line; $type($line) = "object" and $exists($line.sku) ? $line.sku : null)',
    ],
    [
      "under a name that nothing else has",
      result.replaceAll('{"f"', '{"f": $r, "g"'),
      '($r2 := $states.result; $type($r2) = "object" ? $r2 : $r2 != null ? {"f": $r, "g": $r2})',
    ],
    [
      "without the step that a filter follows",
      "$states.input.lines[a = 1] & $states.input.lines[a = 2] & $states.input.lines[a = 3] & $states.input.lines[0]",
      "($in := $states.input; $in.lines[a = 1] & $in.lines[a = 2] & $in.lines[a = 3] & $in.lines[0])",
    ],
  ])("%s", (_, text, bound) => {
    expect(bindReferences(text)).toBe(bound);
  });

  test.each([
    ["few", "$exists($states.input.customer) ? $states.input.customer : null"],
    ["in strings", `"${"$states.result ".repeat(9)}"`],
    ["in regular expressions", `$contains($states.result, /${"$states.result ".repeat(9)}/)`],
    ["in quoted names", `$x.\`${"$states.result ".repeat(9)}\``],
    ["of other variables", "$statesman.result & $statesman.result & $statesman.result & $statesman.result"],
  ])("unless they are %s", (_, text) => {
    expect(bindReferences(text)).toBe(text);
  });
});
