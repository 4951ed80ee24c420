import { raise, raiseLimit } from "./failure.ts";

/** Finds matches from `lastIndex` on, like a JavaScript regular expression with the flag `g` or `y`. */
export interface Searcher {
  lastIndex: number;
  exec(text: string): RegExpExecArray | null;
}

/**
 * Compiles a JavaScript regular expression safely. If the engine might backtrack catastrophically, a backtracking
 * matcher with memoization takes over: it tries the same paths in the same order, but visits each pair of instruction
 * and offset only once, in linear time. With back-references, and for captures in repeated parts that may be empty,
 * visits are counted instead, and exceeding the limit raises jq's retry-limit error.
 */
export function searcherOf(source: string, flags: string, text: string): Searcher {
  if (isHarmless(source, text)) return new RegExp(source, flags);
  const program = waysThrough(source, flags.replace(/[gyd]/g, ""));
  if (program === undefined) return new RegExp(source, flags);
  const searcher: Searcher = {
    lastIndex: 0,
    exec(whole) {
      const found = firstMatch(program, whole, searcher.lastIndex, flags.includes("y"));
      searcher.lastIndex = found === null ? 0 : found.index + found[0].length;
      return found;
    },
  };
  return searcher;
}

/**
 * Whether the engine has little to backtrack: no group is repeated, and the choice points are few for the length of the
 * string. Counting signs in classes as choice points is harmless.
 */
function isHarmless(source: string, text: string): boolean {
  if (/\)(?:[*+]|\{)/.test(source)) return false;
  const choices = source.replace(/\(\?|([*+?}])\?/g, "$1").match(/[*+?|]|\{\d+,/g) || [];
  return choices.length === 0 || text.length ** (choices.length + 1) <= mostTries;
}

/** The attempts left to the engine: a fraction of a second. */
const mostTries = 100000000;

/** An instruction of the matcher. Targets are instruction indexes; slots are group boundaries. */
type WayStep =
  | { readonly kind: "take" | "assert"; readonly regex: RegExp }
  | { readonly kind: "save"; readonly slot: number }
  /** Resets the groups of a repeated part at the start of each iteration. */
  | { readonly kind: "forget"; readonly from: number; readonly upTo: number }
  /** Brackets an iteration that may be empty; as in the engine, an empty iteration ends the path. */
  | { readonly kind: "enter" | "leave"; readonly turn: number }
  /** A back-reference. */
  | { readonly kind: "again"; readonly group: number }
  /** A look-ahead, up to the instruction `upTo`. */
  | { readonly kind: "look"; readonly isNegative: boolean; upTo: number }
  /** A choice point; targets in order of preference. */
  | { readonly kind: "fork"; readonly to: readonly number[] }
  | { readonly kind: "match" };

interface Ways {
  readonly steps: readonly WayStep[];
  readonly groups: number;
  readonly turns: number;
  /** What the path to an instruction influences: nothing, only captures, or whether there is a match. */
  readonly remembers: "nothing" | "groups" | "matches";
}

/** The state of the compiler. */
interface WaysReader {
  readonly source: string;
  readonly flags: string;
  at: number;
  groups: number;
  turns: number;
  remembers: Ways["remembers"];
}

/** A part of the pattern, emitted once per repetition. */
interface WayPart {
  /** Whether it can match the empty string. */
  readonly mayBeEmpty: boolean;
  readonly write: (steps: WayStep[]) => void;
}

/** Compiles a pattern; undefined for syntax that the matcher does not support. */
function waysThrough(source: string, flags: string): Ways | undefined {
  const reader: WaysReader = { source, flags, at: 0, groups: 0, turns: 0, remembers: "nothing" };
  const part = readWays(reader);
  if (part === undefined || reader.at < source.length) return undefined;
  const steps: WayStep[] = [];
  part.write(steps);
  steps.push({ kind: "match" });
  if (steps.length > mostWaySteps) return raiseLimit("A regular expression is too large.");
  return { steps, groups: reader.groups, turns: reader.turns, remembers: reader.remembers };
}

const mostWaySteps = 20000;

/** `a|b|c` */
function readWays(reader: WaysReader): WayPart | undefined {
  const options: WayPart[] = [];
  do {
    if (options.length > 0) reader.at += 1;
    const option = readWaySequence(reader);
    if (option === undefined) return undefined;
    options.push(option);
  } while (reader.source.charAt(reader.at) === "|");
  if (options.length === 1) return options[0];
  const write = (steps: WayStep[]) => {
    const to: number[] = [];
    steps.push({ kind: "fork", to });
    const ends = options.map((option) => {
      to.push(steps.length);
      option.write(steps);
      const end: number[] = [];
      steps.push({ kind: "fork", to: end });
      return end;
    });
    for (const end of ends) end.push(steps.length);
  };
  return { mayBeEmpty: options.some((option) => option.mayBeEmpty), write };
}

function readWaySequence(reader: WaysReader): WayPart | undefined {
  const parts: WayPart[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source.charAt(reader.at))) {
    const part = readRepeatedWay(reader);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return {
    mayBeEmpty: parts.every((part) => part.mayBeEmpty),
    write: (steps) => {
      for (const part of parts) if (steps.length <= mostWaySteps) part.write(steps);
    },
  };
}

function readRepeatedWay(reader: WaysReader): WayPart | undefined {
  const before = reader.groups;
  const part = readOneWay(reader);
  const sign = takeWay(reader, /[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
  if (part === undefined || sign === undefined) return part;
  const isLazy = sign.length > 1 && sign.endsWith("?");
  const [least, most] = wayTimes(isLazy ? sign.slice(0, -1) : sign);
  const mayStay = part.mayBeEmpty && most > least;
  if (mayStay && reader.remembers === "nothing") reader.remembers = "groups";
  const number = mayStay ? ++reader.turns : 0;
  const [from, upTo] = [2 * before + 2, 2 * reader.groups + 2];
  const turn = (steps: WayStep[]) => {
    if (upTo > from) steps.push({ kind: "forget", from, upTo });
    part.write(steps);
  };
  const write = (steps: WayStep[]) => {
    for (let i = 0; i < least && steps.length <= mostWaySteps; i++) turn(steps);
    const exits: number[][] = [];
    for (let i = least; i < (most === Infinity ? least + 1 : most) && steps.length <= mostWaySteps; i++) {
      const to: number[] = [];
      const start = steps.length;
      steps.push({ kind: "fork", to });
      to.push(start + 1);
      exits.push(to);
      if (mayStay) steps.push({ kind: "enter", turn: number });
      turn(steps);
      if (mayStay) steps.push({ kind: "leave", turn: number });
      if (most === Infinity) steps.push({ kind: "fork", to: [start] });
    }
    for (const to of exits) {
      if (isLazy) to.unshift(steps.length);
      else to.push(steps.length);
    }
  };
  return { mayBeEmpty: part.mayBeEmpty || least === 0, write };
}

function wayTimes(sign: string): readonly [least: number, most: number] {
  if (sign === "*") return [0, Infinity];
  if (sign === "+") return [1, Infinity];
  if (sign === "?") return [0, 1];
  const [least = "", most = least] = sign.slice(1, -1).split(",");
  return [Number(least), most === "" ? Infinity : Number(most)];
}

/** A character, class, assertion or group. */
function readOneWay(reader: WaysReader): WayPart | undefined {
  const { flags } = reader;
  if (takeWay(reader, /\((?!\?)/y) !== undefined) return readGroup(reader);
  if (takeWay(reader, /\(\?:/y) !== undefined) return closeWay(reader, readWays(reader));
  const assertion = takeWay(
    reader,
    /\(\?<?[=!](?:\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\[^pP1-9k]|[^()*+{}\\[])*\)|\\[bB]|[$^]/y,
  );
  if (assertion !== undefined) {
    const regex = new RegExp(assertion, `${flags}y`);
    return { mayBeEmpty: true, write: (steps) => void steps.push({ kind: "assert", regex }) };
  }
  const look = takeWay(reader, /\(\?[=!]/y);
  if (look !== undefined) return readLook(reader, look.endsWith("!"));
  const reference = takeWay(reader, /\\[1-9]\d*/y);
  if (reference !== undefined) {
    reader.remembers = "matches";
    const group = Number(reference.slice(1));
    return { mayBeEmpty: true, write: (steps) => void steps.push({ kind: "again", group }) };
  }
  const character = takeWay(reader, wayCharacter);
  if (character === undefined) return undefined;
  const regex = new RegExp(character, `${flags}y`);
  return { mayBeEmpty: false, write: (steps) => void steps.push({ kind: "take", regex }) };
}

/** A look-ahead with more than plain characters. */
function readLook(reader: WaysReader, isNegative: boolean): WayPart | undefined {
  reader.remembers = "matches";
  const inside = closeWay(reader, readWays(reader));
  if (inside === undefined) return undefined;
  const write = (steps: WayStep[]) => {
    const look = { kind: "look" as const, isNegative, upTo: 0 };
    steps.push(look);
    inside.write(steps);
    steps.push({ kind: "match" });
    look.upTo = steps.length;
  };
  return { mayBeEmpty: true, write };
}

/** Anything that matches one character. */
const wayCharacter = /\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u....|x..|[^1-9kbB])|[^()[\]{}*+?|\\]/uy;

function readGroup(reader: WaysReader): WayPart | undefined {
  reader.groups += 1;
  const slot = 2 * reader.groups;
  const inside = closeWay(reader, readWays(reader));
  if (inside === undefined) return undefined;
  const write = (steps: WayStep[]) => {
    steps.push({ kind: "save", slot });
    inside.write(steps);
    steps.push({ kind: "save", slot: slot + 1 });
  };
  return { mayBeEmpty: inside.mayBeEmpty, write };
}

const closeWay = (reader: WaysReader, part: WayPart | undefined): WayPart | undefined =>
  takeWay(reader, /\)/y) === undefined ? undefined : part;

/** Consumes the next token if it has a form. */
function takeWay(reader: WaysReader, form: RegExp): string | undefined {
  const regex = new RegExp(form.source, form.flags);
  regex.lastIndex = reader.at;
  const found = regex.exec(reader.source);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found[0];
}

/** The state of a search: a bitmap of visited states, or the number of steps left. */
interface Walk {
  readonly ways: Ways;
  readonly text: string;
  readonly gone?: Uint8Array;
  left: number;
}

/** Limits unmemoized matching to about a second, like jq's own limit, which counts differently. */
const mostStepsOfWays = 5000000;

/** The first match from an offset on, or only at it. */
function firstMatch(ways: Ways, text: string, from: number, isSticky: boolean): RegExpExecArray | null {
  const counted: Walk = { ways, text, left: mostStepsOfWays };
  if (ways.remembers === "matches") return firstWay(counted, from, isSticky);
  const size = ways.steps.length * (text.length + 1);
  if (size > 100000000) return raiseLimit("A text is too long for this regular expression.");
  const found = firstWay({ ways, text, gone: new Uint8Array(size), left: 0 }, from, isSticky);
  return found === null || ways.remembers === "nothing" ? found : firstWay(counted, found.index, true);
}

function firstWay(walk: Walk, from: number, isSticky: boolean): RegExpExecArray | null {
  const { ways, text } = walk;
  for (let start = from; start <= text.length; start += characterLength(text, start)) {
    const slots = wayFrom(walk, 0, start, [start]);
    if (slots !== undefined) return matchOf(slots, ways.groups, text);
    if (isSticky) break;
  }
  return null;
}

const characterLength = (text: string, at: number): number => (text.codePointAt(at)! > 65535 ? 2 : 1);

/** The slots of the first matching path from an instruction: group boundaries, then starts of iterations. */
function wayFrom(walk: Walk, first: number, start: number, known: Slots): Slots | undefined {
  const { text, gone } = walk;
  const { steps, groups } = walk.ways;
  const open: { step: number; at: number; slots: Slots }[] = [{ step: first, at: start, slots: known }];
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    let { step, at, slots } = way;
    walking: for (;;) {
      if (gone !== undefined) {
        const place = step * (text.length + 1) + at;
        if (gone[place] === 1) break;
        gone[place] = 1;
      } else if (walk.left-- <= 0) return raise("Regex failure: retry-limit-in-match over");
      const next = steps[step]!;
      switch (next.kind) {
        case "match":
          return withSlot(slots, 1, at);
        case "fork":
          for (let i = next.to.length - 1; i > 0; i--) open.push({ step: next.to[i]!, at, slots });
          step = next.to[0]!;
          continue;
        case "take":
          next.regex.lastIndex = at;
          if (at === text.length || !next.regex.test(text)) break walking;
          at += characterLength(text, at);
          break;
        case "assert":
          next.regex.lastIndex = at;
          if (!next.regex.test(text)) break walking;
          break;
        case "save":
          slots = withSlot(slots, next.slot, at);
          break;
        case "forget":
          slots = slots.map((value, slot) => (slot >= next.from && slot < next.upTo ? undefined : value));
          break;
        case "enter":
          slots = withSlot(slots, 2 * groups + 1 + next.turn, at);
          break;
        case "leave":
          if (gone === undefined && slots[2 * groups + 1 + next.turn] === at) break walking;
          break;
        case "again": {
          const [from, upTo] = [slots[2 * next.group], slots[2 * next.group + 1]];
          const taken = from === undefined || upTo === undefined ? "" : text.slice(from, upTo);
          if (!text.startsWith(taken, at)) break walking;
          at += taken.length;
          break;
        }
        case "look": {
          const seen = wayFrom(walk, step + 1, at, slots);
          if ((seen === undefined) !== next.isNegative) break walking;
          if (seen !== undefined) slots = seen;
          step = next.upTo;
          continue;
        }
        default:
          next satisfies never;
      }
      step += 1;
    }
  }
  return undefined;
}

/** Offsets by slot. */
type Slots = readonly (number | undefined)[];

function withSlot(slots: Slots, slot: number, at: number): Slots {
  const copy = slots.slice();
  while (copy.length < slot) copy.push(undefined);
  copy[slot] = at;
  return copy;
}

/** A match in the engine's format. */
function matchOf(slots: Slots, groups: number, text: string): RegExpExecArray {
  const spans = Array.from({ length: groups + 1 }, (_, group): [number, number] | undefined => {
    const [start, end] = [slots[2 * group], slots[2 * group + 1]];
    return start === undefined || end === undefined ? undefined : [start, end];
  });
  const texts = spans.map((span) => span && text.slice(span[0], span[1]));
  return Object.assign(texts, { index: spans[0]![0], input: text, indices: spans }) as unknown as RegExpExecArray;
}
