// Keys of the stepper. None of them leaves it: JupyterLab would take arrows to move between cells
// and letters as commands. Notebook 7 takes them on their way down to us, before any listener of
// ours; what has the focus must say that it wants them. Tab is left alone, or nobody would get out;
// and Ctrl+S saves the notebook: it is pressed once more, outside of the stepper.
import type { Links } from "./links";
import type { Player } from "./player";

export function listenForKeys(root: HTMLElement, player: Player, links: Links): void {
  root.addEventListener("focusin", (event) => {
    (event.target as Element).setAttribute("data-lm-suppress-shortcuts", "true");
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return;
    event.stopPropagation();
    if (isSave(event) && root.parentElement) {
      if (!root.parentElement.dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (handled(event, player, links)) event.preventDefault();
  });
}

function handled(event: KeyboardEvent, player: Player, links: Links): boolean {
  const target = event.target as HTMLElement;
  if (event.key === "Escape") return links.unpin();
  if (isField(target)) return false;
  switch (event.key) {
    case "ArrowRight":
      player.stop();
      player.forward();
      return true;
    case "ArrowLeft":
      player.stop();
      player.back();
      return true;
    case "Home":
      player.jump(0);
      return true;
    case "End":
      player.jump(player.last);
      return true;
    case "o":
      player.display.toggleOrder(player.showsOrder);
      return true;
    case "a":
      player.display.toggleEverything();
      return true;
    case "p":
      player.togglePredict();
      return true;
    case " ":
      if (target.closest("button, summary, [role=button]")) return false;
      player.togglePlay();
      return true;
    default:
      return false;
  }
}

function isSave({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === "s" && ctrlKey !== metaKey && !altKey && !shiftKey;
}

/** Where keys are typed, or move something of its own. The slider of the steps is not such. */
function isField(target: HTMLElement): boolean {
  if (target.matches("[data-step-slider]")) return false;
  return target.matches("input:not([type=checkbox]), textarea, select");
}
