import { dataMergeError } from "../../../../src/expressions/index.ts";
import { fixedError } from "../errors.ts";

const refused = (message: string): string => fixedError(dataMergeError.name, message);

/** Making objects of objects. */
export const objects = {
  /** Two objects merged member by member, recursively; else the second. */
  blend:
    'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $merge([$a, $each($b, function($x, $k) { {$k: $blend($lookup($a, $k), $x)} })]) : $b }',
  /** The same, but into what is no object no object can be merged. */
  mergeInto: `function($a, $b) { $type($b) = "object" and $type($a) != "object" ? ${refused(dataMergeError.merge)} : $blend($a, $b) }`,
  /** A result merged: null leaves the target, what is no object becomes a member. */
  mergeResult: `function($a, $b, $k) { $b = null ? $a : $type($a) = "object" ? $blend($a, $type($b) = "object" ? $b : {$k: $b}) : ${refused(dataMergeError.merge)} }`,
  /** A value at a path of names; objects are made on the way. */
  setAt:
    'function($a, $path, $v) { $exists($path) ? ($o := $type($a) = "object" ? $a : {}; $k := $path[0]; $mergeOf($o, {$k: $setAt($lookup($o, $k), $filter($path, function($x, $i) { $i > 0 }), $v)})) : $v }',
  /** The members of an object that another lacks or has differently. */
  newIn:
    'function($a, $b) { $merge([$each($a, function($x, $k) { ($y := $lookup($b, $k); $type($x) = "object" and $type($y) = "object" ? ($z := $newIn($x, $y); $z != {} ? {$k: $z}) : $not($x = $y) ? {$k: $x}) })]) }',
  /** What of a value is new. */
  changesOf:
    'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $newIn($a, $b) : $a = $b ? null : $a }',
  /** An object of one member, whose name is computed. */
  entryOf:
    'function($k, $v) { $type($k) = "string" ? $singleOf($k, $v) : $failWith("Cannot use " & $shownIn($k) & " as object key") }',
  /** An event's context attribute of a name in any case. */
  attributeOf:
    'function($v, $name) { $type($v) = "object" ? ($n := $lowercase($textOf($name)); $k := $filter($keys($v), function($k) { $lowercase($k) = $n })[0]; $n != "data" and $exists($k) ? $lookup($v, $k)) }',
} as const;
