// The first five minutes of a new user, in a real terminal of tmux: from the tarball in an empty folder to the check in
// CI. `node --no-warnings test/package/session.ts TARBALL` records it in session.txt, to be read like a golden.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** What the user types, and what the screen then shows. */
interface Input {
  readonly types: string;
  readonly shows: RegExp;
  /** Whether the command asks a question, rather than ends. */
  readonly isAsked?: boolean;
}

const definition = "flows/order.flow.yaml";

const inputsWith = (tarball: string): readonly Input[] => [
  { types: `npm init -y > /dev/null && npm install --save-dev ${tarball}`, shows: /added 1 package/ },
  { types: "npx waybill init", shows: /Which language\?.*$/, isAsked: true },
  { types: "", shows: /Which target\?.*$/, isAsked: true },
  { types: "", shows: /^Next: .*npx waybill build && npx waybill test$/m },
  { types: "npx waybill build", shows: /^1 definition, 12 files, [\d,]+ bytes, [\d.]+ s$/m },
  { types: "git init -q && git add . && git commit -qm 'Charge cards' && echo committed", shows: /^committed$/m },
  {
    types: `sed -i s/endpoint/endpont/ ${definition} && npx waybill check`,
    shows: /Did you mean `endpoint`\?[\s\S]*1 error/,
  },
  { types: "npx waybill check --fix", shows: /fixed WB\d+[\s\S]*1 problem fixed\./ },
  { types: "npx waybill test", shows: /✓ the card is charged[\s\S]*1 passed, 0 failed/ },
  {
    types: `npx waybill graph ${definition} --scenario 'the card is charged' --out order.svg`,
    shows: /covers 3 of 3 nodes/,
  },
  { types: `npx waybill graph ${definition} --format mermaid`, shows: /flowchart TD/ },
  { types: `sed -i s,example/charges,example/v2/charges, ${definition}`, shows: /\$ $/ },
  { types: `npx waybill diff HEAD ${definition}`, shows: /1 difference: 1 changed/ },
  { types: "npx waybill build --check --diff", shows: /error WB0602[\s\S]*v2\/charges/ },
  { types: "npx waybill build", shows: /changed +build\/shop\.charge-card\.ts/ },
  {
    types: "npm run -s check && npx waybill build --check && npm test -s",
    shows: /12 files up to date[\s\S]*1 passed, 0 failed/,
  },
];

/** Why a session cannot be recorded; undefined with tmux. */
export const whyNoTerminal = spawnSync("tmux", ["-V"]).status === 0 ? undefined : "tmux is not installed";

const maxWaitMs = 60_000;
const prompt = "$ ";

/** A shell without what CI sets: commands there ask no questions. */
const shell = `env -u CI -u GITHUB_ACTIONS PS1='${prompt}' bash --norc --noprofile`;

/** Types the commands in an empty folder, and checks what the screen shows. Returns the screens, and how long it took. */
export async function recordSession(tarball: string): Promise<{ readonly text: string; readonly ms: number }> {
  const parent = mkdtempSync(join(tmpdir(), "waybill-session-"));
  const folder = join(parent, "shop");
  mkdirSync(folder);
  const session = `waybill-${process.pid}`;
  const tmux = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("tmux", args, { encoding: "utf8", cwd: folder });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  // `npm run --silent`, which may run this, silences the user's `npm install` too.
  const settings = {
    PATH,
    npm_config_loglevel: "notice",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@shop.example",
  };
  const committer = { GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@shop.example" };
  const environment = Object.entries({ ...settings, ...committer }).flatMap(([name, value]) => [
    "-e",
    `${name}=${value}`,
  ]);
  const screen = (): string => tmux("capture-pane", "-p", "-J", "-t", session).trimEnd();
  const screens: string[] = [];
  try {
    tmux("new-session", "-d", "-s", session, "-x", "120", "-y", "60", ...environment, shell);
    await until(() => `${screen()} ` === prompt, screen);
    const began = performance.now();
    for (const { types, shows, isAsked } of inputsWith(tarball)) {
      const before = screen();
      tmux("send-keys", "-t", session, "-l", types);
      tmux("send-keys", "-t", session, "Enter");
      const hasEnded = (): boolean => isAsked === true || screen().endsWith(`\n${prompt.trimEnd()}`);
      await until(() => screen() !== before && hasEnded() && shows.test(`${screen()} `), screen);
      if (isAsked) continue;
      screens.push(screen().replace(/\n\$$/, "").replaceAll(tarball, "waybill.tgz"));
      tmux("send-keys", "-t", session, "C-l");
      await until(() => `${screen()} ` === prompt, screen);
    }
    return { text: `${screens.join("\n\n")}\n`, ms: performance.now() - began };
  } finally {
    spawnSync("tmux", ["kill-session", "-t", session]);
    rmSync(parent, { recursive: true, force: true });
  }
}

async function until(isReached: () => boolean, screen: () => string): Promise<void> {
  const end = performance.now() + maxWaitMs;
  while (!isReached()) {
    assert.ok(performance.now() < end, `The screen still shows:\n${screen()}`);
    await setTimeout(50);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, ms } = await recordSession(resolve(process.argv[2]!));
  writeFileSync(join(import.meta.dirname, "session.txt"), text);
  console.log(`${(ms / 1000).toFixed(1)} s`);
}
