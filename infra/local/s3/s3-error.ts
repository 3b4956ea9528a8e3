/** The errors of S3 that the local one answers: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const ERRORS = {
  AccessDenied: [403, "Access denied"],
  BadDigest: [400, "The checksum that was sent is not that of the body"],
  BucketNotEmpty: [409, "The bucket has objects"],
  EntityTooSmall: [400, "A part other than the last has less than 5 MiB"],
  IncompleteBody: [400, "The body is not as long as the headers say"],
  InternalError: [500, "The local S3 failed; its log says why"],
  InvalidArgument: [400, "A parameter is not valid"],
  InvalidBucketName: [400, "The name of the bucket is not valid"],
  InvalidPart: [400, "A part was not uploaded, or has another ETag"],
  InvalidPartOrder: [400, "The parts are not in ascending order"],
  InvalidRange: [416, "The range lies behind the end of the object"],
  KeyTooLongError: [400, "The key, or a part of it between slashes, is too long for the local S3"],
  MalformedXML: [400, "The XML is not that of this request"],
  NoSuchBucket: [404, "The bucket does not exist"],
  NoSuchKey: [404, "The key does not exist"],
  NoSuchUpload: [404, "The upload does not exist"],
  NotImplemented: [501, "The local S3 does not have this"],
  NotModified: [304, "The object has not changed"],
  PreconditionFailed: [412, "A condition of the request does not hold"],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

export type S3ErrorCode = keyof typeof ERRORS;

export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;

  /** @param detail what the error is about: a key, a parameter, a header. */
  constructor(code: S3ErrorCode, detail?: string) {
    const [status, message] = ERRORS[code];
    super(detail === undefined ? `${message}.` : `${message}: ${detail}.`);
    this.code = code;
    this.status = status;
  }
}
