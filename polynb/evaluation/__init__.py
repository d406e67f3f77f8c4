"""The papers' tables and figures as commands: `python -m polynb.evaluation.table1`, `figure11`,
`figure12`, `peers` and `scalars` (CC'18, section 6), and `schedulers` (IMPACT'16, section 4);
each tells its options with `--help`. `results/` has what they found on one machine, `references/`
the seven pipelines in NumPy."""
