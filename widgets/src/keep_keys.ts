// Keys that stay in a widget. JupyterLab would take arrows to move between cells and letters as
// commands. Notebook 7 takes them on their way down to us, before any listener of ours; what has the
// focus must say that it wants them. Tab is left alone, or nobody would get out; and Ctrl+S saves the
// notebook: it is pressed once more, outside of the widget.

/** `handle` gets each other key, and says whether it did something with it. */
export function keepKeys(root: HTMLElement, handle: (event: KeyboardEvent) => boolean): void {
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
    if (!event.defaultPrevented && handle(event)) event.preventDefault();
  });
}

function isSave({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === "s" && ctrlKey !== metaKey && !altKey && !shiftKey;
}
