import { pick, programsOf, times } from "./program.ts";

type Response = {
  readonly status: number;
  readonly path: string;
  readonly attempt: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: {
    readonly data: readonly { readonly id: number; readonly name: string }[];
    readonly count: string;
    readonly error: { readonly message: string } | null;
    readonly next: string | null;
  };
};

const responseOf = (index: number): Response => ({
  status: pick([200, 201, 404, 503], index),
  path: `/v1/${pick(["orders", "users"], index)}/${index}/items`,
  attempt: index % 4,
  headers: {
    "Content-Type": pick(["application/json; charset=utf-8", "text/plain"], index),
    "X-Request-Id": `q${index}`,
    ETag: `"${index}"`,
  },
  body: {
    data: times(1 + (index % 5), (item) => ({ id: index * 10 + item, name: `Item ${item}` })),
    count: index === 5 ? "unknown" : `${index}`,
    error: index % 4 < 2 ? null : { message: `Failure ${index}` },
    next: index % 2 === 0 ? `page-${index}` : null,
  },
});

/** Programs on a response of an HTTP API. */
export const responsePrograms = programsOf(times(16, responseOf), [
  [".status >= 200 and .status < 300", ({ status }) => status >= 200 && status < 300],
  [
    '.headers["Content-Type"] | startswith("application/json")',
    ({ headers }) => headers["Content-Type"]!.startsWith("application/json"),
  ],
  ['.body.error.message // "none"', ({ body }) => body.error?.message ?? "none"],
  [".body.data[0].id", ({ body }) => body.data[0]?.id ?? null],
  [
    ".headers | with_entries(.key |= ascii_downcase)",
    ({ headers }) => Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value])),
  ],
  [".body.next // empty", ({ body }) => (body.next === null ? [] : [body.next])],
  ["try (.body.count | tonumber) catch 0", ({ body }) => (Number.isNaN(Number(body.count)) ? 0 : Number(body.count))],
  [
    '.path | split("/") | map(select(. != "")) | last',
    ({ path }) =>
      path
        .split("/")
        .filter((part) => part !== "")
        .at(-1)!,
  ],
  [
    "{statusCode: .status, body: (.body | tojson)}",
    ({ status, body }) => ({ statusCode: status, body: JSON.stringify(body) }),
  ],
  [".headers | keys | length", ({ headers }) => Object.keys(headers).length],
  [".attempt + 1", ({ attempt }) => attempt + 1],
  [
    '"https://api.example.com\\(.path)?page=\\(.body.next // 1)"',
    ({ path, body }) => `https://api.example.com${path}?page=${body.next ?? 1}`,
  ],
]);
