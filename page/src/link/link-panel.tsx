/** The settings of one link: what it does to packets. */
import type { Link } from "../api/types.ts";
import { setCapture } from "../edit/capture.ts";
import { changeParts } from "../edit/change.ts";
import { noteImpairments } from "../edit/impairments.ts";
import { removeSelected } from "../edit/remove.ts";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";
import { attempt } from "../ui/notices.tsx";
import { useCaptureCounts } from "./capture-counts.ts";
import { FilterForm } from "./filter-form.tsx";
import { ImpairmentForm } from "./impairment-form.tsx";
import { TrafficTable } from "./traffic-table.tsx";

interface LinkPanelProps {
  readonly lab: Lab;
  readonly link: Link;
}

export const LinkPanel = ({ lab, link }: LinkPanelProps) => {
  const path = `${lab.path}/links/${link.link_id}`;
  const suspend = (value: boolean) =>
    changeParts(
      lab,
      [{ kind: "link", id: link.link_id, path: ["suspend"], value }],
      value ? "suspend a link" : "resume a link",
    );
  const captured = useCaptureCounts(lab, link);
  const name = linkName(link, lab.nodes.value);
  const [a = "?", b = "?"] = link.nodes.map((end) => lab.nodes.value.get(end.node_id)?.name ?? "?");
  return (
    <section class="panel" aria-label={`Link ${name}`}>
      <h2>{name}</h2>
      <p class="buttons">
        <button
          type="button"
          aria-pressed={link.suspend}
          onClick={() => attempt(() => suspend(!link.suspend))}
        >
          {link.suspend ? "Resume" : "Suspend"}
        </button>
        <button
          type="button"
          aria-pressed={link.capturing}
          onClick={() => attempt(() => setCapture(lab, link.link_id, !link.capturing))}
        >
          {link.capturing ? "Stop capture" : "Start capture"}
        </button>
        <button type="button" class="danger" onClick={() => attempt(() => removeSelected(lab))}>
          Delete
        </button>
      </p>
      <TrafficTable traffic={lab.traffic.value.get(link.link_id)} ends={[a, b]} />
      {captured !== "" && <p class="facts counts">{captured}</p>}
      <FilterForm key={link.link_id} lab={lab} link={link} />
      <ImpairmentForm
        path={path}
        ends={[a, b]}
        isConnected={lab.isConnected.value}
        known={lab.impairments.value.get(link.link_id)}
        onKnown={(settings) => lab.noteImpairments(link.link_id, settings)}
        onStored={(settings, before) => {
          lab.putOwnImpairments(link.link_id, settings, before);
          noteImpairments(lab, link.link_id, before, settings);
        }}
      />
    </section>
  );
};
