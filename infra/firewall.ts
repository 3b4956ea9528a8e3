/**
 * `-c waf=true`: a web application firewall for the stage. It rejects requests from scanners, and from addresses that send too
 * many, before they reach the rest of the stack.
 *
 *     -c waf_rate=3000     requests from one address in five minutes; AWS WAF rejects further ones with 403
 */
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { namespaceOf } from "./metrics.ts";

/**
 * The rules of the managed group that inspect bodies, queries or paths; each would reject ordinary requests of this interface.
 * They only count requests, because the functions validate these parts with schemas. The other rules, which inspect headers and
 * cookies, block.
 */
const COUNTED: Readonly<Record<string, string>> = {
  SizeRestrictions_BODY: "captures, symbols and topologies are larger than its 8 KB",
  CrossSiteScripting_BODY: "symbols are SVG documents; captures hold web pages",
  GenericLFI_BODY: "start-up scripts and captures hold paths",
  GenericRFI_BODY: "projects, symbols and captures hold addresses of the web",
  EC2MetaDataSSRF_BODY: "labs may use 169.254.169.254",
  CrossSiteScripting_QUERYARGUMENTS: "filter expressions compare with < and >",
  EC2MetaDataSSRF_QUERYARGUMENTS: "filter expressions may name 169.254.169.254",
  GenericLFI_QUERYARGUMENTS: "filter expressions may hold any text that names a host",
  GenericRFI_QUERYARGUMENTS: "filter expressions hold addresses",
  RestrictedExtensions_QUERYARGUMENTS:
    "filter expressions name hosts, and host names may end in .log or .ini",
  SizeRestrictions_QUERYSTRING: "filter expressions have up to 4,096 characters",
  CrossSiteScripting_URIPATH: "ids of symbols may hold any character",
  EC2MetaDataSSRF_URIPATH: "ids of symbols may hold any text",
  GenericLFI_URIPATH: "ids of symbols hold slashes and dots",
  GenericRFI_URIPATH: "ids of symbols hold colons and slashes",
  RestrictedExtensions_URIPATH: "symbols have the names that they are uploaded with",
  SizeRestrictions_URIPATH: "ids of symbols have up to 512 bytes, which percent-encoding makes 1,536",
  NoUserAgent_HEADER: "HTTP clients of programming languages send none",
};

interface FirewallProps {
  /** The maximum number of requests from one address in five minutes. */
  readonly rate: number;
  readonly stageArn: string;
}

export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { rate, stageArn }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, "Acl", {
      description: "Wirelab: before the stage of the API",
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: this.#visibility("All"),
      rules: [
        {
          name: "rate",
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { aggregateKeyType: "IP", limit: rate } },
          visibilityConfig: this.#visibility("Rate"),
        },
        {
          name: "common",
          priority: 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: "AWS",
              name: "AWSManagedRulesCommonRuleSet",
              ruleActionOverrides: Object.keys(COUNTED).map((name) => ({
                name,
                actionToUse: { count: {} },
              })),
            },
          },
          visibilityConfig: this.#visibility("Common"),
        },
      ],
    });
    new CfnWebACLAssociation(this, "Association", { resourceArn: stageArn, webAclArn: acl.attrArn });
  }

  /** Disables sampled requests, because they include all headers, also `Authorization`. */
  #visibility(name: string): CfnWebACL.VisibilityConfigProperty {
    return {
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName: `${namespaceOf(this)}Firewall${name}`,
    };
  }
}
