// A program in an address: `#propagate=blur%0Aparam+N...` is a cell of `%%propagate blur`, and
// `#cell=...` any other cell. (Encoded as forms are: nothing is left that ends a link in a text.)

/** What stands behind the `#`. */
export function fragment(text) {
  const [head, magic] = /^\s*%%(\w+) ?/.exec(text) ?? ["", "cell"];
  return new URLSearchParams({ [magic]: text.slice(head.length) }).toString();
}

/** The cell that an address names; or null. */
export function named(hash) {
  const [[magic, text] = []] = new URLSearchParams(hash.replace(/^#/, ""));
  if (!text || !/^\w+$/.test(magic)) return null;
  return magic === "cell" ? text : `%%${magic}${/^\s/.test(text) ? "" : " "}${text}`;
}
