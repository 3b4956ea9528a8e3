/**
 * Names of the account's own for the APIs, which stay when an API is replaced and gets a new id:
 *
 *     -c domain=lab.example.org -c domain_certificate=arn:aws:acm:... -c domain_zone=Z0123456789ABC
 *
 *     https://lab.example.org/v2/...            the REST API, at the paths of the interface
 *     wss://sockets.lab.example.org/v2?path=    the WebSocket API: API Gateway refuses both APIs at one name
 *
 * With `edge=true`, CloudFront has the name, for both: infra/edge.ts. Without `domain_zone`, the outputs have the targets of the records that
 * an operator makes.
 */
import { CfnOutput } from "aws-cdk-lib";
import { CfnBasePathMapping, CfnDomainName } from "aws-cdk-lib/aws-apigateway";
import { CfnApiMapping, CfnDomainName as CfnSocketsDomainName } from "aws-cdk-lib/aws-apigatewayv2";
import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import { Construct } from "constructs";
import type { Settings } from "./chosen-settings.ts";
import { STAGE_NAME } from "./stage-name.ts";

export interface OwnDomain {
  readonly name: string;
  readonly certificate: string;
  /** The id of the zone in Route 53; undefined where an operator makes the records. */
  readonly zone: string | undefined;
}

/** CloudFront reads certificates of this region alone. */
const CLOUDFRONT_REGION = "us-east-1";

/** @returns undefined without `domain`. @throws Error for settings that do not fit together. */
export function readDomain(settings: Settings): OwnDomain | undefined {
  const [name, certificate, zone] = [
    settings.get("domain"),
    settings.get("domain_certificate"),
    settings.get("domain_zone"),
  ];
  if (name === undefined) {
    if (certificate === undefined && zone === undefined) return undefined;
    throw new Error(
      "The settings domain_certificate and domain_zone require domain, the name that they are for",
    );
  }
  if (certificate === undefined)
    throw new Error("The setting domain requires domain_certificate, the ARN of its certificate in ACM");
  const region = certificate.split(":")[3];
  if (settings.get("edge") && region !== CLOUDFRONT_REGION)
    throw new Error(
      `The setting domain_certificate is in ${region}; with edge=true it must be in ${CLOUDFRONT_REGION}, where CloudFront reads it`,
    );
  return { name, certificate, zone };
}

/** The name of the WebSocket API, which the certificate must have, too. */
const socketsNameOf = (name: string): string => `sockets.${name}`;

interface DomainProps extends OwnDomain {
  readonly apiId: string;
  readonly socketsId: string;
  /** The stages of both APIs, which must exist before they are mapped. */
  readonly stages: readonly Construct[];
}

export class Domain extends Construct {
  readonly url: string;
  readonly socketsUrl: string;

  constructor(scope: Construct, id: string, props: DomainProps) {
    super(scope, id);
    const { name, certificate, zone, apiId, socketsId, stages } = props;
    const socketsName = socketsNameOf(name);
    this.url = `https://${name}/${STAGE_NAME}/`;
    this.socketsUrl = `wss://${socketsName}/${STAGE_NAME}`;
    const api = new CfnDomainName(this, "Api", {
      domainName: name,
      regionalCertificateArn: certificate,
      endpointConfiguration: { types: ["REGIONAL"] },
      securityPolicy: "TLS_1_2",
    });
    const mapping = new CfnBasePathMapping(this, "Mapping", {
      domainName: api.ref,
      basePath: STAGE_NAME,
      restApiId: apiId,
      stage: STAGE_NAME,
    });
    const sockets = new CfnSocketsDomainName(this, "Sockets", {
      domainName: socketsName,
      domainNameConfigurations: [
        { certificateArn: certificate, endpointType: "REGIONAL", securityPolicy: "TLS_1_2" },
      ],
    });
    const socketsMapping = new CfnApiMapping(this, "SocketsMapping", {
      apiId: socketsId,
      apiMappingKey: STAGE_NAME,
      domainName: sockets.ref,
      stage: STAGE_NAME,
    });
    for (const stage of stages) for (const each of [mapping, socketsMapping]) each.node.addDependency(stage);
    pointTo(scope, "Domain", {
      name,
      zone,
      target: api.attrRegionalDomainName,
      targetZone: api.attrRegionalHostedZoneId,
    });
    pointTo(scope, "SocketsDomain", {
      name: socketsName,
      zone,
      target: sockets.attrRegionalDomainName,
      targetZone: sockets.attrRegionalHostedZoneId,
    });
  }
}

export interface Pointer {
  readonly name: string;
  readonly zone: string | undefined;
  readonly target: string;
  readonly targetZone: string;
  readonly types?: readonly ("A" | "AAAA")[];
}

/** Makes the record of a name; without a zone, the output `<id>Target` has what the operator's record points to. */
export function pointTo(
  scope: Construct,
  id: string,
  { name, zone, target, targetZone, types = ["A"] }: Pointer,
): void {
  if (zone === undefined) {
    new CfnOutput(scope, `${id}Target`, {
      value: target,
      description: `Make a CNAME record of ${name} with it`,
    });
    return;
  }
  for (const type of types)
    new CfnRecordSet(scope, `${id}${type}`, {
      hostedZoneId: zone,
      name,
      type,
      aliasTarget: { dnsName: target, hostedZoneId: targetZone },
    });
}
