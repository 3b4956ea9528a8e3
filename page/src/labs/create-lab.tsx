/** Creates a lab, or imports one from a file. */
import { useState } from "preact/hooks";
import { call } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { attempt, notify } from "../ui/notices.tsx";
import { labAddress } from "../ui/route.ts";
import { buildExample, EXAMPLES } from "./examples.ts";
import { importFiles } from "./import-lab.ts";

function chooseExample(select: HTMLSelectElement): void {
  const path = select.value;
  select.value = "";
  if (path === "") return;
  notify("Building the example…");
  attempt(async () => {
    location.hash = labAddress((await buildExample(path)).project_id);
  });
}

export const CreateLab = () => {
  const [name, setName] = useState("");
  const create = async () => {
    const lab = await call<Project>("POST", "/projects", { body: { name: name.trim(), auto_close: false } });
    location.hash = labAddress(lab.project_id);
  };
  return (
    <form
      class="create"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(create);
      }}
    >
      <label class="hidden" for="new-lab">
        Name of the new lab
      </label>
      <input
        id="new-lab"
        placeholder="Name of the new lab"
        required
        maxLength={255}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Create
      </button>
      <label class="hidden" for="example">
        Create an example
      </label>
      <select id="example" value="" onChange={(event) => chooseExample(event.currentTarget)}>
        <option value="">Examples…</option>
        {EXAMPLES.map(([path, title]) => (
          <option key={path} value={path}>
            {title}
          </option>
        ))}
      </select>
      <label class="button">
        Import…
        <input
          type="file"
          class="hidden"
          accept=".gns3project,.gns3,.yaml,.yml"
          multiple
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = "";
            attempt(() => importFiles(files));
          }}
        />
      </label>
    </form>
  );
};
