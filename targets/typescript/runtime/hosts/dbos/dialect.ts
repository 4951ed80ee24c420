/** A statement of the engine as PostgreSQL takes it, and the names of its values in their order where these have names. */
export interface Translated {
  readonly text: string;
  readonly names: readonly string[];
  /** The places of values, from 0, that are lists of texts, which the engine gives as JSON. */
  readonly lists: readonly number[];
  /** Whether what it concerns is of one run alone, which only one process goes on with: nobody else has to be kept out meanwhile. */
  readonly isPrivate: boolean;
}

/**
 * The engine's statements are written for SQLite. What PostgreSQL says in another way is told here, each by the words that stand for it:
 * `INSERT OR IGNORE INTO early VALUES (?, ?)` → `INSERT INTO early VALUES ($1, $2) ON CONFLICT DO NOTHING`.
 */
export function translated(statement: string): Translated {
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
  if (/^INSERT INTO (?:events|runs|workflows)\b/.test(text)) text += " RETURNING ref";
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
  [/CAST\(value AS INTEGER\)/g, "CAST(value AS BIGINT)"],
  [/\(SELECT value FROM json_each\(\?\)\)/g, "(SELECT unnest(?::text[]))"],
  [/SELECT max\(coalesce/g, "SELECT greatest(coalesce"],
  [/max\(max\(since, after\)\)/g, "max(greatest(since, after))"],
  [/refused = 0/g, "refused = 0 AND owner = nullif(current_setting('waybill.process', true), '')::bigint"],
  [/\? IS NULL/g, "?::text IS NULL"],
  [/length\(\?\)/g, "length(?::text)"],
];

/**
 * A text as PostgreSQL can have it, which takes neither U+0000 nor one half of a pair: these stand by their numbers behind a character that no text has a use
 * for, and so does that itself: `a\0b` is `a\ufffe0000b` there.
 */
export function stored(text: string): string {
  if (text.isWellFormed() && !text.includes("\0") && !text.includes(mark)) return text;
  return text.replaceAll(unstorable, (character) => mark + character.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The text that is stored so. */
export function read(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(marked, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const mark = "\ufffe";

const unstorable = /[\0\ufffe]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const marked = /\ufffe([0-9a-f]{4})/g;
