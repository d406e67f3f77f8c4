import { addCss } from "./add_css";
import css from "./stepper.css?raw";

export function addStyles(el: HTMLElement): void {
  addCss(el, "pnb-style", css);
}
