// The step in the address of a page: #step=17.
import type { Player } from "./player";

export function readHash(): number | null {
  const found = /(?:^#|&)step=(\d+)/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** Keeps the address and the player at the same step. Returns how to stop. */
export function followHash(player: Player): () => void {
  const read = (): void => {
    const step = readHash();
    if (step !== null && step !== player.step) player.jump(step);
  };
  player.onChange(() => {
    if (readHash() === player.step) return;
    try {
      history.replaceState(history.state, "", `#step=${player.step}`);
    } catch {
      // Sandboxed frames forbid it; stepping works without.
    }
  });
  window.addEventListener("hashchange", read);
  return () => window.removeEventListener("hashchange", read);
}
