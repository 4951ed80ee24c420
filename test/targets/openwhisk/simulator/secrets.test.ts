import { expect, test } from "vitest";
import { compile } from "../../../../src/index.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { deploy, readDeployment } from "../../../../targets/openwhisk/simulator/deploy.ts";
import { putAction } from "../../../../targets/openwhisk/simulator/entities.ts";
import { onPlatform } from "./test-platform.ts";

// A secret must reach the action that receives it and nothing else: no emitted file, activation record, log or store.

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
      next: rest
      catch: [{ errorList: [ALL], output: '\({ problem: . })', next: rest }]
  rest:
    wait: { duration: 600s, next: count }
  count:
    functionCall:
      functionId: counter
      input: '\({ code: (lockboxPayload("e6q-bot"; "token") | tonumber) })'
      next: over
      catch: [{ errorList: [ALL], output: '\({ counted: . })', next: over }]
  over:
    fail: { errorMessage: 'It ends here: \(tojson)' }
`;

const token = "t0ken-that-nobody-sees";
const key = "k3y-that-nobody-sees";

const withoutKey = ({ $waybill: _, ...params }: JsonObject): JsonObject => params;

/**
 * Runs the workflow with secrets. Returns the argument of the function and every string that an observer could read.
 */
async function runWithSecrets(secrets: Json) {
  const sources = [{ path: "bot.yaml", text: definition }];
  const { files, diagnostics } = await compile({ sources, target: "openwhisk" });
  const sent: JsonObject[] = [];
  const read = await onPlatform(
    async ({ platform, environment, scope, ...site }) => {
      const given = { $store: "redis://store", $secrets: secrets, $waybillKey: "key of the deployment" };
      await deploy(readDeployment(files), given, platform, scope);
      const native = (run: (params: JsonObject) => Json) =>
        ({ exec: { kind: "native", run: async (params: JsonObject) => run(params) } }) as const;
      const send = (params: JsonObject) =>
        sent.push(withoutKey(params)) === 1 ? { error: { name: "HTTP_CALL_503", message: "later" } } : { ok: true };
      putAction(platform.entities, "waybill/send", native(send));
      await site.invoke("waybill/bot");
      await environment.sleep(2000);
      const records = [...platform.activations.values()].map(({ response, logs, action, input }) =>
        JSON.stringify([
          response,
          logs,
          action.name,
          action.name.endsWith("/send") ? null : { ...input, $secrets: null },
        ]),
      );
      return [...records, ...site.sent];
    },
    { ticks: false, hasStore: true },
  );
  const texts = [...files.map(({ text }) => text), ...diagnostics.map(({ message }) => message), ...read];
  return { sent, texts };
}

test("a run that sends secrets, waits, and fails in a computation with them discloses none", async () => {
  const { sent, texts } = await runWithSecrets({ "e6q-bot": { token, "key.v2": key } });
  const request = { url: `https://chat.example/bot${token}/send`, headers: { Authorization: `Bearer ${key}` } };
  expect(sent).toEqual([request, request]);
  const everything = texts.join("\n");
  expect(everything).toContain("WATCH");
  expect(everything).toContain("What is sent cannot be computed from its secrets.");
  expect(everything).toContain("It ends here");
  expect(texts.filter((text) => text.includes(token) || text.includes(key))).toEqual([]);
});

test("invalid secrets are reported without their content", async () => {
  const { sent, texts } = await runWithSecrets(`{"e6q-bot":{"token":"${token}"`);
  expect(sent).toEqual([]);
  expect(texts.join("\n")).toContain("The parameter $secrets is not a JSON object of strings, by id and key.");
  expect(texts.filter((text) => text.includes(token))).toEqual([]);
});
