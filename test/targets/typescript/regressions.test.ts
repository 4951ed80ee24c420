import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Faults of generated programs that an audit found or injected, and the tests that cover them, by file and title.

const here = "test/targets/typescript";
const sqlite = `${here}/runtime/sqlite`;

/** A fault, and the tests that detect it: file → titles. */
type CoveredFault = readonly [fault: string, tests: { readonly [file: string]: readonly string[] }];

const foundFaults: readonly CoveredFault[] = [
  [
    "1: a program crashes on the oldest Node version that it declares",
    // The tests of runtime, server and processes run on this version too.
    { ".ci/run": ["run test-minimum"], "package.json": [`${here}/runtime ${here}/server ${here}/main`] },
  ],
  [
    "2: an error with data that is not JSON ends the process at every start",
    { [`${sqlite}/isolation.test.ts`]: ["a function that throws %s fails its step"] },
  ],
  [
    "3: functions can modify the data of the workflow, with different effects after a crash",
    {
      [`${sqlite}/runs.test.ts`]: [
        "what a function does with its argument, and with what it has answered, is not done to the workflow's data",
      ],
    },
  ],
  [
    "4: a deployment changes a subflow in which a run waits",
    {
      "test/ir/version.test.ts": ["an awaited subflow is part of the version"],
      "test/cli/versions.test.ts": [
        "a run continues with the version that it started with, including subflows, after recompilation",
      ],
      [`${sqlite}/runs.test.ts`]: [
        "a run whose code does not ask for what is recorded is stranded, and does nothing; the right code revives it",
      ],
    },
  ],
  [
    "5: the version ignores expressions but depends on titles",
    { "test/ir/version.test.ts": ["changes to the version of a workflow", "changes that keep the version"] },
  ],
  [
    "6: a damaged row ends the process at every start",
    {
      [`${sqlite}/isolation.test.ts`]: [
        "where %s is damaged the run is stranded, and the others go on",
        "a run of which the row names no workflow is told as stranded, and the others go on",
        "events are taken in where what listens to them is no run, as its row is damaged",
        "an event that is damaged and came for a missing version is passed over as that is there again",
        "an event that is damaged and waits for others to start a run with them starts none, and the next ones do",
        "an event that came early and is damaged keeps no run from the next one",
        "a run that has a damaged event can be cancelled, and the others have what else it had",
      ],
    },
  ],
  [
    "7: an output that is too long blocks the writes of all runs",
    {
      [`${sqlite}/isolation.test.ts`]: [
        "an output that is too long to be recorded fails its run, and the others go on",
      ],
      [`${sqlite}/group-commit.test.ts`]: [
        "a write that throws strands its owner, of whose writes none is done, and nobody else",
      ],
    },
  ],
  [
    "8: an uncorrelated event goes to every run",
    {
      [`${sqlite}/events.test.ts`]: ["an event that is for anybody goes to the oldest run that waits for it, once"],
      [`${here}/durable/goldens.test.ts`]: ["the scenarios of %s pass with a kill between any two commits"],
    },
  ],
  [
    "9: events that start runs are stored in the inbox of every run",
    {
      [`${sqlite}/events.test.ts`]: [
        "an event that starts a run is received by that run and no other, however many there are",
        "an event that nobody waits for costs no run anything",
      ],
    },
  ],
  [
    "10: numbers do not correlate in binary mode",
    {
      [`${here}/server/events.test.ts`]: ["correlate by numbers in binary mode, where all attributes are strings"],
    },
  ],
  [
    "11: a sink that is busy once fails the run",
    {
      [`${here}/main/process.test.ts`]: [
        "resends an event while its sink is unavailable, and reports that; the run does not wait",
      ],
    },
  ],
  [
    "12: --grace is always five seconds",
    {
      [`${here}/main/process.test.ts`]: ["waits for a call during the grace period when it stops"],
      [`${sqlite}/runs.test.ts`]: [
        "a call%s that waits for its turn as the engine is closed is not begun, and is made at the next start",
      ],
    },
  ],
  [
    "13: timers take twice their time if the clock is set back between two processes",
    {
      [`${sqlite}/runs.test.ts`]: [
        "when the clock was set back between two lives, a timer fires after the time that was left then",
      ],
    },
  ],
  [
    "14: concurrent items take quadratic time",
    {
      [`${here}/runtime/flow.test.ts`]: [
        "signals of concurrent iterations have few listeners, and are aborted with the loop",
        "thousands of items that end at once, and as many subflows in each other, need no deep stack",
      ],
      // A benchmark, since no test may depend on the speed of the machine.
      "test/bench/durable/fan-out.ts": ["export async function fanOut"],
    },
  ],
  [
    "15: the kept events of a run are matched again with every event",
    {
      [`${sqlite}/events.test.ts`]: ["what a wait does not wait for is looked at once, however much of it there is"],
    },
  ],
  [
    "16: two starts with the same id and different inputs both succeed",
    {
      [`${here}/server/handler.test.ts`]: ["start once if concurrent requests have one id and different inputs"],
    },
  ],
  [
    "17: the image cannot write its store, and lacks modules and a lock file",
    {
      [`${here}/image/image.test.ts`]: [
        "contains only the program and the dependencies of its functions, and its user can write the store",
      ],
    },
  ],
  [
    "18: nothing is deleted while the server runs",
    {
      [`${here}/server/handler.test.ts`]: ["that have ended are pruned by age"],
      [`${here}/main/process.test.ts`]: [
        "prunes ended runs after the retention period",
        "locks its store: commands connect to its URL",
      ],
    },
  ],
  [
    "19: a URL in the definition cannot be bound to another URL",
    {
      [`${here}/bindings/emit.test.ts`]: [
        "as the definition says, with settings of the configuration, or by its binding",
      ],
    },
  ],
  [
    "20: a batch of 95,000 events blocks the event loop",
    {
      [`${here}/server/events.test.ts`]: ["in a batch of 95,000 do not block other requests and are consumed once"],
    },
  ],
  [
    "21: `list` writes, and creates a missing store",
    {
      [`${here}/main/main.test.ts`]: [
        "read-only commands do not change the store, even if a timer is due",
        '[["list"], 1, "err", "There is no store "]',
      ],
    },
  ],
  [
    "22: the data of a run determine a host; a URL contains a password",
    { [`${here}/bindings/emit.test.ts`]: ['"WB5314"', '"WB5315"'] },
  ],
  [
    "23: a full disk is an internal error, and the server reports that it is healthy",
    {
      [`${here}/server/handler.test.ts`]: [
        "while the disk is full, requests are rejected and the server is unhealthy; then it recovers",
      ],
      "test/crash/crash.test.ts": [
        "runs of an emitted program over HTTP survive kills, thrown values, damaged rows and a full disk",
      ],
    },
  ],
  [
    "24: the configuration is compiled as a definition, and bindings for other definitions are warnings",
    {
      "test/cli/configurations.test.ts": [
        "a configuration among the given definitions is skipped",
        "bindings of a shared configuration for other definitions are not a warning",
      ],
    },
  ],
  [
    "the key of a call changes with each attempt, or is reused wrongly, or is too long",
    {
      [`${here}/runtime/flow.test.ts`]: [
        "all attempts of a step, and of attempts around it, have the same key and are counted",
        "keys have at most 255 characters and differ for each call",
      ],
      [`${sqlite}/runs.test.ts`]: [
        "a call that somebody retries after it has failed has another key, and so has no call besides",
      ],
    },
  ],
];

const injectedFaults: readonly CoveredFault[] = [
  [
    "a full disk",
    {
      [`${sqlite}/group-commit.test.ts`]: [
        "when the disk is full those who wait are told, and what has to be written is written when it is not",
      ],
    },
  ],
  [
    "two processes with one store, and a lock at the start",
    {
      [`${sqlite}/store.test.ts`]: ["a second engine on a store is refused, and the first goes on"],
      [`${here}/main/process.test.ts`]: ["locks its store: commands connect to its URL"],
    },
  ],
  [
    "truncated or damaged pages, a folder, or another file in place of the store",
    {
      [`${sqlite}/store.test.ts`]: [
        "a damaged store is refused and left as it is",
        "a file that is no database is refused and left as it is",
      ],
      [`${sqlite}/damaged.test.ts`]: [
        "a store of which a page is %s is refused and left as it is, or goes on with what it has",
        "a folder in the place of a store is refused",
      ],
    },
  ],
  [
    "a clock that is set back or forward while the program runs",
    {
      [`${sqlite}/runs.test.ts`]: [
        "when the clock is set back, timers fire after the time that was left",
        "when the clock is set forward, timers fire that are due then",
      ],
    },
  ],
  [
    "an event of 50 MB, with or without a length",
    {
      [`${here}/server/events.test.ts`]: ["of 50 MB are rejected before they are read"],
      [`${here}/server/handler.test.ts`]: ["too long without a content length"],
    },
  ],
  [
    "a new version while runs wait",
    {
      [`${here}/main/process.test.ts`]: [
        "continues old runs with the unchanged version in the folder `previous`",
        "runs modules in `previous` from an earlier Waybill release with its own runtime",
        "reports runs whose code is missing",
      ],
    },
  ],
  [
    "100,000 waiting runs",
    { "test/bench/durable/serving.ts": ["first answer after spawn", "memory at the first answer"] },
  ],
  [
    "100,000 events in batches",
    {
      [`${here}/server/events.test.ts`]: ["in a batch of 95,000 do not block other requests and are consumed once"],
    },
  ],
  [
    "thousands of simultaneous timers",
    { [`${sqlite}/runs.test.ts`]: ["thousands of timers that fire at one instant let all their runs go on"] },
  ],
  [
    "functions that return undefined, Map, Date, NaN, sparse arrays, `__proto__` members, BigInt, circular or deep values",
    {
      [`${sqlite}/isolation.test.ts`]: [
        "a function that gives %s gives what its JSON is",
        "a function that gives %s fails its step with DataError",
      ],
    },
  ],
  [
    "functions that throw objects without a prototype, symbols, or undefined",
    { [`${sqlite}/isolation.test.ts`]: ["a function that throws %s fails its step"] },
  ],
  [
    "an unhandled rejection",
    {
      [`${here}/main/process.test.ts`]: ["survives an unhandled rejection in a function and logs it"],
    },
  ],
  [
    "retries of failures in a sequence, a branch, an iteration, a loop or a subflow, after an event, by a timeout, or in several steps",
    {
      [`${sqlite}/retry.test.ts`]: ["that is so %s"],
      [`${sqlite}/runs.test.ts`]: ["a run that timed out gets its time again when it is retried"],
    },
  ],
  [
    "kills at any time after the start",
    {
      "test/crash/crash.test.ts": [
        "runs of an emitted program over HTTP survive kills, thrown values, damaged rows and a full disk",
      ],
    },
  ],
];

const root = join(import.meta.dirname, "../../..");

test.each([...foundFaults, ...injectedFaults])("is covered by a test: %s", (_, tests) => {
  for (const [file, titles] of Object.entries(tests)) {
    const text = readFileSync(join(root, file), "utf8");
    for (const title of titles) expect(text, `${file} has ${title}`).toContain(title);
  }
});
