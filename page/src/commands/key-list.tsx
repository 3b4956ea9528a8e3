/** The keys of the lab's view, and what they do. */
import { Modal } from "../ui/modal.tsx";
import { closeDialog } from "../ui/open-dialog.ts";
import { areLettersKeys, switchLetters } from "./letters.ts";
import { KEY_LIST } from "./table.ts";

export const KeyList = () => (
  <Modal label="Keys" class="key-list" onClose={closeDialog}>
    <h2>Keys</h2>
    <table>
      <tbody>
        {KEY_LIST.map(({ keys, about }) => (
          <tr key={about}>
            <th scope="row">
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && " "}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </th>
            <td>{about}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <label class="check">
      <input type="checkbox" checked={areLettersKeys.value} onChange={switchLetters} />
      Keys of one character are on
    </label>
    <p class="buttons">
      <button type="button" class="primary" onClick={closeDialog}>
        Close
      </button>
    </p>
  </Modal>
);
