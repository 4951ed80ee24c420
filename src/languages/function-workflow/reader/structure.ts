import { duplicateKey } from "../../../diagnostics/reading.ts";
import { type Json, own, setOwn } from "../../../json.ts";
import { truncate } from "../../../text/messages.ts";
import {
  isPairNext,
  isQuoted,
  nested,
  type Reader,
  readBare,
  readKey,
  readQuoted,
  repair,
  skipSpace,
  spanAt,
  stop,
  Unrepairable,
} from "./scan.ts";

function readValue(reader: Reader, key: string | undefined): Json {
  const next = reader.text[reader.at];
  if (next === "{") return nested(reader, () => readObject(reader));
  if (next === "[") return nested(reader, () => readList(reader, key));
  return isQuoted(reader) ? readQuoted(reader) : readBare(reader);
}

/** Reads the whole source: one object, possibly without braces. */
export function readWhole(reader: Reader): { readonly value: Json; readonly start: number; readonly end: number } {
  skipSpace(reader);
  const start = reader.at;
  const value = reader.text[start] === "{" ? nested(reader, () => readObject(reader)) : readBraceless(reader);
  const { end } = reader.places.get(value as object)!;
  skipSpace(reader);
  if (reader.at < reader.text.length) stop(reader, "Unexpected text after the end of the definition.");
  return { value, start, end };
}

/** `"states": { … }` → `{"states": { … }}` */
function readBraceless(reader: Reader): Json {
  if (!isPairNext(reader)) stop(reader, "A definition must begin with `{`.");
  const { at: from } = reader;
  const members = emptyMembers();
  readMembers(reader, members, "");
  const to = members.offsets.at(-1)!;
  const edits = [
    { from, to: from, text: "{" },
    { from: to, to, text: "}" },
  ];
  repair(reader, { from, to: members.offsets[1]! }, "The definition is not enclosed in braces.", ...edits);
  return finishObject(reader, members, from, to);
}

interface Members {
  readonly value: { [key: string]: Json };
  readonly names: string[];
  readonly offsets: number[];
}

const emptyMembers = (): Members => ({ value: {}, names: [], offsets: [] });

function finishObject(reader: Reader, { value, names, offsets }: Members, start: number, end: number): Json {
  reader.places.set(value, { start, end, names, offsets });
  return value;
}

function readObject(reader: Reader): Json {
  const start = reader.at;
  const members = emptyMembers();
  reader.at += 1;
  readMembers(reader, members, "}");
  return finishObject(reader, members, start, reader.at);
}

type ClosingBracket = "}" | "]" | "";

/** With `splits`, stops before a repeated key and returns false. */
function readMembers(reader: Reader, members: Members, close: ClosingBracket, splits = false): boolean {
  const { text } = reader;
  const open = reader.at - 1;
  for (;;) {
    skipSpace(reader);
    const next = text[reader.at];
    if (next === close || (next === undefined && close === "")) {
      reader.at += close.length;
      return true;
    }
    if (next === ",") {
      dropComma(reader, reader.at, "Nothing precedes this comma.");
      continue;
    }
    if (next === "{") readAnonymous(reader, members);
    else if (next === undefined || next === "}" || next === "]") stopUnclosed(reader, open, close);
    else if (!readMember(reader, members, splits)) return false;
    readSeparator(reader, close);
  }
}

/** `{ { "a": 1 } }` → `{ "a": 1 }` */
function readAnonymous(reader: Reader, members: Members): void {
  const from = reader.at;
  reader.at += 1;
  nested(reader, () => readMembers(reader, members, "}"));
  const to = reader.at;
  const edits = [
    { from, to: from + 1, text: "" },
    { from: to - 1, to, text: "" },
  ];
  repair(
    reader,
    { from, to: from + 1 },
    "This object has no key; its members are added to the object around it.",
    ...edits,
  );
}

function readMember(reader: Reader, members: Members, splits: boolean): boolean {
  const [from, said] = [reader.at, reader.diagnostics.length];
  const key = readKey(reader);
  const keyEnd = reader.at;
  if (own(members.value, key) !== undefined) {
    if (!splits) stopAtDuplicate(reader, members, key, { from, to: keyEnd });
    reader.at = from;
    reader.diagnostics.length = said;
    return false;
  }
  readColon(reader, key, keyEnd);
  const start = reader.at;
  const value = readValue(reader, key);
  setOwn(members.value, key, value);
  members.names.push(key);
  members.offsets.push(from, keyEnd, start, reader.at);
  return true;
}

function stopAtDuplicate(
  reader: Reader,
  { names, offsets }: Members,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): never {
  const at = names.indexOf(name) * 4;
  const note = { message: "First defined here.", span: spanAt(reader, offsets[at]!, offsets[at + 1]!) };
  throw new Unrepairable(duplicateKey(spanAt(reader, from, to), { name }, [note]));
}

function readColon(reader: Reader, key: string, end: number): void {
  skipSpace(reader);
  const next = reader.text[reader.at];
  if (next === ":") reader.at += 1;
  else if (next === "{" || next === "[" || isQuoted(reader))
    repair(reader, { from: reader.at, to: reader.at + 1 }, `Missing colon after the key \`${truncate(key)}\`.`, {
      from: end,
      to: end,
      text: ":",
    });
  else stop(reader, `Missing colon after the key \`${truncate(key)}\`.`);
  skipSpace(reader);
}

function readSeparator(reader: Reader, close: ClosingBracket): void {
  const end = reader.at;
  skipSpace(reader);
  const { text, at } = reader;
  const isEnd = (next: string | undefined): boolean =>
    next === undefined || next === close || next === "}" || next === "]";
  if (text[at] === ",") {
    reader.at += 1;
    skipSpace(reader);
    if (isEnd(text[reader.at]))
      repair(reader, { from: at, to: at + 1 }, "Nothing follows this comma.", {
        from: at,
        to: at + 1,
        text: "",
      });
  } else if (!isEnd(text[at])) {
    repair(reader, { from: at, to: at + 1 }, "Missing comma before this.", { from: end, to: end, text: "," });
  }
}

function dropComma(reader: Reader, at: number, detail: string): void {
  reader.at = at + 1;
  repair(reader, { from: at, to: at + 1 }, detail, { from: at, to: at + 1, text: "" });
}

function stopUnclosed(reader: Reader, open: number, close: ClosingBracket): never {
  const next = reader.text[reader.at];
  const notes = close === "" ? [] : [{ message: "It starts here.", span: spanAt(reader, open, open + 1) }];
  const what = close === "]" ? "array" : "object";
  if (next === undefined)
    stop(reader, `The file ends before the ${what} is closed with \`${close}\`.`, undefined, notes);
  return close === ""
    ? stop(reader, `Unexpected \`${next}\`.`)
    : stop(reader, `The ${what} is closed with \`${next}\` instead of \`${close}\`.`, undefined, notes);
}

const keyedProperties: readonly string[] = ["trigger-defs", "states", "branches"];

function readList(reader: Reader, key: string | undefined): Json {
  const start = reader.at;
  reader.at += 1;
  skipSpace(reader);
  if (isPairNext(reader))
    return keyedProperties.includes(key?.toLowerCase() ?? "")
      ? readKeyedArray(reader, start)
      : readUnbracedItems(reader, start);
  const items: Json[] = [];
  const offsets: number[] = [];
  for (;;) {
    skipSpace(reader);
    const next = reader.text[reader.at];
    if (next === "]") break;
    if (next === ",") dropComma(reader, reader.at, "Nothing precedes this comma.");
    else if (next === undefined || next === "}") stopUnclosed(reader, start, "]");
    else if (isPairNext(reader)) stop(reader, "This array mixes entries with and without keys.");
    else {
      const from = reader.at;
      items.push(readValue(reader, key));
      offsets.push(from, reader.at);
      readSeparator(reader, "]");
    }
  }
  reader.at += 1;
  reader.places.set(items, { start, end: reader.at, names: undefined, offsets });
  return items;
}

/** `[ "A": { … }, "B": { … } ]` → `{ "A": { … }, "B": { … } }` */
function readKeyedArray(reader: Reader, start: number): Json {
  const members = emptyMembers();
  readMembers(reader, members, "]");
  const end = reader.at;
  const edits = [
    { from: start, to: start + 1, text: "{" },
    { from: end - 1, to: end, text: "}" },
  ];
  repair(reader, { from: start, to: start + 1 }, "Named entries must be enclosed in braces, as an object.", ...edits);
  return finishObject(reader, members, start, end);
}

/** `[ "function": "f", "timeout": 5, "function": "g" ]` → `[ {"function": "f", "timeout": 5}, {"function": "g"} ]` */
function readUnbracedItems(reader: Reader, start: number): Json {
  const items: Json[] = [];
  const offsets: number[] = [];
  for (let isClosed = false; !isClosed; ) {
    const from = reader.at;
    const members = emptyMembers();
    isClosed = readMembers(reader, members, "]", true);
    const to = members.offsets.at(-1)!;
    const edits = [
      { from, to: from, text: "{" },
      { from: to, to, text: "}" },
    ];
    repair(
      reader,
      { from, to: members.offsets[1]! },
      "An array entry with keys must be enclosed in braces, as an object.",
      ...edits,
    );
    items.push(finishObject(reader, members, from, to));
    offsets.push(from, to);
  }
  reader.places.set(items, { start, end: reader.at, names: undefined, offsets });
  return items;
}
