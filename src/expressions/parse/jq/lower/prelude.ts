import { isFault } from "../../fault.ts";
import type { Signature } from "../builtins.ts";
import { parseJq } from "../parse.ts";
import type { Definition } from "../syntax.ts";

/** The functions of jq that are made of others. They are written in the places of their calls. */
const texts: ReadonlyMap<Signature, string> = new Map<Signature, string>([
  ["map/1", "def map(f): [.[] | f]; ."],
  ["map_values/1", "def map_values(f): .[] |= f; ."],
  ["select/1", "def select(f): if f then . else empty end; ."],
  ["values/0", "def values: if . == null then empty else . end; ."],
  ["nulls/0", "def nulls: if . == null then . else empty end; ."],
  ["booleans/0", 'def booleans: if type == "boolean" then . else empty end; .'],
  ["numbers/0", 'def numbers: if type == "number" then . else empty end; .'],
  ["strings/0", 'def strings: if type == "string" then . else empty end; .'],
  ["arrays/0", 'def arrays: if type == "array" then . else empty end; .'],
  ["objects/0", 'def objects: if type == "object" then . else empty end; .'],
  ["iterables/0", 'def iterables: if type | . == "array" or . == "object" then . else empty end; .'],
  ["scalars/0", 'def scalars: if type | . == "array" or . == "object" then empty else . end; .'],
  ["finites/0", "def finites: if isinfinite or isnan then empty else . end; ."],
  ["normals/0", "def normals: if isnormal then . else empty end; ."],
  ["add/1", "def add(f): reduce f as $item (null; . + $item); ."],
  ["in/1", "def in(all): . as $key | all | has($key); ."],
  ["inside/1", "def inside(all): . as $part | all | contains($part); ."],
  ["with_entries/1", "def with_entries(f): to_entries | [.[] | f] | from_entries; ."],
  ["recurse/2", "def recurse(f; condition): recurse(f | if condition then . else empty end); ."],
  ["repeat/1", "def repeat(f): range(0; infinite) as $turn | f; ."],
  [
    "while/2",
    "def while(condition; f): if condition then recurse(f | if condition then . else empty end) else empty end; .",
  ],
  ["until/2", "def until(condition; f): def next: if condition then . else f | next end; next; ."],
  ["paths/0", "def paths: path(..) | if . == [] then empty else . end; ."],
  ["paths/1", "def paths(f): path(.. | if f then . else empty end) | if . == [] then empty else . end; ."],
  ["del/1", "def del(places): delpaths([path(places)]); ."],
  ["pick/1", "def pick(places): . as $all | reduce path(places) as $at (null; setpath($at; $all | getpath($at))); ."],
  [
    "walk/1",
    'def walk(f): def each: (if type == "object" then .[] |= each elif type == "array" then [.[] | each] else . end) | f; each; .',
  ],
  ["nth/1", "def nth($index): .[$index]; ."],
  [
    "nth/2",
    'def nth($index; f): if $index < 0 then error("nth doesn\'t support negative indices") else first(skip($index; f)) end; .',
  ],
  ["first/0", "def first: .[0]; ."],
  ["last/0", "def last: .[-1]; ."],
  ["IN/1", "def IN(all): any(all == .; .); ."],
  ["IN/2", "def IN(some; all): any(some == all; .); ."],
  ["INDEX/1", "def INDEX(f): INDEX(.[]; f); ."],
  ["INDEX/2", "def INDEX(rows; f): reduce rows as $row ({}; . + {($row | f | tostring): $row}); ."],
  ["JOIN/2", "def JOIN($index; f): [.[] | [., $index[f]]]; ."],
  ["JOIN/3", "def JOIN($index; rows; f): rows | [., $index[f]]; ."],
  ["JOIN/4", "def JOIN($index; rows; f; join): rows | [., $index[f]] | join; ."],
  ["sort_by/1", "def sort_by(f): _sort_by_impl([.[] | [f]]); ."],
  ["group_by/1", "def group_by(f): _group_by_impl([.[] | [f]]); ."],
  ["unique_by/1", "def unique_by(f): _unique_by_impl([.[] | [f]]); ."],
  ["min_by/1", "def min_by(f): _min_by_impl([.[] | [f]]); ."],
  ["max_by/1", "def max_by(f): _max_by_impl([.[] | [f]]); ."],
  ["combinations/1", "def combinations($count): . as $all | [range($count) | $all] | combinations; ."],
  [
    "fromstream/1",
    `def fromstream(events):
       foreach events as $event ({whole: null, done: false};
         (if .done then {whole: null, done: false} else . end)
         | if $event | length == 2
           then (.whole |= ([.] | setpath([0] + $event[0]; $event[1]) | .[0])) | .done = ($event[0] | length == 0)
           else .done = ($event[0] | length == 1) end;
         if .done then .whole else empty end); .`,
  ],
  [
    "truncate_stream/1",
    `def truncate_stream(events): . as $depth | null | events
       | if .[0] | length > $depth then setpath([0]; .[0][$depth:]) else empty end; .`,
  ],
]);

/** The definition of a function that is made of others. */
export function preludeOf(signature: Signature): Definition | undefined {
  const text = texts.get(signature);
  if (text === undefined) return undefined;
  const query = parseJq(text);
  if (isFault(query) || query.kind !== "definition") throw new Error(`The definition of ${signature} is broken.`);
  return query;
}
