/** BGP of a guest with FRR or BIRD, from what its programs print. */
import type { BgpEnd } from "./bgp-end.ts";
import { type BgpView, unknownBgp } from "./bgp-view.ts";
import { canonical } from "./find-adjacencies.ts";
import { readFrrConfig } from "./frr-config.ts";
import { type Answers, neighboursIn, type Question, questionsAbout, settingsIn } from "./questions.ts";
import type { BgpRule, RouterConfig } from "./router-config.ts";
import type { Source } from "./sources.ts";
import { vrfsOf } from "./vrfs.ts";

const BGP = new Set(["bgp"] as const);

export function questionsAboutBgp({ daemon, config }: Source): readonly Question[] {
  const hasVrfs = config === undefined || vrfsOf(config).size > 0;
  return [
    "ip",
    ...questionsAbout(daemon, BGP, hasVrfs),
    ...(config === undefined ? (["running"] as const) : []),
  ];
}

export function guestBgp({ node, daemon, config }: Source, answers: Answers): BgpView {
  const { isUnderstood, bgp: neighbours } = neighboursIn(daemon, answers);
  if (!isUnderstood)
    return unknownBgp(
      node,
      "prints something about its neighbours that the reader does not understand",
      true,
    );
  if (neighbours === undefined) return unknownBgp(node, "does not run BGP");
  const known: RouterConfig = config ?? readFrrConfig(answers.get("running") ?? "", "running configuration");
  const ports = settingsIn(daemon, answers).ports.map(({ name, addresses }) => ({
    name,
    addresses: addresses.map((each) => canonical(each.split("/")[0] ?? "")),
  }));
  return {
    node,
    obstacle: undefined,
    ports,
    ends: neighbours.map((own): BgpEnd => {
      const rule = ruleFor(known, own.name, own.vrf);
      const source = rule?.source && addressOf(rule.source, ports);
      return {
        node,
        name: own.name,
        address: own.address && canonical(own.address),
        state: own.state,
        localAs: own.localAs ?? rule?.localAs,
        remoteAs: remoteOf(own.remoteAs, rule),
        isShutDown: own.isShutDown,
        isPassive: rule?.isPassive ?? false,
        source: source === "" ? undefined : source,
        password: rule?.password,
        withoutPolicy: own.withoutPolicy ?? [],
        lastError: own.lastError,
        ...(rule && { place: `${rule.at.file}:${rule.at.line}` }),
      };
    }),
  };
}

const ruleFor = ({ bgp }: RouterConfig, name: string, vrf: string | undefined): BgpRule | undefined =>
  bgp.find((rule) => rule.vrf === vrf && canonical(rule.name) === canonical(name));

/** FRR shows 0 for `external` before the session has been up. */
function remoteOf(shown: number | undefined, rule: BgpRule | undefined): number | undefined {
  if (typeof rule?.remoteAs === "number") return rule.remoteAs;
  if (rule?.remoteAs === "internal") return rule.localAs;
  return shown === 0 ? undefined : shown;
}

/** The address of `update-source`. */
function addressOf(source: string, ports: BgpView["ports"]): string | undefined {
  const port = ports.find(({ name }) => name === source);
  return port === undefined ? canonical(source) : port.addresses.find((each) => !each.includes(":"));
}
