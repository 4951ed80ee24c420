import type { Outputs } from "../facts/facts.ts";
import { type Place, routeCode, routeNamed, type Sink, sinkOf } from "./place.ts";
import type { Scope } from "./scope.ts";
import { callStatement, type Exit, frameIn, fresh, helper, leave, type Site, type Writer } from "./writer.ts";

/**
 * Statements in which a sink is needed in several places: where its text is long, it becomes a function, so that a program is never longer than a
 * multiple of its expression.
 */
export function shared(scope: Scope, site: Site, sink: Sink, write: (sink: Sink) => string): string {
  if (sink.small) return write(sink);
  const { writer } = scope;
  const name = fresh(writer, "f");
  const { text, exits, parameters } = functionOf(scope, site, sink, scope.dot.path !== undefined);
  const call: Sink = {
    small: true,
    write: (place, at) =>
      callStatement(writer, `${name}(${argumentsOf(place, parameters.length > 1, writer)})`, exits, at),
  };
  return `const ${name} = (${parameters.join(", ")}) => {\n${text}};\n${write(call)}`;
}

/** A sink as a function of the program: of a value, or also of its path and the value at that. */
export function functionOf(
  scope: Scope,
  site: Site,
  sink: Sink,
  tracks: boolean,
): { readonly text: string; readonly exits: ReadonlySet<Exit>; readonly parameters: readonly string[] } {
  const frame = frameIn(site.frame);
  const slots = slotsOf(scope, tracks);
  const text = sink.write(slots.place, { frame, tail: true });
  return { text, exits: frame.exits, parameters: slots.names };
}

/** The arguments for such a function. */
export function argumentsOf(place: Place, tracks: boolean, writer: Writer): string {
  if (!tracks) return place.value;
  if (!place.path) return `${place.value}, undefined, null`;
  return `${place.value}, ${routeCode(place.path, writer)}, ${placeCode(place, writer)}`;
}

/** The value at the path of a place; where a text or number is new although it may be equal, something else. */
function placeCode({ value, at, copied }: Place, writer: Writer): string {
  if (at === undefined) return value;
  return copied === false ? `${helper(writer, "apart")}(${value}, ${at})` : at;
}

/** Variables of the program for an output: for its value, and where paths are told for its path and the value at that. */
export interface Slots {
  readonly names: readonly string[];
  readonly place: Place;
  /** Sets them to an output. */
  readonly fill: Sink;
}

/** New variables for an output. */
export function slotsOf({ writer, dot }: Scope, tracks: boolean): Slots {
  const value = fresh(writer, "v");
  if (!tracks) {
    const fill: Sink = { small: true, write: (place) => `${value} = ${place.value};\n` };
    return { names: [value], place: { value }, fill };
  }
  const [path, at] = [fresh(writer, "p"), fresh(writer, "w")];
  const route = routeNamed(path, {
    ...(dot.path ?? { root: undefined, keys: [] }),
    dynamic: dot.path?.dynamic ?? true,
  });
  const fill: Sink = {
    small: true,
    write: (place) =>
      `${value} = ${place.value};\n${path} = ${routeCode(place.path!, writer)};\n${at} = ${placeCode(place, writer)};\n`,
  };
  return { names: [value, path, at], place: { value, path: route, at }, fill };
}

/** The declaration of variables without a value. */
export const declared = (slots: Slots): string => `let ${slots.names.join(", ")};\n`;

/** The statements of a sink for variables that are undefined where there is no output. */
export function ifPresent(slots: Slots, surely: boolean, site: Site, sink: Sink): string {
  const text = sink.write(slots.place, site);
  return surely ? text : `if (${slots.place.value} !== undefined) {\n${text}}\n`;
}

/** The first output of something in variables, which stay undefined if there is none. */
export function firstInto(slots: Slots, exit: Exit): Sink {
  return { small: true, write: (place, site) => `${slots.fill.write(place, site)}${leave(exit, site)}` };
}

/** Whether something has no more than one output. */
export const isSingle = (outputs: Outputs): boolean => outputs !== "many";

/** JavaScript that is true where a value is neither false nor null. */
export const truthOf = (code: string, writer: Writer): string => `${helper(writer, "isTrue")}(${code})`;

/** A sink that wants to know nothing but the value. */
export const valueSink = (write: (value: string, site: Site) => string): Sink =>
  sinkOf(({ value }, site) => write(value, site));
