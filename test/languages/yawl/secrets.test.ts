import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { filesIn, folderWith, waybill } from "../../cli/command.ts";

// A secret reaches only the function that it is sent to: no emitted file, store or report contains it.

const definition = String.raw`
yawl: "0.1"
start: send
steps:
  send:
    httpCall:
      url: https://chat.example/bot\(lockboxPayload("e6q-bot"; "token"))/send
      headers:
        Authorization: Bearer \(lockboxPayload("e6q-bot"; "key"; "v2"))
      retryPolicy: { errorList: [HTTP_CALL_503], retryCount: 1 }
      output: '\({ sent: . })'
      next: check
      catch: [{ errorList: [ALL], output: '\({ problem: . })', next: check }]
  check:
    switch:
      choices: [{ condition: .fails, next: over }]
      default: { next: done }
  over:
    fail: { errorMessage: 'It ends here: \(tojson)' }
  done:
    noOp: {}
`;

const configuration = "functions:\n  send: { typescript: { module: ./functions/send.ts#send } }\n";

/** Records its argument, fails once, and logs nothing. */
const send = `import { appendFileSync } from "node:fs";
let calls = 0;
export const send = async (request: object) => {
  appendFileSync(new URL("./seen.txt", import.meta.url), JSON.stringify(request) + "\\n");
  if (++calls === 1) throw Object.assign(new Error("busy"), { name: "HTTP_CALL_503" });
  return { ok: true };
};
`;

const token = "t0ken-that-nobody-sees";
const key = "k3y-that-nobody-sees";

function place(): string {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("SECRET_E6Q_BOT_TOKEN", token);
  vi.stubEnv("SECRETS", folderWith({ "e6q-bot/key.v2": `${key}\n` }));
  const files = { "bot.yaml": definition, "waybill.config.yaml": configuration, "functions/send.ts": send };
  return folderWith(files);
}

test.each([{ fails: false }, { fails: true }])("a run with %j stores no secret", async (input) => {
  const folder = place();
  const compiled = await waybill(folder, ["compile", "bot.yaml", "--target", "typescript", "--out", "bot"]);
  expect(compiled.status, compiled.err).toBe(0);
  const args = ["run", "bot.yaml", "--input", JSON.stringify(input), "--store", "runs.db"];
  const { status, out, err } = await waybill(folder, args);
  expect(status, err).toBe(input.fails ? 1 : 0);
  const { "functions/seen.txt": seen = "", ...kept } = Object.fromEntries(
    Object.keys(filesIn(folder)).map((path) => [path, readFileSync(join(folder, path), "latin1")]),
  );
  const request = { url: `https://chat.example/bot${token}/send`, headers: { Authorization: `Bearer ${key}` } };
  expect(
    seen
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([request, request]);
  expect(Object.keys(kept)).toContain("runs.db");
  const everything = [out, err, compiled.out, compiled.err, ...Object.values(kept)];
  expect(everything.filter((text) => text.includes(token) || text.includes(key))).toEqual([]);
});

test("a missing secret fails the run and names its environment variable", async () => {
  const folder = place();
  vi.stubEnv("SECRET_E6Q_BOT_TOKEN", undefined);
  const { status, out } = await waybill(folder, ["run", "bot.yaml", "--input", "{}", "--store", "runs.db"]);
  expect([status, JSON.parse(out)]).toEqual([
    0,
    {
      problem: {
        error: "SecretNotFound",
        message: "There is no secret e6q-bot with a key token: set the environment variable SECRET_E6Q_BOT_TOKEN.",
      },
    },
  ]);
});
