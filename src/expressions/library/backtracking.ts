import { raise, raiseLimit } from "./failure.ts";
import { isPairAt } from "./text.ts";

/** A searcher like a JavaScript regular expression with flag `g` or `y`. */
export interface Searcher {
  lastIndex: number;
  exec(text: string): RegExpExecArray | null;
}

/**
 * Compiles a JavaScript regular expression safely. If the engine might backtrack catastrophically, a backtracking
 * matcher visits each pair of instruction and offset once, in linear time. With back-references, and for captures in
 * repeated parts that may be empty, it counts visits instead, and raises jq's retry-limit error beyond the limit.
 */
export function createSearcher(source: string, flags: string, text: string): Searcher {
  if (isHarmless(source, text)) return new RegExp(source, flags);
  const program = compileRegex(source, flags.replace(/[gyd]/g, ""), "regular expression");
  if (program === undefined) return new RegExp(source, flags);
  const searcher: Searcher = {
    lastIndex: 0,
    exec(whole) {
      const found = findMatch(program, whole, searcher.lastIndex, flags.includes("y"));
      searcher.lastIndex = found === null ? 0 : found.index + found[0].length;
      return found;
    },
  };
  return searcher;
}

/** The next match. Skips empty matches inside a surrogate pair, which some engines find. */
export function nextMatch(searcher: Searcher, text: string): RegExpExecArray | null {
  let found = searcher.exec(text);
  while (found && found.index > 0 && isPairAt(text, found.index - 1)) {
    searcher.lastIndex = found.index + 1;
    found = searcher.exec(text);
  }
  return found;
}

/** Compiles a test in bounded time, linear unless the pattern has back-references or nested look-ahead. */
export function createTester(source: string, flags: string): (text: string) => boolean {
  const regex = new RegExp(source, `${flags}g`);
  let program: RegexProgram | undefined;
  return (text) => {
    program = program || (isHarmless(source, text) ? undefined : compileRegex(source, flags, "pattern"));
    regex.lastIndex = 0;
    if (program === undefined) return nextMatch(regex, text) !== null;
    const isCounted = program.pathDependence === "match";
    return findFrom(isCounted ? counted(program, text) : memoized(program, text), 0, false) !== null;
  };
}

/** No repeated groups and few choice points; signs in classes count too, which is harmless. */
function isHarmless(source: string, text: string): boolean {
  if (/\)(?:[*+]|\{)/.test(source)) return false;
  const choices = source.replace(/\(\?|([*+?]|\{\d+(?:,\d*)?\})\?/g, "$1").match(/[*+?|]|\{\d+,/g) || [];
  return choices.length === 0 || text.length ** (choices.length + 1) <= maxEngineTries;
}

const maxEngineTries = 100000000;

type Instruction =
  | { readonly kind: "character" | "assert"; readonly regex: RegExp }
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "reset"; readonly from: number; readonly upTo: number }
  /** Brackets an iteration that may be empty, which ends the path. */
  | { readonly kind: "enterIteration" | "leaveIteration"; readonly iteration: number }
  | { readonly kind: "backReference"; readonly group: number }
  | { readonly kind: "lookAhead"; readonly isNegative: boolean; upTo: number }
  /** In order of preference. */
  | { readonly kind: "split"; readonly to: readonly number[] }
  | { readonly kind: "match" };

interface RegexProgram {
  readonly instructions: readonly Instruction[];
  readonly groups: number;
  readonly noun: string;
  readonly pathDependence: "none" | "captures" | "match";
  /** Matches code points, not UTF-16 units. */
  readonly isUnicode: boolean;
}

interface RegexCompiler {
  readonly source: string;
  readonly flags: string;
  at: number;
  groups: number;
  iterations: number;
  pathDependence: RegexProgram["pathDependence"];
}

interface Fragment {
  readonly isNullable: boolean;
  readonly emit: (instructions: Instruction[]) => void;
}

function compileRegex(source: string, flags: string, noun: string): RegexProgram | undefined {
  const compiler: RegexCompiler = { source, flags, at: 0, groups: 0, iterations: 0, pathDependence: "none" };
  const pattern = compileAlternatives(compiler);
  if (pattern === undefined || compiler.at < source.length) return undefined;
  const instructions: Instruction[] = [];
  pattern.emit(instructions);
  instructions.push({ kind: "match" });
  if (instructions.length > maxInstructions) return raiseLimit(`A ${noun} is too large.`);
  const { groups, pathDependence } = compiler;
  return { instructions, groups, noun, pathDependence, isUnicode: flags.includes("u") };
}

const maxInstructions = 20000;

function compileAlternatives(compiler: RegexCompiler): Fragment | undefined {
  const options: Fragment[] = [];
  do {
    if (options.length > 0) compiler.at += 1;
    const option = compileConcatenation(compiler);
    if (option === undefined) return undefined;
    options.push(option);
  } while (compiler.source.charAt(compiler.at) === "|");
  if (options.length === 1) return options[0];
  const emit = (instructions: Instruction[]) => {
    const to: number[] = [];
    instructions.push({ kind: "split", to });
    const ends = options.map((option) => {
      to.push(instructions.length);
      option.emit(instructions);
      const end: number[] = [];
      instructions.push({ kind: "split", to: end });
      return end;
    });
    for (const end of ends) end.push(instructions.length);
  };
  return { isNullable: options.some((option) => option.isNullable), emit };
}

function compileConcatenation(compiler: RegexCompiler): Fragment | undefined {
  const parts: Fragment[] = [];
  while (compiler.at < compiler.source.length && !"|)".includes(compiler.source.charAt(compiler.at))) {
    const part = compileQuantified(compiler);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return {
    isNullable: parts.every((part) => part.isNullable),
    emit: (instructions) => {
      for (const part of parts) if (instructions.length <= maxInstructions) part.emit(instructions);
    },
  };
}

function compileQuantified(compiler: RegexCompiler): Fragment | undefined {
  const before = compiler.groups;
  const part = compileAtom(compiler);
  const quantifier = consumeToken(compiler, /[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
  if (part === undefined || quantifier === undefined) return part;
  const isLazy = quantifier.length > 1 && quantifier.endsWith("?");
  const [min, max] = quantifierBounds(isLazy ? quantifier.slice(0, -1) : quantifier);
  const mayBeEmpty = part.isNullable && max > min;
  if (mayBeEmpty && compiler.pathDependence === "none") compiler.pathDependence = "captures";
  const number = mayBeEmpty ? ++compiler.iterations : 0;
  const [from, upTo] = [2 * before + 2, 2 * compiler.groups + 2];
  const iterate = (instructions: Instruction[]) => {
    if (upTo > from) instructions.push({ kind: "reset", from, upTo });
    part.emit(instructions);
  };
  const emit = (instructions: Instruction[]) => {
    for (let i = 0; i < min && instructions.length <= maxInstructions; i++) iterate(instructions);
    const exits: number[][] = [];
    for (let i = min; i < (max === Infinity ? min + 1 : max) && instructions.length <= maxInstructions; i++) {
      const to: number[] = [];
      const start = instructions.length;
      instructions.push({ kind: "split", to });
      to.push(start + 1);
      exits.push(to);
      if (mayBeEmpty) instructions.push({ kind: "enterIteration", iteration: number });
      iterate(instructions);
      if (mayBeEmpty) instructions.push({ kind: "leaveIteration", iteration: number });
      if (max === Infinity) instructions.push({ kind: "split", to: [start] });
    }
    for (const to of exits) {
      if (isLazy) to.unshift(instructions.length);
      else to.push(instructions.length);
    }
  };
  return { isNullable: part.isNullable || min === 0, emit };
}

function quantifierBounds(quantifier: string): readonly [min: number, max: number] {
  if (quantifier === "*") return [0, Infinity];
  if (quantifier === "+") return [1, Infinity];
  if (quantifier === "?") return [0, 1];
  const [min = "", max = min] = quantifier.slice(1, -1).split(",");
  return [Number(min), max === "" ? Infinity : Number(max)];
}

function compileAtom(compiler: RegexCompiler): Fragment | undefined {
  const { flags } = compiler;
  if (consumeToken(compiler, /\((?!\?)/y) !== undefined) return compileGroup(compiler);
  if (consumeToken(compiler, /\(\?:/y) !== undefined) return closeGroup(compiler, compileAlternatives(compiler));
  const assertion = consumeToken(
    compiler,
    /\(\?<?[=!](?:\[(?:[^\]\\]|\\.)*\]|\\[pPu]\{[^}]*\}|\\[^pP1-9k]|[^()*+{}\\[]|\{\d+\})*\)|\\[bB]|[$^]/y,
  );
  if (assertion !== undefined) {
    const regex = new RegExp(assertion, `${flags}y`);
    return { isNullable: true, emit: (instructions) => void instructions.push({ kind: "assert", regex }) };
  }
  const look = consumeToken(compiler, /\(\?[=!]/y);
  if (look !== undefined) return compileLookAhead(compiler, look.endsWith("!"));
  const reference = consumeToken(compiler, /\\[1-9]\d*/y);
  if (reference !== undefined) {
    compiler.pathDependence = "match";
    const group = Number(reference.slice(1));
    return { isNullable: true, emit: (instructions) => void instructions.push({ kind: "backReference", group }) };
  }
  const character = consumeToken(compiler, flags.includes("u") ? codePointPattern : unitPattern);
  if (character === undefined) return undefined;
  const regex = new RegExp(character, `${flags}y`);
  return { isNullable: false, emit: (instructions) => void instructions.push({ kind: "character", regex }) };
}

function compileLookAhead(compiler: RegexCompiler, isNegative: boolean): Fragment | undefined {
  compiler.pathDependence = "match";
  const inside = closeGroup(compiler, compileAlternatives(compiler));
  if (inside === undefined) return undefined;
  const emit = (instructions: Instruction[]) => {
    const lookAhead = { kind: "lookAhead" as const, isNegative, upTo: 0 };
    instructions.push(lookAhead);
    inside.emit(instructions);
    instructions.push({ kind: "match" });
    lookAhead.upTo = instructions.length;
  };
  return { isNullable: true, emit };
}

const codePointPattern =
  /\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u....|x..|[^1-9kbB])|[^()[\]{}*+?|\\]/uy;

const unitPattern = new RegExp(codePointPattern.source, "y");

function compileGroup(compiler: RegexCompiler): Fragment | undefined {
  compiler.groups += 1;
  const slot = 2 * compiler.groups;
  const inside = closeGroup(compiler, compileAlternatives(compiler));
  if (inside === undefined) return undefined;
  const emit = (instructions: Instruction[]) => {
    instructions.push({ kind: "save", slot });
    inside.emit(instructions);
    instructions.push({ kind: "save", slot: slot + 1 });
  };
  return { isNullable: inside.isNullable, emit };
}

const closeGroup = (compiler: RegexCompiler, part: Fragment | undefined): Fragment | undefined =>
  consumeToken(compiler, /\)/y) === undefined ? undefined : part;

function consumeToken(compiler: RegexCompiler, form: RegExp): string | undefined {
  const regex = new RegExp(form.source, form.flags);
  regex.lastIndex = compiler.at;
  const found = regex.exec(compiler.source);
  if (found === null) return undefined;
  compiler.at += found[0].length;
  return found[0];
}

interface MatchState {
  readonly program: RegexProgram;
  readonly text: string;
  readonly visited?: Uint8Array;
  stepsLeft: number;
}

/** About a second, like jq's own limit, which counts differently. */
const maxMatchSteps = 5000000;

function findMatch(program: RegexProgram, text: string, from: number, isSticky: boolean): RegExpExecArray | null {
  if (program.pathDependence === "match") return findFrom(counted(program, text), from, isSticky);
  const found = findFrom(memoized(program, text), from, isSticky);
  return found === null || program.pathDependence === "none"
    ? found
    : findFrom(counted(program, text), found.index, true);
}

const counted = (program: RegexProgram, text: string): MatchState => ({ program, text, stepsLeft: maxMatchSteps });

function memoized(program: RegexProgram, text: string): MatchState {
  const size = program.instructions.length * (text.length + 1);
  if (size > 100000000) return raiseLimit(`A text is too long for this ${program.noun}.`);
  return { program, text, visited: new Uint8Array(size), stepsLeft: 0 };
}

function findFrom(state: MatchState, from: number, isSticky: boolean): RegExpExecArray | null {
  const { program, text } = state;
  for (let start = from; start <= text.length; start += stepAt(program, text, start)) {
    const slots = matchFrom(state, 0, start, [start]);
    if (slots !== undefined) return toMatchArray(slots, program.groups, text);
    if (isSticky) break;
  }
  return null;
}

const stepAt = ({ isUnicode }: RegexProgram, text: string, at: number): number =>
  isUnicode && isPairAt(text, at) ? 2 : 1;

/** The slots: group boundaries, then starts of iterations. */
function matchFrom(state: MatchState, first: number, start: number, known: Slots): Slots | undefined {
  const { text, visited } = state;
  const { instructions, groups } = state.program;
  const open: { step: number; at: number; slots: Slots }[] = [{ step: first, at: start, slots: known }];
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    let { step, at, slots } = branch;
    path: for (;;) {
      if (visited !== undefined) {
        const key = step * (text.length + 1) + at;
        if (visited[key] === 1) break;
        visited[key] = 1;
      } else if (state.stepsLeft-- <= 0) return raise("Regex failure: retry-limit-in-match over");
      const next = instructions[step]!;
      switch (next.kind) {
        case "match":
          return withSlot(slots, 1, at);
        case "split":
          for (let i = next.to.length - 1; i > 0; i--) open.push({ step: next.to[i]!, at, slots });
          step = next.to[0]!;
          continue;
        case "character":
          next.regex.lastIndex = at;
          if (at === text.length || !next.regex.test(text)) break path;
          at = next.regex.lastIndex;
          break;
        case "assert":
          next.regex.lastIndex = at;
          if (!next.regex.test(text)) break path;
          break;
        case "save":
          slots = withSlot(slots, next.slot, at);
          break;
        case "reset":
          slots = slots.map((value, slot) => (slot >= next.from && slot < next.upTo ? undefined : value));
          break;
        case "enterIteration":
          slots = withSlot(slots, 2 * groups + 1 + next.iteration, at);
          break;
        case "leaveIteration":
          if (visited === undefined && slots[2 * groups + 1 + next.iteration] === at) break path;
          break;
        case "backReference": {
          const [from, upTo] = [slots[2 * next.group], slots[2 * next.group + 1]];
          const taken = from === undefined || upTo === undefined ? "" : text.slice(from, upTo);
          if (!text.startsWith(taken, at)) break path;
          at += taken.length;
          break;
        }
        case "lookAhead": {
          const seen = matchFrom(state, step + 1, at, slots);
          if ((seen === undefined) !== next.isNegative) break path;
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

type Slots = readonly (number | undefined)[];

function withSlot(slots: Slots, slot: number, at: number): Slots {
  const copy = slots.slice();
  while (copy.length < slot) copy.push(undefined);
  copy[slot] = at;
  return copy;
}

function toMatchArray(slots: Slots, groups: number, text: string): RegExpExecArray {
  const spans = Array.from({ length: groups + 1 }, (_, group): [number, number] | undefined => {
    const [start, end] = [slots[2 * group], slots[2 * group + 1]];
    return start === undefined || end === undefined ? undefined : [start, end];
  });
  const texts = spans.map((span) => span && text.slice(span[0], span[1]));
  return Object.assign(texts, { index: spans[0]![0], input: text, indices: spans }) as unknown as RegExpExecArray;
}
