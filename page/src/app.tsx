/** The frame: signing in, the list of labs, the gallery, one lab. */
import { useEffect, useRef } from "preact/hooks";
import { heldUser, sessionNumber, signInNeeded } from "./api/session.ts";
import { LabLoader } from "./lab-page/lab-loader.tsx";
import { GalleryLoader } from "./labs/gallery-loader.tsx";
import { dropTarget, importFromLab } from "./labs/import-lab.ts";
import { LabsPage } from "./labs/labs-page.tsx";
import { isReturning } from "./sign-in/issuer.ts";
import { SignIn } from "./sign-in/sign-in.tsx";
import { attempt, Notices } from "./ui/notices.tsx";
import { isGalleryOpen, openLabId } from "./ui/route.ts";

export const App = () => (
  <>
    {isReturning.value ? (
      <Returning />
    ) : signInNeeded.value && heldUser.value === null ? (
      <SignIn />
    ) : (
      <Session />
    )}
    <Notices />
  </>
);

/** The view stays while its user signs in again. */
const Session = () => (
  <>
    <View key={sessionNumber.value} />
    {signInNeeded.value && <SignInAgain />}
  </>
);

const SignInAgain = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label="Sign in again" onCancel={(event) => event.preventDefault()}>
      <SignIn />
    </dialog>
  );
};

const Returning = () => (
  <main class="message" aria-busy="true">
    Signing in…
  </main>
);

const View = () => {
  const id = openLabId.value;
  if (id !== null)
    return (
      <div class="contents" {...dropTarget((files) => attempt(() => importFromLab(files)))}>
        <LabLoader key={id} projectId={id} />
      </div>
    );
  return isGalleryOpen.value ? <GalleryLoader /> : <LabsPage />;
};
