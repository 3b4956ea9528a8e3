import { render } from "preact";
import { App } from "./app.tsx";
import { returnFromIssuer } from "./sign-in/issuer.ts";
import { continueSession } from "./sign-in/password.ts";
import "./styles/base.css";
import "./styles/labs.css";
import "./styles/lab.css";
import "./styles/dialogs.css";

void returnFromIssuer();
continueSession();
render(<App />, document.getElementById("app")!);
