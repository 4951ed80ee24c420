import type { Json } from "../../../../src/json.ts";
import type { Reply } from "../../../../src/scenario/simulation.ts";
import { dice, value } from "./dice.ts";

const errors = ["Busy", "Fatal", "Timeout", "DataMergeError"] as const;
const messages = ["", "no", "at all", '{"errorMessage":"nested"}', "100%"] as const;

/**
 * Answers of all functions: of calls that branches make at one instant any may come first, so what an answer is depends on the function, its
 * argument and the time, and not on how many calls there were before. Few take whole seconds, so that few answer when a timer rings. After some
 * time there are only results, so that loops come to an end.
 */
export function replies(seed: number): (name: string, argument: Json, seconds: number) => Reply {
  let made = 0;
  return (name, argument, seconds) => {
    if (++made > mostCalls) throw new Error(tooManyCalls);
    const die = dice(seed + textHash(`${name} ${seconds} ${JSON.stringify(argument)}`));
    const takes = die.pick([0, 0, 0, 1.25, 2.375, 9.5]);
    if (seconds < calm && die.chance(seed % 2 === 0 ? 40 : 20)) {
      const trace = die.chance(30) ? { data: { trace: ["here", "there"] } } : {};
      return { takes, answer: { kind: "throws", name: die.pick(errors), message: die.pick(messages), ...trace } };
    }
    return {
      takes: takes + (seconds < calm ? 0 : 1),
      answer: { kind: "returns", value: seconds > calm ? { done: true } : value(die) },
    };
  };
}

/** The second from which on nothing fails. */
const calm = 40;

const mostCalls = 60;

/** What a run is broken off with that seems not to end. */
export const tooManyCalls = "The run makes too many calls.";

const textHash = (text: string): number =>
  [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 7);
