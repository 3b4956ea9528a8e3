/**
 * `-c edge=true`: one address for the REST API, the WebSockets and pages, as existing clients expect it. CloudFront passes requests on:
 *
 *     /v2/notifications/ws, ...    the WebSocket API; edge/viewer-request.js turns the path into the query `path`
 *     /v2/...                      the REST API
 *     /                            redirects to the page
 *     /v2/page/...                 the REST API, whose responses CloudFront caches: a name contains a hash of the content
 *     other paths                  the bucket for pages
 */
import { fileURLToPath } from "node:url";
import { Aws, Duration, Names, Validations } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import { Construct, type IDependable } from "constructs";
import { asInterface } from "./as-interface.ts";
import { acknowledgeNoLog, type DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { dataRemoval } from "./data-removal.ts";
import { type OwnDomain, pointTo } from "./domain.ts";
import { serviceNameOf } from "./service-stack.ts";

/** Route 53 knows all distributions under this id. */
const CLOUDFRONT_ZONE = "Z2FDTNDATAQYW2";

/** The longest silence of a streamed response; CloudFront's maximum. */
const READ_TIMEOUT = Duration.seconds(120);
const HSTS_AGE = Duration.days(365);

/** A UUID in a path pattern: `?` is one character, and `*` would also match slashes, such as those in the paths of files. */
const ID = [8, 4, 4, 4, 12].map((length) => "?".repeat(length)).join("-");

/** The paths of WebSockets: functions/sockets. */
export const SOCKET_PATTERNS = [
  "/v2/notifications/ws",
  `/v2/projects/${ID}/notifications/ws`,
  `/v2/projects/${ID}/nodes/${ID}/console/ws`,
];

const LONGEST_REGION = "ap-southeast-1".length;

interface EdgeProps {
  readonly settings: Settings;
  /** The distribution's name; undefined for the one that CloudFront gives it. */
  readonly domain: OwnDomain | undefined;
  /** Host names. */
  readonly apiDomain: string;
  readonly socketsDomain: string;
  /** CloudFront sends no request to an API that has no stage yet: an upgrade may replace the API. */
  readonly apiStage: IDependable;
  /** Its log also gets the accesses to the pages. */
  readonly dataBucket: DataBucket;
}

export class Edge extends Construct {
  readonly #distribution: Distribution;
  readonly #pages: Bucket;
  readonly #name: string | undefined;

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id);
    const { settings, domain, apiDomain, apiStage, socketsDomain, dataBucket } = props;
    this.#pages = new Bucket(this, "Pages", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // CloudFront would need the customer's key, and the pages are public.
      encryption: BucketEncryption.S3_MANAGED,
      ...(dataBucket.logBucket && {
        serverAccessLogsBucket: asInterface<IBucket>(dataBucket.logBucket),
        serverAccessLogsPrefix: "pages/",
      }),
      removalPolicy: dataRemoval(settings),
      autoDeleteObjects: settings.get("ephemeral"),
    });
    // The functions of all stacks and regions of an account have different names, and the CDK's has no name of a stack in it.
    const name = Names.uniqueResourceName(this, { maxLength: 64 - LONGEST_REGION });
    if (dataBucket.logBucket === undefined) acknowledgeNoLog(this.#pages);
    const viewerRequest = new EdgeFunction(this, "ViewerRequest", {
      functionName: `${Aws.REGION}${name}`,
      comment: "Wirelab: paths of WebSockets become queries",
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromFile({
        filePath: fileURLToPath(new URL("edge/viewer-request.js", import.meta.url)),
      }),
    });
    const common = {
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: viewerRequest, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    const api = (domain: string): BehaviorOptions => ({
      ...common,
      origin: originAt(domain),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    });
    const sockets = api(socketsDomain);
    const rest = api(apiDomain);
    this.#distribution = new Distribution(this, "Distribution", {
      comment: `Wirelab: ${serviceNameOf(this)}`,
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, "Certificate", domain.certificate),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      // A WebSocket needs HTTP/1.1, which CloudFront always has as well.
      httpVersion: HttpVersion.HTTP2,
      // Without it, a client could list the bucket.
      defaultRootObject: "index.html",
      defaultBehavior: {
        ...common,
        origin: S3BucketOrigin.withOriginAccessControl(asInterface<IBucket>(this.#pages), {
          // With LIST, S3 answers 404 for a page that does not exist.
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        responseHeadersPolicy: this.#makeHeaders(),
      },
      additionalBehaviors: {
        ...Object.fromEntries(SOCKET_PATTERNS.map((pattern) => [pattern, sockets])),
        "/v2/page/*": {
          ...rest,
          allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        },
        "/v2": rest,
        "/v2/*": rest,
      },
    });
    this.#name = domain?.name;
    if (domain) {
      const target = this.#distribution.distributionDomainName;
      pointTo(scope, "Domain", {
        ...domain,
        target,
        targetZone: CLOUDFRONT_ZONE,
        types: ["A", "AAAA"],
      });
    }
    this.#distribution.node.addDependency(apiStage);
    this.#acknowledge();
  }

  /** Without a slash at its end. */
  get url(): string {
    return `https://${this.#name ?? this.#distribution.distributionDomainName}`;
  }

  get pagesBucketName(): string {
    return this.#pages.bucketName;
  }

  #makeHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "PageHeaders", {
      comment: "Wirelab: headers of pages",
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: HSTS_AGE, override: true },
      },
    });
  }

  #acknowledge(): void {
    Validations.of(this.#distribution).acknowledge(
      { id: "AwsSolutions-CFR1", reason: "The service is for users in any country." },
      {
        id: "AwsSolutions-CFR2",
        reason: "With waf=true, the firewall is in front of the REST API, which CloudFront calls.",
      },
      {
        id: "AwsSolutions-CFR3",
        reason:
          "The access logs of the two APIs and of the bucket have every request that passes CloudFront.",
      },
      {
        id: "AwsSolutions-CFR4",
        reason: "Without the setting domain, CloudFront's own certificate decides the minimum of TLS.",
      },
      {
        id: "Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk",
        reason: "The distribution has a default root object, so no client can list the bucket.",
      },
    );
  }
}

const originAt = (domain: string): HttpOrigin =>
  new HttpOrigin(domain, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    readTimeout: READ_TIMEOUT,
  });
