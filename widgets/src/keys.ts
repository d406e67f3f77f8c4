// Keys of the stepper.
import { keepKeys } from "./keep_keys";
import type { Links } from "./links";
import type { Player } from "./player";

export function listenForKeys(root: HTMLElement, player: Player, links: Links): void {
  keepKeys(root, (event) => !event.ctrlKey && !event.metaKey && !event.altKey && handled(event, player, links));
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
      if (target.closest("button, summary, input[type=checkbox], [role=button]")) return false;
      player.togglePlay();
      return true;
    default:
      return false;
  }
}

/** Where keys are typed, or move something of its own. The slider of the steps is not such. */
function isField(target: HTMLElement): boolean {
  if (target.matches("[data-step-slider]")) return false;
  return target.matches("input:not([type=checkbox]), textarea, select");
}
