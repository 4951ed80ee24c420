import { pick, programsOf, times } from "./program.ts";

type Entry = {
  readonly time: string;
  readonly level: string;
  readonly service: string;
  readonly message: string;
  readonly durationMs: number;
  readonly requestId: string;
};

const entryOf = (index: number): Entry => ({
  time: `2026-03-01T10:${10 + (index % 50)}:00Z`,
  level: pick(["info", "info", "warn", "info", "error", "debug"], index),
  service: pick(["api", "billing", "search"], index * 5),
  message: pick(["Request done", "Upstream Timeout after 3 s", "Cache miss", "Connection reset"], index),
  durationMs: (index * 53) % 900,
  requestId: `r-${index % 120}`,
});

const lists = [times(200, entryOf), times(150, (index) => entryOf(index + 7))];

/** Programs on log entries. */
export const logPrograms = programsOf(lists, [
  ['map(select(.level == "error")) | length', (entries) => entries.filter(({ level }) => level === "error").length],
  [
    "[.[] | select(.durationMs > 500) | {service, durationMs}]",
    (entries) =>
      entries.filter(({ durationMs }) => durationMs > 500).map(({ service, durationMs }) => ({ service, durationMs })),
  ],
  [
    "reduce .[] as $entry ({}; .[$entry.level] += 1)",
    (entries) => {
      const counts: { [level: string]: number } = {};
      for (const { level } of entries) counts[level] = (counts[level] ?? 0) + 1;
      return counts;
    },
  ],
  [
    'map(.message | ascii_downcase) | map(select(contains("timeout")))',
    (entries) => entries.map(({ message }) => message.toLowerCase()).filter((message) => message.includes("timeout")),
  ],
  [
    "group_by(.service) | map({service: .[0].service, slowest: (map(.durationMs) | max)})",
    (entries) => {
      const slowest = new Map<string, number>();
      for (const { service, durationMs } of entries)
        slowest.set(service, Math.max(slowest.get(service) ?? 0, durationMs));
      return [...slowest.keys()].sort().map((service) => ({ service, slowest: slowest.get(service)! }));
    },
  ],
  [
    'first(.[] | select(.level == "error")) | .requestId',
    (entries) => [entries.find(({ level }) => level === "error")!.requestId],
  ],
  [
    '.[] | select(.level == "error") | "\\(.time) \\(.service): \\(.message)"',
    (entries) =>
      entries
        .filter(({ level }) => level === "error")
        .map(({ time, service, message }) => `${time} ${service}: ${message}`),
  ],
  ["map(.requestId) | unique | length", (entries) => new Set(entries.map(({ requestId }) => requestId)).size],
]);
