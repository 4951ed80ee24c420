import { pick, programsOf, times } from "./program.ts";

type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: { readonly app: string };
    readonly annotations: { readonly [name: string]: string };
  };
  readonly spec: { readonly nodeName: string; readonly containers: readonly { readonly image: string }[] };
  readonly status: {
    readonly phase: string;
    readonly podIP: string | null;
    readonly containerStatuses: readonly { readonly ready: boolean; readonly restartCount: number }[];
  };
};

const podOf = (index: number): Pod => ({
  metadata: {
    name: `pod-${index}`,
    namespace: pick(["production", "staging"], index),
    labels: { app: pick(["web", "worker", "cron"], index) },
    annotations: { owner: `team-${index % 5}`, revision: `${index % 9}`, checksum: `c${index * 31}` },
  },
  spec: {
    nodeName: `node-${(index * 7) % 6}`,
    containers: times(1 + (index % 2), (container) => ({
      image: `registry/app-${(index + container) % 8}:1.${index % 3}`,
    })),
  },
  status: {
    phase: index % 6 === 0 ? "Pending" : "Running",
    podIP: index % 6 === 0 ? null : `10.0.0.${index}`,
    containerStatuses: times(1 + (index % 2), (container) => ({
      ready: (index + container) % 6 !== 0,
      restartCount: (index * container) % 4,
    })),
  },
});

const lists = [{ items: times(60, podOf) }, { items: times(45, (index) => podOf(index + 13)) }];

/** Programs on a list of Kubernetes pods. */
export const podPrograms = programsOf(lists, [
  [
    '[.items[] | select(.status.phase != "Running") | .metadata.name]',
    ({ items }) => items.filter(({ status }) => status.phase !== "Running").map(({ metadata }) => metadata.name),
  ],
  [
    ".items | map(.spec.containers[].image) | unique",
    ({ items }) => [...new Set(items.flatMap(({ spec }) => spec.containers.map(({ image }) => image)))].sort(),
  ],
  [
    "[.items[] | {name: .metadata.name, restarts: ([.status.containerStatuses[].restartCount] | add)}]",
    ({ items }) =>
      items.map(({ metadata, status }) => ({
        name: metadata.name,
        restarts: status.containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
      })),
  ],
  [
    '.items | map(select(.metadata.labels.app == "web")) | length',
    ({ items }) => items.filter(({ metadata }) => metadata.labels.app === "web").length,
  ],
  [
    '[.items[] | select(.metadata.namespace == "production") | .status.podIP // "pending"]',
    ({ items }) =>
      items
        .filter(({ metadata }) => metadata.namespace === "production")
        .map(({ status }) => status.podIP ?? "pending"),
  ],
  [
    ".items | group_by(.spec.nodeName) | map({node: .[0].spec.nodeName, pods: map(.metadata.name)})",
    ({ items }) => {
      const pods = new Map<string, string[]>();
      for (const { spec, metadata } of items) {
        const names = pods.get(spec.nodeName);
        if (names) names.push(metadata.name);
        else pods.set(spec.nodeName, [metadata.name]);
      }
      return [...pods.keys()].sort().map((node) => ({ node, pods: pods.get(node)! }));
    },
  ],
  [
    "[.items[] | select(all(.status.containerStatuses[]; .ready)) | .metadata.name]",
    ({ items }) =>
      items
        .filter(({ status }) => status.containerStatuses.every(({ ready }) => ready))
        .map(({ metadata }) => metadata.name),
  ],
  [
    '.items[0].metadata.annotations | to_entries | map("\\(.key)=\\(.value)") | join(",")',
    ({ items }) =>
      Object.entries(items[0]!.metadata.annotations)
        .map(([key, value]) => `${key}=${value}`)
        .join(","),
  ],
]);
