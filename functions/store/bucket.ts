/** The S3 client and what is asked of it: objects.ts loads this when it first needs it, for few requests do. */
import { S3Client } from "@aws-sdk/client-s3";
import { clientSettings } from "./client-settings.ts";
import { tellFaults } from "./store-faults.ts";
import { withoutLog } from "./without-log.ts";

export {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
export { Upload } from "@aws-sdk/lib-storage";
export { getSignedUrl } from "@aws-sdk/s3-request-presigner";

/** Of a large object, the bytes have to be sent meanwhile. */
const TIMEOUT_MS = 6_000;

/** Made once for each execution environment; region, credentials and endpoint are the SDK's standard variables'. */
export const s3 = withoutLog(tellFaults(new S3Client(clientSettings(TIMEOUT_MS)), "BucketErrors"));
