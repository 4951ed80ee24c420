// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementOf,
  isLess,
  memberOf,
  plus,
  required,
  typeOf,
} from "./runtime.js";
import { watchOutput } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  recognizeFace(
    argument: Json,
    step: Step,
  ): Answer<{ readonly person?: Json; readonly [member: string]: Json | undefined }>;
  sendText(argument: Json, step: Step): Answer<Json>;
  sendMail(argument: Json, step: Step): Answer<Json>;
  understand(argument: { readonly text: Json }, step: Step): Answer<Json>;
  autoCall(argument: Json, step: Step): Answer<Json>;
  recognizeVoice(argument: Json, step: Step): Answer<Json>;
  callFire(argument: Json, step: Step): Answer<Json>;
  callPolice(argument: Json, step: Step): Answer<Json>;
  callAmbulance(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly house?: Json;
  readonly picture?: Json;
  readonly text?: Json;
  readonly meaning?: Json;
  readonly answer?: Json;
  readonly code?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "81d6fbae2e716645",
  name: "workflow",
  anyInput: true,
  start: { on: [{ all: [["Door"], ["Motion"]] }, { all: [["Window"], ["Motion"]] }] },
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    Door: {
      type: "opened",
      source: "/sensors/door",
      correlation: (event) => memberOf(event.data, "house"),
    },
    Window: {
      type: "opened",
      source: "/sensors/window",
      correlation: (event) => memberOf(event.data, "house"),
    },
    Motion: {
      type: "moved",
      source: "/sensors/motion",
      correlation: (event) => memberOf(event.data, "house"),
    },
    Response: {
      type: "answered",
      source: "/contacts",
      correlation: (event) => memberOf(event.data, "house"),
    },
  },
  waits: {
    Watch: {
      alternatives: [
        { all: [["Door"], ["Motion"]], within: 60 },
        { all: [["Window"], ["Motion"]], within: 60 },
      ],
    },
    Response: { alternatives: [{ all: [["Response"]], within: 600 }] },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let attempts1!: number;
    let attempts2!: number;
    let answer!: Json;
    // Watch (event state)
    const watchReceived = await flow.receive("Watch");
    alarm: {
      if (watchReceived.alternative !== null) {
        data = watchOutput(data, watchReceived) as Data;
        // Recognize (parallel state)
        const recognizeResults = await flow.fork("Recognize", {
          house: () => recognizeHouse(data),
          face: (flow) => recognizeFace(flow, fn, data),
        });
        data = [recognizeResults.house, recognizeResults.face] as Json as Data;
        falseAlarm: {
          // Family (switch state)
          if (!(
            (memberOf(elementOf(data, 1), "role") ?? null) === "family" &&
            !(
              typeof (memberOf(elementOf(data, 1), "confidence") ?? null) === "number" &&
              isLess(memberOf(elementOf(data, 1), "confidence") ?? null, 0.9)
            )
          )) {
            // Contacts (operation state)
            data = required(elementOf(data, 0), {
              name: "SYS.FilterError",
              message: "`$[0]` selects nothing.",
            }) as Data;
            const contactsResults = await flow.fork("Contacts/actions", {
              sendText: (flow) => contactsActionsSendText(flow, fn, data),
              sendMail: (flow) => contactsActionsSendMail(flow, fn, data),
            });
            data = [contactsResults.sendText, contactsResults.sendMail] as Json as Data;
            // Wait (parallel state)
            const waitResults = await flow.fork("Wait", {
              response: (flow) => waitResponse(flow, fn, data),
            });
            data = waitResults.response as Data;
            services: {
              // Answered (switch state)
              if ((data?.meaning ?? null) === "ok") break falseAlarm;
              if ((data?.meaning ?? null) !== "not ok") {
                // Call (operation state)
                attempts1 = 0;
                attempts2 = 0;
                while (true) {
                  ({ attempts1, attempts2 } = await flow.round("Call/autoCall", {
                    attempts1,
                    attempts2,
                  }));
                  callWait: {
                    try {
                      answer = (await flow.step(
                        "Call/autoCall",
                        (step) => fn.autoCall(data, step),
                        { timeout: 120 },
                      )) as Json;
                    } catch (caught) {
                      const error = flow.failure(caught);
                      if (attempts1 < 2 && error.name === "no answer") break callWait;
                      if (error.name === "no answer") break services;
                      if (attempts2 < 1) {
                        await flow.sleep("Call/wait-2", 30);
                        attempts2 += 1;
                        continue;
                      }
                      break services;
                    }
                    if (!(attempts1 < 2 && answer === "no answer")) {
                      if (answer === "no answer") break services;
                      break;
                    }
                  }
                  await flow.sleep("Call/wait", 60);
                  attempts1 += 1;
                }
                const result: Json = answer;
                data = (await flow.step("Call/recognizeVoice", (step) =>
                  fn.recognizeVoice(result, step),
                )) as Json as Data;
                // Voice (switch state)
                if ((data?.answer ?? null) === "ok" && (data?.code ?? null) === true) {
                  break falseAlarm;
                }
              }
            }
            // Services (operation state)
            const servicesResults = await flow.fork("Services", {
              callFire: (flow) => servicesCallFire(flow, fn, data),
              callPolice: (flow) => servicesCallPolice(flow, fn, data),
              callAmbulance: (flow) => servicesCallAmbulance(flow, fn, data),
            });
            data = {
              called: [
                servicesResults.callFire,
                servicesResults.callPolice,
                servicesResults.callAmbulance,
              ],
            } as Data;
            break alarm;
          }
        }
        // FalseAlarm (operation state)
        data = { falseAlarm: data } as Data;
      }
    }
    // Alarm (end state)
    return data;
  },
});

/** Recognize / house */
async function recognizeHouse(data: Data): Promise<Json> {
  // House (operation state)
  data = required(data?.house, {
    name: "SYS.FilterError",
    message: "`$.house` selects nothing.",
  }) as Data;
  data = { house: data } as Data;
  return data;
}

/** Recognize / face */
async function recognizeFace(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let filtered!: Json;
  recognizeFaceUnknown: {
    // Face (operation state)
    try {
      filtered = (await flow.attempt(
        "Face",
        async (flow) => {
          const recognizeFaceAnswer = await flow.step(
            "Face/recognizeFace",
            (step) =>
              fn.recognizeFace(
                required(data?.picture, {
                  name: "SYS.FilterError",
                  message: "`$.picture` selects nothing.",
                }),
                step,
              ),
            { timeout: 30 },
          );
          return required(recognizeFaceAnswer?.person, {
            name: "SYS.FilterError",
            message: "`$.person` selects nothing.",
          });
        },
        {
          retries: [
            {
              when: (error) => error.origin === "timeout" || error.name === "SYS.Timeout",
              limit: 1,
              base: 5,
            },
          ],
        },
      )) as Json;
    } catch (caught) {
      const error = flow.failure(caught);
      if (error.origin === "timeout" || error.name === "SYS.Timeout") break recognizeFaceUnknown;
      break recognizeFaceUnknown;
    }
    data = filtered as Data;
    return data;
  }
  // Unknown (operation state)
  return data;
}

/** Contacts / sendText */
async function contactsActionsSendText(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const sendText = await flow.step("Contacts/sendText", (step) => fn.sendText(data, step), {
    retries: [{ limit: 3, base: 10 }],
  });
  const result = { text: sendText };
  return result;
}

/** Contacts / sendMail */
async function contactsActionsSendMail(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const sendMail = await flow.step("Contacts/sendMail", (step) => fn.sendMail(data, step));
  const result = { mail: sendMail };
  return result;
}

/** Wait / response */
async function waitResponse(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Response (event state)
  const responseReceived = await flow.receive("Response");
  if (responseReceived.alternative === null) {
    // Silence (end state)
    return data;
  }
  {
    const taken = required(responseReceived.events[0]?.event.data, {
      name: "SYS.FilterError",
      message: "`$.data` selects nothing.",
    });
    data = (
      typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken
    ) as Data;
  }
  // Understand (operation state)
  data = (await flow.step("Understand", (step) =>
    fn.understand({ text: data?.text ?? null }, step),
  )) as Json as Data;
  return data;
}

/** Services / callFire */
async function servicesCallFire(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const callFire = await flow.step("Services/callFire", (step) => fn.callFire(data, step));
  return callFire;
}

/** Services / callPolice */
async function servicesCallPolice(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const callPolice = await flow.step("Services/callPolice", (step) => fn.callPolice(data, step));
  return callPolice;
}

/** Services / callAmbulance */
async function servicesCallAmbulance(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const callAmbulance = await flow.step("Services/callAmbulance", (step) =>
    fn.callAmbulance(data, step),
  );
  return callAmbulance;
}
