/** A dialog above the page. The focus returns to where it was. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ModalProps {
  readonly label: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export const Modal = ({ label, class: name = "", onClose, children }: ModalProps) => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog, too.
    <dialog
      ref={element}
      class={`modal ${name}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
      onClick={(event) => {
        // What is beside the dialog belongs to its element.
        if (event.target === element.current) onClose();
      }}
    >
      <div class="modal-content">{children}</div>
    </dialog>
  );
};
