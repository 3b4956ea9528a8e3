/** The result of a load: responses and their durations by route, and a description of every wrong response. */

export interface Sample {
  readonly route: string;
  /** 0 when the connection failed. */
  readonly status: number;
  readonly ms: number;
  /** Why the connection failed. */
  readonly failure?: string;
}

export class Tally {
  readonly samples: Sample[] = [];
  readonly wrong: string[] = [];

  note(sample: Sample): void {
    this.samples.push(sample);
  }

  complain(what: string): void {
    this.wrong.push(what);
  }

  /** @param names of all routes. */
  missing(names: readonly string[]): string[] {
    const seen = new Set(this.samples.map(({ route }) => route));
    return names.filter((name) => !seen.has(name));
  }
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const isError = ({ status }: Sample): boolean => status === 0 || status >= 500;

/** Formats a line for each route, then one for all: requests, errors, and percentiles in milliseconds. */
export function describe(samples: readonly Sample[], seconds: number): string {
  const line = (name: string, own: readonly Sample[]): string => {
    const sorted = own.map(({ ms }) => ms).sort((a, b) => a - b);
    const times = [0.5, 0.9, 0.99, 1].map((share) => percentile(sorted, share).toFixed(1).padStart(9));
    const errors = String(own.filter(isError).length).padStart(8);
    return `${name.padEnd(22)}${String(own.length).padStart(9)}${errors}${times.join("")}`;
  };
  const heads = ["requests", "errors", "p50 ms", "p90 ms", "p99 ms", "max ms"];
  const [first, second, ...rest] = heads;
  const byRoute = [...Map.groupBy(samples, ({ route }) => route)].sort(([a], [b]) => (a < b ? -1 : 1));
  const byStatus = [...Map.groupBy(samples, ({ status }) => status)].sort(([a], [b]) => a - b);
  const statuses = byStatus.map(([status, own]) => `${status || "connection broke"}: ${own.length}`);
  return [
    `${"route".padEnd(22)}${first!.padStart(9)}${second!.padStart(8)}${rest.map((head) => head.padStart(9)).join("")}`,
    ...byRoute.map(([route, own]) => line(route, own)),
    line("all", samples),
    "",
    `${(samples.length / seconds).toFixed(1)} requests a second over ${seconds.toFixed(1)} s; by status: ${statuses.join(", ")}`,
  ].join("\n");
}
