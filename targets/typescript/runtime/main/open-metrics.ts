/** The labels of a sample. */
export type Labels = { readonly [name: string]: string };

/** A family of samples in the text format of OpenMetrics 1.0. */
export interface MetricFamily {
  /** The samples, with their descriptions before them. */
  print(): string;
}

/** A number that only grows. */
export interface Counter extends MetricFamily {
  add(labels: Labels, amount?: number): void;
}

/** A number that grows and shrinks. */
export interface Gauge extends MetricFamily {
  set(labels: Labels, value: number): void;
  add(labels: Labels, amount: number): void;
  clear(): void;
}

/** A distribution of durations. */
export interface Histogram extends MetricFamily {
  observe(labels: Labels, seconds: number): void;
}

/** Creates a counter, whose sample is named `<name>_total`. */
export function createCounter(name: string, help: string): Counter {
  const values = new Map<string, number>();
  return {
    add: (labels, amount = 1) => increase(values, printLabels(labels), amount),
    print: () =>
      [...headerOf(name, "counter", help), ...[...values].map(([labels, n]) => `${name}_total${labels} ${n}\n`)].join(
        "",
      ),
  };
}

/** Creates a gauge. A name that ends with a unit declares it. */
export function createGauge(name: string, help: string): Gauge {
  const values = new Map<string, number>();
  return {
    set: (labels, value) => void values.set(printLabels(labels), value),
    add: (labels, amount) => increase(values, printLabels(labels), amount),
    clear: () => values.clear(),
    print: () =>
      [...headerOf(name, "gauge", help), ...[...values].map(([labels, n]) => `${name}${labels} ${n}\n`)].join(""),
  };
}

/** Creates a histogram of seconds with the given upper bounds. */
export function createHistogram(name: string, help: string, bounds: readonly number[] = durationBounds): Histogram {
  const series = new Map<string, Distribution>();
  return {
    observe(labels, seconds) {
      const key = printLabels(labels);
      const found = series.get(key) ?? { labels, counts: bounds.map(() => 0), count: 0, sum: 0 };
      series.set(key, found);
      const at = bounds.findIndex((bound) => seconds <= bound);
      if (at >= 0) found.counts[at]! += 1;
      found.count += 1;
      found.sum += seconds;
    },
    print: () =>
      [
        ...headerOf(name, "histogram", help),
        ...[...series.values()].flatMap((each) => samplesOf(name, bounds, each)),
      ].join(""),
  };
}

interface Distribution {
  readonly labels: Labels;
  /** The observations between each bound and the one before. */
  readonly counts: number[];
  count: number;
  sum: number;
}

/** From 1 ms to 1 hour. */
const durationBounds: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600, 3600];

function samplesOf(name: string, bounds: readonly number[], { labels, counts, count, sum }: Distribution) {
  let below = 0;
  const buckets = bounds.map((bound, i) => {
    below += counts[i]!;
    return `${name}_bucket${printLabels({ ...labels, le: String(bound) })} ${below}\n`;
  });
  const all = `${name}_bucket${printLabels({ ...labels, le: "+Inf" })} ${count}\n`;
  return [
    ...buckets,
    all,
    `${name}_count${printLabels(labels)} ${count}\n`,
    `${name}_sum${printLabels(labels)} ${sum}\n`,
  ];
}

function headerOf(name: string, type: "counter" | "gauge" | "histogram", help: string): readonly string[] {
  const [, unit] = /_(seconds|bytes)$/.exec(name) ?? [];
  return [`# TYPE ${name} ${type}\n`, ...(unit ? [`# UNIT ${name} ${unit}\n`] : []), `# HELP ${name} ${help}\n`];
}

const increase = (values: Map<string, number>, key: string, amount: number): void =>
  void values.set(key, (values.get(key) ?? 0) + amount);

const printLabels = (labels: Labels): string => {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return entries.length === 0 ? "" : `{${entries.join(",")}}`;
};

const escapeLabel = (text: string): string =>
  text.toWellFormed().replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`));
