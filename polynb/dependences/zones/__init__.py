"""When cells are used: relations of time, zones between timepoints, reaching writes, unused zones.

A *scatter* relation gives each instance its time, `{ S[i] -> [t] }`, in one space without a name
for all statements. A *timepoint* is an integer point of that space. A *zone* is a set of them in
which an integer i of the last dimension stands for the open interval ]i-1, i[, so that
`{ [i] : 1 <= i <= 3 }` is ]0, 3[. Reads at a timepoint happen before writes at it. Zones are not
bounded by the times at which something runs: the last dimension goes on to infinity.

DeLICM (Kruse, Grosser), section 2; the names are those of its implementation in Polly.
"""

from polynb.dependences.zones.products import (
    apply_domain_range,
    distribute_domain,
    identity_map,
    lift_domains,
    reverse_domain,
    singleton,
)
from polynb.dependences.zones.reaching import reaching_write
from polynb.dependences.zones.scatter import (
    after_scatter,
    before_scatter,
    between_scatter,
    num_scatter_dims,
    scatter_space,
)
from polynb.dependences.zones.timepoints import shift_dim, zone_to_timepoints
from polynb.dependences.zones.unused import array_unused

__all__ = [
    "after_scatter",
    "apply_domain_range",
    "array_unused",
    "before_scatter",
    "between_scatter",
    "distribute_domain",
    "identity_map",
    "lift_domains",
    "num_scatter_dims",
    "reaching_write",
    "reverse_domain",
    "scatter_space",
    "shift_dim",
    "singleton",
    "zone_to_timepoints",
]
