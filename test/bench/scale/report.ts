/** Renders the tables of docs/scale.md. */
import { LIMITS, type LimitName } from "./limits.ts";
import { BUSY_DAY, type Load, type Peaks, simulate } from "./simulate.ts";

const SEED = 1;
const FACTORS = [0.1, 1, 10];
const most = Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limit.most])) as Record<
  LimitName,
  number
>;

const figure = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 });

const scaled = (factor: number): Load => ({
  ...BUSY_DAY,
  users: BUSY_DAY.users * factor,
  runsADay: BUSY_DAY.runsADay * factor,
});

function tableOf(peaks: Peaks): string {
  const rows = (Object.keys(LIMITS) as LimitName[])
    .map((name) => ({ name, ...peaks[name], share: peaks[name].peak / LIMITS[name].most }))
    .toSorted((a, b) => b.share - a.share)
    .map(({ name, peak, refused, share }) => {
      const { name: title, most, unit, above, raise } = LIMITS[name];
      const over = refused > 0 ? `${figure(refused * 100)} % above it: ${above}` : "";
      return `| ${title} | ${figure(peak)} | ${figure(most)} ${unit} | ${figure(share * 100)} % | ${over} | ${raise} |`;
    });
  return [
    "| limit | peak | most | used | in that hour | raised by |",
    "| --- | ---: | ---: | ---: | --- | --- |",
    ...rows,
  ].join("\n");
}

export const report = (): string =>
  FACTORS.map((factor) => {
    const load = scaled(factor);
    const title = `${figure(load.users)} users, ${figure(load.runsADay)} runs a day`;
    return `### ${title}\n\n${tableOf(simulate(load, most, SEED))}`;
  }).join("\n\n");
