/** With whom the lab is shared, and its address. */
import { useState } from "preact/hooks";
import { authorization } from "../api/session.ts";
import { type Shares, share } from "../edit/sharing.ts";
import type { Lab } from "../lab/lab.ts";
import { Modal } from "../ui/modal.tsx";
import { closeDialog } from "../ui/open-dialog.ts";

type Role = Shares[number]["role"];
const ROLES: Readonly<Record<Role, string>> = { viewer: "may look at it", editor: "may change it" };

export const ShareDialog = ({ lab }: { readonly lab: Lab }) => {
  const { shared_with: shares, owner } = lab.project.value;
  const [problem, setProblem] = useState("");
  const [user, setUser] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [isCopied, setCopied] = useState(false);
  const set = async (next: Shares): Promise<boolean> => {
    setProblem("");
    try {
      await lab.history.follow(share(lab, next));
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  const others = (name: string): Shares => shares.filter((each) => each.user !== name);
  const add = async () => {
    const name = user.trim();
    if (await set([...others(name), { user: name, role }])) setUser("");
  };
  return (
    <Modal label="Share" onClose={closeDialog}>
      <h2>Share</h2>
      <p class="faint">
        {owner === null
          ? "This lab has no owner: all users of the service see and change it."
          : `This lab belongs to ${owner}. Others see it when they are named here.`}
      </p>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <input
          aria-label="User"
          placeholder="User"
          required
          autocomplete="off"
          value={user}
          onInput={({ currentTarget }) => setUser(currentTarget.value)}
        />
        <RoleSelect label="Role" role={role} onChange={setRole} />
        <button type="submit" class="primary">
          Share
        </button>
      </form>
      {problem !== "" && (
        <p class="danger" role="alert">
          {problem}
        </p>
      )}
      <ul class="parts" aria-label="Shared with">
        {shares.map((each) => (
          <li key={each.user}>
            <span class="part one-line">{each.user}</span>
            <RoleSelect
              label={`Role of ${each.user}`}
              role={each.role}
              onChange={(next) =>
                void set(shares.map((one) => (one.user === each.user ? { ...one, role: next } : one)))
              }
            />
            <button
              type="button"
              class="quiet danger"
              aria-label={`Remove ${each.user}`}
              onClick={() => void set(others(each.user))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(location.href).then(() => setCopied(true))}
        >
          Copy the address
        </button>
        <span role="status">{isCopied ? "Copied." : ""}</span>
        <span class="space" />
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </p>
      {authorization.value === null && (
        <p class="faint">This service has no sign-in, so roles are of no effect here.</p>
      )}
    </Modal>
  );
};

interface RoleSelectProps {
  readonly label: string;
  readonly role: Role;
  readonly onChange: (role: Role) => void;
}

const RoleSelect = ({ label, role, onChange }: RoleSelectProps) => (
  <select
    class="short"
    aria-label={label}
    value={role}
    onChange={({ currentTarget }) => onChange(currentTarget.value as Role)}
  >
    {Object.entries(ROLES).map(([value, words]) => (
      <option key={value} value={value}>
        {value}: {words}
      </option>
    ))}
  </select>
);
