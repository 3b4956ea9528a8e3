/** A function's bundle, as the CDK wants code. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AssetHashType, DockerImage, type ILocalBundling } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";

const BUNDLER = fileURLToPath(new URL("main.ts", import.meta.url));

/**
 * The bundle of the module `entry` in `folder`, made when the stack is synthesized.
 * @throws Error with what the bundler says, when it fails.
 */
export const bundledCode = (folder: string, entry: string): Code =>
  Code.fromAsset(folder, {
    // What is in it says whether it has changed.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the bundle is made here.
      image: DockerImage.fromRegistry("node"),
      // Tells the assets of one folder apart.
      command: [entry],
      local: makeLocally(`${folder}/${entry}.ts`),
    },
  });

const makeLocally = (entry: string): ILocalBundling => ({
  tryBundle(folder) {
    const { status, stderr, error } = spawnSync(process.execPath, [BUNDLER, entry, folder], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${entry} could not be bundled: ${error?.message ?? stderr.trim()}`);
    return true;
  },
});
