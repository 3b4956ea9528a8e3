/** In the package `wirelab-construct`, stands in for the modules that bundle functions: its folder `bundles` has the results. */
import { fileURLToPath } from "node:url";
import { Code } from "aws-cdk-lib/aws-lambda";
import { bundleName } from "./bundle-name.ts";

/** @param source is `.../functions/<folder>` of the project, of which the package has the last part alone. */
export const bundledCode = (source: string, entry: string): Code =>
  Code.fromAsset(fileURLToPath(new URL(`bundles/${bundleName(source, entry)}`, import.meta.url)));

/** The bundles contain their files. */
export const addGuestFiles = (): void => {};
export const buildPage = (): void => {};
