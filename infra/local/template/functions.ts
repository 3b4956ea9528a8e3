/** Reads the functions of Lambda. */
import { resolve as resolvePath } from "node:path";
import type { CfnResource, Resolve } from "../intrinsics.ts";

export interface FunctionDefinition {
  readonly name: string;
  readonly bundleFolder: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export function readFunction(
  id: string,
  { Properties = {} }: CfnResource,
  folder: string,
  names: Readonly<Record<string, string>>,
  resolve: Resolve,
): FunctionDefinition {
  const { S3Key } = (Properties.Code ?? {}) as { S3Key?: unknown };
  const key = String(resolve(S3Key, `${id}.Code.S3Key`));
  const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
  const environment = resolve(Variables, `${id}.Environment.Variables`) as Record<string, unknown>;
  return {
    name: names[id]!,
    bundleFolder: resolvePath(folder, `asset.${key.replace(/\.zip$/, "")}`),
    handler: String(Properties.Handler),
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, String(value)]),
    ),
    timeoutMs: Number(Properties.Timeout ?? 3) * 1000,
    memoryMb: Number(Properties.MemorySize ?? 128),
  };
}
