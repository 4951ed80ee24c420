// Serves the functions in a process that survives the kills. Counts the calls by key and fails the first attempt at
// calls with retries. Prints its address; GET returns the counts.

import { createServer } from "node:http";

const calls = new Map<string, number>();
const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify([...calls]));
    return;
  }
  let text = "";
  request.on("data", (part: Buffer) => {
    text += part.toString();
  });
  request.on("end", () => {
    const { key, n } = JSON.parse(text) as { readonly key: string; readonly n: number };
    calls.set(key, (calls.get(key) ?? 0) + 1);
    response.statusCode = key.endsWith("Bill!attempt-1") ? 500 : 200;
    setTimeout(() => response.end(`${n + 1}`), 2);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/\n`);
});
