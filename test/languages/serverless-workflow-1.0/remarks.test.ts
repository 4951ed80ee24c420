import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import { languages } from "../../languages.ts";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: expressions of definitions

const head = "document: { dsl: 1.0.3, namespace: shop, name: w, version: 1.0.0 }\n";

const inputOf = (rest: string) => ({
  sources: [{ path: "w.yaml", text: rest.startsWith("document") ? rest : head + rest }],
  options: {},
});

const codesIn = (rest: string): readonly string[] =>
  check(inputOf(rest), languages).diagnostics.map(({ code }) => code);

/** The tasks of a definition. */
const tasks = (...lines: readonly string[]): string => `do:\n${lines.map((line) => `  - ${line}\n`).join("")}`;

describe("members that `set` drops", () => {
  test.each([
    ["read by the next task", ["a: { set: { x: 1 } }", "b: { set: { y: '${ .id }' } }"], ["WB4621"]],
    ["read by a condition", ["a: { set: { x: 1 } }", "b: { if: .id, set: {} }"], ["WB4621"]],
    [
      "read in a branch",
      ["a: { set: { x: 1 } }", "b: { fork: { branches: [{ c: { set: { y: '${ .id }' } } }] } }"],
      ["WB4621"],
    ],
    [
      "read in a try",
      ["a: { set: { x: 1 } }", "b: { try: [{ c: { set: { y: '${ .id }' } } }], catch: { do: [{ d: { set: {} } }] } }"],
      ["WB4621"],
    ],
    [
      "that the data did not have",
      ["a: { set: { x: 1 } }", "b: { set: { y: '${ .x }' } }", "c: { set: { z: '${ .y, .z | values }' } }"],
      [],
    ],
    ["that are kept", ["a: { set: '${ . + { x: 1 } }' }", "b: { set: { y: '${ .id }' } }"], []],
    ["that are set", ["a: { set: { x: 1 } }", "b: { set: { y: '${ .x }' } }"], []],
    ["that another path keeps", ["a: { if: .large, set: { x: 1 } }", "b: { set: { y: '${ .id }' } }"], []],
  ])("%s", (_, lines, expected) => {
    expect(codesIn(tasks(...lines)).filter((code) => code === "WB4621")).toEqual(expected);
  });
});

describe("members that `export` drops", () => {
  const exports = (second: string) =>
    tasks(
      "a: { set: { id: 1 }, export: { as: '{ a: .id }' } }",
      `b: { set: { id: 2 }, export: { as: '${second}' } }`,
      "c: { set: { x: '${ $context.a }' } }",
    );

  test.each([
    ["by another object", "{ b: .id }", ["WB4622"]],
    ["by another value", ".id", ["WB4622"]],
    ["not if it adds to the context", "$context + { b: .id }", []],
    ["not if it has the member", "{ a: .id }", []],
  ])("%s", (_, second, expected) => {
    expect(codesIn(exports(second))).toEqual(expected);
  });

  test("a context that no task has exported yet", () => {
    const lines = ["a: { set: { x: '${ $context.a }' } }", "b: { set: { a: 1 }, export: { as: . } }"];
    expect(codesIn(tasks(...lines))).toContain("WB4607");
  });
});

test.each([
  [".amount", ["WB3625", "WB4623"]],
  ['".[0].amount"', ["WB3625"]],
  ['".amount? // 0"', ["WB3625"]],
])("the output of `listen` is an array: %s", (path, expected) => {
  expect(codesIn(tasks(`a: { listen: { to: { one: { with: { type: t } } } }, output: { as: ${path} } }`))).toEqual(
    expected,
  );
});

describe("a switch without default", () => {
  const cases = (then: string, rest = "") =>
    tasks(`a: { switch: [{ x: { when: .v == 1, then: ${then} } }]${rest} }`, "b: { set: {} }", "c: { set: {} }");

  test.each([
    ["whose next task is that of a case", cases("b"), ["WB3627"]],
    ["whose case continues", cases("continue"), ["WB3627"]],
    ["whose next task is that of no case", cases("c"), []],
    ["with a `then` of its own", cases("b", ", then: c"), []],
  ])("%s", (_, definition, expected) => {
    expect(codesIn(definition)).toEqual(expected);
  });
});

describe("properties newer than `dsl`", () => {
  const at = (version: string, line: string) =>
    codesIn(`document: { dsl: ${version}, namespace: shop, name: w, version: 1.0.0 }\n${tasks(line)}`).filter(
      (code) => code === "WB2633",
    );

  test.each([
    ["1.0.0", "1.0.1", "a: { set: '${ .x }' }"],
    ["1.0.0", "1.0.1", "a: { call: http, with: { method: get, endpoint: https://a, headers: '${ .h }' } }"],
    [
      "1.0.1",
      "1.0.2",
      "a: { call: mcp, with: { protocolVersion: '1', method: m, transport: { http: { endpoint: https://a } } } }",
    ],
    ["1.0.2", "1.0.3", "a: { run: { shell: { command: ls, stdin: x } } }"],
    ["1.0.3", "1.0.4", "a: { for: { in: [1] }, do: [{ b: { set: {} } }] }"],
    ["1.0.3", "1.0.4", "a: { try: [{ b: { set: {} } }], catch: { errors: { with: { detail: d } }, do: [] } }"],
  ])("%s lacks what %s has", (without, having, line) => {
    expect([at(without, line), at(having, line)]).toEqual([["WB2633"], []]);
  });
});

test.each([
  [".x + 1", ["WB4620"]],
  ['"\\"yes\\""', ["WB4620"]],
  [".x", []],
  [".x == 1", []],
  ["true", []],
])("the condition %s", (condition, expected) => {
  expect(codesIn(tasks(`a: { if: ${condition}, set: {} }`)).filter((code) => code === "WB4620")).toEqual(expected);
});

test("a function of the catalog `default` has to be bound, and others have to be defined", () => {
  const called = (name: string) => tasks(`a: { call: "log:1.0.0@${name}", with: { x: 1 } }`);
  expect(codesIn(called("default"))).toEqual(["WB2634"]);
  expect(codesIn(called("public"))).toEqual(["WB2616"]);
});

describe("properties that are not honored are reported", () => {
  const policy = (more: string) =>
    tasks(
      `a: { call: http, with: { method: get, endpoint: { uri: https://a, authentication: { oauth2: { authority: https://b, grant: client_credentials, client: { id: c }${more} } } } } }`,
    );
  const start = (filters: string) => `schedule: { on: { ${filters} } }\n${tasks("a: { set: {} }")}`;
  const keyed = (type: string) => `{ with: { type: ${type} }, correlate: { k: { from: .data.k } } }`;
  const grpc = (more: string) =>
    tasks(
      `a: { call: grpc, with: { proto: { endpoint: file:///a.proto }, service: { name: s, ${more} }, method: m } }`,
    );
  const message = (more: string) =>
    tasks(`a: { call: asyncapi, with: { document: { endpoint: https://a }, ${more} } }`);
  const basic = (more: string) =>
    `use: { secrets: [s] }\n${tasks(`a: { call: http, with: { method: get, endpoint: { uri: https://a, authentication: { ${more} } } } }`)}`;

  test.each([
    ["a policy", policy(""), []],
    ["issuers", policy(", issuers: [e]"), ["WB2624"]],
    ["a subject", policy(", subject: { token: e, type: f }"), ["WB2624"]],
    ["an encoding of requests", policy(", request: { encoding: application/json }"), ["WB2624"]],
    ["a user of the client's grant", policy(", username: e"), ["WB2624"]],
    ["authentication of gRPC", grpc("host: h, authentication: { bearer: { token: t } }"), ["WB2406", "WB2636"]],
    [
      "authentication of gRPC beside the service",
      grpc("host: h }, authentication: { bearer: { token: t }"),
      ["WB2406", "WB2636"],
    ],
    ["a computed host", grpc("host: '${ .h }'"), ["WB2406", "WB2636"]],
    ["a message", message("channel: c, message: {}"), ["WB2622"]],
    ["a channel beside an operation", message("channel: c, operation: o, message: {}"), ["WB1006"]],
    ["neither message nor subscription", message("channel: c"), ["WB1001"]],
    ["a user beside a secret", basic("basic: { use: s, username: e }"), ["WB1006", "WB1006"]],
    ["a user and a password beside a secret", basic("basic: { use: s, username: e, password: f }"), ["WB1006"]],
    ["a user without password", basic("basic: { username: e }"), ["WB1006"]],
    ["no token", basic("bearer: {}"), ["WB1001"]],
    ["a negative limit", tasks("a: { wait: PT1S, timeout: { after: { seconds: -1 } } }"), ["WB3630"]],
    [
      "a negative delay",
      tasks(
        "a: { try: [{ b: { set: {} } }], catch: { retry: { delay: { minutes: -1 }, limit: { attempt: { count: 1 } } } } }",
      ),
      ["WB3630"],
    ],
    ["a negative interval", `schedule: { every: { seconds: -1 } }\n${tasks("a: { set: {} }")}`, ["WB3630"]],
    ["a status that is no number", tasks("a: { raise: { error: { type: https://a, status: unpaid } } }"), ["WB4625"]],
    [
      "a key of the events that end a wait",
      tasks(`a: { listen: { to: { any: [{ with: { type: t } }], until: { one: ${keyed("u")} } } } }`),
      ["WB3625", "WB3628"],
    ],
    [
      "a version of CloudEvents",
      tasks("a: { emit: { event: { with: { type: t, specversion: '0.3' } } } }"),
      ["WB2636"],
    ],
    [
      "what is returned to nobody",
      tasks("a: { run: { shell: { command: x }, await: false, return: code } }"),
      ["WB2637"],
    ],
    [
      "the lifetime of a container",
      tasks("a: { run: { container: { image: x, lifetime: { cleanup: never } }, return: code } }"),
      ["WB2637"],
    ],
    ["keys of the first events", start(`all: [${keyed("t")}, ${keyed("u")}]`), ["WB3620", "WB3628"]],
    ["a key of the first event", start(`one: ${keyed("t")}`), ["WB3617", "WB3620"]],
    ["no first events", start("all: []"), ["WB3615", "WB3620"]],
    [
      "keys of collected events",
      tasks(`a: { listen: { to: { any: [${keyed("t")}], until: length > 1 } } }`),
      ["WB3625", "WB3628"],
    ],
    ["an interval of zero", `schedule: { every: PT0S }\n${tasks("a: { set: {} }")}`, ["WB3629"]],
    [
      "all secrets",
      `use: { secrets: [s] }\n${tasks("a: { call: http, with: { method: get, endpoint: https://a, body: '${ $secrets }' } }")}`,
      ["WB4624"],
    ],
  ])("%s", (_, definition, expected) => {
    expect(codesIn(definition).toSorted()).toEqual(expected);
  });
});

describe("credentials", () => {
  const http = (endpoint: string, more = "") =>
    `use: { secrets: [s] }\n${tasks(`a: { call: http, with: { method: get, endpoint: ${endpoint}${more} } }`)}`;
  const policy = (given: string, uri = "https://a") => http(`{ uri: '${uri}', authentication: ${given} }`);
  const oauth2 = (more: string, authority = "https://b") =>
    policy(`{ oauth2: { authority: '${authority}', grant: ${more} } }`);
  const header = (value: string, uri = "https://a") => http(`'${uri}'`, `, headers: { Authorization: '${value}' }`);
  const secret = "${ $secrets.s.k }";

  test.each([
    ["a password", policy("{ basic: { username: u, password: hunter2 } }"), ["WB2639"]],
    ["a constant expression", policy("{ basic: { username: u, password: '${ \"hunter2\" }' } }"), ["WB2639"]],
    ["a password of the data", policy("{ basic: { username: u, password: '${ .password }' } }"), []],
    ["a secret", policy("{ basic: { use: s } }"), []],
    ["a token", policy("{ bearer: { token: abc } }"), ["WB2639"]],
    ["an expression without its form", policy("{ bearer: { token: .token } }"), ["WB4603"]],
    [
      "a policy of `use`",
      `${policy("{ use: p }")}`.replace("secrets: [s]", "authentications: { p: { bearer: { token: abc } } }"),
      ["WB2639"],
    ],
    ["the secret of a client", oauth2("client_credentials, client: { id: c, secret: d }"), ["WB2639"]],
    ["a client without secret", oauth2("client_credentials, client: { id: c }"), []],
    [
      "the constant secret of a client",
      oauth2("client_credentials, client: { id: c, secret: '${ \"d\" }' }"),
      ["WB2639"],
    ],
    ["a client that is a secret", oauth2(`client_credentials, client: { id: '${secret}', secret: '${secret}' }`), []],
    [
      "a user that is a secret",
      oauth2(`password, client: { id: c }, username: '${secret}', password: '${secret}'`),
      [],
    ],
    ["another secret", oauth2("client_credentials, client: { id: '${ $secrets.t.k }' }"), ["WB2616"]],
    ["a client of the data", oauth2("client_credentials, client: { id: '${ .client }' }"), ["WB2629"]],
    [
      "a client with a part of a secret",
      oauth2("client_credentials, client: { id: '${ $secrets.s.k[1:] }' }"),
      ["WB2629"],
    ],
    ["scopes of the data", oauth2("client_credentials, client: { id: c }, scopes: ['${ .scope }']"), ["WB2629"]],
    ["a whole policy that is a secret", policy("{ oauth2: { use: s } }"), ["WB2629"]],
    ["the password of a user", oauth2("password, client: { id: c }, username: u, password: d"), ["WB2639"]],
    ["a header", header("Bearer abc"), ["WB2639"]],
    ["a header with an expression that is not evaluated", header("Bearer ${ .token }"), ["WB4602"]],
    ["a header with a secret", header(secret), []],
    ["a header with a secret, unencrypted", header(secret, "http://a"), ["WB2640"]],
    ["to this machine", header(secret, "http://localhost:8080/x"), []],
    ["to a machine whose name begins like this one's", header(secret, "http://localhost.example"), ["WB2640"]],
    ["to a computed address", header(secret, '${ "http://a/" + .id }'), ["WB2640"]],
    ["to a host of the data", header(secret, "http://{host}/x"), ["WB2640"]],
    ["to an address of the data", header(secret, "${ .url }"), []],
    ["a policy, unencrypted", policy("{ basic: { use: s } }", "http://a"), ["WB2640"]],
    ["a request for a token, unencrypted", oauth2("client_credentials, client: { id: c }", "http://b"), ["WB2640"]],
    ["a request without secrets", http("http://a"), []],
  ])("%s", (_, definition, expected) => {
    expect(codesIn(definition)).toEqual(expected);
  });
});

test.each([
  ["set: { x: 1 }", []],
  ["set: { x: 1 }\nthe: end", ["WB1007"]],
  ["call: http\nwith: 3", ["WB1004"]],
  ["do: { b: { set: {} } }", ["WB2607"]],
  ["[1]", ["WB2619"]],
])("the file of a function is checked: %s", (text, expected) => {
  const read = (path: string) => ({ path, text });
  const { diagnostics } = check({ ...inputOf(tasks("a: { call: ./f.yaml }")), read }, languages);
  expect(diagnostics.map(({ code }) => code)).toEqual(expected);
});

test.each(["${ .x( }", "${ { y: .x }", '${ "x }'])("an expression without its end is invalid: %s", (text) => {
  expect(codesIn(tasks(`a: { set: { x: '${text}' } }`))).toEqual(["WB4010"]);
});

test("tasks of one name whose calls return different parts are different functions", () => {
  const call = (output: string) =>
    `{ a: { call: http, with: { method: get, endpoint: https://a, output: ${output} } } }`;
  const definition = tasks(`b: { do: [${call("content")}] }`, `c: { do: [${call("raw")}] }`);
  const { program } = check(inputOf(definition), languages);
  expect(program?.workflows.flatMap(({ functions }) => functions.map(({ name }) => name))).toEqual(["b/a", "c/a"]);
});

test("relative URIs are newer than 1.0.3, too", () => {
  const tasksOf = (uri: string) => tasks(`a: { set: {}, input: { schema: { resource: { endpoint: ${uri} } } } }`);
  expect(
    [codesIn(tasksOf("./a.json")), codesIn(tasksOf("file:///a.json"))].map((codes) => codes.includes("WB2638")),
  ).toEqual([true, false]);
});

test("`details` is how versions up to 1.0.3 name `detail`", () => {
  const filter = "a: { try: [{ b: { set: {} } }], catch: { errors: { with: { details: d } }, do: [] } }";
  expect(codesIn(tasks(filter)).filter((code) => code === "WB2633")).toEqual([]);
});

describe("several versions of a workflow", () => {
  const definition = (name: string, version: string, lines: string) => ({
    path: `${name}-${version}.yaml`,
    text: `document: { dsl: 1.0.3, namespace: shop, name: ${name}, version: ${version} }\ndo:\n${lines}`,
  });
  const task = "  - a: { set: {} }\n";
  const main = (...versions: readonly string[]) =>
    definition(
      "main",
      "1.0.0",
      versions
        .map((version, i) => `  - r${i}: { run: { workflow: { namespace: shop, name: pack, version: ${version} } } }\n`)
        .join(""),
    );
  const checked = (...versions: readonly string[]) => {
    const packs = ["1.9.0", "1.10.0-rc.1", "1.10.0"].map((version) => definition("pack", version, task));
    return check({ sources: [main(...versions), ...packs], options: {} }, languages);
  };

  test("have ids with their versions, and references lead to one of them", () => {
    const { program, diagnostics } = checked("1.9.0", "latest", "1.10.0-rc.1");
    expect(diagnostics).toEqual([]);
    const [caller, ...others] = program!.workflows;
    expect(others.map(({ id }) => id)).toEqual(["shop.pack@1.9.0", "shop.pack@1.10.0-rc.1", "shop.pack@1.10.0"]);
    expect(stepsOf(caller!).flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : []))).toEqual([
      "shop.pack@1.9.0",
      "shop.pack@1.10.0",
      "shop.pack@1.10.0-rc.1",
    ]);
  });

  test("without the one that is required", () => {
    expect(checked("2.0.0").diagnostics.map(({ code }) => code)).toEqual(["WB2635"]);
  });
});

test("the input schema types the data", () => {
  const schema =
    "input: { schema: { document: { type: object, properties: { n: {} }, additionalProperties: false } } }\n";
  expect(codesIn(schema + tasks("a: { set: { x: '${ .m }' } }"))).toEqual(["WB4301"]);
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: expressions of definitions
