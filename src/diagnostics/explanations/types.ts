import type { Explanations } from "./explanation.ts";

const file = "workflow.yaml";

/** Calls a function with what a path selects in the input. */
const greeting = (path: string, schema = "order.schema.json"): string =>
  `id: orders\nname: Orders\nversion: '1.0'\ndataInputSchema: ${schema}\nfunctions:\n- { name: greet, resource: greet }\nstates:\n- name: Greet\n  type: operation\n  start: { kind: default }\n  actions:\n  - functionRef: { refName: greet, parameters: { name: ${path} } }\n  end: { kind: default }\n`;

const schemaOf = (rest: string): string =>
  `{\n  "type": "object",\n  "properties": {\n    "customer": { "type": "string" },\n    "total": { "type": "number" }\n  }${rest}\n}\n`;

const open = { "order.schema.json": schemaOf("") };
const closed = { "order.schema.json": schemaOf(',\n  "additionalProperties": false') };

const ending = (data: string): string =>
  `id: orders\nname: Orders\nversion: '1.0'\ndataInputSchema: order.schema.json\ndataOutputSchema: receipt.schema.json\nstates:\n- name: Add\n  type: inject\n  start: { kind: default }\n  data: ${data}\n  end: { kind: default }\n`;

const receipt = {
  "receipt.schema.json":
    '{ "type": "object", "properties": { "receipt": { "type": "string" } }, "required": ["receipt"] }\n',
};

/** What JSON Schemas tell of the data. */
export const types: Explanations = {
  WB4301: {
    means:
      "A path looks for a member or an element that no data can have if the workflow's input is as its schema says: an object that is closed by `additionalProperties: false` has no member of that name, or there is no object or array at all.",
    why: "It would always select nothing. Mostly a name is misspelt. The schema is documentation that is not enforced when the workflow runs, so this is a warning.",
    example: { file, bad: greeting("$.custommer"), good: greeting("$.customer"), beside: closed },
  },
  WB4302: {
    means:
      "A path looks for a member that the schema does not list. It may be there all the same, as the object is not closed by `additionalProperties: false`; but one that the schema does list is spelt much like it.",
    why: "It may be misspelt. Members that resemble none of those in the schema are taken as they are.",
    example: { file, bad: greeting("$.custommer"), good: greeting("$.customer"), beside: open },
  },
  WB4303: {
    means:
      "The file that `dataInputSchema` or `dataOutputSchema` names cannot be read. A relative path starts at the folder of the definition; YAML and JSON files are read that are in the current folder or beside the definition. What has an address on the network is not fetched, and not reported either.",
    why: "Nothing is then known of the data: no path can be checked against it.",
    example: { file, bad: greeting("$.customer", "ordre.schema.json"), good: greeting("$.customer"), beside: closed },
  },
  WB4304: {
    means: "The address of a schema ends with `#` and a path to a part of the file, and the file has no schema there.",
    why: "Nothing is then known of the data.",
    example: {
      file,
      bad: greeting("$.customer", "'order.schema.json#/$defs/order'"),
      good: greeting("$.customer", "'order.schema.json#'"),
      beside: closed,
    },
  },
  WB4305: {
    means:
      "The file that a definition names as a schema has mistakes as JSON or YAML, or holds something that is no JSON Schema.",
    why: "Nothing is then known of the data. The workflow runs all the same, so this is a warning.",
    example: {
      file,
      bad: greeting("$.customer", "broken.schema.json"),
      good: greeting("$.customer"),
      beside: { ...closed, "broken.schema.json": '{ "type": "object" "properties": {} }\n' },
    },
  },
  WB4306: {
    means: "A `$ref` in a schema leads to a place in the same file where there is no schema.",
    why: "A part without a schema can be anything. References to other files and to addresses on the network are not followed, and not reported.",
    example: {
      file,
      bad: greeting("$.customer", "dangling.schema.json"),
      good: greeting("$.customer"),
      beside: {
        ...closed,
        "dangling.schema.json":
          '{ "properties": { "customer": { "$ref": "#/$defs/persn" } }, "$defs": { "person": true } }\n',
      },
    },
  },
  WB4307: {
    means:
      "What the workflow gives at this end cannot be what the schema of its output says, if its input is as the schema of its input says: a member is missing that has to be there, one is there that must not be, or one is of another type. Only what is certain is told.",
    why: "Whoever relies on the schema of the output gets something else.",
    example: {
      file,
      bad: ending("{ reciept: R1 }"),
      good: ending("{ receipt: R1 }"),
      beside: { ...closed, ...receipt },
    },
  },
};
