import { expect, test } from "vitest";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/face.ts";
import { Hearing } from "../../targets/typescript/runtime/hosts/hearing/hearing.ts";
import type { Said } from "../../targets/typescript/runtime/hosts/hearing/messages.ts";

// A run claims events that other runs may use too, and uses them once the book grants them.

const workflow = { id: "W", version: "1", events: { Paid: { type: "paid" } } } as unknown as AnyWorkflow;
const event = (id: string): CloudEvent => ({ specversion: "1.0", id, source: "/till", type: "paid" });

/** A run that has received two events that others may use too; set `state.isReplaying` during a replay. */
function createHearing() {
  const commands: Said[] = [];
  const state = { isReplaying: false };
  const listening = {
    say: (each: Said) => void commands.push(each),
    passSoon: () => undefined,
    get isReplaying() {
      return state.isReplaying;
    },
  };
  const hearing = new Hearing("R", listening);
  const open = () => hearing.open("", workflow, []);
  const inbox = open();
  const events = [event("1"), event("2")];
  const come = () => {
    for (const [i, each] of events.entries()) arrive("", i + 1, each);
  };
  const arrive = (to: string, number: number, each: CloudEvent) =>
    hearing.hear({ kind: "event", at: 0, inbox: to, number, isShared: true, event: each });
  const answer = (claim: number, isGranted: boolean, gone: readonly number[] = []) =>
    hearing.hear({ kind: "claimed", at: 0, claim, isGranted, ...(gone.length > 0 && { gone }) });
  /** A wait that uses all available events. */
  const wait = (key: string, isAsked = () => true, its = inbox) => {
    const use = () => {
      its.replace([]);
      return "found";
    };
    return hearing.granted(key, hearing.look(key, use), use, isAsked);
  };
  come();
  return { commands, state, hearing, open, inbox, events, come, arrive, answer, wait };
}

const methodsOf = (commands: readonly Said[]): readonly string[] => commands.map(({ method }) => method);
const rest = () => new Promise((resolve) => setImmediate(resolve));

test("a wait uses its events once they are granted, and reports that to the book", async () => {
  const { commands, inbox, answer, wait } = createHearing();
  const granted = wait("wait");
  await rest();
  expect(commands).toEqual([{ method: "claim", what: { run: "R", inbox: "", claim: 1, numbers: [1, 2] } }]);
  answer(1, true);
  expect(await granted).toBe("found");
  expect(inbox.waiting).toEqual([]);
  expect(commands.slice(1)).toEqual([{ method: "used", what: { run: "R", claim: 1 } }]);
});

test("a denied wait leaves the events that no other run has, even if it was canceled meanwhile", async () => {
  const { hearing, inbox, events, answer, wait } = createHearing();
  const granted = wait("wait", () => false);
  await rest();
  hearing.hear({ kind: "lost", at: 0, inbox: "", number: 1 });
  answer(1, false);
  expect(await granted).toBeUndefined();
  expect(inbox.waiting).toEqual([events[1]]);
});

test("events that the book reports as gone are not claimed again", async () => {
  const { commands, answer, wait } = createHearing();
  const granted = wait("wait");
  await rest();
  answer(1, false, [1]);
  await rest();
  expect(commands.at(-1)).toEqual({ method: "claim", what: { run: "R", inbox: "", claim: 2, numbers: [2] } });
  answer(2, true);
  expect(await granted).toBe("found");
});

test("a run acknowledges an event whose claim was denied if it does not claim it again", async () => {
  const { commands, hearing, answer, wait } = createHearing();
  hearing.pass();
  const granted = wait("wait", () => false);
  await rest();
  answer(1, false, [1]);
  expect(await granted).toBeUndefined();
  hearing.pass();
  expect(commands.slice(-2)).toMatchObject([
    { method: "claim" },
    { method: "heard", what: { run: "R", inbox: "", number: 2 } },
  ]);
});

test("a denied claim does not restore events that another wait has used meanwhile", async () => {
  const { hearing, inbox, arrive, answer } = createHearing();
  const own = event("3");
  hearing.hear({ kind: "event", at: 0, inbox: "", number: 3, isShared: false, event: own });
  const some = () => {
    inbox.replace(inbox.waiting.filter((each) => each === own));
    return "found";
  };
  const granted = hearing.granted("wait", hearing.look("wait", some), some, () => false);
  await rest();
  inbox.replace([]);
  arrive("", 4, event("4"));
  answer(1, false, [1]);
  expect(await granted).toBeUndefined();
  expect(inbox.waiting.map(({ id }) => id)).toEqual(["2", "4"]);
});

test("a run acknowledges unused events only when it has no open claim", async () => {
  const { commands, hearing, answer, wait } = createHearing();
  void wait("wait");
  await rest();
  hearing.pass();
  expect(methodsOf(commands)).toEqual(["claim"]);
  answer(1, true);
  hearing.pass();
  await rest();
  expect(methodsOf(commands)).toEqual(["claim", "heard", "heard", "used"]);
});

test("the next wait reclaims events granted to a canceled wait before others get them", async () => {
  const { commands, hearing, inbox, events, answer, wait } = createHearing();
  const granted = wait("wait", () => false);
  await rest();
  const next = new Promise<Promise<unknown>>((resolve) => {
    hearing.look("next", () => inbox.listen(() => resolve(wait("next")), [], []));
  });
  answer(1, true);
  expect(await granted).toBeUndefined();
  await rest();
  hearing.pass();
  expect(methodsOf(commands).slice(0, 3)).toEqual(["claim", "claim", "unused"]);
  answer(2, true);
  expect(await await next).toBe("found");
  expect(events).toHaveLength(2);
});

test("an event that no wait of the run wants is released to others and stays available to the run", async () => {
  const { commands, hearing, inbox, events, answer, wait } = createHearing();
  const granted = wait("wait", () => false);
  await rest();
  answer(1, true);
  expect(await granted).toBeUndefined();
  hearing.pass();
  expect(methodsOf(commands)).toEqual(["claim", "unused", "heard", "heard"]);
  expect(inbox.waiting).toEqual(events);
});

test("events granted to a subflow that has ended go to others, and its open claims block no run", async () => {
  const { commands, hearing, arrive, answer, wait } = createHearing();
  const below = hearing.open("below", workflow, []);
  arrive("below", 3, event("3"));
  void wait("below/wait", () => false, below);
  await rest();
  below.close();
  hearing.pass();
  expect(methodsOf(commands)).toEqual(["join", "claim", "leave", "heard", "heard", "heard"]);
  answer(1, true);
  hearing.pass();
  expect(commands.at(-1)).toEqual({ method: "unused", what: { run: "R", claim: 1 } });
});

test("the run reports its correlation value when the event is granted", async () => {
  const { commands, hearing, inbox, answer } = createHearing();
  const use = () => {
    inbox.replace([]);
    inbox.token = "a";
    return "found";
  };
  void hearing.granted("wait", hearing.look("wait", use), use, () => true);
  await rest();
  expect(methodsOf(commands)).toEqual(["claim"]);
  answer(1, true);
  await rest();
  expect(methodsOf(commands)).toEqual(["claim", "used", "token"]);
});

test("subflows of a failed run stay subscribed; when it resumes, subscriptions and open claims are sent again", async () => {
  const { commands, state, hearing, open, come, arrive, answer, wait } = createHearing();
  const below = hearing.open("below", workflow, []);
  arrive("below", 3, event("3"));
  void wait("below/wait", () => false, below);
  await rest();
  below.close();
  hearing.stay();
  answer(1, true);
  await rest();
  hearing.stay();
  expect(methodsOf(commands)).toEqual(["join", "claim", "heard", "heard", "heard", "unused"]);
  commands.length = 0;

  const resumption = hearing.resumption([1], []);
  hearing.again();
  state.isReplaying = true;
  open();
  come();
  const again = hearing.open("below", workflow, []);
  arrive("below", 3, event("3"));
  const granted = wait("below/wait", () => true, again);
  await rest();
  state.isReplaying = false;
  hearing.resume(resumption);
  expect(commands).toMatchObject([{ method: "join" }, { method: "claim", what: { claim: 2, numbers: [3] } }]);
  answer(2, true);
  expect(await granted).toBe("found");
});

test("a run that replays after a failure keeps the events that it had used", async () => {
  const { commands, state, hearing, open, come, answer, wait } = createHearing();
  void wait("wait");
  await rest();
  answer(1, true);
  await rest();
  const resumption = hearing.resumption([1], []);
  expect(resumption).toEqual({ claims: 1, own: [1, 2] });
  commands.length = 0;

  hearing.again();
  state.isReplaying = true;
  const inbox = open();
  come();
  const claimed = wait("wait", () => true, inbox);
  await rest();
  state.isReplaying = false;
  hearing.resume(resumption);
  expect(await claimed).toBe("found");
  expect(commands).toEqual([]);
});
