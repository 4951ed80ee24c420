import type { Json } from "../../json.ts";
import { raise } from "./failure.ts";
import { isList } from "./types.ts";

/** A UTC date like C's `tm`: months and days of the year from 0, weekdays from Sunday. */
export interface DateFields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  readonly yearday: number;
}

/** `gmtime`. */
export function gmtime(input: Json): Json[] {
  return typeof input === "number" ? timeFields(input) : raise("gmtime() requires numeric inputs");
}

/** `localtime`: workflows run in UTC. */
export function localtime(input: Json): Json[] {
  return typeof input === "number" ? timeFields(input) : raise("localtime() requires numeric inputs");
}

/** Converts seconds since 1970 to year, month, day, hour, minute, second, weekday and day of the year. */
export function timeFields(seconds: number): Json[] {
  const date = dateOf(Math.trunc(seconds));
  if (date === undefined) return raise("error converting number of seconds since epoch to datetime");
  const { year, month, day, hour, minute, second, weekday, yearday } = fieldsOfDate(date);
  return [year, month, day, hour, minute, second + (seconds - Math.floor(seconds)), weekday, yearday];
}

function dateOf(seconds: number): Date | undefined {
  const date = new Date(seconds * 1000);
  return !Number.isNaN(date.getTime()) ? date : undefined;
}

function fieldsOfDate(date: Date): DateFields {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearday: Math.floor((date.getTime() - start.getTime()) / 86400000),
  };
}

/** `mktime`: fields may be out of range; fractions are truncated. */
export function mktime(input: Json): number {
  if (!isList(input)) return raise("mktime requires array inputs");
  const seconds = secondsOf(input, "mktime requires parsed datetime inputs");
  if (seconds === -2) return raise("mktime not supported on this platform");
  return seconds === -1 || seconds === undefined ? raise("invalid gmtime representation") : seconds;
}

/** Missing trailing fields are 0, a missing year is 1900. */
function secondsOf(list: readonly Json[], fault: string): number | undefined {
  const fields = list
    .slice(0, 8)
    .map((field) => (typeof field === "number" && !Number.isNaN(field) ? Math.trunc(field) : raise(fault)));
  const [year = 1900, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute, second);
  return !Number.isNaN(date.getTime()) ? date.getTime() / 1000 : undefined;
}

/** Normalizes seconds or fields for the function `name`. */
export function normalFields(input: Json, name: string): DateFields {
  const fault = `${name}/1 requires parsed datetime inputs`;
  const seconds =
    typeof input === "number" ? Math.trunc(input) : isList(input) ? secondsOf(input, fault) : raise(fault);
  const date = seconds === undefined ? undefined : dateOf(seconds);
  return date ? fieldsOfDate(date) : raise("error converting number of seconds since epoch to datetime");
}

/** The weekdays, from Sunday. */
export const weekdayNames: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];

/** The months, from January. */
export const monthNames: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
