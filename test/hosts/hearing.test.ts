import { expect, test } from "vitest";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import { Hearing } from "../../targets/typescript/runtime/hosts/hearing/hearing.ts";
import type { Said } from "../../targets/typescript/runtime/hosts/hearing/messages.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/index.ts";

// What a run does with events that other runs may use too: it has them when the book grants them.

const workflow = { id: "W", version: "1", events: { Paid: { type: "paid" } } } as unknown as AnyWorkflow;
const event = (id: string): CloudEvent => ({ specversion: "1.0", id, source: "/till", type: "paid" });

/** A run that has heard of two events that others may use too; `state.isReplaying` is whether it goes through what it was told before. */
function hearing() {
  const said: Said[] = [];
  const state = { isReplaying: false };
  const listening = {
    say: (each: Said) => void said.push(each),
    passSoon: () => undefined,
    get isReplaying() {
      return state.isReplaying;
    },
  };
  const heard = new Hearing("R", listening);
  const open = () => heard.open("", workflow, []);
  const inbox = open();
  const events = [event("1"), event("2")];
  const come = () => {
    for (const [i, each] of events.entries()) arrive("", i + 1, each);
  };
  const arrive = (to: string, number: number, each: CloudEvent) =>
    heard.hear({ kind: "event", at: 0, inbox: to, number, isShared: true, event: each });
  const answer = (claim: number, isGranted: boolean, gone: readonly number[] = []) =>
    heard.hear({ kind: "claimed", at: 0, claim, isGranted, ...(gone.length > 0 && { gone }) });
  /** A wait that uses all that is there. */
  const wait = (key: string, isAsked = () => true, its = inbox) => {
    const use = () => {
      its.replace([]);
      return "found";
    };
    return heard.granted(key, heard.look(key, use), use, isAsked);
  };
  come();
  return { said, state, heard, open, inbox, events, come, arrive, answer, wait };
}

const methodsOf = (said: readonly Said[]): readonly string[] => said.map(({ method }) => method);
const rest = () => new Promise((resolve) => setImmediate(resolve));

test("what a wait has used it has when that is granted, and the book hears that it has used it", async () => {
  const { said, inbox, answer, wait } = hearing();
  const granted = wait("wait");
  await rest();
  expect(said).toEqual([{ method: "claim", what: { run: "R", inbox: "", claim: 1, numbers: [1, 2] } }]);
  answer(1, true);
  expect(await granted).toBe("found");
  expect(inbox.waiting).toEqual([]);
  expect(said.slice(1)).toEqual([{ method: "used", what: { run: "R", claim: 1 } }]);
});

test("a wait that is denied leaves what nobody else has, also where it was cut off meanwhile", async () => {
  const { heard, inbox, events, answer, wait } = hearing();
  const granted = wait("wait", () => false);
  await rest();
  heard.hear({ kind: "lost", at: 0, inbox: "", number: 1 });
  answer(1, false);
  expect(await granted).toBeUndefined();
  expect(inbox.waiting).toEqual([events[1]]);
});

test("what the book says is gone is not claimed again", async () => {
  const { said, answer, wait } = hearing();
  const granted = wait("wait");
  await rest();
  answer(1, false, [1]);
  await rest();
  expect(said.at(-1)).toEqual({ method: "claim", what: { run: "R", inbox: "", claim: 2, numbers: [2] } });
  answer(2, true);
  expect(await granted).toBe("found");
});

test("what was claimed, denied and is there still the run says that it has heard of, where it does not claim it again", async () => {
  const { said, heard, answer, wait } = hearing();
  heard.pass();
  const granted = wait("wait", () => false);
  await rest();
  answer(1, false, [1]);
  expect(await granted).toBeUndefined();
  heard.pass();
  expect(said.slice(-2)).toMatchObject([
    { method: "claim" },
    { method: "heard", what: { run: "R", inbox: "", number: 2 } },
  ]);
});

test("what another wait has used meanwhile is not there again when a claim is denied", async () => {
  const { heard, inbox, arrive, answer } = hearing();
  const own = event("3");
  heard.hear({ kind: "event", at: 0, inbox: "", number: 3, isShared: false, event: own });
  const some = () => {
    inbox.replace(inbox.waiting.filter((each) => each === own));
    return "found";
  };
  const granted = heard.granted("wait", heard.look("wait", some), some, () => false);
  await rest();
  inbox.replace([]);
  arrive("", 4, event("4"));
  answer(1, false, [1]);
  expect(await granted).toBeUndefined();
  expect(inbox.waiting.map(({ id }) => id)).toEqual(["2", "4"]);
});

test("that it does not use what it has heard of is told when nothing is claimed", async () => {
  const { said, heard, answer, wait } = hearing();
  void wait("wait");
  await rest();
  heard.pass();
  expect(methodsOf(said)).toEqual(["claim"]);
  answer(1, true);
  heard.pass();
  await rest();
  expect(methodsOf(said)).toEqual(["claim", "heard", "heard", "used"]);
});

test("what is granted to a wait that was cut off meanwhile the next wait claims again, before it is for others", async () => {
  const { said, heard, inbox, events, answer, wait } = hearing();
  const granted = wait("wait", () => false);
  await rest();
  const next = new Promise<Promise<unknown>>((resolve) => {
    heard.look("next", () => inbox.listen(() => resolve(wait("next")), [], []));
  });
  answer(1, true);
  expect(await granted).toBeUndefined();
  await rest();
  heard.pass();
  expect(methodsOf(said).slice(0, 3)).toEqual(["claim", "claim", "unused"]);
  answer(2, true);
  expect(await await next).toBe("found");
  expect(events).toHaveLength(2);
});

test("where no wait wants it, it is for others, and for the run while they do not use it", async () => {
  const { said, heard, inbox, events, answer, wait } = hearing();
  const granted = wait("wait", () => false);
  await rest();
  answer(1, true);
  expect(await granted).toBeUndefined();
  heard.pass();
  expect(methodsOf(said)).toEqual(["claim", "unused", "heard", "heard"]);
  expect(inbox.waiting).toEqual(events);
});

test("what is granted to a subflow that has left is for others, and what it had claimed keeps nobody waiting", async () => {
  const { said, heard, arrive, answer, wait } = hearing();
  const below = heard.open("below", workflow, []);
  arrive("below", 3, event("3"));
  void wait("below/wait", () => false, below);
  await rest();
  below.close();
  heard.pass();
  expect(methodsOf(said)).toEqual(["join", "claim", "leave", "heard", "heard", "heard"]);
  answer(1, true);
  heard.pass();
  expect(said.at(-1)).toEqual({ method: "unused", what: { run: "R", claim: 1 } });
});

test("the book hears of the correlation value of an event when that is granted", async () => {
  const { said, heard, inbox, answer } = hearing();
  const use = () => {
    inbox.replace([]);
    inbox.token = "a";
    return "found";
  };
  void heard.granted("wait", heard.look("wait", use), use, () => true);
  await rest();
  expect(methodsOf(said)).toEqual(["claim"]);
  answer(1, true);
  await rest();
  expect(methodsOf(said)).toEqual(["claim", "used", "token"]);
});

test("subflows of a run that has failed listen on; when it goes on, they and open claims are told again", async () => {
  const { said, state, heard, open, come, arrive, answer, wait } = hearing();
  const below = heard.open("below", workflow, []);
  arrive("below", 3, event("3"));
  void wait("below/wait", () => false, below);
  await rest();
  below.close();
  heard.stay();
  answer(1, true);
  await rest();
  heard.stay();
  expect(methodsOf(said)).toEqual(["join", "claim", "heard", "heard", "heard", "unused"]);
  said.length = 0;

  const resumption = heard.resumption([1], []);
  heard.again();
  state.isReplaying = true;
  open();
  come();
  const again = heard.open("below", workflow, []);
  arrive("below", 3, event("3"));
  const granted = wait("below/wait", () => true, again);
  await rest();
  state.isReplaying = false;
  heard.resume(resumption);
  expect(said).toMatchObject([{ method: "join" }, { method: "claim", what: { claim: 2, numbers: [3] } }]);
  answer(2, true);
  expect(await granted).toBe("found");
});

test("what a run had used before it failed it has when it goes on from before", async () => {
  const { said, state, heard, open, come, answer, wait } = hearing();
  void wait("wait");
  await rest();
  answer(1, true);
  await rest();
  const resumption = heard.resumption([1], []);
  expect(resumption).toEqual({ claims: 1, own: [1, 2] });
  said.length = 0;

  heard.again();
  state.isReplaying = true;
  const inbox = open();
  come();
  const claimed = wait("wait", () => true, inbox);
  await rest();
  state.isReplaying = false;
  heard.resume(resumption);
  expect(await claimed).toBe("found");
  expect(said).toEqual([]);
});
