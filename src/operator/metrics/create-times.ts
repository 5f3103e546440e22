import type { Metric, Registry } from 'prom-client';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2.5, 10, 30];

/** A histogram by the values of a label, all known: what is observed is added to plain numbers. */
export function createTimes<Value extends string>(
  registry: Registry,
  shortName: string,
  help: string,
  label: string,
  known: readonly Value[],
) {
  const name = `deals_${shortName}`;
  const of = new Map(known.map((each) => [each, { counts: [...buckets, Infinity].map(() => 0), sum: 0 }]));
  const get = async () => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    values: [...of].flatMap(([kind, { counts, sum }]) => {
      let total = 0;
      const within = [...buckets, '+Inf'].map((le, at) => ({
        ...{ labels: { [label]: kind, le }, metricName: `${name}_bucket` },
        value: (total += counts[at] ?? 0),
      }));
      const labels = { [label]: kind };
      return [
        ...within,
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: total, metricName: `${name}_count` },
      ];
    }),
  });
  registry.registerMetric({ name, help, labelNames: [label], get } as unknown as Metric);
  return {
    observe(kind: Value, seconds: number): void {
      const times = of.get(kind);
      if (times === undefined) return;
      let at = 0;
      while (seconds > (buckets[at] ?? Infinity)) at++;
      times.counts[at]!++;
      times.sum += seconds;
    },
  };
}
