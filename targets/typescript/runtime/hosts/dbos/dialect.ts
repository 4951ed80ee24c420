/** A statement of the engine in the dialect of PostgreSQL, and the names of its values in order if they have names. */
export interface Translation {
  readonly text: string;
  readonly names: readonly string[];
  /** The indexes of values that are arrays of strings, which the engine passes as JSON. */
  readonly lists: readonly number[];
  /** Whether it concerns only tables of a run, which one process executes: no lock is necessary. */
  readonly isPrivate: boolean;
}

/**
 * Translates a statement, which the engine writes for SQLite, by replacing what differs in PostgreSQL:
 * `INSERT OR IGNORE INTO early VALUES (?, ?)` → `INSERT INTO early VALUES ($1, $2) ON CONFLICT DO NOTHING`.
 */
export function translated(statement: string): Translation {
  const names: string[] = [];
  const lists: number[] = [];
  const isIgnoring = statement.startsWith("INSERT OR IGNORE");
  let text = statement;
  for (const [pattern, words] of spellings) text = text.replaceAll(pattern, words);
  let place = 0;
  text = text.replaceAll(/\?(::text\[\])?|:(?!:)(?<![:]:)([a-z]+)/g, (_, list = "", name?: string) => {
    if (name) names.push(name);
    if (list) lists.push(place);
    place += 1;
    return `$${place}${list}`;
  });
  if (isIgnoring) text += " ON CONFLICT DO NOTHING";
  if (/^INSERT INTO (?:events|outbox|runs|workflows)\b/.test(text)) text += " RETURNING ref";
  return {
    text,
    names,
    lists,
    isPrivate:
      /^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^(]*\b(?:journal|rounds|outbox)\b/.test(text) &&
      !text.includes("runs"),
  };
}

const spellings: readonly (readonly [RegExp, string])[] = [
  [/INSERT OR IGNORE INTO/g, "INSERT INTO"],
  [/ INDEXED BY \w+/g, ""],
  [/\(SELECT CAST\(value AS INTEGER\) FROM json_each\(\?\)\)/g, "(SELECT unnest(?::text[])::bigint)"],
  [/CAST\(value AS INTEGER\)/g, "CAST(value AS BIGINT)"],
  [/\(SELECT value FROM json_each\(\?\)\)/g, "(SELECT unnest(?::text[]))"],
  [/SELECT max\(coalesce/g, "SELECT greatest(coalesce"],
  [/max\(max\(since, after\)\)/g, "max(greatest(since, after))"],
  [/refused = 0/g, "refused = 0 AND owner = nullif(current_setting('waybill.process', true), '')::bigint"],
  [/\? IS NULL/g, "?::text IS NULL"],
  [/length\(\?\)/g, "length(?::text)"],
];

/**
 * Encodes a string for PostgreSQL, which stores neither U+0000 nor lone surrogates: they become their numbers behind a
 * noncharacter, which is encoded likewise. `a\0b` becomes `a\ufffe0000b`.
 */
export function stored(text: string): string {
  if (text.isWellFormed() && !text.includes("\0") && !text.includes(mark)) return text;
  return text.replaceAll(unstorable, (character) => mark + character.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** Decodes a stored string. */
export function read(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(marked, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const mark = "\ufffe";

const unstorable = /[\0\ufffe]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const marked = /\ufffe([0-9a-f]{4})/g;
