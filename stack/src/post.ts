/** The post step: destroys the stack that the main step has deployed or begun to deploy, also when the job failed or was cancelled. */
import { hasAssembly } from "./assembly.ts";
import { Checkout } from "./checkout.ts";
import { passOnInterrupts } from "./run.ts";
import { notice, readState, reportError } from "./workflow-commands.ts";

async function destroy(): Promise<void> {
  const [stack, assembly, source] = ["stack", "assembly", "source"].map((name) => readState(name));
  if (!stack || !assembly || !source || !hasAssembly(assembly)) {
    notice("Nothing was deployed, so nothing is destroyed");
    return;
  }
  if ((await new Checkout(source).cdk(["destroy", "--app", assembly, "--force"])) === 0) return;
  reportError(
    `the stack ${stack} is not destroyed; its reason is above. Run aws cloudformation delete-stack --stack-name ${stack}, or let npm run janitor delete it when it has expired`,
  );
  process.exitCode = 1;
}

passOnInterrupts();
await destroy();
