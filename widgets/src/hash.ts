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
  const write = (): void => {
    if (readHash() === player.step) return;
    try {
      history.replaceState(history.state, "", `#step=${player.step}`);
    } catch {
      // Sandboxed frames forbid it; stepping works without.
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  player.onChange(() => {
    // Browsers are slow at this, and refuse it when it is done very often.
    clearTimeout(timer);
    timer = setTimeout(write, 100);
  });
  window.addEventListener("hashchange", read);
  return () => {
    clearTimeout(timer);
    window.removeEventListener("hashchange", read);
  };
}
