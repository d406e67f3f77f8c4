// What pages lack for those who do not see them or use no mouse: the level of the headings at the
// side, parameters of a signature as a list, folded code by what it says, and that what scrolls can
// be reached.
for (const caption of document.querySelectorAll(".caption[role='heading']")) {
  caption.setAttribute("aria-level", "2");
}
for (const list of document.querySelectorAll("dt.sig > dl")) {
  list.setAttribute("role", "list");
  for (const item of list.children) item.setAttribute("role", "listitem");
}
for (const folded of document.querySelectorAll("details > summary[aria-label]")) {
  folded.removeAttribute("aria-label");
}
for (const box of document.querySelectorAll("pre, .output div, .polynb-picture, .table-wrapper")) {
  const { overflowX, overflowY } = getComputedStyle(box);
  const isWide = box.scrollWidth > box.clientWidth && /auto|scroll/.test(overflowX);
  const isHigh = box.scrollHeight > box.clientHeight && /auto|scroll/.test(overflowY);
  if ((isWide || isHigh) && !box.closest(".pnb-root")) box.tabIndex = 0;
}
