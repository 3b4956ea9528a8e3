/** The folder of a function's bundle in the package. */
import { basename } from "node:path";

export const bundleName = (source: string, entry: string): string => `${basename(source)}-${entry}`;
