// Before steppers are mounted: their traces stand in a page as their notebook has them, compressed.
for (const packed of document.querySelectorAll("script[type='application/zlib']")) {
  const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const trace = document.createElement("script");
  trace.type = "application/json";
  trace.textContent = await new Response(plain).text();
  packed.replaceWith(trace);
}
