/**
 * `npm run janitor`: lists what killed jobs have left in the account's region, and deletes it with `--delete`.
 *
 *     npm run janitor -- [--delete] [--assets BUCKET]
 */
import { parseArgs } from "node:util";
import { AwsAccount } from "./account.ts";
import { planRemovals } from "./plan.ts";

const USAGE = `Usage: npm run janitor -- [--delete] [--assets BUCKET]

Lists ephemeral stacks that have expired, and what deleted ones left: log groups, and secrets of computes.

  --delete          deletes what is listed; a secret can be restored for 7 days
  --assets BUCKET   also old files in the bootstrap bucket, such as cdk-hnb659fds-assets-111122223333-eu-central-1

Region and credentials are those of the AWS SDK's standard variables and files.
Exit status: 0 done, 1 something cannot be read or deleted, 2 wrong usage.
`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      delete: { type: "boolean", default: false },
      assets: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const account = new AwsAccount();
  const { removals, kept } = planRemovals(await account.read(Date.now(), values.assets));
  for (const { name, why } of kept) process.stdout.write(`keep    stack ${name}: ${why}\n`);
  let failures = 0;
  for (const removal of removals) {
    const { kind, name, why } = removal;
    if (!values.delete) {
      process.stdout.write(`would delete  ${kind} ${name}: ${why}\n`);
      continue;
    }
    try {
      await account.remove(removal);
      process.stdout.write(`deleted ${kind} ${name}: ${why}\n`);
    } catch (error) {
      failures += 1;
      process.stderr.write(`janitor: ${kind} ${name} is not deleted: ${(error as Error).message}\n`);
    }
  }
  if (removals.length === 0) process.stdout.write("nothing to delete\n");
  else if (!values.delete) process.stdout.write("nothing is deleted without --delete\n");
  return failures === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { message } = error as Error;
  const isUsage =
    "code" in (error as Error) && String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(isUsage ? `janitor: ${message}\n\n${USAGE}` : `janitor: ${message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
