/** Creates a lab, or imports one from a file. */
import { useState } from "preact/hooks";
import { call } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { attempt } from "../ui/notices.tsx";
import { GALLERY_ADDRESS, labAddress } from "../ui/route.ts";
import { importFiles } from "./import-lab.ts";

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
      <a class="button" href={GALLERY_ADDRESS}>
        Examples
      </a>
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
