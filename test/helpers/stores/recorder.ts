/** A proxy between the functions and a store, which records each call with its function: the SDK's user agent identifies it. */
import { type StoreCall, startStoreProxy } from "./store-proxy.ts";

export interface RecordedCall {
  /** `NAME` of `AWS_SDK_UA_APP_ID=NAME/PTEnv/` in the caller's environment; empty for callers without. */
  readonly caller: string;
  readonly method: string;
  readonly url: URL;
  /** DynamoDB's action; empty for S3. */
  readonly operation: string;
  readonly body: string;
  /** Status of the response. */
  status: number;
}

export interface Recorder {
  readonly url: string;
  readonly calls: readonly RecordedCall[];
  close(): void;
}

export async function startRecorder(target: string): Promise<Recorder> {
  const calls: RecordedCall[] = [];
  const recorded = new WeakMap<StoreCall, RecordedCall>();
  const proxy = await startStoreProxy(target, {
    decide: (call) => {
      const record = { ...describe(call, target), status: 0 };
      recorded.set(call, record);
      calls.push(record);
      return "pass";
    },
    answered: (call, { status }) => {
      recorded.get(call)!.status = status;
    },
  });
  return { ...proxy, calls };
}

const describe = ({ store, name, method, path, headers, body }: StoreCall, target: string) => ({
  caller: /\bapp\/(\S+?)-PTEnv-/.exec(String(headers["user-agent"]))?.[1] ?? "",
  method,
  url: new URL(path, target),
  operation: store === "dynamodb" ? name : "",
  body: body.toString(),
});
