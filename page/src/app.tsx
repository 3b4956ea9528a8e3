/** The frame: signing in, the list of labs, one lab. */
import { sessionNumber, signInNeeded } from "./api/session.ts";
import { LabLoader } from "./lab/lab-loader.tsx";
import { LabsPage } from "./labs/labs-page.tsx";
import { openLabId } from "./route.ts";
import { isReturning } from "./sign-in/issuer.ts";
import { SignIn } from "./sign-in/sign-in.tsx";
import { Notices } from "./ui/notices.tsx";

export const App = () => (
  <>
    {isReturning.value ? <Returning /> : signInNeeded.value ? <SignIn /> : <View key={sessionNumber.value} />}
    <Notices />
  </>
);

const Returning = () => (
  <main class="message" aria-busy="true">
    Signing in…
  </main>
);

const View = () => {
  const id = openLabId.value;
  return id === null ? <LabsPage /> : <LabLoader key={id} projectId={id} />;
};
