/** Which packets the selected link must carry, or must never carry. */
import { useState } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";
import { addCheck } from "../tests/make-check.ts";
import { Modal } from "../ui/modal.tsx";
import { closeDialog } from "../ui/open-dialog.ts";

const EXAMPLES = ["icmp", "arp", "tcp port 80", "host 10.0.0.1", "vlan 10"];

export const CarryDialog = ({ lab }: { readonly lab: Lab }) => {
  const [link] = [...lab.selection.value].flatMap((id) => lab.links.value.get(id) ?? []);
  const [filter, setFilter] = useState("");
  const [isNegated, setNegated] = useState(false);
  const [problem, setProblem] = useState("");
  if (link === undefined) return null;
  const name = linkName(link, lab.nodes.value);
  const add = async () => {
    try {
      const { mustCarry } = await import("../tests/checks.ts");
      const check = mustCarry(link, lab.nodes.peek(), filter.trim(), isNegated);
      const words = `${name} must ${isNegated ? "never " : ""}carry ${filter.trim()}`;
      await addCheck(lab, words, () => check);
      closeDialog();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Modal label="Traffic that is expected" onClose={closeDialog}>
      <h2>{name}</h2>
      <form
        class="connect"
        onSubmit={(event) => {
          event.preventDefault();
          void lab.history.follow(add());
        }}
      >
        <label>
          The link
          <select
            value={isNegated ? "never" : "seen"}
            onChange={({ currentTarget }) => setNegated(currentTarget.value === "never")}
          >
            <option value="seen">must carry</option>
            <option value="never">must never carry</option>
          </select>
        </label>
        <label>
          Packets that match a pcap-filter expression
          <input
            required
            list="carry-examples"
            autocomplete="off"
            spellcheck={false}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>
        <datalist id="carry-examples">
          {EXAMPLES.map((example) => (
            <option key={example} value={example} />
          ))}
        </datalist>
        {problem !== "" && (
          <p class="danger" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button type="submit" class="primary">
            Add to the tests
          </button>
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
        </p>
      </form>
    </Modal>
  );
};
