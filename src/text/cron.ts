/**
 * A cron expression: the permitted values of each field, in order. Weekdays count from Sunday, 0. `years` is undefined
 * for any year.
 */
export interface Cron {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  readonly years?: readonly number[] | undefined;
  /** Whether both days and weekdays are restricted: then one of them suffices. */
  readonly isEitherDay: boolean;
}

/** What is wrong with a cron expression, and the part of the text where. */
export interface CronSyntaxError {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** Whether parsing failed. */
export const isCronSyntaxError = (result: Cron | CronSyntaxError): result is CronSyntaxError => "message" in result;

/** A field: its name, its limits, and its names for values. */
interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
  /** Whether `?` is allowed. */
  readonly mayBeAny?: true;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const seconds: Field = { name: "seconds", least: 0, most: 59 };
const minutes: Field = { name: "minutes", least: 0, most: 59 };
const hours: Field = { name: "hours", least: 0, most: 23 };
const days: Field = { name: "days of the month", least: 1, most: 31, mayBeAny: true };
const months: Field = { name: "months", least: 1, most: 12, names: monthNames };
const weekdays: Field = { name: "days of the week", least: 0, most: 7, names: weekdayNames, mayBeAny: true };
const quartzWeekdays: Field = { ...weekdays, least: 1, most: 7 };
const years: Field = { name: "years", least: 1970, most: 2199 };

/**
 * Parses a cron expression of five fields (minutes, hours, days, months, weekdays), six (seconds first) or seven
 * (seconds first, years last). Days of the week are 0 to 7, Sunday is 0 and 7; in seven fields, which are those of
 * Quartz, 1 to 7, and Sunday is 1.
 */
export function parseCron(text: string): Cron | CronSyntaxError {
  if (text.length > maxLength)
    return { message: "A cron expression is no longer than 1,000 characters.", from: 0, to: text.length };
  const parts = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], from: match.index }));
  if (parts.length < 5 || parts.length > 7)
    return {
      message: `A cron expression has five fields, six with seconds or seven with years, not ${parts.length}.`,
      from: 0,
      to: text.length,
    };
  const given = parts.length === 5 ? [{ text: "0", from: 0 }, ...parts] : parts;
  const fields = [seconds, minutes, hours, days, months, parts.length === 7 ? quartzWeekdays : weekdays, years];
  const read = given.map((part, i) => parseField(part, fields[i]!));
  const fault = read.find((field) => "message" in field);
  if (fault) return fault as CronSyntaxError;
  const values = read as readonly (readonly number[])[];
  const sundayIsOne = parts.length === 7;
  const isOpen = (i: number): boolean => /^(?:\*|\?)$/.test(given[i]!.text);
  return {
    seconds: values[0]!,
    minutes: values[1]!,
    hours: values[2]!,
    days: values[3]!,
    months: values[4]!,
    weekdays: ordered(values[5]!.map((value) => (sundayIsOne ? value - 1 : value % 7))),
    years: given[6] && !isOpen(6) ? values[6] : undefined,
    isEitherDay: !isOpen(3) && !isOpen(5),
  };
}

const maxLength = 1000;

function parseField(
  { text, from }: { readonly text: string; readonly from: number },
  field: Field,
): readonly number[] | CronSyntaxError {
  const values: number[] = [];
  let at = from;
  for (const item of text.split(",")) {
    const read = parseItem(item, field);
    if (typeof read === "string") return { message: read, from: at, to: at + Math.max(item.length, 1) };
    values.push(...read);
    at += item.length + 1;
  }
  return ordered(values);
}

const ordered = (values: readonly number[]): readonly number[] => [...new Set(values)].sort((a, b) => a - b);

/** The values of an item: `*`, a number or a range, perhaps with a step; if it is invalid, the message. */
function parseItem(item: string, field: Field): readonly number[] | string {
  const { name, least, most, mayBeAny } = field;
  const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,4}))?$/i.exec(item);
  if (/^(?:\d*[LW]|LW|L-\d+|\w+#\d)$/i.test(item)) return `\`${item}\` is not supported: name days by numbers.`;
  if (!match)
    return `\`${item}\` is no value of the ${name}: write a number, a range such as \`1-5\`, or a step such as \`*/5\`.`;
  const [, first = "", last, stepText] = match;
  const isAll = first === "*" || first === "?";
  if (isAll && last !== undefined) return `\`${item}\` is no range.`;
  if (first === "?" && (!mayBeAny || stepText !== undefined)) return `\`?\` is only for days, alone.`;
  const from = isAll ? least : numberOf(first, field);
  const openEnd = stepText === undefined ? from : most;
  const to = isAll ? most : last === undefined ? openEnd : numberOf(last, field);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (from === undefined || to === undefined || from < least || to > most)
    return `\`${item}\` is no value of the ${name}, which are ${least} to ${most}.`;
  if (from > to) return `\`${item}\` ends before it begins.`;
  if (step < 1) return `\`${item}\` has a step of 0.`;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function numberOf(text: string, { names = [], least }: Field): number | undefined {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? undefined : index + (names === monthNames ? 1 : least);
}
