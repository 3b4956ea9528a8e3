/** Names of the account's own: the REST API's, the WebSocket API's, and CloudFront's. */
import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, test, vi } from "vitest";
import { Settings } from "../../../infra/chosen-settings.ts";
import { readDomain } from "../../../infra/domain.ts";
import { findingsOf } from "../../helpers/stack/nag.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

/** A template takes a minute on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/0a1b2c3d-1111-2222-3333-444455556666`;
const DOMAIN = { domain: "lab.example.org", domain_certificate: certificate("eu-west-1") };
const ZONE = { domain_zone: "Z0123456789ABC" };

describe("with a zone of Route 53", () => {
  const template = () => templateOf({ ...DOMAIN, ...ZONE });

  test("the paths of the interface follow the name, as they follow the API's own address", () => {
    template().hasResourceProperties("AWS::ApiGateway::DomainName", {
      DomainName: "lab.example.org",
      RegionalCertificateArn: DOMAIN.domain_certificate,
      EndpointConfiguration: { Types: ["REGIONAL"] },
      SecurityPolicy: "TLS_1_2",
    });
    template().hasResource("AWS::ApiGateway::BasePathMapping", {
      Properties: { BasePath: "v2", Stage: "v2", RestApiId: { Ref: Match.stringLikeRegexp("^ApiOpenApi") } },
      DependsOn: Match.arrayWith([Match.stringLikeRegexp("^ApiOpenApiDeploymentStage")]),
    });
    expect(template().findOutputs("ApiUrl").ApiUrl!.Value).toBe("https://lab.example.org/v2/");
  });

  test("WebSockets have a name of their own, because API Gateway refuses both APIs at one", () => {
    template().hasResourceProperties("AWS::ApiGatewayV2::DomainName", {
      DomainName: "sockets.lab.example.org",
      DomainNameConfigurations: [
        { CertificateArn: DOMAIN.domain_certificate, EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
      ],
    });
    template().hasResource("AWS::ApiGatewayV2::ApiMapping", {
      Properties: { ApiMappingKey: "v2", Stage: "v2" },
      DependsOn: Match.arrayWith([Match.stringLikeRegexp("^SocketsStage")]),
    });
    expect(template().findOutputs("SocketsUrl").SocketsUrl!.Value).toBe("wss://sockets.lab.example.org/v2");
  });

  test("both names have records in the zone", () => {
    const records = Object.values(template().findResources("AWS::Route53::RecordSet"));
    expect(
      records.map(({ Properties }) => [Properties.Name, Properties.Type, Properties.HostedZoneId]),
    ).toEqual([
      ["lab.example.org", "A", "Z0123456789ABC"],
      ["sockets.lab.example.org", "A", "Z0123456789ABC"],
    ]);
    expect(template().findOutputs("DomainTarget")).toEqual({});
  });
});

test("without a zone, the outputs have the targets of the records", () => {
  const template = templateOf(DOMAIN);
  template.resourceCountIs("AWS::Route53::RecordSet", 0);
  for (const name of ["DomainTarget", "SocketsDomainTarget"])
    expect(template.findOutputs(name)[name]!.Value).toEqual({
      "Fn::GetAtt": [expect.stringMatching(/^Domain(Api|Sockets)/), "RegionalDomainName"],
    });
});

test("CloudFront has the name for requests and WebSockets", () => {
  const template = templateOf({
    ...DOMAIN,
    ...ZONE,
    domain_certificate: certificate("us-east-1"),
    edge: "true",
  });
  template.hasResourceProperties("AWS::CloudFront::Distribution", {
    DistributionConfig: {
      Aliases: ["lab.example.org"],
      ViewerCertificate: {
        AcmCertificateArn: certificate("us-east-1"),
        MinimumProtocolVersion: Match.stringLikeRegexp("^TLSv1.[23]"),
      },
    },
  });
  template.resourceCountIs("AWS::ApiGateway::DomainName", 0);
  expect(template.findOutputs("EdgeUrl").EdgeUrl!.Value).toBe("https://lab.example.org");
  const records = Object.values(template.findResources("AWS::Route53::RecordSet"));
  expect(records.map(({ Properties }) => [Properties.Name, Properties.Type])).toEqual([
    ["lab.example.org", "A"],
    ["lab.example.org", "AAAA"],
  ]);
});

test("without a domain there are no names", () => {
  const template = templateOf();
  template.resourceCountIs("AWS::ApiGateway::DomainName", 0);
  template.resourceCountIs("AWS::ApiGatewayV2::DomainName", 0);
});

test("cdk-nag finds nothing", () => {
  const edge = { domain_certificate: certificate("us-east-1"), edge: "true" };
  expect(
    findingsOf([
      { ...DOMAIN, ...ZONE },
      { ...DOMAIN, ...edge },
    ]),
  ).toEqual([]);
});

test.each<[Record<string, string>, string]>([
  [{ domain: DOMAIN.domain }, "domain requires domain_certificate"],
  [{ domain_certificate: DOMAIN.domain_certificate }, "require domain"],
  [ZONE, "require domain"],
  [{ ...DOMAIN, edge: "true" }, "domain_certificate is in eu-west-1; with edge=true it must be in us-east-1"],
  [
    { ...DOMAIN, domain: "https://lab.example.org" },
    "domain is https://lab.example.org; it must be a host name",
  ],
  [{ ...DOMAIN, domain: "Lab.example.org" }, "it must be a host name"],
  [
    { ...DOMAIN, domain_certificate: "arn:aws:iam::1:server-certificate/x" },
    "it must be the ARN of a certificate in ACM",
  ],
  [{ ...DOMAIN, domain_zone: "example.org" }, "it must be the id of a hosted zone"],
])("%j is refused", (given, message) => {
  expect(() => readDomain(new Settings(given))).toThrow(message);
});
