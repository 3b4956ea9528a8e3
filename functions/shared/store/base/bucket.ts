/** The S3 client and its commands. objects.ts loads this module on first use, because few requests need it. */
import { S3Client } from "@aws-sdk/client-s3";
import { clientSettings } from "./client-settings.ts";
import { reportFaults } from "./store-faults.ts";
import { withoutLog } from "./without-log.ts";

export {
  CopyObjectCommand,
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

/** Includes the time that sending a large object takes. */
const TIMEOUT_MS = 6_000;

/** Made once for each execution environment. The SDK's standard variables set the region, credentials and endpoint. */
export const s3 = withoutLog(reportFaults(new S3Client(clientSettings(TIMEOUT_MS)), "BucketErrors"));
