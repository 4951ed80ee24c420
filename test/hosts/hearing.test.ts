import { expect, test } from "vitest";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import { Hearing } from "../../targets/typescript/runtime/hosts/hearing/hearing.ts";
import type { Said } from "../../targets/typescript/runtime/hosts/hearing/messages.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/index.ts";

// What a run does with events that other runs may use too: it has them when the book grants them.

const workflow = { id: "W", version: "1", events: { Paid: { type: "paid" } } } as unknown as AnyWorkflow;
const event = (id: string): CloudEvent => ({ specversion: "1.0", id, source: "/till", type: "paid" });

/** A run that has heard of two events that others may use too. */
function hearing() {
  const said: Said[] = [];
  const heard = new Hearing("R", { say: (each) => void said.push(each), isReplaying: false });
  const inbox = heard.open("", workflow, []);
  const events = [event("1"), event("2")];
  for (const [i, each] of events.entries())
    heard.take({ kind: "event", at: 0, inbox: "", number: i + 1, isShared: true, event: each });
  const wait = () => {
    inbox.replace([]);
    return "found";
  };
  return { said, heard, inbox, events, wait };
}

test("what a wait has used it has when that is granted", async () => {
  const { said, heard, inbox, wait } = hearing();
  const granted = heard.granted("wait", heard.look("wait", wait), wait, () => true);
  await Promise.resolve();
  expect(said).toEqual([{ method: "claim", what: { run: "R", inbox: "", claim: 1, numbers: [1, 2] } }]);
  heard.take({ kind: "claimed", at: 0, claim: 1, isGranted: true });
  expect(await granted).toBe("found");
  expect(inbox.waiting).toEqual([]);
});

test("a wait that is denied leaves what nobody else has, also where it was cut off meanwhile", async () => {
  const { heard, inbox, events, wait } = hearing();
  const granted = heard.granted("wait", heard.look("wait", wait), wait, () => false);
  await Promise.resolve();
  heard.take({ kind: "lost", at: 0, inbox: "", number: 1 });
  heard.take({ kind: "claimed", at: 0, claim: 1, isGranted: false });
  expect(await granted).toBeUndefined();
  expect(inbox.waiting).toEqual([events[1]]);
});

test("that it does not use what it has heard of is told when nothing is claimed", async () => {
  const { said, heard, wait } = hearing();
  void heard.granted("wait", heard.look("wait", wait), wait, () => true);
  await Promise.resolve();
  heard.pass();
  expect(said.filter(({ method }) => method === "heard")).toEqual([]);
  heard.take({ kind: "claimed", at: 0, claim: 1, isGranted: true });
  heard.pass();
  expect(said.filter(({ method }) => method === "heard")).toHaveLength(2);
});

test("what is granted to a wait that was cut off meanwhile is the run's, whose next wait has it", async () => {
  const { said, heard, inbox, events, wait } = hearing();
  const granted = heard.granted("wait", heard.look("wait", wait), wait, () => false);
  await Promise.resolve();
  heard.take({ kind: "claimed", at: 0, claim: 1, isGranted: true });
  expect(await granted).toBeUndefined();
  expect(inbox.waiting).toEqual(events);
  expect(await heard.granted("next", heard.look("next", wait), wait, () => true)).toBe("found");
  expect(said.filter(({ method }) => method === "claim")).toHaveLength(1);
});

test("what a subflow had claimed as it left keeps nobody waiting", async () => {
  const { said, heard } = hearing();
  const below = heard.open("below", workflow, []);
  heard.take({ kind: "event", at: 0, inbox: "below", number: 3, isShared: true, event: event("3") });
  const wait = () => below.replace([]);
  void heard.granted("below/wait", heard.look("below/wait", wait), wait, () => false);
  await Promise.resolve();
  below.close();
  heard.pass();
  expect(said.map(({ method }) => method)).toEqual(["join", "claim", "leave", "heard", "heard", "heard"]);
});
