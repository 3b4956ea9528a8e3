import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { attempt } from "../ui/notices.tsx";

/** A name that the service refuses stays in the field. */
export const RenameForm = ({ lab, onEnd }: { readonly lab: Project; readonly onEnd: () => void }) => {
  const [name, setName] = useState(lab.name);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const rename = async () => {
    if (name.trim() !== lab.name)
      await call("PUT", `/projects/${lab.project_id}`, { body: { name: name.trim() } });
    onEnd();
  };
  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(rename);
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") onEnd();
      }}
    >
      <input
        ref={field}
        aria-label={`New name of ${lab.name}`}
        required
        maxLength={255}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Rename
      </button>
      <button type="button" onClick={onEnd}>
        Cancel
      </button>
    </form>
  );
};
