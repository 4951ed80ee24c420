import { match, peek, signal } from "../cursor.ts";
import { type Extent, nothing } from "./extent.ts";
import { add, type PatternReader, readAlternatives } from "./pattern.ts";

/** Reads a group from its parenthesis on. */
export function openGroup(reader: PatternReader): Extent {
  const { cursor } = reader;
  const from = cursor.offset;
  const opening = match(cursor, /\((?:\?(?:[:=!>]|<[=!]|<[A-Za-z_]\w*>|[is]*(?:-[is]+)?:))?/y)!;
  if (peek(cursor) === "?" || (opening === "(" && peek(cursor) === "*"))
    signal(cursor, "unsupported", "This kind of group is not supported.", from);
  if (opening === "(" || /^\(\?<\w/.test(opening)) return readCapture(reader, /\w+/.exec(opening)?.[0] ?? null, from);
  const flags = /^\(\?[is-]+:/.test(opening);
  if (flags && opening.includes("i")) reader.localCase = true;
  add(reader, flags ? opening.replace("s", "m").replace("s", "m") : opening, 0);
  const before = new Set(reader.certain);
  const inside = readAlternatives(reader);
  closeGroup(reader, from);
  if (opening === "(?:" || opening === "(?>" || flags) return { ...forgetting(reader, inside), plain: false };
  return readAssertion(reader, opening, inside, before, from);
}

function readCapture(reader: PatternReader, name: string | null, from: number): Extent {
  const number = reader.names.push(name);
  add(reader, "(", 0);
  const inside = forgetting(reader, readAlternatives(reader));
  closeGroup(reader, from);
  reader.certain.add(number);
  return { ...inside, captures: [number, ...inside.captures], plain: false, assertion: false };
}

function closeGroup(reader: PatternReader, from: number): void {
  if (peek(reader.cursor) !== ")") signal(reader.cursor, "syntax", "This group is not closed.", from);
  add(reader, ")", 1);
}

/** Of loose groups, none is certain. */
function forgetting(reader: PatternReader, inside: Extent): Extent {
  if (inside.loose) for (const group of inside.captures) reader.certain.delete(group);
  return inside;
}

function readAssertion(
  reader: PatternReader,
  opening: string,
  inside: Extent,
  before: ReadonlySet<number>,
  from: number,
): Extent {
  const { cursor } = reader;
  const refuse = (why: string): never => signal(cursor, "unsupported", why, from, cursor.offset);
  for (const group of inside.captures) if (!before.has(group)) reader.certain.delete(group);
  if (opening === "(?=") return { ...nothing, captures: inside.captures, loose: inside.loose };
  if (inside.captures.length > 0)
    return refuse("A group inside of a negative look-around or a look-behind is not supported.");
  if (opening !== "(?!" && (inside.least !== inside.most || inside.least === 0))
    return refuse("A look-behind must have a fixed length.");
  if (opening !== "(?!" && !inside.plain) return refuse("A look-behind of more than characters is not supported.");
  return nothing;
}
