import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/labs.css";
import "./styles/lab.css";

render(<App />, document.getElementById("app")!);
