/**
 * `npm run bench:tcp -- [ALGORITHM] [COUNT]`: transfers of 3 MB from a Linux guest and from a server over impaired links, with the mean
 * of COUNT (30) transfers and its standard error. Needs the image debian; 30 transfers of a guest take some two minutes.
 */
import { CONDITIONS, meanOf, playTransfers, type Transfers } from "../helpers/tcp-transfer.ts";

const [, , algorithm = "cubic", count = "30"] = process.argv;
if (algorithm !== "cubic" && algorithm !== "newreno") throw new Error(`Linux guests have no ${algorithm}`);

const measure = (sender: Transfers["sender"], condition: Transfers["condition"]) =>
  meanOf(playTransfers({ sender, algorithm, condition, seed: 1, count: Number(count) }));

for (const condition of Object.keys(CONDITIONS) as Transfers["condition"][]) {
  const [ours, theirs] = [measure("server", condition), measure("linux", condition)];
  const ratio = ours.mean / theirs.mean;
  const error = ratio * Math.hypot(ours.error / ours.mean, theirs.error / theirs.mean);
  const figures = [ours, theirs, { mean: ratio, error }].map(
    ({ mean, error }) => `${mean.toFixed(3)} +- ${error.toFixed(3)}`,
  );
  console.log(`${condition.padEnd(12)} server ${figures[0]} s, Linux ${figures[1]} s, ratio ${figures[2]}`);
}
