/** OSPF of a guest with FRR or BIRD, from what its programs print. */
import type { IpPort } from "../guest-state/ip.ts";
import { readFrrConfig } from "./frr-config.ts";
import { type OspfEnd, v4Of } from "./ospf-end.ts";
import { type OspfView, unknownView } from "./ospf-view.ts";
import {
  type Answers,
  neighboursIn,
  type Question,
  questionsAbout,
  questionsAboutSettings,
  settingsIn,
} from "./questions.ts";
import type { OspfRule, RouterConfig } from "./router-config.ts";
import type { Source } from "./sources.ts";
import { vrfsOf } from "./vrfs.ts";

const OSPF = new Set(["ospf"] as const);

export function questionsAboutOspf({ daemon, config }: Source): readonly Question[] {
  // A script may have configured VRFs that no file shows.
  const hasVrfs = config === undefined || vrfsOf(config).size > 0;
  return [
    ...questionsAboutSettings(daemon, OSPF, hasVrfs),
    ...questionsAbout(daemon, OSPF, hasVrfs),
    ...(config === undefined ? (["running"] as const) : []),
  ];
}

export function guestOspf({ node, daemon, config }: Source, answers: Answers): OspfView {
  const { isUnderstood, ospf: neighbours } = neighboursIn(daemon, answers);
  if (!isUnderstood)
    return unknownView(
      node,
      "prints something about its neighbours that the reader does not understand",
      true,
    );
  if (neighbours === undefined) return unknownView(node, "does not run OSPF");
  const { ospf, ports } = settingsIn(daemon, answers);
  const known: RouterConfig = config ?? readFrrConfig(answers.get("running") ?? "", "running configuration");
  return {
    node,
    obstacle: undefined,
    neighbours,
    ports: ports.map((port) => ({ name: port.name, addresses: v4Of(port) })),
    ends: ospf.flatMap((own): OspfEnd[] => {
      const port = ports.find(({ name }) => name === own.port);
      if (port === undefined) return [];
      const rule = ruleFor(known, port);
      return [
        {
          ...own,
          node,
          ...(rule && { place: `${rule.at.file}:${rule.at.line}` }),
          areaKind: rule?.areaKind,
          mtu: port.mtu,
          addresses: v4Of(port),
          authentication: rule?.authentication(port.name),
          areKeysKnown: daemon === "frr",
        },
      ];
    }),
  };
}

const ruleFor = ({ ospf }: RouterConfig, port: IpPort): OspfRule | undefined =>
  ospf.find((rule) => rule.version === 2 && rule.matches(port));
