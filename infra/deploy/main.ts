/** `npm run deploy -- ...`: `cdk deploy` with the same arguments, and the first user of a new stack. */

import { deploy } from "./deploy.ts";
import { firstPasswordIn } from "./earlier-secret.ts";
import { run } from "./run.ts";

process.exitCode = await deploy(process.argv.slice(2), {
  run,
  firstPasswordIn,
  password: process.env.WIRELAB_ADMIN_PASSWORD || undefined,
  print: (line) => console.error(line),
});
