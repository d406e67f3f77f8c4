"""polynb where there is no kernel: isl as WebAssembly, and a module with islpy's names over it."""
