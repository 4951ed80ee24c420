import type { Explanations } from "./explanation.ts";

const file = "workflow.yaml";
const configuration = "waybill.config.yaml";
const target = "typescript";

const greeting = (id: string, resource: string): string => `id: ${id}
name: Greet
version: '1.0'
functions:
- { name: greet${resource === "" ? "" : `, resource: '${resource}'`} }
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet } }]
  end: { kind: default }
`;

const bound = (binding: string): string => `functions:\n  greet:\n    typescript: { ${binding} }\n`;

const api = `openapi: 3.1.0
info: { title: Greetings, version: '1' }
servers: [{ url: 'https://greet.example.com' }]
paths:
  /greet:
    post: { operationId: greet, responses: { '204': { description: done } } }
  /picture:
    post: { operationId: draw, requestBody: { content: { image/png: {} } }, responses: { '204': { description: done } } }
`;

/** What can be said of a program in TypeScript. */
export const typescript: Explanations = {
  WB5301: {
    means:
      "Neither the definition nor the configuration says where this function is. The program has a stub for it, which fails.",
    why: "The program can be read, checked and tested like this, but not run for good.",
    example: { file, target, bad: greeting("greet", ""), good: greeting("greet", "https://greet.example.com/") },
  },
  WB5302: {
    means:
      "The definition gives the function's address as its `resource`, and the configuration binds the function to another place.",
    why: "What the definition says counts. Headers and a timeout can be set beside it, without a place.",
    example: {
      file,
      target,
      beside: { [configuration]: bound("http: POST https://other.example.com/") },
      bad: greeting("greet", "https://greet.example.com/"),
      good: greeting("greet", "greet"),
    },
  },
  WB5303: {
    means:
      "Two definitions of one program have a function of the same name, and say that it is at different addresses.",
    why: "The functions of a program are one object, in which a name stands for one function.",
    example: {
      file,
      target,
      bad: `${greeting("greet", "https://greet.example.com/")}---\n${greeting("welcome", "https://welcome.example.com/")}`,
      good: `${greeting("greet", "https://greet.example.com/")}---\n${greeting("welcome", "https://greet.example.com/")}`,
    },
  },
  WB5304: {
    means: "A binding names an OpenAPI document or a .proto file that is not there, or that must not be read.",
    why: "What the function takes, and how it is called, stands in that file.",
    example: {
      file: configuration,
      target,
      beside: { "api.yaml": api },
      bad: bound("openapi: './apy.yaml#greet'"),
      good: bound("openapi: './api.yaml#greet'"),
    },
  },
  WB5305: {
    means:
      "The file that a binding names can be read, but is no OpenAPI document of version 3.0 or 3.1, or no .proto file.",
    why: "Calling the function by a guess at what the file means could do anything.",
    example: {
      file: configuration,
      target,
      beside: { "api.yaml": api, "old.yaml": "swagger: '2.0'\npaths: {}\n" },
      bad: bound("openapi: './old.yaml#greet'"),
      good: bound("openapi: './api.yaml#greet'"),
    },
  },
  WB5306: {
    means:
      "The OpenAPI document has no operation with this `operationId`, or the .proto file no such service or method.",
    why: "There is nothing to call.",
    example: {
      file: configuration,
      target,
      beside: { "api.yaml": api },
      bad: bound("openapi: './api.yaml#greeet'"),
      good: bound("openapi: './api.yaml#greet'"),
    },
  },
  WB5307: {
    means:
      "The operation exists, but asks for what a function of a workflow does not have: a body that is not JSON, a stream, a parameter written in an unusual way.",
    why: "A call that leaves part of it out would not be the one that was meant.",
    example: {
      file: configuration,
      target,
      beside: { "api.yaml": api },
      bad: bound("openapi: './api.yaml#draw'"),
      good: bound("openapi: './api.yaml#greet'"),
    },
  },
};
